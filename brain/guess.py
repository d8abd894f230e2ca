"""What is guessed of a memory from its text and the ticket, where nobody said it; each guess is a remark."""

from __future__ import annotations

import re

from brain.errors import BrainError
from brain.git.objects import blob_id
from brain.layout import (
    AREA_TYPES,
    FOLDER_PATTERN,
    GLOBAL,
    ROLES,
    SLUG_PATTERN,
    short_code,
    slugify,
)
from brain.lint.place import is_reserved
from brain.lint.secrets.scan import find_secrets
from brain.recall.query import living
from brain.tags import spot_tags
from brain.text import first_sentence, fold, is_dense, visible
from brain.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.ticket import Ticket
    from brain.workspace import Brain

APPLY = {"vi": "**Áp dụng:**", "en": "**Apply:**", "ja": "**適用:**"}
"""The apply line's beginning by language (SPEC §1.2)."""
APPLY_LINE = re.compile(r"^\s*[-*>]*\s*\*\*(?:Áp dụng|Apply|適用)\s*[:：]\s*\*\*", re.MULTILINE)
ASSISTANT = (0.3, 0.7)
"""Least and most confidence of an assistant's draft."""
CONFIDENCE = 0.6
LEAST_TAGS, MOST_TAGS = 3, 5
_TYPE_SIGNS = (
    ("glossary", r"\A[^\n.]{1,60} (?:means|stands for|nghĩa là|là viết tắt)\b|\A[^\n。]{1,40}とは"),
    ("decision", r"\b(?:we (?:decided|chose|agreed)|decision:|quyết định|đã chọn|thống nhất)\b"
                 r"|決定し|ことにした|採用する"),
    ("lesson", r"\b(?:lesson|never|always|forgot|mistake|don't|do not|bài học|lỗi|quên|luôn|không được|tránh)\b"
               r"|教訓|必ず|忘れ|しないこと|失敗|不具合"),
)  # fmt: skip
_STOP_WORDS = frozenset(
    """about after again also always another because been before being cannot could does doing done each either every
    from have having here into itself just like many more most much must need never nothing only other ours over same
    shall should since some such than that their them then there these they this those through under until upon used
    using very want were what when where which while whom whose will with within without would your""".split()  # noqa: SIM905
)
_ROLE_OF = {"create-spec": "ba", "create-testcase": "qa", "execute-test": "qa"}
_WORKFLOWS_OF = {"01.Lessons/dev": ("coding", "review"), "01.Lessons/qa": ("create-testcase", "execute-test"),
                 "01.Lessons/ba": ("create-spec",)}  # fmt: skip


@value
class Wish:
    """What someone wants remembered; what is empty is guessed. ``scope`` is a function's folder or code, or global."""

    text: str
    type: str = ""
    area: str = ""
    role: str = ""
    scope: str = ""
    slug: str = ""
    tags: tuple[str, ...] = ()
    workflows: tuple[str, ...] = ()
    confidence: float | None = None
    by_assistant: bool = False
    source: str = ""
    refs: tuple[str, ...] = ()
    hook: str = ""
    aliases: tuple[str, ...] = ()
    apply: str = ""


def check_wish(wish: Wish) -> Wish:
    """Return the wish with its one-line values checked: a line break would end a value, or the frontmatter."""
    fields = {name: getattr(wish, name) for name in ("type", "area", "role", "scope", "slug", "source", "hook")}
    for name in ("tags", "workflows", "refs", "aliases"):
        fields.update({f"{name}[{number}]": item for number, item in enumerate(getattr(wish, name))})
    for name, text in fields.items():
        if text != visible(text) or "\n" in text or "\t" in text:
            option = name.partition("[")[0]
            raise BrainError(f"--{option} {text!r} holds a line break or an invisible character", "keep it on one line")
    if wish.slug and not re.fullmatch(SLUG_PATTERN, wish.slug):
        raise BrainError(f"--slug {wish.slug!r} is no slug", "use lower-case letters, digits and hyphens: retry-twice")
    if is_reserved(wish.slug):
        raise BrainError(f"--slug {wish.slug!r} is a name that Windows keeps for a device", "use another name")
    return replace(wish, tags=tuple(dict.fromkeys(_tag(tag) for tag in wish.tags)))


def _tag(text: str) -> str:
    """Return a tag as it is compared: ``Đơn hàng`` becomes ``don-hang``."""
    tag = "-".join(fold(text).split())
    if not re.fullmatch(r"[a-z0-9][a-z0-9.+-]*", tag):
        raise BrainError(
            f"--tags {text!r} is no tag", "use ASCII letters, digits, '.', '+' and '-'; other names are --aliases"
        )
    return tag


def make_body(wish: Wish, remarks: list[str]) -> str:
    """Return the body: visible characters only, ending with the apply line that was given.

    Raises:
        BrainError: There is no text.
    """
    body = visible(wish.text).strip()
    if not any(map(str.isalnum, body)):
        raise BrainError("there is no text to remember", 'brain remember "what was learned"')
    if body != wish.text.replace("\r\n", "\n").strip() and len(body) < len(wish.text.strip()):
        remarks.append("invisible characters were taken out")
    if wish.apply and APPLY_LINE.search(body):
        remarks.append("the text has an apply line already; --apply is left out")
    elif wish.apply:
        body += f"\n\n{APPLY[language_of(body)]} {' '.join(visible(wish.apply).split())}"
    return body


def language_of(text: str) -> str:
    """Return ``ja``, ``vi`` or ``en``, by the script.

    >>> [language_of(text) for text in ("在庫を確認する", "Kiểm tra đơn hàng", "naïve café")]
    ['ja', 'vi', 'en']
    """
    dense = sum(is_dense(ord(sign)) for sign in text)
    if dense * 8 > len(text):
        return "ja"
    marked = len(re.findall("[ăđơưĂĐƠƯ\u1ea0-\u1ef9]", visible(text)))
    return "vi" if marked * 40 > len(text) else "en"


def guess_area(wish: Wish, ticket: Ticket, body: str, remarks: list[str]) -> str:
    """Return the area, guessed where it was not said."""
    kind = wish.type or _type(wish, body, remarks)
    if wish.role and kind != "lesson":
        raise BrainError(
            f"--role {wish.role} is for lessons, not for type {kind}", "leave --role out, or say --type lesson"
        )
    if wish.area and kind != "fact":
        raise BrainError(
            f"--area {wish.area} is for facts, not for type {kind}", "leave --area out, or say --type fact"
        )
    if kind == "lesson":
        role = wish.role or _ROLE_OF.get(ticket.workflow, "dev")
        if not wish.role:
            remarks.append(f"guessed: role {role} (--role {'|'.join(ROLES)})")
        return f"01.Lessons/{role}"
    if kind == "fact":
        area = wish.area or ("architecture" if wish.refs or ticket.workflow in ("coding", "review") else "domain")
        if not wish.area:
            remarks.append(f"guessed: area {area} (--area architecture|domain)")
        return f"00.Shared/{area}"
    return next(area for area, found in AREA_TYPES.items() if found == kind)


def _type(wish: Wish, body: str, remarks: list[str]) -> str:
    if wish.role:
        return "lesson"
    if wish.area:
        return "fact"
    text = body.casefold()
    kind = next((kind for kind, signs in _TYPE_SIGNS if re.search(signs, text)), "lesson")
    remarks.append(f"guessed: type {kind} (--type lesson|fact|decision|glossary|instinct)")
    return kind


def guess_folder(brain: Brain, wish: Wish, ticket: Ticket, remarks: list[str]) -> str:
    """Return the function's folder as the memory names it already, or ``_global``."""
    scope = wish.scope
    if not scope and len(ticket.functions) == 1 and re.fullmatch(FOLDER_PATTERN, ticket.functions[0]):
        scope = ticket.functions[0]
        remarks.append(f"guessed: scope {scope}, the ticket's function (--scope)")
    elif not scope and len(ticket.functions) == 1:
        remarks.append(f"the ticket's function {ticket.functions[0]!r} cannot name a folder: global is taken (--scope)")
    if scope in ("", "global", GLOBAL):
        return GLOBAL
    if not re.fullmatch(FOLDER_PATTERN, scope) or not short_code(scope):
        raise BrainError(f"--scope {scope!r} cannot name a folder", "write global, or a function such as F-003_Payment")
    folders = function_folders(brain)
    alike = sorted(folder for folder in folders if short_code(folder).lower() == short_code(scope).lower())
    if scope in folders or not alike:
        return scope
    remarks.append(f"scope {scope} is the folder {alike[0]}")
    return alike[0]


def function_folders(brain: Brain) -> set[str]:
    """Return the functions' folders that memories and drafts lie in."""
    return {folder for part in brain.parts for _, folder, _ in part.segment.header["places"]} - {"", GLOBAL}


def guess_slug(wish: Wish, body: str, remarks: list[str]) -> str:
    """Return a slug from the hook or the first sentence, else from the tags, else from the text's hash."""
    enough = least_letters(body)
    for source, text in (("", wish.hook), ("", first_sentence(body)), ("the tags", " ".join(wish.tags[:3]))):
        slug = slugify(_without_secrets(text))
        if not is_reserved(slug) and sum(map(str.isalpha, slug)) >= (3 if source else enough):
            if source or enough > 3:
                remarks.append(f"guessed: slug {slug} (--slug)")
            return slug
    slug = f"note-{blob_id(body.encode('utf-8', 'surrogatepass'))[:8]}"
    remarks.append(f"the text gives no slug in ASCII: it is called {slug}; --slug NAME would say more")
    return slug


def least_letters(text: str) -> int:
    """Return from how many letters on a slug tells of a text: the odd ASCII word of a Japanese one does not."""
    return 6 if language_of(text) == "ja" else 3


def _without_secrets(text: str) -> str:
    """Return a text without its secrets: what is taken out of a text later would stay in a name or a tag."""
    for hit in reversed(find_secrets(text)):
        text = f"{text[: hit.start]} {text[hit.end :]}"
    return text


def guess_workflows(area: str, remarks: list[str]) -> tuple[str, ...]:
    """Return the workflows that lean on an area, ``all`` where there is no telling."""
    workflows = _WORKFLOWS_OF.get(area, ("all",))
    remarks.append(f"guessed: workflows {', '.join(workflows)} (--workflows)")
    return workflows


def guess_tags(brain: Brain, body: str, remarks: list[str]) -> tuple[str, ...]:
    """Return known tags that the text speaks of, filled up with its own words."""
    spotted = spot_tags(body, living(brain.tree.parts))
    known = [tag for tag in sorted(spotted) if tag not in _STOP_WORDS and tag.isascii()][:MOST_TAGS]
    new = [word for word in _own_words(APPLY_LINE.sub("", _without_secrets(body))) if word not in known]
    tags = (*known, *new[: max(0, LEAST_TAGS - len(known))])
    if tags:
        remarks.append(f"guessed: tags {', '.join(tags)} (--tags)")
    else:
        remarks.append("warning: no tags: it is found by function and text alone; give --tags")
    return tags


def _own_words(text: str) -> list[str]:
    """Return words that could be tags, in order: in Vietnamese and Japanese only what is surely no syllable."""
    language = language_of(text)
    words = re.findall(r"(?<![\w-])[A-Za-z][A-Za-z0-9]{2,23}(?![\w-])", text, re.ASCII if language == "ja" else 0)
    if language == "vi":
        words = [word for word in words if not word[1:].islower()]
    least = 4 if language == "en" else 3
    lowered = dict.fromkeys(word.lower() for word in words)
    return [word for word in lowered if word not in _STOP_WORDS and len(word) >= least]


def confidence_of(wish: Wish) -> float:
    """Return the confidence asked for, or the usual one; an assistant's within its bounds."""
    confidence = CONFIDENCE if wish.confidence is None else wish.confidence
    if not 0 <= confidence <= 1:
        raise BrainError(f"--confidence {confidence:g} is not from 0.0 to 1.0", "write for instance 0.6")
    if wish.by_assistant:
        confidence = min(max(confidence, ASSISTANT[0]), ASSISTANT[1])
    return round(confidence, 2)


def guess_source(ticket: Ticket, today: str) -> str:
    """Return the ticket and its gate, else that it was written by hand today."""
    task = " ".join(visible(ticket.task_id).split())
    gate = " ".join(visible(ticket.gate).split())
    return f"{task} / gate {gate}" if task and gate else task or f"manual {today}"
