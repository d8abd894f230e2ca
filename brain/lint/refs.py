"""Refs: what they may name, and whether it is there, in the repos that are at hand (SPEC §5.1)."""

from __future__ import annotations

import unicodedata

from brain.lint.finding import ERROR, WARNING, Rule
from brain.stale.refs import WORKSPACE, WORKSPACE_KEYS, find_verified, parse_ref
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.lint.finding import Sheet
    from brain.lint.header import Header
    from brain.lint.team import Team
    from brain.stale.refs import Ref

MAX_REFS = 20
SCHEMES = ("javascript", "data", "vbscript", "ftp", "ssh", "git", "mailto", "smb", "ldap", "gopher", "blob")

OUTSIDE_REPO = Rule(
    "M090", "ref-outside-repo", ERROR, "a ref that leads out of the repo",
    "Whoever checks it would read this machine's own files.", "write a path in the repo, from its root",
)  # fmt: skip
REF_SCHEME = Rule(
    "M091", "ref-scheme", ERROR, "a ref with a scheme, an option or a password that no ref has",
    "It is no file in a repo, and may run or reveal something.", "write a path in the repo, or an https address",
)  # fmt: skip
NOT_HTTPS = Rule(
    "M092", "ref-not-https", WARNING, "an address without https",
    "Anyone on the way can change what is read there.", "write https",
)  # fmt: skip
NOT_FOUND = Rule(
    "M093", "ref-not-found", WARNING, "the repo has no such path",
    "A ref to nothing is stale for ever.", "correct the path, in its exact case",
)  # fmt: skip
TOO_MANY = Rule(
    "M094", "refs-too-many", ERROR, f"over {MAX_REFS} refs",
    "What rests on everything is stale with every commit.", "name the files it really rests on",
)  # fmt: skip
ALIAS_UNKNOWN = Rule(
    "M095", "ref-alias-unknown", ERROR, "a repo that brain.toml does not name",
    "Nobody can look there.", "add the repo to brain.toml, or correct the alias",
)  # fmt: skip
TOO_WIDE = Rule(
    "M096", "ref-too-wide", WARNING, "a ref to a whole repo",
    "It goes stale with every commit.", "name the files it really rests on",
)  # fmt: skip
REF_SYMLINK = Rule(
    "M097", "ref-symlink", ERROR, "a ref through a symbolic link",
    "What it points to changes without the ref, or lies outside.", "name the file itself",
)  # fmt: skip
VERIFIED_UNKNOWN = Rule(
    "M305", "verified-unknown", WARNING, "the commit at which refs were checked is not in their repo",
    "Nobody can tell whether they have changed since: it is a slip, or was lost in a rebase.",
    "run brain verify, which writes a commit that is there",
)  # fmt: skip


@value
class Asked:
    """A ref whose existence is to be looked up, where it stands, and the commit it was checked at ("" for none)."""

    ref: Ref
    line: int
    column: int
    verified: str = ""
    verified_line: int = 1


def check_refs(head: str, header: Header, team: Team, sheet: Sheet) -> list[Asked]:
    """Report refs that may not be, and return those that may and have to be looked up."""
    field = header.fields.get("refs")
    if field is None or not isinstance(field.node, list):
        if not header.readable:
            _check_raw(head, sheet)
        return []
    if len(field.node) > MAX_REFS:
        sheet.add(TOO_MANY, field.line, field.column, f"{len(field.node)} refs, {MAX_REFS} at most")
    asked = []
    for text in field.node[:MAX_REFS]:
        if isinstance(text, str) and text.strip():
            found = _judge(str(text), team)
            if isinstance(found, Rule):
                sheet.add(found, field.line, field.column, f"ref {ascii(str(text))[:80]}: {found.what}")
            elif found:
                asked.append(Asked(found, field.line, field.column, *_verified(header, found.alias)))
    return asked


def _verified(header: Header, alias: str) -> tuple[str, int]:
    """Return the commit at which a repo's refs were checked, "" where it may be another repo's, and its line."""
    field = header.fields.get("verified_commit")
    if field is None or isinstance(field.node, list):
        return "", 1
    node = field.node
    if isinstance(node, str):
        commit = str(node) if alias == WORKSPACE else ""
    else:
        commit = str(find_verified({key: text for key, text in node.items() if isinstance(text, str)}, alias))
    return (commit if len(commit) in (40, 64) else ""), field.line


def _check_raw(head: str, sheet: Sheet) -> None:
    """Report what stands out in refs that YAML cannot read."""
    for number, line in enumerate(head.split("\n"), 2):
        address = line.partition("://")[2].partition("/")[0]
        if line.startswith("refs:") and "@" in address:
            sheet.add(REF_SCHEME, number, 1)


def _judge(text: str, team: Team) -> Rule | Ref | None:
    """Return the rule a ref breaks, the ref to look up, or None where nobody can."""
    plain = _decoded(text)
    if plain.startswith(("-", ":(", ":!", ":^")):  # an option, or magic of git's path patterns
        return REF_SCHEME
    scheme, colon, rest = plain.partition("://")
    if colon and scheme.isalpha():
        return _judge_address(scheme.lower(), rest)
    word = plain.partition(":")[0].lower()
    if word in SCHEMES and word not in team.aliases:
        return REF_SCHEME
    ref = parse_ref(text)
    path = _decoded(ref.path or text.partition(":")[2] or text)
    if not ref.path or _leads_out(plain) or _leads_out(path):
        return OUTSIDE_REPO
    if ref.alias and ref.alias not in team.aliases and ref.alias not in WORKSPACE_KEYS:
        return ALIAS_UNKNOWN
    if not path.strip("*/."):
        return TOO_WIDE
    return ref


def _judge_address(scheme: str, rest: str) -> Rule | None:
    if scheme == "file":
        return OUTSIDE_REPO
    if scheme not in ("http", "https") or "@" in rest.partition("/")[0]:
        return REF_SCHEME
    return NOT_HTTPS if scheme == "http" else None


def _decoded(text: str) -> str:
    """Return what a careless reader could make of a ref: full width and percent signs read."""
    text = unicodedata.normalize("NFKC", text)
    if "%" in text:
        from urllib.parse import unquote

        text = unquote(unquote(text))
    return text


def _leads_out(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    drive = path[1:2] == ":" and path[0].isalpha()
    odd = path.startswith(("/", "~", "$", "%")) or "\\" in path or "\0" in path or "\n" in path or drive
    return odd or ".." in parts or ".git" in (part.lower() for part in parts)
