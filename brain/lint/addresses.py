"""Postal addresses, as people write them in three languages: where somebody lives, or a company is at home.

A rule cannot tell the two apart, so an address is never more than a warning. Each form asks for a number and two names
of places at least, of which one says what it is: a ward and a district, a city and a block, a street and a town.
"""

from __future__ import annotations

from brain.lint.pattern import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFECTURE = r"(?:東京都|北海道|京都府|大阪府|[一-鿿]{2,3}県)"
_JP_NUMBER = (
    r"(?:[0-9]{1,4}|[一二三四五六七八九十]{1,3})(?:丁目|番地?|条[東西南北]|-[0-9]{1,4})"
    r"(?:の?[0-9]{1,4}(?:丁目|番地?|号)?|-[0-9]{1,4}){0,3}"
)
JAPANESE = (
    Pattern(
        rf"{_PREFECTURE}[^\s0-9,。.:()]{{1,12}}[市区町村郡][^\s0-9,。.:()]{{0,20}}?{_JP_NUMBER}",
        "都", "道", "府", "県",
    ),
    Pattern(r"[一-鿿ヶケ]{1,6}市[一-鿿]{1,4}区[^\s0-9,。.:()]{1,12}?" + _JP_NUMBER, "市", ("区",)),
    Pattern(
        r"[一-鿿]{2,4}[区市町村][一-鿿ヶノ々]{1,8}[0-9]{1,3}"
        r"(?:丁目[0-9]{1,3}(?:番地?|-)|-[0-9]{1,3}-[0-9]{1,4}(?:-[0-9]{1,4})?(?![0-9年月]))",
        "丁目", "-",
    ),
    Pattern(
        r"[0-9]{3}-[0-9]{4}[^\n0-9]{0,6}(?:東京都|北海道|京都府|大阪府|[^\s0-9]{2,3}県)[^\n0-9]{1,30}"
        r"[0-9]{1,4}(?:-[0-9]|丁目|番)",
        "都", "道", "府", "県",
    ),
    Pattern(r"[一-鿿]{1,4}市[一-鿿]{1,4}区[一-鿿]{2,12}(?:上る|下る|東入る?|西入る?)", "上る", "下る", "入"),
)  # fmt: skip
_NAME = r"[^\n,;:()|]{1,30}?"
_HOUSE = r"(?:\bso(?: nha)? )?\b[0-9]{1,4}[a-z]?(?:/[0-9]{1,4}[a-z]?){0,3}\b"
_STREET = r"(?:duong|pho|ngo|ngach|hem|kiet|thon|ap|to dan pho|khu pho|to)"
_WARD = r"(?:\b(?:phuong|xa|thi tran)\b|\b(?:p|tt)\.)"
_DISTRICT = r"(?:\b(?:quan|huyen|thi xa|thanh pho|tinh)\b|\b(?:q|h|tx|tp)\.|\btp\b)"
VIETNAMESE = (
    Pattern(
        rf"{_HOUSE} {_STREET} [a-z][^\n,;:()|0-9]{{2,30}},\s?[a-z][^\n,;:()|0-9]{{2,25}},"
        r"\s?(?:ha noi|(?:tp\.? ?)?(?:hcm|ho chi minh)|sai gon|da nang|hai phong|can tho|hue|nha trang)\b",
        "duong ", "pho ", "ngo ", "hem ", (",",),
    ),
    Pattern(
        rf"(?:{_HOUSE}|\b{_STREET}\b){_NAME}(?:,{_NAME}){{0,3}}[, ]\s?{_WARD}{_NAME},\s?{_DISTRICT} ?[^\s,;.]{{1,20}}",
        "phuong", "xa ", "thi tran", "p.", "tt.",
        (",",), ("quan", "huyen", "thi xa", "thanh pho", "tinh", "q.", "h.", "tx.", "tp"),
    ),
    Pattern(
        rf"{_HOUSE} (?:{_STREET} )?[a-z][^\n,;:()|0-9]{{2,30}},\s?"
        rf"(?:{_DISTRICT} ?[^\n,;:()|]{{1,20}},\s?(?:tp\.? ?|thanh pho |tinh )?[a-z]{{2}}"
        rf"|{_WARD} ?[^\n,;:()|]{{1,20}},\s?(?:tp\b|thanh pho|tinh|ha noi|hcm|da nang))",
        "quan", "huyen", "thi xa", "thanh pho", "tp", "q.", "phuong", "p.", "xa ",
        (",",),
    ),
    Pattern(
        rf"\bso(?: nha)? [0-9]{{1,4}}[a-z]?(?:/[0-9]{{1,4}}[a-z]?){{0,3}},? {_STREET} "
        r"(?:[0-9]{1,4} )?[a-z][^\n,;:()|0-9]{2,30}"
        r",\s?[a-z][^\n,;:()|0-9]{2,25},\s?[a-z]{2}|\bnha (?:cua )?[a-z]{2,12}(?: [a-z]{2,12}){0,2}\s?(?::|o)\s?"
        r"[0-9]{1,4}[a-z]?(?:/[0-9]{1,4}){0,3} [a-z][^\n,;:()|0-9]{2,30},\s?[a-z]{2}",
        "so ", "nha ", (",",),
    ),
)  # fmt: skip
_WAY = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Crescent"
    r"|Close|Way|Highway|Hwy)"
)
ENGLISH = Pattern(
    r"(?<![\w.-])[0-9]{1,5}[A-Za-z]? (?:[NSEW]\.? )?"
    rf"(?:[A-Z][a-z]{{1,15}} |[0-9]{{1,3}}(?:st|nd|rd|th) ){{1,3}}{_WAY}\b\.?"
    r",? ?(?:(?:Apt|Unit|Suite|Ste|Floor|Fl|Flat|#)\.? ?[0-9A-Za-z-]{1,6},? ?)?"
    r"(?:[A-Z][a-z]{2,15}(?: [A-Z][a-z]{2,15}){0,2}(?:,| [A-Z]{1,2}[0-9]|,? [A-Z]{2}\b|\.|\n|$)|[A-Z]{2} [0-9]{5})",
    "St", "Av", "Ro", "Rd", "Bl", "La", "Ln", "Dr", "Co", "Ct", "Pl", "Sq", "Te", "Cr", "Cl", "Way", "Hi", "Hw",
)  # fmt: skip


def may_hold_address(text: str) -> bool:
    """Say whether ``text`` holds what all of them have: a number, and a comma or letters of Japan."""
    return (any(map(str.isdigit, text)) and ("," in text or not text.isascii())) or "丁目" in text or "市" in text


def find_addresses(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of addresses in folded ``text``; ``words`` is it in lower case without marks, as long."""
    if not text.isascii():
        for pattern in JAPANESE:
            for match in pattern.finditer(text):
                yield match.span()
    if "," in text:
        for pattern in VIETNAMESE:
            for match in pattern.finditer(words):
                yield match.span()
        for match in ENGLISH.finditer(text):
            yield match.span()
