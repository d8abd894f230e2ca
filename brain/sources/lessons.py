"""Lessons-learned sections and post-mortems → lessons: each item that says what to do, and a cause with its remedy."""

from __future__ import annotations

import re

from brain.sources.piece import Left, Piece, Reading
from brain.sources.text import anchor, bare, body, items, language_in, matches, opening, paragraphs, parse, sentences
from brain.text import count_words, fold
from brain.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.sources.text import Section

LESSONS = re.compile(
    r"(?:key )?lessons(?: we| i)?(?: learn(?:ed|t))?(?: so far)?|lesson learn(?:ed|t)|what (?:we|i) learn(?:ed|t)"
    r"|learnings|(?:key )?takeaways|(?:得られた)?教訓|学び|学んだこと|得られた学び|反省点"
    r"|(?:cac )?bai hoc(?: kinh nghiem)?(?: rut ra)?|rut kinh nghiem|kinh nghiem rut ra|bai hoc rut ra"
)
NO_LESSONS = re.compile(
    r"what went well|what worked(?: well)?|went well|where we got lucky|good|うまくいった(?:こと|点)"
    r"|よかった(?:こと|点)|良かった点|幸運だったこと|keep|dieu (?:lam )?tot|diem tot|may man"
)
CAUSE = re.compile(
    r"root causes?(?: analysis)?|cause|trigger|原因|根本原因|直接原因|原因分析|発生原因|nguyen nhan(?: goc(?: re)?)?"
)
REMEDY = re.compile(
    r"resolution|fix|remediation|prevention|preventive (?:measures|actions)|corrective (?:actions|measures)"
    r"|action items?|how (?:do )?we (?:will )?prevent (?:it|this)(?: from happening again)?"
    r"|対策|再発防止|再発防止策|恒久対策|恒久対応|是正処置|(?:bien phap )?(?:khac phuc|phong ngua)|cach khac phuc"
    r"|giai phap|hanh dong(?: khac phuc)?"
)
REVIEW = re.compile(
    r"post[- ]?mortem|incident|outage|retrospective|障害|インシデント|ポストモーテム|振り返り|事後分析"
    r"|su co|hoi cuu|khac phuc"
)
NOTHING = re.compile(r"(?:n/?a|none|nothing|tbd|todo|なし|特になし|未定|khong(?: co)?|chua co|[-–—.…]+)\.?")
LEAD = re.compile(r"(?:\*\*|__)(.{2,80}?)[:：.。]?(?:\*\*|__)[:：]?\s*")
DO = re.compile(
    r"\b(?:always|never|must|should|need to|make sure|ensure|do not|don't|avoid|check|use|prefer|keep|run|test)\b"
    r"|\b(?:add|set|write|verify)\b|こと[。]?$|べき|必ず|しない|する[。]?$"
    r"|\b(?:luôn|phải|cần|nên|không được|tránh|hãy|đừng|kiểm tra)\b",
    re.IGNORECASE,
)
CHECK = {"en": "check this before you change the same thing.", "vi": "kiểm tra điều này trước khi sửa phần liên quan.",
         "ja": "関連する箇所を変更する前に確認する。"}  # fmt: skip
LEAST_WORDS = 5
"""An item of fewer words is a label."""
MOST_ITEMS = 30
QA = re.compile(r"(?:^|/)(?:qa|test(?:ing)?)(?:/|[-_])")


def read(path: str, text: str) -> Reading:
    """Return a lesson for each item of a lessons-learned section, and one for a post-mortem's cause and remedy."""
    document = parse(text)
    review = bool(REVIEW.search(fold(document.title)) or REVIEW.search(fold(path)))
    found: dict[str, Piece] = {}
    left: list[Left] = []
    for trail, section in document.root.walk():
        if any(matches(title, NO_LESSONS) for title in trail):
            continue
        if any(matches(title, LESSONS) for title in trail):
            for item in _items(section.text):
                key = anchor(*(trail[-2:] if len(trail) > 2 else trail[-1:]), _lead(item))
                _add(path, found, left, key, _lesson(path, item))
        elif review and trail:
            both = _cause_and_remedy(section)
            if both:
                title = trail[0]
                _add(path, found, left, anchor(*trail[1:], "cause"), _remedied(path, title, *both))
    return Reading(tuple(found.values()), tuple(left))


def _add(path: str, found: dict[str, Piece], left: list[Left], key: str, piece: Piece | None) -> None:
    if piece is None or len(found) >= MOST_ITEMS:
        left.append(Left(path, key, f"over {MOST_ITEMS} lessons" if piece else "it cannot be told in a few sentences"))
    elif key not in found:
        found[key] = replace(piece, source=path, anchor=key)


def _items(text: str) -> Iterator[str]:
    """Yield what stands in a section: its list's items, else its paragraphs, without those that say nothing."""
    for item in items(text) or paragraphs(text):
        if not NOTHING.fullmatch(fold(item).strip()) and count_words(item) >= LEAST_WORDS:
            yield item


def _lead(item: str) -> str:
    """Return what an item is known by: the words in bold that it begins with, else its first words."""
    lead = LEAD.match(item)
    return bare(lead[1]) if lead else opening(item)


def _lesson(path: str, item: str) -> Piece | None:
    lead = LEAD.match(item)
    text = _plain_lead(item)
    title = bare(lead[1]) if lead else bare(sentences(text)[0] if sentences(text) else text)
    told = sentences(text)
    todo = next((sentence for sentence in reversed(told) if DO.search(sentence) and count_words(sentence) <= 25), "")
    if len(told) > 1 and todo:
        text = text.replace(todo, "", 1).strip()
    found = body([text], todo if len(told) > 1 and todo else CHECK[language_in(text)], path)
    return Piece("lesson", title[:120], found, reason="a lesson learned", part=_role(path)) if found else None


def _plain_lead(item: str) -> str:
    """Return an item whose bold lead-in is a plain one."""
    lead = LEAD.match(item)
    rest = item[lead.end() :].strip() if lead else item
    if not lead or not rest:
        return bare(item) if lead else item
    return f"{bare(lead[1])}: {rest}"


def _cause_and_remedy(section: Section) -> tuple[str, str] | None:
    """Return the texts of a post-mortem's cause and remedy, where they stand side by side."""
    causes = [child.whole for child in section.children if matches(child.title, CAUSE)]
    remedies = [child.whole for child in section.children if matches(child.title, REMEDY)]
    return (causes[0], remedies[0]) if causes and remedies else None


def _remedied(path: str, title: str, cause: str, remedy: str) -> Piece | None:
    causes = [text for text in paragraphs(cause) if not NOTHING.fullmatch(fold(text).strip("- "))]
    remedies = [text.removeprefix("- ") for text in paragraphs(remedy) if not NOTHING.fullmatch(fold(text).strip("- "))]
    if not causes or not remedies:
        return None
    title = bare(title)
    text = body([f"{title}: {causes[0].removeprefix('- ')}", *causes[1:2]], remedies[0], path, "more")
    if not text:
        return None
    return Piece("lesson", title, text, reason="a post-mortem's cause and remedy", part=_role(path))


def _role(path: str) -> str:
    return "qa" if QA.search(fold(path)) else "dev"
