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
        "Pinned to `react@18.3.1` and `@types/node@22.1.0`.", "renovatebot/renovate#22306", "source: code-repo:docs/F-003_Payment/retro.md#lessons-learned/x", "key-store:docs/x/1a2b3c4d.md#a", "def login(user: str, password: str) -> None: ...", "2008-09-15T15:53:00+05:00",
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


def lines(text: str) -> str:
    return text.replace("\\n", "\n")


KEY24, HEX40 = "aB3dE5gH7jK9mN1pQ3sT5vW7", "4b82" + "5dc642cb6eb9a060e54bf8d69288fbee4904"
ID = "8f3b2c1d-9e4a-4b7f-" + "a6d5-0c1e2f3a4b5d"
PLAIN = "kaisha" + "2024"


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "text",
    [
        f"Text `-----BEGIN CERTIFICATE-----` begins it.\nUse {TOKENS['GitLab']}", f"sha256:{TOKENS['GitHub']}", f"pip install x --hash={TOKENS['GitHub']}",
        "data:image/png;base64," + b64("the token is " + TOKENS["GitHub"]), f"ssh-rsa {TOKENS['AWS']} x", f"Use {TOKENS['GitLab']}xxxx (drop the x).",
    ],
)  # fmt: skip
def test_what_looks_public_hides_no_token(text: str) -> None:
    assert errors(scan(text)) & {"secret-token", "secret-encoded"}


def test_a_certificate_is_public_up_to_its_end_only() -> None:
    dash = "-" * 5
    body = f"{dash}BEGIN CERTIFICATE{dash}\n{letters(64)}\n{letters(64)}\n{dash}END CERTIFICATE{dash}"
    assert scan(body) == []
    assert scan(body.replace("\n", "\\n")) == []
    assert errors(scan(f"{body}\npassword: {PW}")) == {"secret-value"}


@pytest.mark.parametrize(
    "text",
    [
        "The API key for the nightly build is {}.", "API key for the trace exporter: {}", "Secret key of the analytics service: {}", "公開サイトのAPIキーは{}です。",
        "リビジョン管理のAPIキーは{}です。", "API key (base64): {}",
    ],
)  # fmt: skip
def test_a_public_word_somewhere_near_opens_no_key(text: str) -> None:
    assert errors(scan(text.format(KEY24))) == {"secret-value"}


@pytest.mark.parametrize(
    "text",
    [
        "The token refresh came with commit {0} and was reverted in {0}.", "The API key leak is mended by commit {0}.", "The token's hash is {0}.",
        "トークンのハッシュは {0} である。", "The public key is {0}.",
    ],
)  # fmt: skip
def test_a_value_that_is_called_public_is(text: str) -> None:
    assert scan(text.format(HEX40)) == []


@pytest.mark.parametrize(
    "text",
    [
        "パスワードは{}です。", "Password: {} (stg)", "Mật khẩu admin là {} nhé", "The DB password for staging is {} (ask the lead).", "ID/PW: app / {}", "DB_PASSWORD={} を使う",
        "docker run -e POSTGRES_PASSWORD={} postgres:15", "Use `host=db user=app password={} dbname=o`.", "`curl -d 'user=app&password={}' https://x.corp.jp/login`",
        '`{{"user":"app","password":"{}"}}`', "| ユーザー | パスワード | 備考 |\\n|---|---|---|\\n| app | {} | x |", "user,password\\napp,{}",
        "## Password\\n\\n{}", "**Mật khẩu**\\n{}", "DB password\\n- prod {}\\n- stg x",
    ],
)  # fmt: skip
def test_letters_and_digits_right_after_a_word_for_a_password_are_one(text: str) -> None:
    assert errors(scan(lines(text.format(PLAIN)))) & {"secret-value", "secret-in-place"}


@pytest.mark.parametrize(
    "text",
    [
        "The password is base64-encoded.", "Password: argon2id13 in old rows, bcrypt12 in new ones.", "パスワードは1Passwordで管理する。", "パスワードは8文字以上32文字以下にする。",
        "パスワードはORD1024の規則に従う。", "The password for release2024 is in Vault.", '"password": {"type": "string", "minLength": 8}', "password_v2 is the new column.",
        "| user | password |\\n|---|---|\\n| app | in Vault |", "user,password,role\\napp,vault,admin", "## Passwords\\n\\nArgon2id with m=65536 since release 2024.11.2.",
        "The header is `X-Api-Key`; its id is logged as `key_id=ak_17`.", "`dXNlcjpwYXNzd29yZA==` is `user:password`.", "data:\\n  username: " + b64("admin-user-one"),
    ],
)  # fmt: skip
def test_what_is_no_password_right_after_a_word_for_one(text: str) -> None:
    assert scan(lines(text)) == []


@pytest.mark.parametrize("password", ["Kx9;qL<2v>Zp,8", "さくら#20" + "24!", "Hànội@20" + "24"])
@pytest.mark.parametrize("text", ["DB password: {}", "パスワード：{}", "Mật khẩu: {}"])
def test_a_password_may_hold_any_sign_and_letter(text: str, password: str) -> None:
    assert "secret-value" in errors(scan(text.format(password)))


@pytest.mark.parametrize(
    "text", [f"API key: {ID}", f"パスワードは {ID} です。", "DB_PASSWORD=9f8e7d6c" + "5b4a3f2e", "vnp_HashSecret = " + letters(32, "QWXZKJVBTRPLMNG")]
)  # fmt: skip
def test_what_looks_like_an_id_right_after_a_word_for_a_secret_is_one(text: str) -> None:
    assert errors(scan(text)) == {"secret-value"}


@pytest.mark.parametrize(
    "text", [f"API key id: {ID}", f"partition_key: {ID}", f"idempotency token: {ID}", f"The secret's version is {ID}."]
)
def test_an_id_is_no_secret(text: str) -> None:
    assert scan(text) == []


def test_code_is_read_behind_what_stands_before_it() -> None:
    assert errors(scan("```yaml\ndata:\n  DB_PASSWORD: " + b64(PLAIN + "sales99") + "\n```")) == {"secret-encoded"}
    assert scan("```yaml\ndata:\n  region: " + b64("ap-northeast-1 tokyo") + "\n```") == []


@pytest.mark.parametrize(
    "code",
    [
        lambda token: " ".join(str(ord(sign)) for sign in token),
        lambda token: "".join(f"\\{ord(sign):03o}" for sign in token),
        lambda token: "-".join(f"{ord(sign):02x}" for sign in token),
        lambda token: ", ".join(f"0x{ord(sign):02x}" for sign in token),
        lambda token: " ".join(f"U+{ord(sign):04X}" for sign in token),
    ],
)
def test_numbers_hide_nothing(code: Callable[[str], str]) -> None:
    assert "secret-encoded" in errors(scan(f"x: {code(TOKENS['GitLab'])}"))


def test_rows_of_numbers_are_numbers() -> None:
    assert scan("Ids 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112 are test rows.") == []


LOW = string.ascii_lowercase + string.digits
VENDORS = (
    "rn" + "d_" + letters(32), "1/1204567890123456:" + letters(32, HEX), "access-" + "production-" + ID, "na" + "pi_" + letters(64, LOW), "sk" + "-lf-" + ID, "fc" + "-" + letters(32, HEX),
    "nv" + "api-" + letters(64), "sk" + "-" + letters(32, HEX), "cs" + "k-" + letters(48, LOW), "cs" + "_" + letters(40, HEX), "pk" + "_12345678_" + letters(32, string.ascii_uppercase),
    "cr" + "sr_" + letters(64, HEX), "sg" + "p_" + letters(40, HEX), "h" + "f_" + letters(34), "AT" + "TA" + letters(64, HEX), "dd" + "p_" + letters(36), "pc" + "sk_" + letters(70),
    "ji" + "na_" + letters(60), "ph" + "x_" + letters(43), "sh" + "r_" + letters(40), "vc" + "p_" + letters(56), "IQoJ" + "b3JpZ2luX2Vj" + letters(300), letters(76) + "AZ" + "DO" + letters(4),
    "cmVm" + "dGtu" + letters(56), "s" + ".aB3dE5gH7jK9mN1pQ3sT5vW7",
)  # fmt: skip


@pytest.mark.parametrize("token", VENDORS, ids=range(len(VENDORS)))
def test_a_vendors_token_needs_no_word(token: str) -> None:
    assert "secret-token" in errors(scan(f"Use it with {token} from now on."))


MORE_PLACES = (
    "https://x.azurewebsites.net/api/run?code=" + letters(52), "https://chat.corp.jp/hooks/" + letters(26, LOW), "https://hooks.zapier.com/hooks/" + "catch/1234567/b8x2k9q",
    "https://app.corp.jp/reset/" + letters(43), "https://maker.ifttt.com/trigger/x/with/key/" + letters(22), "https://app.corp.jp/x?sid=" + letters(32),
    f"jdbc:oracle:thin:scott/{PLAIN}@//ora-prod:1521/orcl", f"db.corp.jp:5432:orders:app:{PLAIN}", f"postgres://app:{PLAIN}@db-prod01/orders", f"postgres://app:{PLAIN}@db:5432/orders",
    f"echo {PLAIN} | sudo -S ls", f"echo {PLAIN} | docker login -u ci --password-stdin r.corp.jp", f"net user deploy {PLAIN} /add", f"lftp -u deploy,{PLAIN} ftp.corp.jp",
    "//r.corp.jp/:_authToken=" + letters(36), f"cmdkey /generic:x /user:a /pass:{PLAIN}", f"<password>{PLAIN}</password>", f"define('DB_PASSWORD', '{PLAIN}');",
    f"WIFI:S:Office;T:WPA;P:{PLAIN};;", "curl -b 'JSESSIONID=" + letters(32, HEX).upper() + "' https://x.corp.jp", "2FA secret key of ci: " + "JBSW Y3DP EHPK 3PXP KVZW 2QLT",
    "GitLab recovery codes: 4f9a2b7c" + "81d3e650", "MIIEpAIB" + "AAKCAQEA" + letters(48), "b3BlbnNza" + "C1rZXktdjE" + letters(40),
    '{"kty":"RSA","d":"' + letters(86) + '"}', key().replace("-" * 5, "-" * 4), key().replace("RSA ", "").lower(),
)  # fmt: skip


@pytest.mark.parametrize("text", MORE_PLACES)
def test_more_places_give_a_secret_away(text: str) -> None:
    assert "secret-in-place" in errors(scan(text))


@pytest.mark.parametrize(
    "text",
    [
        "See https://app.example.com/reset/password and https://x.example.com/hooks/useEffect-in-detail", "The callback gets ?code=abc123&state=xyz.",
        "`echo $TOKEN | docker login -u ci --password-stdin r.example.com`", "`cat ~/pw.txt | docker login --password-stdin r.example.com`", "`sqlplus app/$PW@PROD`",
        "`net user deploy /add`", "`<password>${env.NEXUS_PASSWORD}</password>`", "Cookie: theme=darkmodeandwide1; lang=ja", "2FA: authenticator application required",
        "Recovery codes: 10 per user, 8 characters each.", "`postgres://app:secret@db:5432/orders` in compose", "Basic auth: `Authorization: Basic dXNlcjpwYXNzd29yZA==`",
        "-----BEGIN PRIVATE " + "KEY----- starts a PKCS8 key.", "app:8080:orders:v2:latest is a tag.",
    ],
)  # fmt: skip
def test_places_without_a_secret(text: str) -> None:
    assert scan(text) == []
