"""Personal data: numbers with check digits, phones, mail addresses, cards, accounts (lint/facts.md §3).

An error needs a word that says what the number is, or a check that chance seldom passes; without one it is a warning
or, beside words of business such as an order number, nothing. Names are out of reach of rules.
"""

from __future__ import annotations

from itertools import islice

from brain.lint.addresses import find_addresses, may_hold_address
from brain.lint.births import BIRTH_WORDS, find_births
from brain.lint.checkdigits import is_card, is_citizen_number, is_iban, is_my_number
from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.mail import find_mail, may_hold_mail
from brain.lint.nearby import nearby
from brain.lint.pattern import Pattern
from brain.text import strip_marks
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
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

PERSONAL_ADDRESS = Rule(
    "M506", "personal-address", WARNING, "a postal address", _WHY, "nothing, if it is a company's; else " + _MEND
)

NUMBER = Pattern(r"[0-9〇](?:[^0-9A-Za-z]{0,4}[0-9一二三四五六七八九〇]){6}|[A-Za-z][0-9]{6}")
"""What a text lacks that holds neither a personal number nor a date of birth."""
RUN = Pattern(r"(?<![0-9A-Za-z_])(?:(?<![0-9][.,/-])|(?<=,))[+(]{0,2}[0-9](?:[ ._/ー`*-]{0,3}[(]?[0-9][)]?){7,22}+")
"""Digits with anything between them that people put there."""
GROUP = Pattern(r"[0-9]+")
DATED = Pattern(
    r"(?:19|20)[0-9]{2}[-/. ]{1,2}[0-9]{1,2}[-/. ]{1,2}[0-9]|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:19|20)[0-9]{2}"
)
_L, _R = r"(?<![A-Za-z0-9_./#@+-])", r"(?![A-Za-z0-9_/@-]|[.:][0-9A-Za-z])"
TWELVE = Pattern(
    rf"{_L}(?:[0-9]{{4}}([ -]?)[0-9]{{4}}\1[0-9]{{4}}|[0-9]{{3}}([ .-])[0-9]{{3}}\2[0-9]{{3}}\2[0-9]{{3}}){_R}"
)
_PARTING = r"[^0-9A-Za-z\n]{1,3}"
CARD = Pattern(
    rf"(?<![A-Za-z0-9./#@+-])(?<![0-9]_)(?<![A-Za-z0-9]%B)(?:[0-9]{{4}}({_PARTING})[0-9]{{4}}\1[0-9]{{4}}\1[0-9]{{1,7}}"
    rf"|[0-9]{{4}}({_PARTING})[0-9]{{6}}\2[0-9]{{4,5}}|[0-9]{{8}}\n[0-9]{{8}}"
    rf"|[0-9](?:([ ._-])[0-9])(?:\3[0-9]){{12,14}}"
    rf"|[0-9]{{13,19}}){_R}|(?<=%B)[0-9]{{13,19}}(?=\^)"
)
MOBILE = Pattern(r"(?:\+|00)?84[35789][0-9]{8}|0[35789][0-9]{8}|(?:\+81|0)[789]0[0-9]{8}|01[016789][0-9]{7,8}")
"""Digits of a mobile phone in Viet Nam, Japan or Korea."""
AREA_CODED = Pattern(
    rf"{_L}(?:0[0-9]{{1,4}}[ -][0-9]{{1,4}}[ -][0-9]{{4}}|\(0[0-9]{{1,4}}\) ?[0-9]{{1,4}}[ -][0-9]{{4}}"
    rf"|0[0-9]{{9,10}}){_R}",
    "0",
)
AMERICAN = Pattern(rf"{_L}[2-9][0-9]{{2}}([-.])[2-9][0-9]{{2}}\1[0-9]{{4}}{_R}", "-", ".")
PLAIN_SIGNS = frozenset(" .-()+")
"""What stands between the digits of a phone number that nothing else tells."""
TITLES = Pattern(
    r"さん|様|氏|先生|部長|課長|係長|社長|主任|店長|\b(?:anh|chi|em|co|chu|bac|ong|ba) [a-z]{2,}|\b(?:mr|mrs|ms|dr)\b"
)
"""What is said of people alone."""
IBAN = Pattern(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?(?![A-Za-z0-9])")
MY_NUMBER_WORDS = Pattern(
    r"マイナンバ|マイナ(?![ァ-ヴ])|個人(?:番号|ナンバ|no(?![a-z]))|社会保障番号|my ?(?:number|no\b)|kojin ?bango"
    r"|ma so ca nhan",
    "マイナ", "番号", "個人", "my", "kojin", "ma so",
)  # fmt: skip
CITIZEN_WORDS = Pattern(
    r"c\.?c\.?c\.?d|can\s{1,3}cuoc|身分証|dinh danh|citizen|id card|national id|identity",
    "cc", "c.c", "can", "身分", "dinh", "id", "citizen",
)  # fmt: skip
CARD_OF_OLD_WORDS = Pattern(r"cmnd|chung minh|so cmt", "cm", "chung")
LICENCE_WORDS = Pattern(
    r"運転免許|免許証|driv\w+'?s? licen|giay phep lai|bang lai|gplx|health insurance|bhxh|bao hiem|保険証",
    "免許", "licen", "lai", "gplx", "insurance", "bh", "保険", "bao hiem",
)  # fmt: skip
INSURANCE_WORDS = Pattern(
    r"住民票コ[ー-]ド|基礎年金|年金番号|雇用保険|被保険者|bhxh|bao hiem xa hoi|so bao hiem",
    "年金",
    "保険",
    "住民票",
    "bh",
    "bao hiem",
)
TAX_WORDS = Pattern(r"(?:mst|ma so thue|thue)[^\n]{0,12}ca nhan|thu nhap ca nhan", "ca nhan")
SECURITY_WORDS = Pattern(r"\bssn\b|social security", "ssn", "social security")
LABELLED = (
    (MY_NUMBER_WORDS, (12,), "a My Number"),
    (CITIZEN_WORDS, (12,), "a citizen's number"),
    (CARD_OF_OLD_WORDS, (9, 12), "an identity card's number"),
    (LICENCE_WORDS, (12,), "a licence or insurance number"),
    (INSURANCE_WORDS, (10, 11, 12), "a pension or insurance number"),
    (TAX_WORDS, (10, 12), "a person's tax number"),
    (SECURITY_WORDS, (9,), "a social security number"),
)
"""Words for an official number, how many digits it has, and what it is."""
CARD_WORDS = Pattern(
    r"card|カ[ー-]ド|クレカ|so the\b|\bthe (?:visa|tin dung|ngan hang)|\bvisa\b|mastercard|決済|thanh toan|payment"
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
    r"[文頼込]者|申請|登録|社員|従業員|顧客|本人|氏名|患者|会員|世帯|お客|担当|住民|名義|ho so|khach"
    r"|nhan vien|nguoi|ung"
    r" vien|benh nhan|cong "
r"dan|hoc vien|thanh vien|ho ten|employee|customer|patient|applicant|resident|person|registered"
r"|holder|member|student|guest|candidate|worker",
)  # fmt: skip
CONTACT_WORDS = Pattern(
    r"連絡|電話|かけ[るてた]|携帯|ケ-タイ|けいたい|\bdtdd\b|でんわ|\btel\b|内線|自宅|緊急|phone|call\b|mobile|contact|on-call|whatsapp|\bsms\b|\bfax\b"
r"|ring\b|reach|dial|line id|dien thoai|\bsdt\b|\bdt\b|goi\b|lien he|lien lac|di dong|so may"
r"|hotline|zalo|telegram|signal|messenger|\balo\b|\b(?:ping|bam|qua|nhap may|may) so\b|wa\.me|nhan tin|viber"
r"|ショ-トメ|番号は|手機|\bping\b",
)  # fmt: skip
PUBLIC_PHONES = ("0120", "0570", "0800", "0990", "0180", "0170", "1800", "1900", "00xx")
BANK_WORDS = Pattern(
    r"口座|振込|so (?:tai khoan|tk)|\bstk\b|\btk ngan hang|\bck cho\b|bank (?:account|acct?)|account (?:no"
    r"|number)|\bacct\b"
    r"|sort code|tai khoan ngan hang|iban|routing",
    "口座",
    "振込",
    "tai khoan",
    "tk",
    "ck cho",
    "account",
    "acc",
    "iban",
    "routing",
    "sort code",
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
PASSPORT = Pattern(r"(?<![A-Za-z0-9])[A-Za-z]{1,2}[0-9]{7,8}(?:[A-Za-z]{2})?(?![A-Za-z0-9])")
HEALTH_CARD_WORDS = Pattern(r"bhyt|bao hiem y te|health (?:insurance )?card", "bhyt", "y te", "health ")
HEALTH_CARD = Pattern(r"(?<![A-Za-z0-9])[A-Za-z]{2}[ -]?[1-5](?:[ -]?[0-9]){12}(?![A-Za-z0-9])")
SYMBOL = Pattern(r"記号[ :は]{0,3}[0-9]{1,8}[^0-9\n]{1,8}番号[ :は]{0,3}[0-9]{1,8}", "記号", ("番号",))
"""An account of Japan Post Bank, or an insurance card: two numbers with their names."""
JP_ACCOUNT = Pattern(
    r"(?:(?:普通|当座|貯蓄)(?:預金)?(?:口座)?(?:番号)?|口座 ?[Nn][Oo])[ .:(]{0,3}[0-9]{7}(?![0-9])",
    "普通",
    "当座",
    "貯蓄",
    "口座",
)
JP_BANK = Pattern(
    r"(?:みずほ|三菱UFJ|三井住友|りそな|楽天|ゆうちょ|PayPay|住信SBI|[一-鿿]{1,6}(?:銀行|信金|信用金庫))[^\n0-9]{0,12}"
    r"(?:[0-9]{3}[ -][0-9]{7}|[0-9]{5}-[0-9]{6,8})(?![0-9])",
    "みずほ",
    "三菱",
    "三井",
    "りそな",
    "楽天",
    "ゆうちょ",
    "PayPay",
    "SBI",
    "銀行",
    "信",
)
"""A bank's branch and account, or those of Japan Post Bank."""
JP_BANK_WORDS = Pattern(r"銀行|支店|信用金庫|信金|振込|口座")
_VN_BANKS = (
    "vietcombank vcb techcombank tcb bidv agribank vietinbank mbbank acb sacombank tpbank vpbank vib shb hdbank ocb"
).split()
VN_BANKS = Pattern(rf"\b(?:{'|'.join(_VN_BANKS)}|mb bank)\b", *_VN_BANKS, "mb bank")
VN_ACCOUNT = Pattern(rf"{_L}[0-9]{{9,15}}{_R}")
ABROAD = Pattern(
    r"(?<![A-Za-z0-9_./#@-])(?:\+[1-9](?:[ .()-]{0,3}[0-9]){9,13}|\([0-9]{3}\) ?[0-9]{3}-[0-9]{4})"
    r"(?![0-9A-Za-z_])",
)
CLOUD_WORDS = Pattern(r"aws|gcp|azure|cloud|service account|project")
CARD_LENGTHS = tuple(range(14, 20))
MOST_SPANS, BANK_NEAR = 40, 48
"""Readings of one run of digits; characters between a bank's name and an account."""
SHORT_OF_ZERO = 9
"""Digits of a mobile number in Viet Nam that lost its first, as numbers in sheets do."""
KANJI_NUMBER = Pattern(r"[〇一二三四五六七八九](?:[ー-]?[〇一二三四五六七八九]){7,12}", "〇")
KANJI_DIGITS = str.maketrans("〇一二三四五六七八九ー", "0123456789-")
MOST_COMPARED = 200
"""Hits of a kind that are looked at for being two at once: a file with more has said enough."""


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
    for hit in find_personal(folded.text, domains):
        if sheet.is_full(hit.rule):
            continue
        line, column = folded.at(hit.start)
        if not sheet.has_at(hit.rule, line, column):
            subject = folded.text[hit.start : hit.end]
            sheet.add(hit.rule, line, column, hit.what, severity=hit.severity, subject=subject)


def find_personal(text: str, domains: tuple[str, ...] = ()) -> list[Hit]:
    """Return the personal data in folded ``text``, in order, none within another."""
    hits: list[Hit] = []
    if may_hold_mail(text):
        rows = islice(find_mail(text, domains), MOST_COMPARED)
        hits += [
            Hit(PERSONAL_EMAIL, start, end, ERROR if person else WARNING, "a mail address")
            for start, end, person in rows
        ]
    low = text.lower()
    numbered = NUMBER.search(text) or BIRTH_WORDS.may_match(low) or SYMBOL.may_match(text)
    if numbered or may_hold_address(text):
        bare = low if low.isascii() else strip_marks(low)
        words = bare if len(bare) == len(text) else low
        for find in (_accounts, _cards, _births, _ids, _phones, _addresses) if numbered else (_addresses,):
            taken = hits[:MOST_COMPARED]
            new = islice(find(text, words), MOST_COMPARED)
            hits += [hit for hit in new if not any(hit.start < old.end and old.start < hit.end for old in taken)]
    return sorted(hits, key=lambda hit: hit.start)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _is_made_up(digits: str) -> bool:
    """Say whether digits only repeat or count up: nobody's number."""
    tail, counting = digits[-8:], "01234567890123456789"
    if len(set(tail)) <= 2 or tail in counting or digits[-9:] in "0123456789012345678909876543210":
        return True
    return len(digits) > 9 and digits[:9] in counting


def _is_date_or_host(shown: str) -> bool:
    parts = shown.split(".")
    host = len(parts) == 4 and all(part.isdigit() and len(part) < 4 and int(part) < 256 for part in parts)
    return host or DATED.match(shown) is not None


def _spans(match: re.Match[str], lengths: tuple[int, ...]) -> Iterator[tuple[int, int, str]]:
    """Yield where whole groups of a run's digits are one of some ``lengths`` together, and the digits."""
    groups = [(found.start() + match.start(), found[0]) for found in GROUP.finditer(match[0])]
    for first, (start, _) in enumerate(groups):
        digits = ""
        for at, group in groups[first:]:
            digits += group
            end = at + len(group)
            fraction = first and match.string[start - 1] == "." and len(groups) == 2
            if len(digits) in lengths and not fraction and not _is_date_or_host(match.string[start:end]):
                yield start, end, digits
            if len(digits) >= lengths[-1]:
                break


def _ids(text: str, words: str) -> Iterator[Hit]:
    for match in RUN.finditer(text):
        near = nearby(words, *match.span()).all
        yield from islice(_labelled(match, near), 1)
    for match in TWELVE.finditer(text):
        digits, near = _digits(match[0]), nearby(words, *match.span()).all
        valid = is_my_number(digits) or is_citizen_number(digits)
        valid = valid and not _is_made_up(digits) and not _is_date_or_host(match[0])
        person, business = PERSON_WORDS.search(near), BUSINESS_WORDS.search(near)
        if valid and (person or not business):
            severity = ERROR if person and not business else WARNING
            yield Hit(PERSONAL_ID, *match.span(), severity, "12 digits that may be a person's number")
    for match in PASSPORT.finditer(text):
        near = nearby(words, *match.span()).all
        if PASSPORT_WORDS.search(near) and not _is_made_up(_digits(match[0])):
            yield Hit(PERSONAL_ID, *match.span(), ERROR, "a passport's number")
    for match in HEALTH_CARD.finditer(text if HEALTH_CARD_WORDS.search(words) else ""):
        if not _is_made_up(_digits(match[0])):
            yield Hit(PERSONAL_ID, *match.span(), ERROR, "a health insurance card's number")


def _labelled(match: re.Match[str], near: str) -> Iterator[Hit]:
    """Yield the official numbers in a run of digits whose words say what they are."""
    for labels, lengths, what in LABELLED:
        if labels.search(near):
            for start, end, digits in _spans(match, lengths):
                if not _is_made_up(digits):
                    yield Hit(PERSONAL_ID, start, end, ERROR, what)


def _cards(text: str, words: str) -> Iterator[Hit]:
    for match in CARD.finditer(text):
        digits = _digits(match[0])
        if 13 <= len(digits) <= 19 and is_card(digits):
            near = nearby(words, *match.span()).all
            business = BUSINESS_WORDS.search(near) and not CARD_WORDS.search(near)
            yield Hit(PERSONAL_CARD, *match.span(), WARNING if business else ERROR, "a payment card's number")
    if CARD_WORDS.search(words):
        for match in RUN.finditer(text):
            if CARD_WORDS.search(nearby(words, *match.span()).leading):
                for start, end, digits in islice(_spans(match, CARD_LENGTHS), MOST_SPANS):
                    if is_card(digits):
                        yield Hit(PERSONAL_CARD, start, end, ERROR, "a payment card's number")
                        break


def _accounts(text: str, words: str) -> Iterator[Hit]:
    for match in IBAN.finditer(text):
        if is_iban(match[0].replace(" ", "").replace("-", "")):
            yield Hit(PERSONAL_BANK, *match.span(), ERROR, "an IBAN")
    yield from _named_accounts(text, words)
    if BANK_WORDS.search(words):
        for match in BANK_NUMBER.finditer(text):
            near, digits = nearby(words, *match.span()).leading, _digits(match[0])
            other = _is_date_or_host(match[0]) or (len(digits) == 12 and CLOUD_WORDS.search(near))
            if BANK_WORDS.search(near) and not other and not _is_made_up(digits):
                yield Hit(PERSONAL_BANK, *match.span(), ERROR, "a bank account's number")


def _named_accounts(text: str, words: str) -> Iterator[Hit]:
    """Yield accounts that are told by their bank, their kind or their two numbers, without the word account."""
    for match in SYMBOL.finditer(text):
        near = nearby(words, *match.span()).leading
        if BANK_WORDS.search(near) or "ゆうちょ" in near or "貯金" in near:
            yield Hit(PERSONAL_BANK, *match.span(), ERROR, "a bank account's number")
        elif "保険" in near:
            yield Hit(PERSONAL_ID, *match.span(), ERROR, "an insurance card's number")
    for match in JP_BANK.finditer(text):
        yield Hit(PERSONAL_BANK, *match.span(), ERROR, "a bank account's number")
    for match in JP_ACCOUNT.finditer(text):
        told = "預金" in match[0] or "口座" in match[0] or JP_BANK_WORDS.search(nearby(words, *match.span()).leading)
        if told and not _is_made_up(_digits(match[0])):
            yield Hit(PERSONAL_BANK, *match.span(), ERROR, "a bank account's number")
    for match in VN_ACCOUNT.finditer(text if VN_BANKS.search(words) else ""):
        around = nearby(words, *match.span())
        known = VN_BANKS.search(around.before[-BANK_NEAR:]) or VN_BANKS.search(around.after[:BANK_NEAR])
        if known and not BUSINESS_WORDS.search(around.all) and not _is_made_up(match[0]):
            yield Hit(PERSONAL_BANK, *match.span(), ERROR, "a bank account's number")


def _births(_: str, words: str) -> Iterator[Hit]:
    for start, end, sample in find_births(words):
        yield Hit(PERSONAL_BIRTH, start, end, WARNING if sample else ERROR, "a date of birth")


def _addresses(text: str, words: str) -> Iterator[Hit]:
    ends = -1
    for start, end in sorted(find_addresses(text, words)):
        if start >= ends:
            ends = end
            yield Hit(PERSONAL_ADDRESS, start, end, WARNING, "a postal address")


def _phones(text: str, words: str) -> Iterator[Hit]:
    ends = -1
    if "〇" in text:
        text = KANJI_NUMBER.sub(lambda match: match[0].translate(KANJI_DIGITS), text)
    spans = {match.span() for pattern in (AREA_CODED, AMERICAN, ABROAD) for match in pattern.finditer(text)}
    spans |= set(_loose_phones(text, words))
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        shown, digits = text[start:end], _digits(text[start:end])
        if start < ends or not (_is_phone(shown, digits) or _is_abroad(shown, digits)):
            continue
        near = nearby(words, start, end).all
        contact, title = CONTACT_WORDS.search(near), TITLES.search(near)
        business = not shown.startswith("+") and BUSINESS_WORDS.search(near)
        if not (contact or title) and (business or not _is_mobile(shown, digits)):
            continue
        ends = end
        yield Hit(PERSONAL_PHONE, start, end, ERROR if contact else WARNING, "a phone number")


def _loose_phones(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Yield numbers of mobile phones as people write them, and any as long beside a word for reaching somebody."""
    named = CONTACT_WORDS.search(words) is not None
    for match in RUN.finditer(text):
        shown, digits = match[0], _digits(match[0])
        if (
            MOBILE.fullmatch(digits)
            and PLAIN_SIGNS.issuperset(GROUP.sub("", shown))
            and not shown.startswith("0.")
            and not _is_date_or_host(shown)
        ):
            yield match.span()
        elif named and CONTACT_WORDS.search(nearby(words, *match.span()).all):
            for start, end, part in islice(_spans(match, (10, 11, 12, 13)), MOST_SPANS):
                if part[0] == "0" or part.startswith(("84", "81")):
                    yield start - (text[start - 1 : start] == "+"), end
                    break
            else:
                if shown.isdigit() and len(digits) == SHORT_OF_ZERO and MOBILE.fullmatch("0" + digits):
                    yield match.span()


def _is_abroad(shown: str, digits: str) -> bool:
    """Say whether a number of another country than Japan or Viet Nam is anybody's; 555-01.. is film's."""
    if AMERICAN.fullmatch(shown):
        return not _is_made_up(digits) and digits[3:8] != "55501"
    if not shown.startswith(("+", "(")) or digits.startswith(("81", "84", "0")) or not 10 <= len(digits) <= 14:
        return False
    return not _is_made_up(digits) and digits[-7:-2] != "55501"


def _is_phone(shown: str, digits: str) -> bool:
    if len(digits) == SHORT_OF_ZERO:
        digits = "0" + digits
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
        len(local) == 10 or local[:3] in ("070", "080", "090", "050", "020") or local.startswith(("02", "01"))
    )


def _is_mobile(shown: str, digits: str) -> bool:
    """Say whether a number is a phone's by its form alone: international, or a mobile phone's."""
    return shown.startswith("+") or MOBILE.fullmatch(digits) is not None or AMERICAN.fullmatch(shown) is not None
