"""Decision records → decisions: MADR (2 to 4) and Nygard, by their headings and never by their folder alone."""

from __future__ import annotations

import re

from brain.sources.piece import Left, Piece, Reading
from brain.sources.text import (
    anchor,
    bare,
    body,
    items,
    joined,
    language_in,
    matches,
    paragraphs,
    parse,
    plain,
    sentences,
)
from brain.text import fold
from brain.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain.sources.text import Document, Section

CONTEXT = re.compile(r"context( and problem statement)?|problem( statement)?|背景|コンテキスト|文脈|課題|背景と課題"
                     r"|boi canh|ngu canh|van de|boi canh va van de")  # fmt: skip
DECISION = re.compile(r"decision( outcome)?|決定|決定事項|決定内容|意思決定|quyet dinh|ket qua quyet dinh")
OTHERS = re.compile(r"considered (options|alternatives)|status|consequences|decision drivers|options"
                    r"|(positive |negative )?consequences|検討した選択肢|選択肢|ステータス|状態|影響|結果|帰結"
                    r"|トレードオフ|trang thai|he qua|cac lua chon|cac phuong an|phuong an( da)? can nhac")  # fmt: skip
STATUS = re.compile(r"status|ステータス|状態|trang thai")
EFFECTS = re.compile(r"(positive |negative )?consequences|影響|結果|帰結|he qua")
STATUS_LINE = re.compile(r"(?:[-+]\s+)?(?:status|ステータス|状態|trang thai)\s*[:：]\s*(.+)")
DATE_LINE = re.compile(
    r"(?:[-*+]\s+)?(?:\*\*)?(?:date|日付|決定日|ngày)(?:\*\*)?\s*[:：](?:\*\*)?\s*(\d{4}-\d\d-\d\d)", re.IGNORECASE
)
NOT_TAKEN = (
    ("superseded", re.compile(r"supersed(?:ed|ing by)|replaced by|差し替え|置き換え(?:られ|済)|置換"
                              r"|bi thay the|da (?:duoc )?thay the")),
    ("rejected", re.compile(r"reject|declin|abandon|withdrawn|却下|不採用|棄却|取り下げ|tu choi|bac bo|huy bo")),
    ("deprecated", re.compile(r"deprecat|obsolete|retired|廃止|非推奨|loi thoi|khong con")),
    ("not decided yet", re.compile(r"propos|draft|pending|open|in progress|in review|under review|rfc|wip"
                                   r"|提案|検討中|審議中|草案|de xuat|dang|nhap")),
)  # fmt: skip
"""Statuses whose records are not drafted, the gravest first."""
TAKEN = re.compile(
    r"accept|approv|adopt|decided|agreed|done|implemented|active|承認|採用|決定|合意|実施"
    r"|chap nhan|phe duyet|da duyet|thong nhat"
)
TEMPLATE = re.compile(
    r"[{\[<][^\]}>\n]{0,80}(?:title|problem|solution|タイトル|option|tieu de)[^\]}>\n]{0,80}[}\]>]|\[number\]"
)
NUMBER = re.compile(r"^(?:(?:ADR|adr)[- ]?)?\d{1,5}[.:)：]?\s+|^(?:ADR|adr)[- ]?\d{1,5}\s*[-–—:：]\s*")
CHOSEN = re.compile(
    r"^(?:chosen option|chosen|選択した案|採用案|phương án (?:được )?chọn|lựa chọn)\s*[:：]\s*", re.IGNORECASE
)
BECAUSE = re.compile(r"[,、]?\s*(?:because|since|なぜなら|理由は|bởi vì|vì)[\s、:：]", re.IGNORECASE)
KEEP = {"en": "keep to “{title}”.", "vi": "giữ đúng quyết định “{title}”.", "ja": "「{title}」に従う。"}
USE = {"en": "use {chosen}.", "vi": "dùng {chosen}.", "ja": "{chosen} を使う。"}


def read(path: str, text: str) -> Reading:
    """Return a decision for each record in a document; nothing where there is none."""
    document = parse(text)
    pieces: list[Piece] = []
    left: list[Left] = []
    for trail, section in document.root.walk():
        parts = {_part(child): child for child in section.children}
        if not {"context", "decision"} <= parts.keys() or not (parts.keys() & {"status", "other"}):
            continue  # a heading "Context" and one "Decision" stand in other texts too
        key = anchor(*trail[1:]) if len(trail) > 1 else "decision"
        why_not = _refusal(document, section, trail)
        piece = None if why_not else _piece(path, document, section, trail)
        if piece:
            pieces.append(replace(piece, source=path, anchor=key))
        else:
            left.append(Left(path, key, why_not or "its decision cannot be told in a few sentences"))
    return Reading(tuple(pieces), tuple(left))


def _part(section: Section) -> str:
    """Return which part of a record a section is, "" for none."""
    kinds = (("context", CONTEXT), ("decision", DECISION), ("status", STATUS), ("other", OTHERS))
    return next((name for name, pattern in kinds if matches(section.title, pattern)), "")


def _refusal(document: Document, section: Section, trail: tuple[str, ...]) -> str:
    """Return why a record is not drafted, "" where it is."""
    title = trail[-1] if trail else document.title
    if TEMPLATE.search(fold(title)) or TEMPLATE.search(fold(section.whole[:400])):
        return "it is a template"
    status = fold(_status(document, section))
    for name, pattern in NOT_TAKEN:
        if pattern.search(status) and not (name == "not decided yet" and TAKEN.search(status)):
            return f"its status says: {name}"
    if status and not TAKEN.search(status):
        return f"its status is not known: {' '.join(status.split())[:40]}"
    return ""


def _status(document: Document, section: Section) -> str:
    """Return what a record says of its status: in a section, on a line of its own, or in the front matter."""
    for child in section.children:
        if matches(child.title, STATUS) and child.whole.strip():
            return plain(child.whole)[:300]
    for line in section.text.splitlines():
        found = STATUS_LINE.match(fold(plain(line)).replace("*", "").strip())
        if found:
            return found[1]
    return document.fields.get("status", "")


def _piece(path: str, document: Document, section: Section, trail: tuple[str, ...]) -> Piece | None:
    title = NUMBER.sub("", bare(trail[-1] if trail else document.title)).strip()
    decided = next(child for child in section.children if _part(child) == "decision")
    outcome = [text for text in paragraphs(decided.text) if text.strip("- ")]
    if not title or not outcome:
        return None
    outcome[0] = outcome[0].removeprefix("- ")
    chosen = _chosen(outcome[0])
    title = title.rstrip(".。")
    language = language_in(f"{title} {outcome[0]}")
    first = joined([f"{title}{'。' if language == 'ja' else '.'}", outcome[0]])
    apply = (USE if chosen else KEEP)[language].format(chosen=chosen, title=title)
    context = next((child for child in section.children if _part(child) == "context"), None)
    below = [child for child in (*decided.children, *section.children) if matches(child.title, EFFECTS)]
    effects = [f"- {text}" for child in below for text in items(child.text)]
    text = body([first, *outcome[1:], *effects[:2]], apply, path, context.text.strip() if context else "")
    if sentences(outcome[0])[0] not in text:  # a title alone decides nothing
        return None
    return Piece("decision", title, text, created=_date(document, section), reason="a decision record")


def _chosen(outcome: str) -> str:
    """Return the option that a MADR names, short; "" where it is not said in that form."""
    match = CHOSEN.match(outcome)
    if not match:
        return ""
    option = re.split(BECAUSE, outcome[match.end() :], maxsplit=1)[0]
    option = re.split(r"(?<=\S)[.。](?:\s|$)", option, maxsplit=1)[0].strip(" ,、")
    return option if 0 < len(option) <= 80 else ""


def _date(document: Document, section: Section) -> str:
    for line in section.text.splitlines():
        found = DATE_LINE.match(line.strip())
        if found:
            return found[1]
    found = re.match(r"\d{4}-\d\d-\d\d", document.fields.get("date", ""))
    return found[0] if found else ""
