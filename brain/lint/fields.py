"""The frontmatter's values: complete, typed, and in agreement with the place the file lies at (SPEC §1.2)."""

from __future__ import annotations

from brain import clock
from brain.errors import ConfigError
from brain.frontmatter import Quoted
from brain.layout import DEPRECATED, FLAT_AREAS, PENDING, REMOVALS, STATUSES, TYPES
from brain.lint.finding import ERROR, WARNING, Rule
from brain.memory import HEX, MAY_BE_EMPTY, MAY_MISS, REQUIRED, SCHEMA, TAG_CHARACTERS, TAG_START, reads_as_text
from brain.text import HOOK_WORDS, count_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from brain.frontmatter import Node
    from brain.layout import Place
    from brain.lint.finding import Sheet
    from brain.lint.header import Field, Header
    from brain.lint.team import Team

MAX_TAGS, MAX_ALIASES, MAX_TEXT = 12, 12, 200
MAX_REVIEW_YEARS = 5
EARLIEST = "2000-01-01"
"""A memory made before that has a wrong date."""
TEXTS = ("source", "scope", "reviewed_by", "hook", "owner", "removal_reason")
DATES = ("created", "review_by")

FIELD_MISSING = Rule(
    "M040", "field-missing", ERROR, "a required key is missing or empty",
    "Scoring, review or staleness cannot work without it.", "give the key a value",
)  # fmt: skip
KEYS_MISSING = Rule(
    "M041", "frontmatter-key-missing", ERROR, "most keys are missing: the block seems to be closed too early",
    "A line --- inside a value ends the frontmatter.", "look at the line that closes it",
)  # fmt: skip
FIELD_TYPE = Rule(
    "M042", "field-type", ERROR, "a value of the wrong type",
    "YAML readers take plain words for numbers, dates and booleans, each in its way.",
    "quote it, or write the type asked for",
)  # fmt: skip
FIELD_VALUE = Rule(
    "M043", "field-value", ERROR, "a value that the key cannot have",
    "Nothing is known to do with it.", "write one of the values that the key can have",
)  # fmt: skip
FIELD_NEWLINE = Rule(
    "M044", "field-has-newline", ERROR, "a value of several lines",
    "It would break the index line and every table.", "keep it on one line",
)  # fmt: skip
FIELD_LONG = Rule(
    "M045", "field-too-long", ERROR, f"a value of over {MAX_TEXT} characters",
    "Text belongs to the body, where its words are counted.", "say it shorter, or in the body",
)  # fmt: skip
FIELD_UNKNOWN = Rule(
    "M046", "field-unknown", WARNING, "an unknown key",
    "It survives every rewrite and nobody reads it: most often it is a slip of the pen.",
    "name a known key, or take it out",
)  # fmt: skip
KEY_ORDER = Rule(
    "M047", "key-order", WARNING, "the keys are not in their order",
    "The same order everywhere keeps diffs small.", "put them in the order of the documentation",
)  # fmt: skip
ID_FORMAT = Rule(
    "M048", "id-format", ERROR, "the id is not mem-<code>-<slug>",
    "Citations are found by that form.", "write the id that the path gives",
)  # fmt: skip
ID_NOT_PATH = Rule(
    "M049", "id-not-path", ERROR, "the id is not the one of this path",
    "An id names one place in the tree.", "write the id that the path gives, or move the file",
)  # fmt: skip
TYPE_UNKNOWN = Rule(
    "M050", "type-unknown", ERROR, "an unknown type", "The type says who reviews it and who needs it.",
    f"write one of {', '.join(TYPES)}",
)  # fmt: skip
TYPE_NOT_AREA = Rule(
    "M051", "type-not-area", ERROR, "the type does not fit the area",
    "Each area holds one type.", "write the area's type, or move the file",
)  # fmt: skip
SCOPE_NOT_FOLDER = Rule(
    "M052", "scope-not-folder", ERROR, "the scope is not the folder's name",
    "A memory counts for the function whose folder it lies in.", "write the folder's name, or move the file",
)  # fmt: skip
TAG_FORMAT = Rule(
    "M053", "tag-format", ERROR, "a tag that is not in the one form tags have",
    "Tags that look alike and differ never meet.", "use lower-case letters, digits, '.', '+' and '-'",
)  # fmt: skip
TAG_NOT_ASCII = Rule(
    "M054", "tag-not-ascii", WARNING, "a tag that is not ASCII",
    "A ticket in another language never names it; aliases are made for that.", "write it under aliases",
)  # fmt: skip
TAGS_EMPTY = Rule(
    "M055", "tags-empty", WARNING, "no tags", "Tags are what a memory is found by.", "write two to five tags",
)  # fmt: skip
TAGS_DUPLICATE = Rule(
    "M056", "tags-duplicate", WARNING, "a tag stands twice", "It would count twice.", "keep one",
)  # fmt: skip
TAGS_MANY = Rule(
    "M057", "tags-too-many", ERROR, f"over {MAX_TAGS} tags",
    "Who has every tag is found by every ticket.", "keep those that tell it from others",
)  # fmt: skip
CONFIDENCE_RANGE = Rule(
    "M058", "confidence-range", ERROR, "a confidence that is not from 0.0 to 1.0",
    "It is a term of the score.", "write a number from 0.0 to 1.0",
)  # fmt: skip
CONFIDENCE_ZERO = Rule(
    "M059", "confidence-zero", WARNING, "confidence 0", "What nobody believes need not be kept.",
    "raise it, or propose the removal",
)  # fmt: skip
CONFIDENCE_LONG = Rule(
    "M060", "confidence-precision", WARNING, "a confidence of many digits",
    "Nobody is that sure how sure they are.", "write one or two digits",
)  # fmt: skip
DATE_FORMAT = Rule(
    "M061", "date-format", ERROR, "no date of the calendar as YYYY-MM-DD",
    "Readers turn other forms into other days.", "write YYYY-MM-DD",
)  # fmt: skip
DATE_FUTURE = Rule(
    "M062", "date-in-future", ERROR, "a date that has not come yet",
    "What is new forever never loses a point.", "write the day it was learned",
)  # fmt: skip
DATE_OLD = Rule(
    "M063", "date-implausible", WARNING, "a date before there were memories",
    "It looks like a default of some program.", "write the day it was learned",
)  # fmt: skip
DATE_QUOTED = Rule(
    "M064", "date-quoted", WARNING, "a date in quotes", "Some readers take it for text.", "take the quotes off",
)  # fmt: skip
WORKFLOW_UNKNOWN = Rule(
    "M065", "workflow-unknown", WARNING, "an unknown workflow",
    "No session runs it, so nothing is recalled for it.", "write a workflow of brain.toml's profiles, or all",
)  # fmt: skip
NO_REVIEWER = Rule(
    "M066", "approved-without-reviewer", ERROR, "approved, and nobody is named who did it",
    "Only finalize makes a memory approved, with the approver's name.", "write status: pending",
)  # fmt: skip
HOOK_LONG = Rule(
    "M067", "hook-too-long", ERROR, f"the hook has over {HOOK_WORDS} words",
    "The index has one short line for each memory.", f"say it in {HOOK_WORDS} words",
)  # fmt: skip
HOOK_MARKUP = Rule(
    "M068", "hook-markup", ERROR, "markup in the hook",
    "It would break out of its index line.", "write plain words",
)  # fmt: skip
NOT_VERIFIED = Rule(
    "M069", "refs-not-verified", WARNING, "refs, and no commit at which they were checked",
    "Nobody can tell whether they have changed since.", "run brain verify, or brain remember --update with --refs",
)  # fmt: skip
ALIASES_MANY = Rule(
    "M089", "aliases-too-many", ERROR, f"over {MAX_ALIASES} aliases",
    "Who has every word is found by every ticket.", "keep the words that people really say",
)  # fmt: skip
NOT_IN_FORCE = Rule(
    "M098", "deprecated-in-force", ERROR, "deprecated, in a place of what is in force",
    "It is recalled by nobody and missed by nobody; only a removal makes a memory deprecated.",
    "write status: pending; brain remove proposes the removal of an approved one",
)  # fmt: skip
REVIEW_FAR = Rule(
    "M099", "review-too-far", WARNING, f"to be looked at again in over {MAX_REVIEW_YEARS} years",
    "Nobody is there any more who knows.", "write a day that somebody will see",
)  # fmt: skip
REMOVAL_HALF = Rule(
    "M087", "removal-without-reason", ERROR, "removal and removal_reason do not stand together",
    "Who approves a removal has to know why, and the next reader too.", "write both, or neither",
)  # fmt: skip
REMOVAL_EARLY = Rule(
    "M088", "removal-not-approved", ERROR, "the removal of what is not approved",
    "Only an approved memory is removed, by a merge request of its own.",
    "take the keys out; brain pending drop drops a draft",
)  # fmt: skip


def check_fields(header: Header, place: Place | None, team: Team, sheet: Sheet) -> None:
    """Report what is missing, mistyped or at odds with the place."""
    if header.readable:
        _check_present(header, sheet)
    for key, field in header.fields.items():
        if key in SCHEMA:
            _check_value(key, field, team, sheet)
        else:
            _report_unknown(key, field, sheet)
    if place:
        _check_place(header.fields, place, sheet)
    _check_together(header.fields, sheet)


def is_null(node: Node) -> bool:
    """Say whether YAML readers take a node for nothing."""
    return isinstance(node, str) and not isinstance(node, Quoted) and node in ("", "~", "null", "Null", "NULL")


def text_of(fields: dict[str, Field], key: str) -> str:
    """Return a field's text; "" where there is none."""
    node = fields[key].node if key in fields else ""
    return str(node) if isinstance(node, str) else ""


def texts_of(fields: dict[str, Field], key: str) -> list[str]:
    """Return the texts of a list field."""
    node = fields[key].node if key in fields else []
    return [str(item) for item in node if isinstance(item, str)] if isinstance(node, list) else []


def _check_present(header: Header, sheet: Sheet) -> None:
    asked = [key for key in REQUIRED if key not in MAY_MISS]
    missing = [key for key in asked if key not in header.fields]
    if len(missing) > len(asked) // 2:
        sheet.add(KEYS_MISSING, header.end, 1, f"{len(missing)} of {len(asked)} keys are missing before this line")
    else:
        for key in missing:
            sheet.add(FIELD_MISSING, header.end, 1, f"{key} is missing", mend=f"add the key {key}")
    known = [key for key in header.fields if key in REQUIRED]
    if known != sorted(known, key=REQUIRED.index):
        wrong = next(key for key, right in zip(known, sorted(known, key=REQUIRED.index), strict=True) if key != right)
        sheet.add(KEY_ORDER, header.fields[wrong].line, 1, f"{wrong} is not in its place among the keys")


def _report_unknown(key: str, field: Field, sheet: Sheet) -> None:
    from difflib import get_close_matches

    from brain.text import fold

    near = get_close_matches(fold(key), SCHEMA, n=1, cutoff=0.6)
    mend = f"did you mean {near[0]}?" if near else ""
    sheet.add(FIELD_UNKNOWN, field.line, 1, f"unknown key {key[:60]!r}", mend=mend)


def _check_value(key: str, field: Field, team: Team, sheet: Sheet) -> None:
    def say(rule: Rule, message: str, **more: str) -> None:
        sheet.add(rule, field.line, field.column, f"{key}: {message}", **more)

    node = field.node
    if is_empty(node):
        if key in REQUIRED and (key not in MAY_BE_EMPTY or (key == "tags" and node != [])):
            say(FIELD_MISSING, "is empty", mend=f"give {key} a value")
        elif key == "tags":
            say(TAGS_EMPTY, "there are none")
        return
    _CHECKS[key](node, say)
    if key in DATES:
        _check_day(key, str(node), team, say)
    if key == "workflows" and isinstance(node, list):
        for name in node:
            if isinstance(name, str) and name not in team.workflows:
                say(WORKFLOW_UNKNOWN, f"unknown workflow {str(name)[:60]!r}")


def is_empty(node: Node) -> bool:
    """Say whether a node holds nothing."""
    return is_null(node) or node == [] or (isinstance(node, str) and not node.strip())


def _text(node: Node, say: Callable[..., None]) -> bool:
    """Report what keeps a node from being one line of text; say whether it is."""
    if not isinstance(node, str):
        say(FIELD_TYPE, "is not text", mend="write one value")
        return False
    if not isinstance(node, Quoted) and not reads_as_text(node):
        say(FIELD_TYPE, f"{str(node)[:40]!r} reads as a number, a date or a boolean", mend="put it in quotes")
        return False
    if "\n" in node:
        say(FIELD_NEWLINE, "holds a line break")
    if len(node) > MAX_TEXT:
        say(FIELD_LONG, f"{len(node)} characters, {MAX_TEXT} at most")
    return True


def _texts(node: Node, say: Callable[..., None]) -> list[str]:
    if not isinstance(node, list):
        say(FIELD_TYPE, "is no list", mend="write [one, two]")
        return []
    found = []
    for item in node:
        if is_empty(item):
            say(FIELD_TYPE, "has an empty item", mend="take it out")
        elif _text(item, say):
            found.append(str(item))
    return found


def _tags(node: Node, say: Callable[..., None]) -> None:
    import unicodedata

    tags = _texts(node, say)
    if len(tags) > MAX_TAGS:
        say(TAGS_MANY, f"{len(tags)} tags, {MAX_TAGS} at most")
    for number, tag in enumerate(tags):
        shown = ascii(tag)[:60] if not unicodedata.is_normalized("NFC", tag) else repr(tag[:60])
        if tag in tags[:number]:
            say(TAGS_DUPLICATE, f"the tag {shown} stands twice")
        elif tag.isascii():
            if not (tag[0] in TAG_START and TAG_CHARACTERS.issuperset(tag)):
                say(TAG_FORMAT, f"the tag {shown} is not lower-case ASCII")
        elif not unicodedata.is_normalized("NFC", tag) or tag != tag.lower() or any(map(str.isspace, tag)):
            say(TAG_FORMAT, f"the tag {shown} is not lower case in NFC")
        else:
            say(TAG_NOT_ASCII, f"the tag {shown} is not ASCII")


def _id(node: Node, say: Callable[..., None]) -> None:
    if not _text(node, say):
        return
    word, _, rest = str(node).partition("-")
    code, _, slug = rest.partition("-")
    fine = word == "mem" and code.isalnum() and code.isascii() and slug[:1] in TAG_START and slug
    if not fine or not (TAG_CHARACTERS | {"_"}).issuperset(slug):
        say(ID_FORMAT, f"{ascii(str(node))[:80]} is not mem-<code>-<slug>")


def _one_of(words: tuple[str, ...], rule: Rule) -> Callable[..., None]:
    def check(node: Node, say: Callable[..., None]) -> None:
        if _text(node, say) and node not in words:
            say(rule, f"{str(node)[:60]!r} is unknown", mend=f"write one of {', '.join(words)}")

    return check


def _confidence(node: Node, say: Callable[..., None]) -> None:
    mend = "write a number from 0.0 to 1.0"
    if isinstance(node, str) and not isinstance(node, Quoted) and str(node).lower().lstrip("+-") in (".nan", ".inf"):
        say(CONFIDENCE_RANGE, f"{node!s} is no number from 0.0 to 1.0")
        return
    plain = node if isinstance(node, str) and not isinstance(node, Quoted) and node.isascii() else "?"
    whole, dot, part = plain.removeprefix("-").partition(".")
    if not whole.isdigit() or (dot and not part.isdigit()):
        say(FIELD_TYPE, "is no number", mend=mend)
    elif len(whole) > 3 or not 0 <= float(plain[:40]) <= 1:
        say(CONFIDENCE_RANGE, f"{plain[:20]} is not from 0.0 to 1.0")
    elif float(plain[:40]) == 0:
        say(CONFIDENCE_ZERO, "is 0")
    elif len(part) > 6:
        say(CONFIDENCE_LONG, f"has {len(part)} digits")


def _hits(node: Node, say: Callable[..., None]) -> None:
    plain = node if isinstance(node, str) and not isinstance(node, Quoted) and node.isascii() else "?"
    if not plain.removeprefix("-").isdigit():
        say(FIELD_TYPE, "is no whole number", mend="write 0; consolidate counts")
    elif plain[0] == "-" or len(plain) > 9:
        say(FIELD_VALUE, f"{plain[:20]} is no count", mend="write 0; consolidate counts")


def _flag(node: Node, say: Callable[..., None]) -> None:
    if isinstance(node, Quoted) or node not in ("true", "false"):
        say(FIELD_TYPE, "is neither true nor false", mend="write true or false")


def _date(node: Node, say: Callable[..., None]) -> None:
    if not isinstance(node, str) or not is_date(str(node)):
        say(DATE_FORMAT, f"{str(node)[:40]!r} is no date of the calendar")
    elif isinstance(node, Quoted):
        say(DATE_QUOTED, "is in quotes")


def is_date(text: str) -> bool:
    """Say whether ``text`` is a day of the calendar as YYYY-MM-DD."""
    try:
        return len(text) == 10 and clock.check_date(text, "") == text
    except (ConfigError, ValueError, OverflowError):
        return False


def _check_day(key: str, day: str, team: Team, say: Callable[..., None]) -> None:
    if not is_date(day):
        return
    if key == "created" and team.today and day > clock.days_before(team.today, -1):  # a day: time zones
        say(DATE_FUTURE, f"{day} has not come yet")
    elif key == "review_by" and team.today and int(day[:4]) > int(team.today[:4]) + MAX_REVIEW_YEARS:
        say(REVIEW_FAR, f"{day} is over {MAX_REVIEW_YEARS} years away")
    elif day < EARLIEST:
        say(DATE_OLD, f"{day} is before there were memories")


def _commit(node: Node, say: Callable[..., None]) -> None:
    if isinstance(node, dict):
        for commit in node.values():
            _commit(commit, say)
    elif not isinstance(node, str):
        say(FIELD_TYPE, "is no commit", mend="write the full commit id, or a map of repo alias to commit id")
    elif not isinstance(node, Quoted) and node.isdigit():
        say(FIELD_TYPE, "an all-digit commit id reads as a number", mend="put it in quotes")
    elif not is_commit(node):
        say(FIELD_VALUE, f"{str(node)[:50]!r} is no full commit id", mend="write all 40 lower-case hex digits")


def is_commit(text: str) -> bool:
    """Say whether ``text`` is a full commit id."""
    return len(text) in (40, 64) and HEX.issuperset(text)


def _hook(node: Node, say: Callable[..., None]) -> None:
    if not _text(node, say):
        return
    words = count_words(str(node))
    if words > HOOK_WORDS:
        say(HOOK_LONG, f"{words} words, {HOOK_WORDS} at most")
    if "](" in node or "<" in node or "`" in node or "[[" in node:
        say(HOOK_MARKUP, "holds markup")


def _aliases(node: Node, say: Callable[..., None]) -> None:
    aliases = _texts(node, say)
    if len(aliases) > MAX_ALIASES:
        say(ALIASES_MANY, f"{len(aliases)} aliases, {MAX_ALIASES} at most")


def _text_or_texts(node: Node, say: Callable[..., None]) -> None:
    if isinstance(node, list):
        _texts(node, say)
    else:
        _text(node, say)


_CHECKS: dict[str, Callable[[Node, Callable[..., None]], object]] = {
    **dict.fromkeys(TEXTS, _text), **dict.fromkeys(DATES, _date),
    "id": _id, "type": _one_of(TYPES, TYPE_UNKNOWN), "workflows": _texts, "tags": _tags, "confidence": _confidence,
    "status": _one_of(STATUSES, FIELD_VALUE), "hits": _hits, "refs": _texts, "verified_commit": _commit,
    "removal": _one_of(REMOVALS, FIELD_VALUE),
    "stale": _flag, "hook": _hook, "aliases": _aliases, "supersedes": _text_or_texts, "superseded_by": _text_or_texts,
}  # fmt: skip


def _check_place(fields: dict[str, Field], place: Place, sheet: Sheet) -> None:
    rows = (
        ("id", place.id, ID_NOT_PATH),
        ("type", place.type, TYPE_NOT_AREA),
        ("scope", place.scope, SCOPE_NOT_FOLDER),
    )
    for key, wanted, rule in rows:
        found = text_of(fields, key)
        flat_scope = key == "scope" and place.area in FLAT_AREAS
        if found and found != wanted and not flat_scope and (key != "type" or found in TYPES):
            where = (fields[key].line, fields[key].column)
            sheet.add(
                rule, *where, f"{key} is {ascii(found)[:80]}, the path says {wanted!r}", mend=f"write {key}: {wanted}"
            )


def _check_together(fields: dict[str, Field], sheet: Sheet) -> None:
    if text_of(fields, "status") == "approved" and not text_of(fields, "reviewed_by").strip():
        sheet.add(NO_REVIEWER, fields["status"].line, fields["status"].column)
    verified = fields.get("verified_commit")
    if texts_of(fields, "refs") and verified and is_empty(verified.node):
        sheet.add(NOT_VERIFIED, verified.line, 1)


def check_removal(fields: dict[str, Field], layer: str, sheet: Sheet) -> None:
    """Report a removal without its reason or the other way round, and what is removed or not by its status alone."""
    if text_of(fields, "status") == "deprecated" and layer != DEPRECATED:
        sheet.add(NOT_IN_FORCE, fields["status"].line, fields["status"].column)
    asked = [key for key in ("removal", "removal_reason") if key in fields and not is_empty(fields[key].node)]
    if not asked:
        return
    at = (fields[asked[0]].line, fields[asked[0]].column)
    if len(asked) == 1:
        sheet.add(REMOVAL_HALF, *at, f"{asked[0]} stands alone")
    if layer == PENDING or text_of(fields, "status") == "pending":
        sheet.add(REMOVAL_EARLY, *at, f"{asked[0]} in what is not approved")
