"""Dates of birth, as people write them in three languages: numbers, months in words, Japanese eras."""

from __future__ import annotations

from brain.lint.nearby import nearby
from brain.lint.pattern import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_YEAR = r"(?:19[2-9][0-9]|20[01][0-9])"
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
DATE = Pattern(
    rf"(?<![0-9a-z])(?:{_YEAR}[-/.年 ]{{1,2}}[01]?[0-9][-/.月 ]{{1,2}}[0-3]?[0-9]日?"
    rf"|[0-3]?[0-9][-/. ]{{1,2}}[01]?[0-9][-/. ]{{1,2}}{_YEAR}|{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
    rf"|[0-3]?[0-9](?:st|nd|rd|th)? (?:of )?{_MONTHS},? {_YEAR}|{_MONTHS} [0-3]?[0-9](?:st|nd|rd|th)?,? {_YEAR}"
    rf"|[0-3]?[0-9] thang [01]?[0-9] nam {_YEAR}|{_YEAR},? ngay [0-3]?[0-9](?: thang |[-/.])[01]?[0-9]"
    r"|一九[二三四五六七八九][〇一二三四五六七八九]年[一二三四五六七八九十]{1,2}月[一二三四五六七八九十]{1,3}日"
    rf"|[01]?[0-9]月[0-3]?[0-9]日[、,。 ]{{0,2}}{_YEAR}年"
    r"|(?:大正|昭和|平成|令和)[一二三四五六七八九十元]{1,4}年[一二三四五六七八九十]{1,2}月[一二三四五六七八九十]{1,3}日"
    rf"|(?<=b[.:] )[0-3]?[0-9][-/.][01]?[0-9][-/.][0-9]{{2}}|[0-3][0-9][-/.][01][0-9][-/.][0-9]{{2}}"
    rf"|{_MONTHS} [0-3]?[0-9](?:st|nd|rd|th)?,? '[0-9]{{2}}"
    r"|(?:大正|昭和|平成|令和|[tshr])\s?(?:[0-9]{1,2}|元)[年./-]\s?[01]?[0-9][月./-]\s?[0-3]?[0-9]日?)(?![0-9])"
)
"""For words in lower case without marks."""
BIRTH_WORDS = Pattern(
    r"生年月日|誕生日|生まれ|(?<=[0-9日])生(?![ぁ-ん一-鿿])|\bsinh\b(?! (?:vien|hoc|thai|hoat|loi|ra))"
    r"|\b[sn]s:|\bsn(?= ?(?:[0-9]|$))"
    r"|date of birth|\bd\.?o\.?b\b|birth ?da(?:te|y)|\bborn\b|\bb\. ?(?=[0-9]|$)",
    "生", "sinh", "ns:", "ss:", "sn ", "birth", "dob", "d.o.b", "born", "b. ",
)  # fmt: skip
BORN_BEHIND = Pattern(r"\s?(?:に)?(?:生まれ|生\b)")
NO_PERSON = Pattern(
    r"(?:compan(?:y|ies)|firm|project|product|team|service|system|repo(?:sitory)?|brand|shop|store|language"
    r"|会社|弊社|当社|創業|製品|プロジェクト|システム|cong ty|du an|san pham|doanh nghiep)[^.;\n]{0,30}$"
)
SAMPLE_WORDS = Pattern(
    r"例|サンプル|形式|ダミ-|ダミー|vi du|dinh dang|\be\.g\b|for example|\bsamples?\b|such as|\bformat|\bdummy\b"
)
SAMPLE = Pattern(r"(?:19[789]0|200[01])\D{1,2}0?1\D{1,2}0?1\D?$|^0?1\D0?1\D(?:19[789]0|200[01])$")
"""The first of January of a round year: nobody's."""
BEFORE = 40


def find_births(words: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the offsets of dates of birth in a text in lower case without marks, and whether they are a sample's."""
    if not BIRTH_WORDS.search(words):
        return
    for match in DATE.finditer(words):
        near = nearby(words, *match.span())
        before = f"{near.over} {near.before[-BEFORE:]}"
        if not (BIRTH_WORDS.search(before) or BORN_BEHIND.match(near.after)) or NO_PERSON.search(near.before[:-1]):
            continue
        line = f"{near.before} {near.after}"
        yield *match.span(), SAMPLE.search(match[0]) is not None or SAMPLE_WORDS.search(line) is not None
