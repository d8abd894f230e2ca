"""Numbers are put together when a test runs: none is anybody's, and no scanner flags this file."""

from __future__ import annotations

import pytest

from brain.lint.checkdigits import is_card, is_citizen_number, is_iban, is_luhn, is_my_number
from tests.lint.support import errors, names, scan


def my_number(head: str = "61223272351") -> str:
    return next(head + digit for digit in "0123456789" if is_my_number(head + digit))


def card(head: str = "468768485069742") -> str:
    return next(head + digit for digit in "0123456789" if is_luhn(head + digit))


def iban(rest: str = "821207394387664981") -> str:
    return next(f"DE{check:02d}{rest}" for check in range(97) if is_iban(f"DE{check:02d}{rest}"))


MY, CARD, CITIZEN = my_number(), card(), "079" + "195" + "346915"
MOBILE, VN = "090-" + "7450-" + "7749", "0908 " + "826 " + "958"
FULL = str.maketrans("0123456789-", "０１２３４５６７８９－")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"マイナンバーは{MY}です。", "personal-id"), (f"- 個人番号：{MY[:4]}-{MY[4:8]}-{MY[8:]}", "personal-id"), (f"個人番号は「{MY.translate(FULL)}」", "personal-id"),
        (f"登録済み: {MY}", "personal-id"), (f"Số CCCD: {CITIZEN}", "personal-id"), (f"Hồ sơ mẫu: {CITIZEN}", "personal-id"), ("Số CMND cũ: 231" + "315597", "personal-id"),
        ("パスポート番号はMZ" + "8622587です。", "personal-id"), ("運転免許証番号：6253" + "84508421", "personal-id"),
        (f"The payment used card {CARD}.", "personal-card"), (f"カード番号：{CARD[:4]}-{CARD[4:8]}-{CARD[8:12]}-{CARD[12:]}", "personal-card"),
        (f"緊急連絡先は{MOBILE}です。", "personal-phone"), (f"連絡先：{MOBILE.translate(FULL)}", "personal-phone"), (f"Gọi {VN} khi lỗi.", "personal-phone"),
        ("Call +81-80-" + "1348-7023.", "personal-phone"), ("自宅の電話番号は 03-" + "3551-1115 。", "personal-phone"), ("Contact: +84 91 " + "988 4948", "personal-phone"),
        ("Ask linh.tran" + "@fpt-partner.vn first.", "personal-email"), ("担当はtanaka.k" + "@gmail.comまで。", "personal-email"),
        (f"Refund to IBAN {iban()}.", "personal-bank-account"), ("口座番号 9210" + "195", "personal-bank-account"), ("Số tài khoản ngân hàng: 871217" + "6961854", "personal-bank-account"),
        ("顧客の生年月日は1992-" + "12-23。", "personal-birth-date"), ("Ngày sinh khách hàng: 14/11/" + "1991", "personal-birth-date"),
    ],
)  # fmt: skip
def test_personal_data_blocks(text: str, name: str) -> None:
    assert errors(scan(text)) == {name}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"See {MY} there.", "personal-id"),
        (f"See {MOBILE} there.", "personal-phone"),
        ("Mail info" + "@acme-trading.co.jp.", "personal-email"),
    ],
)
def test_without_a_word_it_only_warns(text: str, name: str) -> None:
    assert [(found.rule.name, found.severity) for found in scan(text)] == [(name, "warning")]


@pytest.mark.parametrize(
    "text",
    [
        f"注文番号：{MY}（伝票）", "Pipeline 1234567890 job 12345678901 failed.", "cursor=17123456789012 limit=500", f"AWS account {MY} is the sandbox.",
        "JANコード 4912345678904 の商品", "送り状番号 1234-5678-9012 は配達済み。", "受注番号 090-1234-567 を確認。", "Tổng tiền 12.345.678 đồng.", "Depot at 35.123456, 139.123456.",
        "Use user@example.com and taro@example.co.jp.", "git@gitlab.com:team/app.git", "ssh://git@gitlab.acme.internal:2222/x", "foo@bar and test@localhost",
        "noreply@acme-trading.co.jp", "Sandbox card 4242 4242 4242 4242.", "窓口は 0120-444-444 です。", "Hotline 1900 1234", "+1-202-555-0143", "090-1234-5678",
        "The date of birth is asked on page 2.", "2026-04-01 to 2026-12-24", "getty@tty1.service", "image@sha256:abc", "Version 12.34.56.78",
    ],
)  # fmt: skip
def test_what_is_nobodys(text: str) -> None:
    assert scan(text) == []


def test_the_teams_own_domains_are_let_through() -> None:
    text = "Ask linh.tran" + "@fpt-partner.vn."
    assert names(scan(text, ("fpt-partner.vn",))) == set()
    assert names(scan(text, ("other.co.jp",))) == {"personal-email"}


def test_check_digits() -> None:
    assert is_my_number(MY)
    assert not is_my_number(MY[:-1] + str((int(MY[-1]) + 1) % 10))
    assert is_card(CARD)
    assert not is_card("4242" * 4)
    assert is_citizen_number(CITIZEN)
    assert not is_citizen_number("003" + CITIZEN[3:])
    assert is_iban(iban())


DIGITS_10, INSURED = "0903" + "456" + "789", "0129" + "403" + "786"
ACCOUNT_JP, ACCOUNT_VN = "1234" + "068", "0071001" + "234068"
YOUNG = "1990-" + "03-04"


def parted(digits: str, sign: str, *sizes: int) -> str:
    parts, at = [], 0
    for size in sizes:
        parts.append(digits[at : at + size])
        at += size
    return sign.join(parts)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"マイナンバー：\n{MY}", "personal-id"), (f"## マイナンバー\n\n{parted(MY, ' ', 4, 4, 4)}", "personal-id"), (f"- 氏名 田中\n- マイナンバー\n  {MY}", "personal-id"),
        (f"Passport:\nTK{ACCOUNT_JP}", "personal-id"), (f"担当者の携帯:\n{DIGITS_10}", "personal-phone"), (f"生年月日:\n{YOUNG}", "personal-birth-date"),
        (f"振込先:\nみずほ銀行 普通 {ACCOUNT_JP}", "personal-bank-account"),
    ],
)  # fmt: skip
def test_a_label_above_says_what_a_number_is(text: str, name: str) -> None:
    assert errors(scan(text)) == {name}


@pytest.mark.parametrize("sign", [" - ", "_", "ー", "  ", ".", "/", "・"])
def test_digits_may_be_parted_by_anything(sign: str) -> None:
    assert errors(scan(f"マイナンバー {parted(MY, sign, 4, 4, 4)}")) == {"personal-id"}
    assert errors(scan(f"カード {parted(CARD, sign, 4, 4, 4, 4)} です")) == {"personal-card"}
    assert errors(scan(f"SĐT: {parted(DIGITS_10, sign, 4, 3, 3)}")) == {"personal-phone"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"Card {CARD}/12/27 cvv 123", "personal-card"), (f"Card #{CARD}", "personal-card"), (f"Card {CARD}:123", "personal-card"), (f"SĐT: {parted(DIGITS_10, ' ', 2, 2, 2, 2, 2)}", "personal-phone"),
        ("Gọi +84 (0) " + "903 456 789", "personal-phone"), ("自宅電話 03(34" + "56)7891", "personal-phone"), (f"Nhắn qua https://zalo.me/{DIGITS_10}", "personal-phone"),
        ("Call John at +1 415 " + "555 2671", "personal-phone"), ("Contact mobile +86 138 " + "1294 5670", "personal-phone"), ("基礎年金番号は48" + "21-739056です", "personal-id"),
        ("健康保険証 記号 12345 番号 " + "678901", "personal-id"), (f"Số BHXH: {INSURED}", "personal-id"), ("Mã số thuế cá nhân: 80" + "12940678", "personal-id"), ("SSN 536-" + "22-1849", "personal-id"),
        ("みずほ銀行 渋谷支店 普通 " + ACCOUNT_JP, "personal-bank-account"), (f"Vietcombank {ACCOUNT_VN} - NGUYEN VAN A", "personal-bank-account"),
        (f"Số tài khoản nhận tiền cloud: {ACCOUNT_VN}", "personal-bank-account"), ("ゆうちょ銀行 記号10140 番号1234" + "0681", "personal-bank-account"),
    ],
)  # fmt: skip
def test_kinds_of_numbers(text: str, name: str) -> None:
    assert errors(scan(text)) == {name}


@pytest.mark.parametrize(
    "text",
    [
        "田中さんは1990年3月4日生まれです。", "生年月日：平成2年3月4日", "生年月日 H2.3.4", "Date of birth: 4 March 1990", "She was born on Mar 4, 1990", "Sinh ngày 4 tháng 3 năm 1990",
        "DOB 1990" + "0304",
    ],
)  # fmt: skip
def test_dates_of_birth_in_any_form(text: str) -> None:
    assert errors(scan(text)) == {"personal-birth-date"}


@pytest.mark.parametrize(
    "text", [f"生年月日は YYYY-MM-DD 形式（例: {YOUNG}）で送る。", f"Ngày sinh dạng yyyy-mm-dd, ví dụ {YOUNG}."]
)
def test_a_sample_of_a_date_of_birth_warns(text: str) -> None:
    assert [(found.rule.name, found.severity) for found in scan(text)] == [("personal-birth-date", "warning")]


MAIL = "tanaka.k" + "@corp.co.jp"


@pytest.mark.parametrize(
    "text",
    [
        f"連絡先：https://wiki.corp.jp/p、{MAIL} まで", "Write nguyen.van.a" + "@mail.ru", "Gửi tran.thi.b" + "@mail.fpt.vn", "Write ion.popescu" + "@orange.md",
        MAIL.replace("@", "(at)"), MAIL.replace("@", "[at]").replace(".co.jp", "[dot]co[dot]jp"), MAIL.replace("@", " @ "), f"https://x.corp.jp/u?mail={MAIL}",
    ],
)  # fmt: skip
def test_mail_in_any_form(text: str) -> None:
    assert errors(scan(text)) == {"personal-email"}


@pytest.mark.parametrize(
    "text",
    [
        "テストには 123456789018 を使う。マイナンバーは12桁。", "The company was born on 1998-04-01.", "リリース日は平成31年4月30日。", "Call the API at 05/11/2024 10:30 JST.",
        "申請APIは 192.168.100.200 で動く。個人番号は保存しない。", "支店コードは3桁、口座番号は7桁である。\n2019-05-06 から。", "Vietcombank: transaction 123456789012 timed out.",
        "https://lore.kernel.org/git/20160419091055.GF2345" + "@dinwoodie.org/", "Use image@2x.png, notes@2024.md and app@host.py.", "MST công ty: 0312345678-001",
        "https://user@gitlab.example.com/a.git", "price 3 @ 5.99", "4103857.0726124765 ops on call 3.",
    ],
)  # fmt: skip
def test_more_that_is_nobodys(text: str) -> None:
    assert scan(text) == []


def test_a_postal_address_warns() -> None:
    findings = scan("自宅は〒150-0001 東京都渋谷区神宮前1-2-3 です")
    assert [(found.rule.name, found.severity) for found in findings] == [("personal-address", "warning")]
