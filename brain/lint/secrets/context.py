"""Passwords and keys in prose, lists, tables and assignments: a value that looks like one, and words that say so."""

from __future__ import annotations

from brain.lint.pattern import Pattern
from brain.lint.secrets.shapes import (
    DIGITS,
    HEX,
    LIKELY,
    NOTHING,
    RANDOM,
    STRONG,
    is_firm,
    is_likely,
    is_plain_password,
    residue,
    shape_of,
)  # fmt: skip
from brain.text import strip_marks
from brain.value import value as record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

CHUNK = Pattern(r"[!#$%&()*+\-./0-9:=?@A-Z\[\\\]^_a-z{}~]{4,600}")
LABEL = Pattern(r"^[\w.@\[\]\-\\]{1,60}?[=:/](?=.)")
STRONG_WORDS = Pattern(
    r"(?<![a-z])(?:pass(?:word|wd|phrase|code|key)?s?(?![a-z])|pwd?s?(?![a-z])|(?<=_)pass"
    r"|[a-z_]*passw(?:or)?d|psk(?![a-z])|pre-?shared key"
    r"|secrets?(?![a-z])|token(?!i[sz]|iz|\w*_(?:count|limit|type|bucket))|api[ _-]?keys?|apikey"
    r"|access[ _-]?keys?|secret[ _-]?(?:access[ _-]?)?keys?|private[ _-]?keys?"
    r"|client[ _-]?secret|(?:server|service|master|license|signing|encryption|auth|account|deploy"
    r"|restricted|app|channel|hash|webhook|shared)[ _-]?(?:key|secret|token)s?"
    r"|cred(?:ential)?s?(?![a-z])|connection string|mat ?khau|mk(?![a-z])|tk/mk|khoa(?! (?:chinh"
    r"|ngoai|hoc|cong khai))|chuoi (?:bi mat|ket noi)|bi mat|thong tin dang nhap|ma (?:pin|bao mat"
    r"|xac thuc|truy cap)"
    r"|pin(?![a-z])|otp(?![a-z])|login info|ssh-?pass|[a-z]pass(?![a-z]))"
    r"|(?<=[a-z_])(?:_key|_token|_secret|_pwd|_pass|_psk|_auth|_creds?|token|secret|password|apikey)(?![a-z])"
    r"|パスワ-?ド|パスワード|パスフレ-?ズ|パスコ-?ド|暗証|秘密鍵|認証(?:情報|キー|鍵|コード)|接続文字列|シークレット|トークン|ログイン情報|共有鍵|アクセスキー"
    r"|apiキー|apiキ-|サーバーキー|制限付きキー|解凍パス|(?<![ァ-ー])パス(?![ァ-ー])|(?<![a-z])pw(?![a-z])"
    r"|(?<![a-z])pass(?![a-z])|密码|口令|密钥|令牌|비밀번호|암호|패스워드|토큰|contraseña|contrasena"
    r"|mot de passe|passwort|kennwort|senha|署名鍵|デプロイ鍵|暗号化?鍵|アプリケーションキー|クレデンシャル"
    r"|合言葉|webhook",
)
PASSWORD_WORD = Pattern(r"pass|pwd?|khau|mk|パス|暗証|psk|合言葉")
MEDIUM_WORDS = Pattern(
    r"(?<![a-z])(?:log(?:in|s? in|ged in|-in)|sign(?:-|ed )?in|users?|user ?names?|admin"
    r"|administrator|root|sudo|account|acct|keys?|code|default|unlock|protected|zip|archive|type"
    r"|enter|vpn|wi-?fi|wifi|ssid|ftp|sftp|smtp|imap|pop3|ldap|rdp|vnc|ssh|basic|auth|works"
    r"|credential|encrypt|decrypt|jenkins|grafana|nas|router|database|db|prompt|asks?"
    r"|dang nhap|tai khoan|nguoi dung|nhap|hoi|mo khoa|quan tri|ma|go|vao duoc|mac dinh)(?![a-z])"
    r"|ログイン|サインイン|ユーザ|アカウント|管理者|管理画面|入力|打つ|打て|打ち|鍵|キー|既定|初期|認証|解凍|解除|コード|共有|踏み台|サ-?バ|接続|仮の",
)
PUBLIC_WORDS = Pattern(
    r"(?<![a-z])(?:public|publishable|site ?key|cong khai|commit|sha-?[0-9]*|md5|digest|checksum"
    r"|fingerprint|trace(?:parent|_id|id)?|span(?:_id)?|etag|integrity|uuid|guid|cache key|revision"
    r"|rev|hash(?:es|ed)?(?![ _-]?(?:secret|key))|blob|tree|object id|build|nonce|salt|thumbprint"
    r"|locator|measurement|analytics|request id|correlation|session id|tenant id|client id|project "
    r"id)(?![a-z])"
    r"|公開|サイトキー|コミット|ハッシュ(?!シークレット)|フィンガープリント|ダイジェスト|チェックサム|リビジョン",
)
PIN = Pattern(
    r"(?:(?<![a-z])(?:pin|passcode|ma pin|otp|door code|unlock code|ma mo cua)(?![a-z])|暗証番号|パスコード"
    r"|解除コード)[^0-9\n]{0,30}?(?<![0-9A-Za-z.-])([0-9]{4,8})(?![0-9A-Za-z]|[.,:/-][0-9]| ?(?:digits?"
    r"|chars?|characters?|桁|文字|chu so|ky tu|minutes?|phut|分|回|lan|times?))",
    "pin", "passcode", "otp", "door code", "unlock code", "ma mo cua", "暗証番号", "パスコード", "解除コード",
)  # fmt: skip
DIRECT = Pattern(
    r"(?:(?<![a-z])(?:pass(?:word|wd|phrase)?|pwd?|mat khau|mk)|パスワード|[a-z_]password|_pwd"
    r"|_passwd)(?: ?\([^)]{0,20}\))?[\"'`*]{0,3}\s?(?:=|:|=>|->|→|は|is|la)\s?[\"'`*]{0,3}$"
)
URLS = Pattern(r"(?:https?|HTTPS?|ftp|s3|gs|ssh|git)://[^\s\"'`<>|)\]]{1,600}")
LINK = Pattern(r"(?:[=:|>`\"']|→|は|が|に|を|\bis\b|\bla\b|\bto\b|\bof\b)\s?[\"'`*(]{0,3}$")
NEAR = 50
FAR, HEAD = 90, 300
"""Characters between a word and its value in one line, and of a line above or a table's head."""


@record
class Found:
    """A value in prose: offsets in the text, what it is, and whether that is certain."""

    start: int
    end: int
    what: str
    certain: bool


def find_in_context(text: str) -> Iterator[Found]:
    """Yield the values that look like secrets in folded ``text``, line by line."""
    offset, above, table = 0, "", ""
    for line in text.split("\n"):
        if "\x01" in line or line.strip():
            shown = _blank_urls(line)
            table = (table or shown) if line.lstrip().startswith("|") else ""
            yield from _in_line(shown, offset, _words_of(above), _words_of(table) if table and table != shown else "")
            above = (
                shown
                if line.strip().endswith((":", "は次のとおりです.", "như sau.", "```", "```env", "="))
                or (line.startswith("```") and above)
                else ""
            )
        offset += len(line) + 1


def _blank_urls(line: str) -> str:
    return URLS.sub(lambda match: "\x01" * len(match[0]), line) if "://" in line else line


def _words_of(text: str) -> str:
    low = text.lower()
    return low if low.isascii() else strip_marks(low)


def _in_line(line: str, offset: int, above: str, table: str) -> Iterator[Found]:
    words = ""
    seen: dict[str, tuple[int, str, int] | None] = {}
    for chunk in CHUNK.finditer(line):
        if _is_word(chunk[0]):
            continue
        best = seen[chunk[0]] if chunk[0] in seen else seen.setdefault(chunk[0], _best_value(chunk[0]))
        if best is None:
            continue
        start, value, shape = best
        start += chunk.start()
        words = words or _words_of(line)
        if len(words) != len(line):
            words = line.lower()
        end = start + len(value)
        near, after = words[max(0, start - FAR) : start], words[end : end + FAR]
        verdict = _judge(Around(near, after, f"{above[-HEAD:]} {table[:HEAD]} {near}"), value, shape)
        if verdict is not None:
            yield Found(offset + start, offset + start + len(value), "password" if shape != RANDOM else "key", verdict)
    if any(map(str.isdigit, line)):
        for match in PIN.finditer(words or _words_of(line)):
            yield Found(offset + match.start(1), offset + match.end(1), "PIN", certain=True)


def _is_word(chunk: str) -> bool:
    """Say whether a chunk is one of the many that need no second look."""
    bare = chunk.strip(".,:()*_!?")
    if bare.isalpha():
        return len(bare) < 20 or bare.islower()
    return bare.isdigit() or (len(bare) < 10 and DIGITS.isdisjoint(bare))


def _best_value(chunk: str) -> tuple[int, str, int] | None:
    """Return offset, text and shape of the part of a chunk that looks most like a secret."""
    best: tuple[int, str, int] | None = None
    for start, end in _parts(chunk):
        value = chunk[start:end]
        shape = shape_of(value)
        if shape:
            best = (start, value, shape)
            break
    if best is None:
        start, end = next(_parts(chunk))
        value = chunk[start:end]
        if is_likely(value):
            return start, value, LIKELY
        if end - start < 41 and any(map(str.isdigit, value)) and any(map(str.isalpha, value)):
            return start, value, NOTHING
    return best


def _parts(chunk: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a chunk that may be a value: all of it, and what follows a label."""
    start, end = 0, len(chunk)
    while start < end and chunk[start] in "([{:.":
        start += 1
    while end > start and chunk[end - 1] in "([{)]}:.\\":
        end -= 1
    while chunk[start : start + 2] == "**" and end - start > 4:
        start += 2
    while chunk[end - 2 : end] == "**" and end - start > 4:
        end -= 2
    label = LABEL.match(chunk[start:end])
    if label and not chunk[start + label.end() - 1 :].startswith("://"):
        after = start + label.end()
        second = LABEL.match(chunk[after:end])
        if second and _is_name(second[0]):
            yield after + second.end(), end
        yield after, end
        host = chunk.rfind("@", after, end)
        if host > after:
            yield after, host
        if _is_name(label[0]):
            return
    yield start, end
    if end < len(chunk) and chunk[end] in ")]}":
        yield start, len(chunk)


def _is_name(label: str) -> bool:
    """Say whether what stands before a separator is a name: words, no random letters."""
    name = label[:-1].strip("[]\\-.")
    kinds = [any(map(kind, name)) for kind in (str.islower, str.isupper, str.isdigit)]
    return len(name) > 1 and not all(kinds) and (residue(name) < 0.5 or name.isalpha())


@record
class Around:
    """The words a value stands among, in lower case without marks.

    ``near`` stands before it in its line, ``after`` behind it; ``context`` is ``near`` after the line that leads up to
    it and the head of its table.
    """

    near: str
    after: str
    context: str


def _judge(around: Around, value: str, shape: int) -> bool | None:
    """Return whether a value is a secret for certain, None where nothing speaks for it."""
    if shape == NOTHING:
        return _judge_plain(around, value)
    strong = list(STRONG_WORDS.finditer(around.context))
    if shape == STRONG:
        return _judge_strong(strong, around, value)
    if shape == RANDOM:
        return _judge_random(strong, around, value)
    if shape == LIKELY:
        wanted = _is_linked(strong, around.context, value)
    else:
        wanted = bool(strong) or _has_weak_word(around)
    return True if wanted and not PUBLIC_WORDS.search(around.context) else None


def _judge_plain(around: Around, value: str) -> bool | None:
    """Judge letters and digits of no shape: right after ``password:``, and nothing else there, they may be one."""
    alone = not around.after.strip(" \"'`.|,") or around.after[:1] in "\"'`"
    return False if alone and DIRECT.search(around.near) and is_plain_password(value) else None


def _is_linked(strong: list[re.Match[str]], context: str, value: str) -> bool:
    """Say whether a word for a secret leads right up to a value that is neither word nor name."""
    if not strong or len(context) - strong[-1].end() >= NEAR or not LINK.search(context[strong[-1].end() :]):
        return False
    return is_firm(value) or PASSWORD_WORD.search(strong[-1][0]) is not None


def _has_weak_word(around: Around) -> bool:
    near, after = around.near, around.after
    found = MEDIUM_WORDS.search(near[-40:]) or STRONG_WORDS.search(after[:30]) or MEDIUM_WORDS.search(after[:16])
    return found is not None


def _is_mixed(value: str) -> bool:
    kinds = (str.islower, str.isupper, str.isdigit)
    return all(sum(map(kind, value)) > 1 for kind in kinds)


def _judge_strong(strong: list[re.Match[str]], around: Around, value: str) -> bool | None:
    context, after = around.context, around.after[:60]
    if strong or STRONG_WORDS.search(after) or MEDIUM_WORDS.search(context) or MEDIUM_WORDS.search(after):
        return True
    sure = len(value) >= 12 and residue(value) >= 0.5
    return False if sure and not PUBLIC_WORDS.search(context) else None


def _judge_random(strong: list[re.Match[str]], around: Around, value: str) -> bool | None:
    context, is_hex = around.context, HEX.issuperset(value)
    public = list(PUBLIC_WORDS.finditer(context))
    named_public = bool(public) and (
        is_hex or not strong or public[-1].end() > strong[-1].end() or public[-1].start() > len(context) - 30
    )
    if strong and not named_public:
        return True if not is_hex or len(value) >= 20 else None
    if public:
        return None
    if len(value) < 25 and residue(value) >= 0.7 and _is_mixed(value) and MEDIUM_WORDS.search(around.near[-30:]):
        return True
    long_mixed = (
        not is_hex and len(value) >= 32 and residue(value) >= 0.4 and not value.isupper() and not value.islower()
    )
    return False if long_mixed else None
