"""Personal data: numbers with check digits, phones, mail addresses, cards, accounts (lint/facts.md §3).

An error needs a word that says what the number is, or a check that chance seldom passes; without one it is a warning
or, beside words of business such as an order number, nothing. Names and postal addresses are out of reach of rules.
"""

from __future__ import annotations

import re
from itertools import islice

from brain.lint.checkdigits import is_card, is_citizen_number, is_iban, is_my_number
from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.pattern import Pattern
from brain.text import strip_marks
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.lint.finding import Sheet
    from brain.lint.folded import Folded

_MEND = "take it out; say whose it is by role, or where it is kept"
_WHY = "It belongs to a person, and git's history keeps it from being deleted."

PERSONAL_ID = Rule("M500", "personal-id", ERROR, "a person's official number", _WHY, _MEND)
PERSONAL_CARD = Rule(
    "M501", "personal-card", ERROR, "a payment card's number", _WHY, _MEND + "; for tests use a published test card"
)
PERSONAL_PHONE = Rule("M502", "personal-phone", ERROR, "a person's phone number", _WHY, _MEND)
PERSONAL_EMAIL = Rule(
    "M503", "personal-email", ERROR, "a person's mail address", _WHY, _MEND + "; in examples use example.com"
)
PERSONAL_BANK = Rule("M504", "personal-bank-account", ERROR, "a bank account's number", _WHY, _MEND)
PERSONAL_BIRTH = Rule("M505", "personal-birth-date", ERROR, "a person's date of birth", _WHY, _MEND)

NUMBER = Pattern(r"[0-9][0-9 ./()-]{5,30}[0-9年月]|[A-Z]{1,2}[0-9]{6,9}")
_L, _R = r"(?<![A-Za-z0-9_./#@+-])", r"(?![A-Za-z0-9_/@-]|[.:][0-9A-Za-z])"
TWELVE = Pattern(
    rf"{_L}(?:[0-9]{{4}}([ -]?)[0-9]{{4}}\1[0-9]{{4}}|[0-9]{{3}}([ .-])[0-9]{{3}}\2[0-9]{{3}}\2[0-9]{{3}}){_R}"
)
NINE = Pattern(rf"{_L}[0-9]{{3}}[ .]?[0-9]{{3}}[ .]?[0-9]{{3}}{_R}")
CARD = Pattern(
    rf"{_L}(?:[0-9]{{4}}([ -])[0-9]{{4}}\1[0-9]{{4}}\1[0-9]{{1,7}}|[0-9]{{4}}([ "
    rf"-])[0-9]{{6}}\2[0-9]{{4,5}}|[0-9]{{13,19}}){_R}"
)
PHONES = (
    Pattern(rf"{_L}0[5789]0([ -]?)[0-9]{{4}}\1[0-9]{{4}}{_R}", "0"),
    Pattern(r"(?<![A-Za-z0-9_./#@-])\+?81[ -]?(?:\(0\))?[1-9]0?[ -]?[0-9]{1,4}[ -]?[0-9]{4}(?![0-9A-Za-z_-]"
r"|[ -][0-9])", "+81"),
    Pattern(rf"{_L}(?:\(0[0-9]{{1,4}}\)|0[0-9]{{1,4}})[ -]?(?:\([0-9]{{1,4}}\)|[0-9]{{1,4}})[ -][0-9]{{4}}{_R}", "0"),
    Pattern(rf"{_L}0[35789][0-9]{{1,2}}([ .-]?)[0-9]{{3}}\1[0-9]{{3,4}}{_R}", "0"),
    Pattern(rf"{_L}0[35789][0-9]([ .-]?)[0-9]{{2,4}}\1[0-9]{{2,4}}(?:\1[0-9]{{2}})?{_R}", "0"),
    Pattern(r"(?<![A-Za-z0-9_./#@-])(?:\+|00)?84[ .-]?(?:\(0\))?[235789][0-9]([ "
r".-]?)[0-9]{2,4}\1[0-9]{2,4}(?:\1[0-9]{2,3})?(?![0-9A-Za-z_-]|[ .-][0-9])", "84"),
)  # fmt: skip
EMAIL = Pattern(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,"
    r"24}(?![A-Za-z0-9_(])",
    "@",
)
IBAN = Pattern(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])")
DATE = Pattern(
    r"(?<![0-9A-Za-z])(?:(?:19[2-9][0-9]|20[01][0-9])[-/.年 ]{1,2}[01]?[0-9][-/.月 ]{1,2}[0-3]?[0-9]"
    r"|[0-3]?[0-9][-/. ]{1,2}[01]?[0-9][-/. ]{1,2}(?:19[2-9][0-9]|20[01][0-9]))(?![0-9])"
)

MY_NUMBER_WORDS = Pattern(
    r"マイナンバ|個人番号|my ?number|mynumber|kojin ?bango", "マイナンバ", "個人番号", "my", "kojin"
)
CITIZEN_WORDS = Pattern(
    r"cccd|can cuoc|身分証|dinh danh|citizen|id card|national id|cmnd|chung minh|so cmt|identity",
    "cc",
    "can",
    "身分",
    "dinh",
    "id",
    "cm",
    "chung",
    "citizen",
)
LICENCE_WORDS = Pattern(
    r"運転免許|免許証|driv\w+'?s? licen|giay phep lai|bang lai|gplx|health insurance|bhxh|bao hiem|保険証"
    r"|被保険者|基礎年金|年金番号",
    "免許",
    "licen",
    "lai",
    "gplx",
    "insurance",
    "bh",
    "保険",
    "年金",
    "bao hiem",
)
BUSINESS_WORDS = Pattern(
    r"注文|受注|発注|伝票|送り状|追跡|請求番号|商品|バ-コ-ド|ジョブ|パイプライン|jan ?コ-ド|janコード|品番"
    r"|型番|管理番号|問い合わせ番号|order|invoice"
r"|ticket|\bjob\b|pipeline|account|\baws\b|project|tracking|ma don|van don|ma kho|hoa don|ma "
r"hang|san pham|cursor|offset|trace|\bbuild\b|arn:|\bsku\b|timestamp|epoch|commit|version"
r"|\bport\b|bytes|serial|\bisbn\b|\bean\b|barcode|\bid[:= ]|_id\b|don hang|giao dich|transaction"
r"|batch|revision",
)  # fmt: skip
PERSON_WORDS = Pattern(
    r"申請|登録|社員|従業員|顧客|本人|氏名|患者|会員|世帯|お客|担当|住民|名義|ho so|khach|nhan vien|nguoi|ung"
    r" vien|benh nhan|cong "
r"dan|hoc vien|thanh vien|ho ten|employee|customer|patient|applicant|resident|person|registered"
r"|holder|member|student|guest|candidate|worker",
)  # fmt: skip
CONTACT_WORDS = Pattern(
    r"連絡|電話|携帯|でんわ|\btel\b|内線|自宅|緊急|phone|call\b|mobile|contact|on-call|whatsapp|\bsms\b|\bfax\b"
r"|ring\b|reach|dial|line id|dien thoai|\bsdt\b|\bdt\b|goi\b|lien he|lien lac|di dong|so may"
r"|hotline|zalo|nhan tin|viber|ショ-トメ|番号は|手機",
)  # fmt: skip
PUBLIC_PHONES = ("0120", "0570", "0800", "0990", "0180", "0170", "1800", "1900", "00xx")
BANK_WORDS = Pattern(
    r"口座|振込|so tai khoan|\bstk\b|bank account|account (?:no|number)|tai khoan ngan hang|iban|routing",
    "口座",
    "振込",
    "tai khoan",
    "stk",
    "account",
    "iban",
    "routing",
)
BANK_NUMBER = Pattern(rf"{_L}[0-9](?:[ -]?[0-9]){{6,17}}{_R}")
PASSPORT_WORDS = Pattern(
    r"パスポ-?ト|パスポート|旅券|ho chieu|passport|在留カ-?ド|在留カード|residence card",
    "パスポ",
    "旅券",
    "ho chieu",
    "passport",
    "在留",
    "residence",
)
PASSPORT = Pattern(r"(?<![A-Za-z0-9])[A-Z]{1,2}[0-9]{7,8}(?:[A-Z]{2})?(?![A-Za-z0-9])")
BIRTH_WORDS = Pattern(
    r"生年月日|誕生日|生まれ|ngay sinh|sinh ngay|date of birth|\bdob\b|birth ?da(?:te|y)|born",
    "生",
    "誕生",
    "sinh",
    "birth",
    "dob",
    "born",
)
RESERVED_ENDS = (
    ".test", ".invalid", ".example", ".localhost", ".local", ".internal", ".lan", ".intranet", ".corp", ".home",
    ".service",
    ".timer", ".socket", ".target", ".mount", ".json", ".py", ".js", ".ts", ".md", ".yml", ".yaml", ".toml", ".lock",
    ".git",
    ".gserviceaccount.com", "noreply.github.com", "noreply.gitlab.com", ".png", ".jpg", ".svg", ".sh", ".conf",
    ".css", ".mjs", ".vue", ".tgz", ".whl",
)  # fmt: skip
EXAMPLE_DOMAINS = Pattern(
    r"(?:^|\.)(?:example|sample|domain|your[a-z-]*|my(?:company|domain|org)|mail|email|company|acme"
    r"|foo|bar|test|host|site|placeholder|some[a-z]*|contoso|fabrikam)\.[a-z.]{2,6}$|(?:^"
    r"|\.)example(?:\.[a-z]{2,3}){1,2}$"
)
NO_PERSON = Pattern(
    r"^(?:git|hg|svn|no-?reply|do-?not-?reply|mailer-daemon|postmaster|root|nobody|ssh|ec2-user"
    r"|ubuntu|bot|ci|cd|deploy(?:er)?|jenkins|gitlab|github|action|actions|notifications?"
    r"|user(?:name)?|you|me|name|someone|somebody|foo|bar|alice|bob|john|jane|jdoe|john\.?doe"
    r"|jane\.?doe|taro|hanako|test(?:er|user|ing)?|demo|example|email|mail|admin(?:istrator)?"
    r"|webmaster|hostmaster|abuse|support|help(?:desk)?|info|sales|contact|hello|office|team"
    r"|security|privacy|legal|press|jobs|careers|hr|billing|service|feedback|dev|ops|devops|sre"
    r"|oncall|on-call|alerts?|monitoring|builds?|release|announce|users|list|[a-z-]+-(?:dev|users"
    r"|list|announce|team|bot|ops))(?:\+[a-z0-9-]+)?$",
    flags=re.IGNORECASE,
)
MOST_COMPARED = 200
"""Hits of a kind that are looked at for being two at once: a file with more has said enough."""
AROUND = 60
"""Characters before a number in which a word counts; a third of them after it."""


@value
class Hit:
    """Personal data: its rule, offsets in the text, severity, and what it is without its characters."""

    rule: Rule
    start: int
    end: int
    severity: str
    what: str


def scan_personal(folded: Folded, sheet: Sheet, domains: tuple[str, ...] = ()) -> None:
    """Report personal data in a text. ``domains`` are the team's own: addresses there are no one's secret."""
    text = folded.text
    hits: list[Hit] = []
    if "@" in text:
        hits += islice(_emails(text, domains), MOST_COMPARED)
    if NUMBER.search(text):
        low = text.lower()
        bare = low if low.isascii() else strip_marks(low)
        words = bare if len(bare) == len(text) else low
        for find in (_accounts, _cards, _births, _ids, _phones):
            taken = hits[:MOST_COMPARED]
            new = islice(find(text, words), MOST_COMPARED)
            hits += [hit for hit in new if not any(hit.start < old.end and old.start < hit.end for old in taken)]
    for hit in sorted(hits, key=lambda hit: hit.start):
        if sheet.is_full(hit.rule):
            continue
        subject = text[hit.start : hit.end]
        sheet.add(hit.rule, *folded.at(hit.start), hit.what, severity=hit.severity, subject=subject)


def _near(words: str, start: int, end: int) -> str:
    """Return the words around a number, within its line."""
    begin = max(words.rfind("\n", 0, start) + 1, start - AROUND)
    stop = words.find("\n", end)
    return words[begin:start] + " \n " + words[end : min(stop if stop >= 0 else len(words), end + AROUND // 3)]


def _head(words: str, start: int) -> str:
    """Return the head of the table that a row lies in, or the heading above a list item."""
    begin = words.rfind("\n", 0, start) + 1
    if not words[begin:start].lstrip().startswith("|"):
        return ""
    while begin > 0:
        above = words.rfind("\n", 0, begin - 1) + 1
        if not words[above:begin].lstrip().startswith("|"):
            break
        begin = above
    return words[begin : words.find("\n", begin)]


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _is_made_up(digits: str) -> bool:
    """Say whether digits only repeat or count up: nobody's number."""
    tail = digits[-8:]
    return len(set(tail)) <= 2 or tail in "01234567890123456789" or digits[-9:] in "0123456789012345678909876543210"


def _ids(text: str, words: str) -> Iterator[Hit]:
    for match in TWELVE.finditer(text):
        digits, near = _digits(match[0]), _near(words, *match.span()) + _head(words, match.start())
        if _is_made_up(digits):
            continue
        for labels, what in (
            (MY_NUMBER_WORDS, "a My Number"),
            (CITIZEN_WORDS, "a citizen's number"),
            (LICENCE_WORDS, "a licence or insurance number"),
        ):
            if labels.search(near):
                yield Hit(PERSONAL_ID, *match.span(), ERROR, what)
                break
        else:
            valid = is_my_number(digits) or is_citizen_number(digits)
            if valid and not BUSINESS_WORDS.search(near):
                severity = ERROR if PERSON_WORDS.search(near) else WARNING
                yield Hit(PERSONAL_ID, *match.span(), severity, "12 digits that may be a person's number")
    for match in NINE.finditer(text):
        near = _near(words, *match.span()) + _head(words, match.start())
        if ("cmnd" in near or "chung minh" in near or "so cmt" in near) and not _is_made_up(_digits(match[0])):
            yield Hit(PERSONAL_ID, *match.span(), ERROR, "an identity card's number")
    for match in PASSPORT.finditer(text):
        if PASSPORT_WORDS.search(_near(words, *match.span()) + _head(words, match.start())) and not _is_made_up(
            _digits(match[0])
        ):
            yield Hit(PERSONAL_ID, *match.span(), ERROR, "a passport's number")


def _cards(text: str, words: str) -> Iterator[Hit]:
    for match in CARD.finditer(text):
        digits = _digits(match[0])
        if 13 <= len(digits) <= 19 and is_card(digits):
            near = _near(words, *match.span())
            business = BUSINESS_WORDS.search(near) and not re.search(
                r"card|カ-ド|カード|\bthe\b|payment|決済|thanh toan", near
            )
            yield Hit(PERSONAL_CARD, *match.span(), WARNING if business else ERROR, "a payment card's number")


def _accounts(text: str, words: str) -> Iterator[Hit]:
    for match in IBAN.finditer(text):
        if is_iban(match[0].replace(" ", "")):
            yield Hit(PERSONAL_BANK, *match.span(), ERROR, "an IBAN")
    if BANK_WORDS.search(words):
        for match in BANK_NUMBER.finditer(text):
            near = _near(words, *match.span()).partition(" \n ")[0] + _head(words, match.start())
            aws = re.search(r"aws|gcp|azure|cloud|service account|project", near)
            if BANK_WORDS.search(near) and not aws and not _is_made_up(_digits(match[0])):
                yield Hit(PERSONAL_BANK, *match.span(), ERROR, "a bank account's number")


def _births(text: str, words: str) -> Iterator[Hit]:
    if not BIRTH_WORDS.search(words):
        return
    for match in DATE.finditer(text):
        near = _near(words, *match.span()).partition(" \n ")[0][-40:] + _head(words, match.start())
        if BIRTH_WORDS.search(near):
            sample = re.search(
                r"(?:19[789]0|200[01])\D{1,2}0?1\D{1,2}0?1(?!\d)|(?<!\d)0?1\D0?1\D(?:19[789]0|200[01])", match[0]
            )
            yield Hit(PERSONAL_BIRTH, *match.span(), WARNING if sample else ERROR, "a date of birth")


def _phones(text: str, words: str) -> Iterator[Hit]:
    ends = -1
    spans = sorted(
        {match.span() for pattern in PHONES for match in pattern.finditer(text)}, key=lambda span: (span[0], -span[1])
    )
    for start, end in spans:
        shown, digits = text[start:end], _digits(text[start:end])
        if start < ends or not _is_phone(shown, digits):
            continue
        near = _near(words, start, end) + _head(words, start)
        contact = CONTACT_WORDS.search(near) is not None
        if not contact and (BUSINESS_WORDS.search(near) or not _is_mobile(shown, digits)):
            continue
        ends = end
        yield Hit(PERSONAL_PHONE, start, end, ERROR if contact else WARNING, "a phone number")


def _is_phone(shown: str, digits: str) -> bool:
    local = (
        digits
        if digits[0] == "0" and not digits.startswith("00")
        else "0" + digits.removeprefix("00")[2:].removeprefix("0")
    )
    if (
        digits.startswith(PUBLIC_PHONES)
        or local.startswith(PUBLIC_PHONES)
        or _is_made_up(digits)
        or "1234-5678" in shown
    ):
        return False
    if digits[0] != "0" and not shown.startswith(("+", "84", "81")):
        return False
    return len(local) in (10, 11) and (
        len(local) == 10 or local[:3] in ("070", "080", "090", "050", "020") or local.startswith("02")
    )


def _is_mobile(shown: str, digits: str) -> bool:
    """Say whether a number is a phone's by its form alone: international, or a mobile number in its usual groups."""
    return shown.startswith("+") or (digits[:3] in ("070", "080", "090") and len(digits) == 11 and "-" in shown)


def _emails(text: str, domains: tuple[str, ...]) -> Iterator[Hit]:
    own = tuple(domain.lower().lstrip("@") for domain in domains)
    for match in EMAIL.finditer(text):
        local, _, domain = match[0].lower().rpartition("@")
        begin = max(text.rfind(" ", 0, match.start()), text.rfind("\n", 0, match.start())) + 1
        if "://" in text[begin : match.start()] or (text[match.end() : match.end() + 1] == ":" and local == "git"):
            continue
        if domain.endswith(RESERVED_ENDS) or (
            own and (domain in own or domain.endswith(tuple("." + name for name in own)))
        ):
            continue
        if EXAMPLE_DOMAINS.search(domain) or local in ("git", "noreply", "no-reply"):
            continue
        yield Hit(PERSONAL_EMAIL, *match.span(), WARNING if NO_PERSON.match(local) else ERROR, "a mail address")
