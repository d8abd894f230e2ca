"""Secrets are put together when a test runs, so that no scanner flags this file."""

from __future__ import annotations

import base64
import codecs
import random
import string
from collections.abc import Callable

import pytest

from brain.lint.secrets.shapes import NOTHING, RANDOM, STRONG, WEAK, is_refused, shape_of
from tests.lint.support import BODY_LINE, at, errors, lint, memory, names, scan

RNG = random.Random(7)
ALNUM = string.ascii_letters + string.digits


def letters(count: int, alphabet: str = ALNUM) -> str:
    return "".join(RNG.choice(alphabet) for _ in range(count))


HEX = "0123456789abcdef"
PW = "vR7" + "#kQ2" + "xLm9!z"
HUMAN = "Sakura" + "@20" + "24"
TOKENS = {
    "GitLab": "gl" + "pat-" + letters(20), "GitLab routable": "gl" + "pat-" + letters(40) + ".01." + letters(9, HEX), "GitLab runner": "gl" + "rt-" + letters(20),
    "GitHub": "gh" + "p_" + letters(36), "AWS": "AK" + "IA" + letters(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"), "Google": "AI" + "za" + letters(35),
    "Slack": "xo" + "xb-123456789012-1234567890123-" + letters(24), "Stripe": "sk" + "_live_" + letters(24), "npm": "np" + "m_" + letters(36),
    "Anthropic": "sk" + "-ant-api03-" + letters(93), "Hugging Face": "h" + "f_" + letters(34, string.ascii_letters), "Vault": "hv" + "s." + letters(30),
    "SendGrid": "S" + "G." + letters(22) + "." + letters(43), "Telegram": "1234567890" + ":AA" + letters(33), "age": "AGE-SECRET" + "-KEY-1" + letters(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    "JWT": ".".join(("ey" + "J" + letters(20), "ey" + "J" + letters(40), letters(43))), "LINE": letters(150) + "dB04t89/1O/w1cDn" + "yilFU=",
}  # fmt: skip


@pytest.mark.parametrize("kind", TOKENS)
@pytest.mark.parametrize("text", ["`{}`", "「{}」です", "token={}", "値は{}。", "| a | {} |"])
def test_a_token_is_found_beside_any_letters(kind: str, text: str) -> None:
    assert "secret-token" in errors(scan(text.format(TOKENS[kind])))


@pytest.mark.parametrize("sign", ["\u200b", "\u00ad", "\u2060"])
def test_a_token_that_is_split_is_found(sign: str) -> None:
    token = TOKENS["GitLab"]
    assert "secret-token" in errors(scan(f"is {token[:9]}{sign}{token[9:]} now"))


def key(what: str = "RSA ") -> str:
    dash, name = "-" * 5, "PRIV" + "ATE KEY"
    return f"{dash}BEGIN {what}{name}{dash}\n{letters(64)}\n{letters(64)}\n{dash}END {what}{name}{dash}"


CURL = "cu" + "rl -u"
PLACES = (
    key(), key("OPENSSH "), key().replace("\n", "\\n"), f"postgres://app:{PW}@db.prod.acme.internal/x".replace("#", "x"),
    f"Authorization: Bearer {letters(40)}", "Authorization: Basic " + base64.b64encode(f"svc:{letters(16)}".encode()).decode(),
    f"PRIVATE-TOKEN: {letters(20)}", f"{CURL} admin:{PW} https://x.example.com", f"machine x login ci password {letters(18)}",
    f"https://acme.backlog.jp/api?apiKey={letters(64)}", f"sshpass -p '{PW}' ssh x", f"mysql -u root -p{PW} orders", f"docker login -u ci -p {PW} r",
    f"redis-cli -a {PW} ping", f"--from-literal=password={PW}", f"PGPASSWORD={PW}", f"IDENTIFIED BY '{PW}'",
)  # fmt: skip


@pytest.mark.parametrize("text", PLACES)
def test_a_place_gives_a_secret_away(text: str) -> None:
    assert "secret-in-place" in errors(scan(text))


SAYINGS = (
    "パスワード：{}", "初期PWは{}、初回に変更する。", "ログインは admin / {} です。", "パスワードを「{}」に変更した。", "| 環境 | パスワード |\n| --- | --- |\n| stg | {} |",
    "mk: {}", "tk/mk: admin/{}", "Mật khẩu tạm thời là {} nhé.", "mat khau moi: {}", "Đăng nhập bằng admin/{} để thử.",
    "The password of staging is `{}`.", "pw: {}", "creds: admin / {}", "Log in as admin with {} on staging.", "Type {} when sudo asks.", "DB_PASSWORD={}",
    "密码：{}", "비밀번호: {}", "mot de passe : {}",
)  # fmt: skip


@pytest.mark.parametrize("saying", SAYINGS)
@pytest.mark.parametrize("password", [PW, HUMAN])
def test_a_password_is_found_in_prose(saying: str, password: str) -> None:
    assert "secret-value" in errors(scan(saying.format(password)))


def test_a_pin_is_found_beside_its_word() -> None:
    assert errors(scan("暗証番号は 4821 です。")) == {"secret-value"}
    assert scan("The PIN has 4 digits and the page 4821 lines.") == []


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_base64_hides_nothing(layers: int) -> None:
    text = f"DB_PASSWORD={PW}"
    for _ in range(layers):
        text = base64.b64encode(text.encode()).decode()
    assert errors(scan(f"```\n{text}\n```")) == {"secret-encoded"}


@pytest.mark.parametrize(
    "disguise",
    [
        lambda token: token[::-1],
        lambda token: codecs.encode(token, "rot13"),
        " ".join,
        lambda token: f"{token[:8]}\u0301{token[8:]}",
    ],
)
def test_a_token_in_disguise_is_found(disguise: Callable[[str], str]) -> None:
    assert "secret-encoded" in errors(scan(f"x: {disguise(TOKENS['GitLab'])}"))


def test_hex_hides_nothing() -> None:
    assert errors(scan("x: " + f"DB_PASSWORD={PW}".encode().hex())) == {"secret-encoded"}


def test_a_random_value_without_a_word_only_warns() -> None:
    assert [(found.rule.name, found.severity) for found in scan(f"See {PW} there.")] == [("secret-maybe", "warning")]


def test_what_tells_scanners_to_look_away_is_told_and_not_obeyed() -> None:
    findings = scan(f"token = {TOKENS['GitLab']}  # gitleaks:allow")
    assert names(findings) == {"secret-token", "scanner-pragma"}
    assert errors(findings) == {"secret-token"}


SHA, MD5 = letters(40, HEX), letters(32, HEX)


@pytest.mark.parametrize(
    "text",
    [
        f"The cause is commit {SHA}.", f"原因はコミット `{SHA}` です。", f"cache key: `{SHA}`", f"md5 của tệp: {MD5}", f"trace_id={MD5}", f'ETag: "{MD5}-12"',
        "tenant id = 103397da-c39e-4f1e-94c9-2bf009dc15ae", "The secret lies in the vault under id 103397da-c39e-4f1e-94c9-2bf009dc15ae.",
        f'"integrity": "sha512-{base64.b64encode(bytes(range(64))).decode()}"', "Host key: SHA256:" + letters(43), "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5" + letters(44) + " ci@acme",
        "```\nAPI_KEY=<YOUR_API_KEY>\n```", "API_KEY=xxxxxxxxxxxxxxxx", "API_KEY=" + "0123456789abcdef" * 2, "password: ${DB_PASSWORD}", "password: op://prod/db/password",
        "DBのパスワードは `process.env.DB_PASSWORD` から読む。", "password: {{ secrets.DB }}", "postgres://postgres:postgres@localhost:5432/test", "postgres://app:${PW}@db/x",
        "Passwords must have 14 characters and live in 1Password.", "パスワード：1Passwordの「本番DB」を参照すること。", "Mật khẩu: xem trong Vault, mục prod/db.",
        "PASSWORD_RESET_TIMEOUT_DAYS=3", "auth: set `token_endpoint_auth_method` to client_secret_basic", "Tokens that start with `" + "gl" + "pat-` are personal.",
        "Look at `feature/JIRA-1234-fix-token-refresh-race-condition`.", "token = f(x)", "secret_arn: arn:aws:secretsmanager:x:1:secret:prod/db-a1B2c3",
        "Pinned to `react@18.3.1` and `@types/node@22.1.0`.", "renovatebot/renovate#22306", "def login(user: str, password: str) -> None: ...", "2008-09-15T15:53:00+05:00",
    ],
)  # fmt: skip
def test_what_is_no_secret(text: str) -> None:
    assert scan(text) == []


def test_no_finding_prints_a_secret() -> None:
    for text in (*TOKENS.values(), *PLACES, *(saying.format(PW) for saying in SAYINGS)):
        for found in scan(f"token {text}"):
            assert PW not in found.message
            assert text[8:20] not in found.message


def test_line_and_column_of_a_secret() -> None:
    findings = lint(memory(f"It ends.\n\n- 鍵：パスワードは「{PW}」\n\n**Apply:** x.\n"))
    assert at(findings, "secret-value") == [(BODY_LINE + 2, 12, "error")]


def test_ids_of_the_frontmatter_are_no_secrets_once_they_are_valid() -> None:
    assert lint(memory(id="mem-F002-x", verified_commit=SHA)) == []


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (PW, STRONG),
        (HUMAN, STRONG),
        ("Sakura_20" + "24", WEAK),
        (letters(32), RANDOM),
        (MD5, RANDOM),
        ("recallNoticesRecallBusinessUnits", NOTHING),
        ("v1.2.3-rc.4", NOTHING),
    ],
)
def test_shapes(value: str, shape: int) -> None:
    assert shape_of(value) == shape


@pytest.mark.parametrize(
    "value",
    [
        "changeme",
        "your-token-here",
        "$TOKEN",
        "os.environ['X']",
        "a_b_c",
        "MY_TOKEN_NAME",
        "getToken()",
        "aaaaaaaaaaaa",
    ],
)
def test_refused_values(value: str) -> None:
    assert is_refused(value)
