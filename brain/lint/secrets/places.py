"""Secrets that their place gives away: keys between armour, addresses, headers, commands, connection strings."""

from __future__ import annotations

import binascii

from brain.lint.pattern import Pattern
from brain.lint.secrets.shapes import RANDOM, STRONG, is_refused, shape_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

_V = r"[\"'`]?(?P<v>[^\s\"'`<>|,;]{3,300})"
ARMOUR = Pattern(
    r"-----BEGIN (?P<what>[A-Z0-9 ]{0,40}PRIV" + r"ATE KEY(?: BLOCK)?)-----(?P<rest>(?:[^-]|-(?!----)){0,400})",
    "PRIV" + "ATE KEY",
)
PUTTY = Pattern(r"PuTTY-User-Key-File-[23]:", "PuTTY-User-Key-File")
URL = Pattern(
    r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<user>[^\s:/@\"'`<>"
    r"|]{0,80}):(?P<v>[^\s/\"'`<>|]{1,200})@(?P<host>[^\s/:\"'`<>?|,)]{1,200})",
    "://",
)
TOKEN_URL = Pattern(r"https?://(?P<v>[A-Za-z0-9_-]{30,200})@(?P<host>[^\s/:\"'`<>?|]{1,200})", "://")
HEADER = Pattern(
    r"(?i:authori[sz]ation|proxy-authorization"
r"|www-authenticate)[\"']?\s{0,4}[:=]\s{0,4}[\"'`]?(?:(?i:bearer|token|apikey|basic|digest|key"
r"|negotiate)\s{1,4})?(?P<v>[A-Za-z0-9+/._~=:-]{8,600})",
    "uthori", "UTHORI",
)  # fmt: skip
BEARER = Pattern(r"(?<![A-Za-z0-9_])[Bb](?:earer|EARER)\s{1,4}(?P<v>[A-Za-z0-9+/._~=-]{20,600})", "earer", "EARER")
X_HEADER = Pattern(
    r"(?<![A-Za-z0-9_-])(?i:x-[a-z0-9-]{0,40}(?:token|key|secret|auth|password|signature)"
r"|private-token|job-token|deploy-token|api-?key|ocp-apim-subscription-key"
r"|dd-api-key)[\"']?\s{0,3}[:=]\s{0,3}[\"'`]?(?P<v>[A-Za-z0-9+/._~=!@#%^&*-]{8,400})",
    "x-", "X-", "-token", "-Token", "-TOKEN", "api-key", "apikey", "Api-Key", "API-Key", "API-KEY", "ApiKey",
    "-api-key", "-Key",
)  # fmt: skip
QUERY = Pattern(
    r"[?&;](?i:api_?key|apikey|key|token|access_?token|auth|auth_?token|sig|signature|secret"
r"|client_?secret|password|passwd|pwd|private_token|sas|hapikey|subscription-key|x-amz-signature"
r"|x-amz-security-token|pw|pass|[a-z0-9_]{1,30}_(?:password|passwd|pwd|token|secret|key))=(?P<v>[^\s&\"'`<>|,;)]{6,400})",
    "=",
)  # fmt: skip
CONNECTION = Pattern(
    r"(?i:(?:^|[;\s\"'`])(?:password|pwd|user password|accesskey|sharedaccesssignature"
    r"|secret))\s?=\s?(?P<v>[^;\s\"'`<>|]{3,200})(?=;|[\"'`]|\s|$)",
    ";",
)
CURL_USER = Pattern(
    r"(?i:\b(?:curl|http|https|wget|xh)\b)[^\n]{0,300}?\s(?:-u|--user|-a|--auth)[ "
    r"=]?[\"'`]?[^\s:\"'`]{1,80}:(?P<v>[^\s\"'`]{3,200})",
    "curl",
    "http",
    "wget",
)
NETRC = Pattern(r"(?i:\blogin\s{1,4}\S{1,80}\s{1,4}pass" + r"word\s{1,4})(?P<v>\S{3,200})", "login", "LOGIN")
COMMANDS = (
    Pattern(rf"\bsshpass\s{{1,4}}-p\s{{0,4}}{_V}", "sshpass"),
    Pattern(rf"\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|]{{0,120}}?\s-p{_V}", "mysql", "mariadb"),
    Pattern(rf"\b(?:docker|podman|helm|nerdctl|crane|skopeo|oc|az|buildah|registry)\b[^\n"
rf"|]{{0,120}}?\blogin\b[^\n|]{{0,160}}?\s(?:-p|--password|--dest-creds)[ =]{_V}", "login"),
    Pattern(rf"\bredis-cli\b[^\n|]{{0,120}}?\s(?:-a|--pass)[ =]{_V}", "redis-cli"),
    Pattern(rf"(?<![\w-])--(?:[a-z]+-)?(?:password|passwd|pass|passphrase|token|secret|api-?key|access-?key"
rf"|secret-?key|auth-?token|client-?secret)[= ]{_V}", "--"),
    Pattern(rf"--from-literal[ =][\"'`]?[\w.-]{{1,60}}={_V}", "--from-literal"),
    Pattern(rf"\b(?:mongo|mongosh|mongodump|mongorestore|sqlcmd|bcp|mosquitto_pub|mosquitto_sub|ldapsearch"
rf"|ldapadd|ldapmodify|unzip|zip|smbclient|snmpwalk|vncviewer|xfreerdp|isql|clickhouse-client"
rf"|influx|rabbitmqadmin|cqlsh|lftp|ncftp)\b[^\n|]{{0,160}}?\s(?:-p|-P|-w|-U \S{{1,40}}%|/p:){_V}", "mongo", "sqlcmd",
"bcp", "mosquitto", "ldap", "zip", "smbclient", "freerdp", "isql", "clickhouse", "influx", "rabbitmq", "cqlsh", "ftp"),
    Pattern(rf"\b(?:7za?|7zz|rar|unrar)\b[^\n|]{{0,120}}?\s-p{_V}", "7z", "rar"),
    Pattern(rf"\b(?:-pass(?:in|out)?|-password) (?:pass:)?{_V}|\bpass:(?P<v2>[^\s\"'`<>|,;]{{3,300}})", "openssl"),
    Pattern(
        rf"\b(?:htpasswd\s{{1,4}}-[a-zA-Z]*b[a-zA-Z]*\s{{1,4}}\S{{1,80}}\s{{1,4}}\S{{1,80}}"
        rf"|net use\s[^\n|]{{0,120}}?/user:\S{{1,80}}"
        rf"|rabbitmqctl (?:add_user|change_password) \S{{1,80}})\s{{1,4}}{_V}",
        "htpasswd", "net use", "rabbitmqctl",
    ),
    Pattern(
        r"\becho\s{1,4}[\"'`]?[\w.-]{1,40}:(?P<v>[^\s\"'`<>|,;]{3,300})[\"'`]?\s{0,4}\|"
        r"\s{0,4}(?:sudo\s{1,4})?chpasswd",
        "chpasswd",
    ),
    Pattern(
        r"(?i:\bidentified (?:with \w+ )?by|\bwith(?: encrypted)? password|\bencrypted password)\s{1,4}(?:as\s)?"
        r"[\"'`](?P<v>[^\"'`\n]{3,200})[\"'`]",
        "dentified", "DENTIFIED", "assword", "ASSWORD",
    ),
    Pattern(
        rf"\b(?:PGPASSWORD|MYSQL_PWD|SSHPASS|REDISCLI_AUTH|ANSIBLE_BECOME_PASS|RSYNC_PASSWORD|RESTIC_PASSWORD"
        rf"|BORG_PASSPHRASE)={_V}",
        "PGPASSWORD", "MYSQL_PWD", "SSHPASS", "REDISCLI_AUTH", "ANSIBLE_BECOME_PASS", "RSYNC_PASSWORD",
        "RESTIC_PASSWORD", "BORG_PASSPHRASE",
    ),
)  # fmt: skip
THIS_HOST = ("127.", "0.0.0.0", "[::1]", "example.", "localhost")  # noqa: S104 - texts to compare with
LOCAL = (*THIS_HOST, *"host hostname server your db my postgres mysql redis mongo rabbitmq".split())
WEAK_WORDS = frozenset(
    "password passwd pass pwd pw secret postgres root admin user guest test mysql redis rabbitmq mongo changeme example"
    " token key apikey username name none null true false value string default x y foo bar baz abc 123 1234"
    " 12345 123456"
    " mypassword dbpassword yourpassword oauth2 x-token-auth x-oauth-basic git pat".split()
)


def find_in_places(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield what was found, with the offsets of the secret in ``text``."""
    for match in ARMOUR.finditer(text):
        if _holds_key(match["rest"]):
            yield f"{match['what'].lower()}", match.start(), match.end()
    for match in PUTTY.finditer(text):
        yield "PuTTY private key", match.start(), match.end()
    for what, pattern, judge in _PLACES:
        for match in pattern.finditer(text):
            group = "v" if match["v"] is not None else "v2"
            if judge(match, match[group].rstrip(".,)]}:")):
                yield what, match.start(group), match.end(group)


def _holds_key(rest: str) -> bool:
    run = sum(sign.isalnum() or sign in "+/=" for sign in rest.replace("\\n", "")[:200])
    return run >= 40 and "..." not in rest[:120]


def _url(match: re.Match[str], value: str) -> bool:
    host, value = match["host"].lower(), match["v"]
    weak = (
        value.lower().strip("[]") in WEAK_WORDS
        or "[" in match["user"]
        or value == match["user"]
        or is_refused(value)
        or set(value) <= {"*", "x", "."}
    )
    if weak or value.startswith(("$", "{", "<", "%", "[", "(")) or "://" in value:
        return False
    local = host.startswith(LOCAL) and ("." not in host or host.startswith(THIS_HOST))
    return (
        not (local or host.endswith((".example", ".example.com", ".example.org", ".test"))) or shape_of(value) >= RANDOM
    )


def _token_url(match: re.Match[str], value: str) -> bool:
    return shape_of(value) >= RANDOM and "ingest" not in match["host"] and "sentry" not in match["host"]


def _header(_: re.Match[str], value: str) -> bool:
    if is_refused(value):
        return False
    return (
        shape_of(value) >= RANDOM
        or _is_basic(value)
        or (len(value) >= 20 and any(map(str.isdigit, value)) and "." not in value)
    )


def _is_basic(value: str) -> bool:
    """Say whether a value is ``user:password`` in base64."""
    if len(value) < 8 or not any(map(str.isupper, value)):
        return False
    try:
        plain = binascii.a2b_base64(value + "=" * (-len(value) % 4)).decode("ascii")
    except ValueError:
        return False
    user, colon, password = plain.partition(":")
    return (
        bool(colon and user and password)
        and plain.isprintable()
        and password.lower() not in WEAK_WORDS
        and not is_refused(password)
    )


def _shaped(_: re.Match[str], value: str) -> bool:
    return shape_of(value) >= RANDOM


def _given(_: re.Match[str], value: str) -> bool:
    """Judge a value where only a password can stand: anything that is not refused or a mere word for it."""
    if value.lower() in WEAK_WORDS or is_refused(value) or value.startswith("-"):
        return shape_of(value) == STRONG
    return any(map(str.isdigit, value)) or shape_of(value) > 0 or len(set(value) & set("!@#%^&*")) > 0


_PLACES: tuple[tuple[str, Pattern, Callable[[re.Match[str], str], bool]], ...] = (
    ("password in an address", URL, _url), ("token in an address", TOKEN_URL, _token_url),
    ("credentials in a header", HEADER, _header), ("bearer token", BEARER, _header), ("credentials in a header",
    X_HEADER, _shaped),
    ("key in an address", QUERY, _shaped), ("password in a connection string", CONNECTION, _given),
    ("password in a command", CURL_USER, _given), ("password in a netrc line", NETRC, _given),
    *(("password in a command", pattern, _given) for pattern in COMMANDS),
)  # fmt: skip
