"""Secrets that their place gives away: keys between armour, addresses, headers, commands, connection strings."""

from __future__ import annotations

import binascii

from brain.lint.pattern import Pattern
from brain.lint.secrets.shapes import (
    RANDOM,
    STRONG,
    is_gibberish,
    is_key,
    is_password,
    is_refused,
    residue,
    shape_of,
)  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

_V = r"[\"'`]?(?P<v>[^\s\"'`<>|,;]{3,300})"
ARMOUR = Pattern(
    r"(?i:-{2,6} ?BEGIN (?P<what>[A-Z0-9 ]{0,40}PRIV" + r"ATE KEY(?: BLOCK)?) ?-{2,6})(?P<rest>(?:[^-]|-(?!-)){0,400})",
    "PRIV" + "ATE KEY", "priv" + "ate key",
)  # fmt: skip
KEY_LINE = Pattern(r"[A-Za-z0-9+/=]{40,}+(?!\.\.)")
KEY_BODY = Pattern(
    r"(?<![A-Za-z0-9+/])(?:MI[IGHJ][A-Za-z0-9+/]{2,4}(?:IB" + r"AAKC|IBADAN|AgEAMBMG|AgEAMBAG)"
    r"|MHcC" + r"AQEEI|MIG[A-Za-z0-9+/]AgEB|MC4CAQAwBQYDK2V|b3BlbnNza" + r"C1rZXktdjE)[A-Za-z0-9+/]{8,}",
    "MI", "MHcC", "MC4C", "b3BlbnNza",
)  # fmt: skip
"""How a key begins in base64, by its DER head (RSA, EC and Ed25519, PKCS 1 and 8), or as OpenSSH writes it."""
JWK = Pattern(r"(?m)(?:\"|^[ \t-]{0,8})d\"?\s?:\s?\"?(?P<v>[A-Za-z0-9_-]{40,})", "kty")
PUTTY = Pattern(r"PuTTY-User-Key-File-[23]:", "PuTTY-User-Key-File")
URL = Pattern(
    r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<user>[^\s:/@\"'`<>"
    r"|]{0,80}):(?P<v>[^\s/\"'`<>|]{1,200})@(?P<host>[^\s/:\"'`<>?|,)]{1,200})",
    "://",
)
TOKEN_URL = Pattern(r"https?://(?P<v>[A-Za-z0-9_-]{20,200})@(?P<host>[^\s/:\"'`<>?|]{1,200})", "://")
HEADER = Pattern(
    r"(?i:authori[sz]ation|proxy-authorization"
r"|www-authenticate)[\"']?\s{0,4}[:=]\s{0,4}[\"'`]?(?:(?i:bearer|token|apikey|basic|digest|key"
r"|negotiate)\s{1,4})?(?P<v>[A-Za-z0-9+/._~=:-]{8,600})",
    "uthori", "UTHORI",
)  # fmt: skip
REGISTRY_LOGIN = Pattern(r"\"auth\"\s{0,3}:\s{0,3}\"(?P<v>[A-Za-z0-9+/]{8,400}={0,2})\"", '"auth"')
"""``user:password`` in base64, as container tools keep it."""
ONE_TIME = Pattern(
    r"otpauth://[^\s\"'`<>?]{1,200}\?(?:[^\s\"'`<>]{0,200}&)?secret=(?P<v>[A-Za-z2-7]{16,200})", "otpauth:"
)
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
    r"|client_?secret|private_token|sas|hapikey|subscription-key|x-amz-signature|sid|jwt|session(?:id)?|t|otp|magic"
    r"|x-amz-security-token|[a-z0-9_]{1,30}_(?:token|secret|key))=(?P<v>[^\s&\"'`<>|,;)]{6,400})",
    "=",
)  # fmt: skip
QUERY_PASSWORD = Pattern(
    r"[?&;](?i:password|passwd|pwd|pw|pass|[a-z0-9_]{1,30}_(?:password|passwd|pwd))=(?P<v>[^\s&\"'`<>|,;)]{6,400})",
    "=",
)
QUERY_CODE = Pattern(
    r"https?://[^\s\"'`<>|?]{1,300}\?(?:[^\s\"'`<>|]{0,200}&)?code=(?P<v>[A-Za-z0-9/_+=%-]{40,})", "code="
)
PATH = Pattern(
    r"https?://[^\s\"'`<>|?]{1,200}/(?:(?:web)?hooks?|reset[a-z_-]{0,20}|invit(?:e|ation)s?|magic[a-z_-]{0,20}|verify"
    r"|confirm[a-z_-]{0,20}|activat(?:e|ion)|with/key|tokens?|auth|sso|unlock)/(?P<v>[A-Za-z0-9_-]{20,200})",
    "://",
)
HOOK = Pattern(
    r"https?://(?=[^\s\"'`<>|]{0,200}hook)[^\s\"'`<>|]{4,300}?[/=](?P<v>[A-Za-z0-9_-]{20,200})(?![A-Za-z0-9_./-])",
    "hook",
)
"""An address of the web that something posts to: who has it, can."""
CATCH_HOOK = Pattern(r"hooks\.zapier\.com/hooks/[a-z]{1,20}/(?P<v>[0-9]{3,12}/[A-Za-z0-9]{5,})", "hooks.zapier")
CONNECTION = Pattern(
    r"(?i:(?:^|[;\s\"'`])(?:password|pwd|user password|accesskey|sharedaccesssignature"
    r"|secret))\s?=\s?(?P<v>[^;\s\"'`<>|]{3,200})(?=;|[\"'`]|\s|$)",
    ";",
)
CONNECTS = Pattern(
    r"(?i:(?:^|[;\s\"'`?&])(?:server|data source|host|uid|user(?: id|name)?|dsn|driver|database)\s?=)", "="
)
"""What else a connection string says: beside it, a mere word is a password."""
DATA_SOURCE = Pattern(r"(?<![\w.:/-])[\w.-]{1,80}:(?P<v>[^\s@:/\"'`]{3,100})@(?:tcp|unix)\(", "@tcp(", "@unix(")
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
    Pattern(rf"(?<![\w-])-(?:[a-z]{{1,12}})?(?:pass|password|passwd|passphrase)[= ]{_V}", "pass"),
    Pattern(rf"--from-literal[ =][\"'`]?[\w.-]{{1,60}}={_V}", "--from-literal"),
    Pattern(rf"\b(?:mongo|mongosh|mongodump|mongorestore|mosquitto_pub|mosquitto_sub|ncftp|rabbitmqadmin|cqlsh|xfreerdp"
rf"|influx|(?:evil-)?winrm)\b[^\n|]{{0,160}}?\s(?:-[pPw]\s{{0,4}}|/p:){_V}", "mongo", "mosquitto", "ftp", "rabbitmq",
"cqlsh", "freerdp", "influx", "winrm"),
    Pattern(rf"\b(?:unzip|zip|sqlcmd|bcp|isql|ldap[a-z]{{3,8}}|smbclient|snmp[a-z]{{3,8}}|vncviewer|clickhouse-client"
rf"|lftp)\b[^\n|]{{0,160}}?\s(?:-[PwWc]\s{{0,4}}"
rf"|-U \S{{1,40}}%){_V}", "zip", "sqlcmd", "bcp", "isql", "ldap", "smbclient",
"snmp", "vncviewer", "clickhouse", "ftp"),
    Pattern(rf"\b(?:7za?|7zz|rar|unrar)\b[^\n|]{{0,120}}?\s-p{_V}", "7z", "rar"),
    Pattern(rf"\b(?:-pass(?:in|out)?|-password) (?:pass:)?{_V}|\bpass:(?P<v2>[^\s\"'`<>|,;]{{3,300}})", "openssl"),
    Pattern(
        rf"\b(?:htpasswd\s{{1,4}}-[a-zA-Z]*b[a-zA-Z]*\s{{1,4}}\S{{1,80}}\s{{1,4}}\S{{1,80}}"
        rf"|net use\s[^\n|]{{0,120}}?/user:\S{{1,80}}"
        rf"|rabbitmqctl (?:add_user|change_password) \S{{1,80}})\s{{1,4}}{_V}",
        "htpasswd", "net use", "rabbitmqctl",
    ),
    Pattern(rf"\bnet user\s{{1,4}}\S{{1,80}}\s{{1,4}}(?!/){_V}"
    rf"|\bnet use\s[^\n|]{{0,60}}?\\\\\S{{1,80}}\s{{1,4}}(?P<v2>[^\s/*\"'`|]{{3,200}})(?=\s{{1,4}}/user)", "net use"),
    Pattern(rf"\bopenssl\b[^\n|]{{0,160}}?\s-k\s{{0,2}}{_V}|\b(?:kinit|passwd|sudo|su)\b[^\n|]{{0,80}}?<<<\s?[\"'`]?"
    r"(?P<v2>[^\s\"'`<>|,;]{3,300})", "openssl", "<<<"),
    Pattern(rf"\bpsexec\b[^\n|]{{0,160}}?\s-p\s{{1,4}}{_V}|\bnmcli\b[^\n|]{{0,160}}?\spassword\s{{1,4}}"
    r"(?P<v2>[^\s\"'`<>|,;]{3,300})", "psexec", "nmcli"),
    Pattern(r"(?i:\b(?:alter|create) (?:user|role)\b[^\n;]{0,80}?\bidentified by)\s{1,4}(?P<v>[^\s\"'`;,()]{3,100})",
    "dentified", "DENTIFIED"),
    Pattern(rf"\bcmdkey\b[^\n|]{{0,160}}?/pass:{_V}", "cmdkey"),
    Pattern(rf"\blftp\b[^\n|]{{0,80}}?\s-u\s{{0,4}}[^\s,]{{1,80}},{_V}", "lftp"),
    Pattern(
        r"\becho\s{1,4}(?:-n\s{1,4})?[\"'`]?(?P<v>[^\s\"'`<>|,;]{3,300})[\"'`]?\s{0,4}\|"
        r"\s{0,4}(?:sudo\s[^\n|]{0,60}?-S\b|kinit\b|(?:sudo\s)?passwd\b|[^\n|]{1,160}?--pass(?:word|phrase)-(?:stdin|fd))",
        "sudo", "-stdin", "-fd", "kinit", "passwd",
    ),
    Pattern(
        r"(?:jdbc:oracle:[a-z]{2,8}:|\b(?:sqlplus|sqlldr|expdp|impdp)\s(?:-[a-zA-Z]{1,8}\s{1,4}){0,3})[\"']?"
        r"[\w$.-]{1,40}/[\"']?(?P<v>[^\s@\"'`/]{3,100})[\"']?@",
        "oracle:", "sqlplus", "sqlldr", "expdp", "impdp",
    ),
    Pattern(
        r"(?<![\w.:/-])[A-Za-z*][\w.-]{0,100}:(?:[0-9]{4,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:(?P<v>[^\s:\"'`]{3,100})",
        "pgpass", ":5432:", ":*:",
    ),
    Pattern(rf":_(?:authToken|auth|password)\s?=\s?{_V}", ":_auth", ":_password"),
    Pattern(
        r"(?i:<(?:\w{1,20}:)?(?P<tag>pass(?:word|wd|phrase)?|pwd|secret(?:-?key)?|api-?key|(?:access-?)?token)>)\s{0,4}"
        r"(?P<v>[^\s<>]{6,200})\s{0,4}</",
        "</",
    ),
    Pattern(
        r"\bdefine\(\s?[\"']\w{0,40}(?:PASS|PWD|SECRET|KEY|SALT|TOKEN)\w{0,20}[\"']\s?,\s?[\"'](?P<v>[^\"'\n]{6,200})[\"']",
        "define(",
    ),
    Pattern(
        r"\bENV\s{1,4}\w{0,30}(?:PASSWORD|PASSWD|PWD|SECRET)\w{0,10}\s{1,4}[\"']?(?P<v>[^\s\"'`<>|,;=]{6,200})",
        "ENV ",
    ),
    Pattern(
        r"(?i:(?:key|name)=\"[^\"\n]{0,40}(?:password|passwd|pwd)\"\s{1,4}value=\"(?P<v>[^\"\n]{6,200})\")",
        "value=", "Value=", "VALUE=",
    ),
    Pattern(
        r"(?im:^[ \t]*[\w.-]{0,40}(?:password|passwd|pwd)\s?[:=]\s?(?:'{3}|\"{3}|[>|][-+]?)[ \t]*\n[ \t]*"
        r"(?P<v>[^\s\"'`<>|,;]{6,200})[\"']{0,3}[ \t]*$)",
        "pass", "Pass", "PASS", "pwd", "PWD", ("'''", '"""', ">", "|"),
    ),
    Pattern(r"\bWIFI:[^\n]{0,100}?\bP:(?P<v>[^;\n]{4,63});", "WIFI:"),
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
OPTION = Pattern(rf"(?<![\w-])(?:-[pPwWkac]\s{{0,2}}|<<<\s?){_V}", " -", "<<<")
"""What any program may be given: judged by the value alone."""
LOGIN = Pattern(
    r"(?<![\w.])(?:[\w.-]{1,30}[/\\])?[A-Za-z][\w.-]{0,40}:(?P<v>[^\s:/@\"'`<>|]{8,100})@(?P<host>[A-Za-z0-9][\w.-]{0,100})",
    "@",
    (":",),
)
"""``user:password@host`` without a scheme."""
NO_USERS = frozenset("mailto to cc bcc from email mail e-mail contact sip xmpp npm image sha256 sha512 digest".split())
VERSION = Pattern(r"v?[0-9]+(?:\.[0-9]+){0,2}(?:[.-](?:alpha|beta|rc|x)[\w.]{0,8})?|sha(?:256|512)")
"""What stands behind ``@`` in the name of a package or an image."""
SENT = Pattern(r"\bsend(?:_user)?\s(?:--\s)?\"(?P<v>[^\"\s\\]{6,100})(?:\\+r|\s)", "send")
COOKIE = Pattern(
    r"(?<![\w.-])(?P<name>[\w.-]{1,60})=(?P<v>[A-Za-z0-9+/%._~=-]{16,400})", "ookie", "OOKIE", " -b", ("=",)
)
SESSION = Pattern(r"sess|sid|auth|token|remember")
SENDS_COOKIE = Pattern(r"\bcookies?\b|\s-b\s?[\"']")
SEED = Pattern(
    r"(?i:\b(?:2fa|mfa|totp|otp|authenticator)\b|二段階認証|二要素認証)[^\n:=は]{0,60}(?:[:=は]|\b(?:is|là|seed|secret|key)\b)\s?[\"'`]?"
    r"(?P<v>(?:[A-Za-z2-7]{4} ){3,15}[A-Za-z2-7]{2,8}|[A-Za-z2-7]{16,128})(?![A-Za-z0-9])",
    "2FA", "2fa", "MFA", "mfa", "OTP", "otp", "uthenticator", "段階認証", "要素認証",
)  # fmt: skip
CODES = Pattern(
    r"(?i:\b(?:recovery|backup|emergency|scratch)[ -]codes?\b|(?:リカバリ[ー-]?|バックアップ|復旧)コ[ー-]ド"
    r"|\bmã (?:khôi phục|dự phòng)\b)"
    r"(?:[^\n:=は]{0,40}[:=は]\s?"
    r"|\s)[\"'`]?(?P<v>[0-9A-Za-z]{4,20}(?:-[0-9A-Za-z]{4,8}){0,3}(?:[, ]{1,2}[0-9]{6,10})*)(?![0-9A-Za-z])",
    *(f"{word}{link}ode" for word in ("ecovery", "ackup", "mergency", "cratch") for link in (" c", "-c", " C")),
    "バリコ", "バリーコ", "アップコ", "復旧コ", "khôi phục", "dự phòng",
)  # fmt: skip
THIS_HOST = ("127.", "0.0.0.0", "[::1]", "example.", "localhost")  # noqa: S104 - texts to compare with
OWN_HOSTS = frozenset("host hostname server database db postgres postgresql mysql mariadb redis mongo rabbitmq".split())
"""Names of hosts that are nobody's: a service beside the one that asks, or a sample's."""
STAND_INS = frozenset(("user", "username", "name", "login", "me", "you", "myuser", "dbuser", "someuser"))
STAND_IN = Pattern(r"pass|secret|token|key|your|example|change|placeholder|redacted|dummy|sample|some|hidden|value")
"""What stands for a user and for a password in samples."""
COOKIE_LINE = 300
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
    for match in KEY_BODY.finditer(text):
        yield "body of a private key", match.start(), match.end()
    for what, pattern, judge in _PLACES:
        for match in pattern.finditer(text):
            group = "v" if match["v"] is not None else "v2"
            if judge(match, match[group].rstrip(".,)]}:")):
                yield what, match.start(group), match.end(group)


def _holds_key(rest: str) -> bool:
    return KEY_LINE.search(rest.replace("\\n", "\n")) is not None


def _url(match: re.Match[str], value: str) -> bool:
    host, value = match["host"].lower(), match["v"]
    weak = (
        value.lower().strip("[]") in WEAK_WORDS
        or "[" in match["user"]
        or value == match["user"]
        or (is_refused(value) and not _is_word(value, match["user"], host))
        or set(value) <= {"*", "x", "."}
    )
    if weak or value.startswith(("$", "{", "<", "%", "[", "(")) or "://" in value:
        return False
    if host.startswith(THIS_HOST) or host.endswith((".example", ".example.com", ".example.org", ".test")):
        return shape_of(value) >= RANDOM
    if host in OWN_HOSTS or host.startswith(("your", "my-", "my_")):
        return shape_of(value) >= RANDOM or is_password(value)
    return True


def _is_word(value: str, user: str, host: str) -> bool:
    """Say whether a password is a mere word, of somebody at a host that may be real."""
    return "." in host and user.lower() not in STAND_INS and _is_plain_word(value)


def _is_plain_word(value: str) -> bool:
    plain = value.isascii() and value.isalpha() and value.islower() and len(value) > 5
    return plain and value not in WEAK_WORDS and STAND_IN.search(value) is None


def _token_url(match: re.Match[str], value: str) -> bool:
    return shape_of(value) >= RANDOM and "ingest" not in match["host"] and "sentry" not in match["host"]


def _header(_: re.Match[str], value: str) -> bool:
    pair = _pair(value)
    if is_refused(value) or (pair and not _is_secret(pair)):
        return False
    return (
        shape_of(value) >= RANDOM
        or pair != ""
        or (len(value) >= 20 and any(map(str.isdigit, value)) and "." not in value)
    )


def _registry_login(_: re.Match[str], value: str) -> bool:
    pair = _pair(value)
    return pair != "" and _is_secret(pair)


def _pair(value: str) -> str:
    """Return the password where a value is ``user:password`` in base64, "" where it is none."""
    if len(value) < 8 or not any(map(str.isupper, value)):
        return ""
    try:
        plain = binascii.a2b_base64(value + "=" * (-len(value) % 4)).decode("ascii")
    except ValueError:
        return ""
    user, colon, password = plain.partition(":")
    return password if colon and user and plain.isprintable() else ""


def _is_secret(password: str) -> bool:
    return password.lower() not in WEAK_WORDS and not is_refused(password)


def _long(_: re.Match[str], value: str) -> bool:
    return len(value) >= 20 and shape_of(value) >= RANDOM


def _query(match: re.Match[str], value: str) -> bool:
    """Judge a value in a query; a name of one letter, or of a session, says less."""
    name = match[0][1:].partition("=")[0].lower()
    if name not in ("key", "sid", "t", "session", "sessionid") and is_key(value):
        return True
    short = name in ("t", "sid", "jwt", "session", "sessionid", "otp", "magic")
    return _long(match, value) if short else _shaped(match, value)


def _plain(_: re.Match[str], value: str) -> bool:
    return shape_of(value) >= RANDOM or is_password(value)


def _connection(match: re.Match[str], value: str) -> bool:
    """Judge a password among the other fields of a connection: a mere word is one there."""
    start = match.string.rfind("\n", 0, match.start()) + 1
    connects = CONNECTS.search(match.string[start : match.start()][-COOKIE_LINE:]) is not None
    return _given(match, value) or (connects and _is_plain_word(value.strip("{}")))


def _query_password(match: re.Match[str], value: str) -> bool:
    return _plain(match, value) or _connection(match, value)


def _cookie(match: re.Match[str], value: str) -> bool:
    before = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()].lower()
    session = SESSION.search(match["name"].lower()) is not None
    return session and SENDS_COOKIE.search(before[-COOKIE_LINE:]) is not None and shape_of(value) >= RANDOM


def _hook(_: re.Match[str], value: str) -> bool:
    """Judge what stands in the address of a hook, where hardly anything but a key is long."""
    return (
        shape_of(value) >= RANDOM
        or is_key(value)
        or (any(map(str.isdigit, value)) and is_gibberish(value) and not is_refused(value))
    )


def _option(_: re.Match[str], value: str) -> bool:
    """Judge a value that any option may have: letters of both cases and digits as in no word, path or number."""
    kinds = (str.islower, str.isupper, str.isdigit)
    random = 7 < len(value) < 65 and all(any(map(kind, value)) for kind in kinds) and residue(value) >= 0.5
    return random and set(value).isdisjoint("/:=,()[]{}") and value.count(".") < 2 and not is_refused(value)


def _login(match: re.Match[str], value: str) -> bool:
    """Judge what stands between a user and a host: no version, digest or address of mail."""
    user = match[0].partition(":")[0].replace("\\", "/").rpartition("/")[2].lower()
    real = user not in NO_USERS and VERSION.fullmatch(match["host"]) is None
    return _option(match, value) or (real and is_password(value))


def _any(_: re.Match[str], __: str) -> bool:
    return True


def _seed(_: re.Match[str], value: str) -> bool:
    """Say whether a value is a seed in base32, and no word."""
    bare = value.replace(" ", "")
    one_case = bare.isupper() or bare.islower()
    return one_case and any(map(str.isdigit, bare)) and len(set(bare)) > 8 and not is_refused(bare)


def _code(_: re.Match[str], value: str) -> bool:
    bare = value.replace("-", "")
    mixed = any(map(str.isalpha, bare)) or bare.count(" ") > 0
    return len(bare) >= 8 and sum(map(str.isdigit, bare)) > 1 and mixed and not is_refused(value)


def _shaped(_: re.Match[str], value: str) -> bool:
    return shape_of(value) >= RANDOM


def _given(_: re.Match[str], value: str) -> bool:
    """Judge a value where only a password can stand: anything that is not refused or a mere word for it."""
    if value.lower() in WEAK_WORDS or is_refused(value) or value.startswith("-"):
        return shape_of(value) == STRONG
    return any(map(str.isdigit, value)) or shape_of(value) > 0 or len(set(value) & set("!@#%^&*")) > 0


_PLACES: tuple[tuple[str, Pattern, Callable[[re.Match[str], str], bool]], ...] = (
    ("password in an address", URL, _url), ("token in an address", TOKEN_URL, _token_url),
    ("credentials in a header", HEADER, _header), ("bearer token", BEARER, _header),
    ("login of a registry", REGISTRY_LOGIN, _registry_login), ("seed of one-time codes", ONE_TIME, _seed),
    ("credentials in a header", X_HEADER, _shaped),
    ("key in an address", QUERY, _query), ("password in an address", QUERY_PASSWORD, _query_password),
    ("key in an address", QUERY_CODE, _shaped), ("key in an address", PATH, _long),
    ("address that is a key", HOOK, _hook),
    ("address that is a key", CATCH_HOOK, _any), ("private key", JWK, _shaped),
    ("session in a cookie", COOKIE, _cookie),
    ("seed of one-time codes", SEED, _seed), ("recovery code", CODES, _code),
    ("password in a connection string", CONNECTION, _connection),
    ("password in a connection string", DATA_SOURCE, _given),
    ("password in a login", LOGIN, _login), ("password in a command", SENT, _option),
    ("password in a command", CURL_USER, _given), ("password in a netrc line", NETRC, _given),
    *(("password in a command", pattern, _given) for pattern in COMMANDS), ("password in a command", OPTION, _option),
)  # fmt: skip
