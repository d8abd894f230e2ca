"""Change logs → facts: what breaks for whoever upgrades (Keep a Changelog, conventional-changelog)."""

from __future__ import annotations

import re

from brain.sources.piece import Left, Piece, Reading
from brain.sources.text import anchor, bare, body, items, language_in, matches, opening, paragraphs, parse
from brain.text import count_words, fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.sources.text import Section

FILE = re.compile(
    r"(?:^|/)(?:changelog|changes|history|releases?(?:[-_ ]?notes)?|breaking[-_ ]?changes"
    r"|変更履歴|リリースノート)[^/]*$"
)
VERSION = re.compile(r"\[?v?(?P<version>\d+\.\d+(?:\.\d+)?(?:[-+.][0-9A-Za-z.-]+)?)\]?(?P<rest>.*)", re.IGNORECASE)
NEW = re.compile(r"\[?(?:unreleased|next|upcoming|未リリース|chua phat hanh)\]?.*", re.IGNORECASE)
DATE = re.compile(r"\d{4}-\d\d-\d\d")
BREAKING = re.compile(
    r"(?:[⚠️!💥🧨\s:]|warning)*(?:breaking(?: changes?)?|backwards?[- ]incompatible changes?|incompatible changes?"
    r"|破壊的(?:な)?変更|互換性のない変更|thay doi (?:pha vo|khong tuong thich).*)"
)
FLAG = re.compile(
    r"^(?:\*\*|\[|\(|__)?\s*[⚠️💥\s]*(?:breaking(?: change)?s?|破壊的変更|thay đổi không tương thích)"
    r"\s*(?:\*\*|\]|\)|__)?\s*[:：!]?\s*(?:\*\*)?\s*",
    re.IGNORECASE,
)
FLAGGED = re.compile(r"\s*(?:\*\*|\[|\()(?:breaking(?: change)?|破壊的変更)(?:\*\*|\]|\))[:：]?\s*", re.IGNORECASE)
TRAIL = re.compile(r"(?:,?\s*(?:\(?\[?#\d+\]?\)?|\([0-9a-f]{7,40}\)|closes .*|by @[\w-]+.*))+\s*$", re.IGNORECASE)
SAYS = {"en": "Since {version}: {text}", "vi": "Từ bản {version}: {text}", "ja": "{version} から: {text}"}
APPLY = {
    "en": "before you upgrade past {version}, look for uses of it.",
    "vi": "trước khi nâng cấp lên {version}, kiểm tra chỗ dùng.",
    "ja": "{version} へ上げる前に、使っている箇所を確認する。",
}
LEAST_WORDS = 4
NEWEST = 5
"""Versions with breaking changes that are taken; who upgrades over more reads the change log."""


def read(path: str, text: str) -> Reading:
    """Return a fact for each breaking change of the newest versions."""
    document = parse(text)
    if not (FILE.search(fold(path)) or FILE.fullmatch(fold(document.title).replace(" ", ""))):
        return Reading()
    found: dict[str, Piece] = {}
    left: list[Left] = []
    versions: list[str] = []
    for _, section in document.root.walk():
        version, released = _version(section.title)
        changes = list(dict.fromkeys(_changes(section))) if version else []
        if not changes:
            continue
        if not released or len(versions) >= NEWEST:
            why = f"older than the newest {NEWEST} versions with breaking changes" if released else "not released yet"
            left.append(Left(path, anchor(version), why))
            continue
        versions.append(version)
        date = DATE.search(section.title)
        for change in changes:
            key = anchor(version, opening(change))
            piece = _piece(path, key, version, change, date[0] if date else "")
            if piece:
                found.setdefault(key, piece)
            else:
                left.append(Left(path, key, "it cannot be told in a few sentences"))
    return Reading(tuple(found.values()), tuple(left))


def _version(title: str) -> tuple[str, bool]:
    """Return a heading's version and whether it is released; "" where it is no version's heading."""
    plain = bare(title)
    if NEW.fullmatch(fold(plain)):
        return "unreleased", False
    match = re.match(r"(?:version|release|バージョン|phiên bản)?\s*" + VERSION.pattern, plain, re.IGNORECASE)
    return (match["version"], True) if match else ("", False)


def _changes(version: Section) -> Iterator[str]:
    """Yield a version's breaking changes, each on one line."""
    for _, section in version.walk():
        if section is not version and _version(section.title)[0]:
            continue
        if matches(section.title, BREAKING) and section is not version:
            yield from filter(_says, map(_tidy, items(section.text) or paragraphs(section.text)))
            continue
        block = re.search(r"^(?:\*\*)?BREAKING CHANGES?(?:\*\*)?:?[ \t]*\n(.*)", section.text, re.MULTILINE | re.DOTALL)
        for item in items(section.text):
            if FLAG.match(item) or FLAGGED.search(item):
                yield from filter(_says, [_tidy(FLAGGED.sub(" ", FLAG.sub("", item)))])
        if block:
            yield from filter(_says, map(_tidy, items(block[1])))


def _tidy(item: str) -> str:
    """Return a change without links to commits and issues, its scope in plain letters."""
    text = re.sub(r"^\*\*([^*\n]{1,60}?)[:：]\*\*\s*", r"\1: ", item.removeprefix("- "))
    return TRAIL.sub("", text).strip()


def _says(change: str) -> bool:
    return count_words(change) >= LEAST_WORDS


def _piece(path: str, key: str, version: str, change: str, date: str) -> Piece | None:
    language = language_in(change)
    text = body([SAYS[language].format(version=version, text=change)], APPLY[language].format(version=version), path)
    if not text:
        return None
    return Piece(
        "fact", f"{version}: {bare(change)}"[:120], text, source=path, anchor=key, created=date,
        reason="a breaking change", part="architecture",
    )  # fmt: skip
