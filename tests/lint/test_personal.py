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
