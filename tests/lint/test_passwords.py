"""Passwords as people tell of them: before their word, as a word, in other fields, rows and scripts; and what is none."""

from __future__ import annotations

import pytest

from tests.lint.support import errors, names, scan

RANDOM = "hunter" + "2x9"
TOLD = [
    f"{RANDOM} is the password of the box.", f"`{RANDOM}` is our root password", f"{RANDOM}がパスワード。", f"{RANDOM}というパスワードで入れる。",
    f"{RANDOM} là mật khẩu của ops", f"Nhập {RANDOM} vào ô mật khẩu.", f"パスワードを{RANDOM}に変更した。", f"パスワードには {RANDOM} を設定",
    f"パスワード（共通）{RANDOM}", f"user ops, password (case matters) {RANDOM}", f"pass word: {RANDOM}", f"user | password\n---|---\nops | {RANDOM}",
    f"user;password\nops;{RANDOM}", f"user\tpassword\nops\t{RANDOM}", f"app:{RANDOM}@tcp(db1:3306)/x", "Server=db1;User Id=sa;Password=sunflower",
    "DSN=x;UID=sa;PWD={sunflower};", "jdbc:mysql://db1/x?user=sa&password=sunflower",
    '{"auths": {"r.acme.dev": {"auth": "b3BzOmh1bnRlcjJ4OQ=="}}}', "otpauth://totp/Acme:ops?secret=KZXW6YTBOI7Q3DPE&issuer=Acme",
]  # fmt: skip
DOUBTED = ["password: sunshine", "パスワード：sunflower", "mật khẩu: hoahuongduong", "secret: hunter2", f"p/w {RANDOM}"]
NONE = [
    '{"auth": "enabled"}', '{"auth": "dXNlcjpwYXNzd29yZA=="}', "otpauth://totp/LABEL?secret=SECRET",
    "password: see the vault", "password: required", "Password: string", "Mật khẩu: bắt buộc", "パスワードには記号を含める。", "パスワードを base64 でエンコードしない。",
    "パスワード（必須）は12文字以上。", "OAuth2 is the password replacement here.", "node18lts2 is the password policy's runtime.", "secret: kv2 mount path",
    "user | role\n--- | ---\nops | admin2024", "Server=db1;User Id=app;Password=<from vault>;", "jdbc:postgresql://db1/x?user=app&password=secret", "jdbc:mysql://db1/x?user=app&password=${DB_PASSWORD}",
]  # fmt: skip


@pytest.mark.parametrize("text", TOLD)
def test_a_password_is_found_wherever_its_word_stands(text: str) -> None:
    assert "secret-value" in errors(scan(text)) or "secret-in-place" in errors(scan(text))


@pytest.mark.parametrize("text", DOUBTED)
def test_a_word_or_a_short_value_behind_its_word_is_doubted(text: str) -> None:
    assert not errors(scan(text))
    assert "secret-maybe" in names(scan(text))


@pytest.mark.parametrize("text", NONE)
def test_what_is_said_of_passwords_is_none(text: str) -> None:
    assert not names(scan(text))


def test_one_password_is_told_once() -> None:
    assert [finding.rule.name for finding in scan(f"password: {RANDOM}")] == ["secret-value"]


@pytest.mark.parametrize("dash", "‐–—−⁃˗➖╌─﹘")
def test_dashes_that_look_alike_are_one(dash: str) -> None:
    assert errors(scan(f"glpat{dash}" + "Xk3TzQ9wLr7VnB2mYc5H")) == {"secret-token"}


@pytest.mark.parametrize(
    "text",
    [
        f"```toml\npassword = '''\n{RANDOM}'''\n```",
        f"```yaml\npassword: >-\n  {RANDOM}\n```",
        f"ENV PGPASSWORD {RANDOM}",
        f'<add key="DbPassword" value="{RANDOM}"/>',
    ],
)
def test_a_password_of_a_file_of_settings_is_found_on_its_next_line_too(text: str) -> None:
    assert "secret-in-place" in errors(scan(text))
