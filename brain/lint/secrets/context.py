"""Passwords and keys in prose, lists, tables and assignments: a value that looks like one, and words that say so."""

from __future__ import annotations

from itertools import islice

from brain.lint.pattern import Pattern
from brain.lint.secrets.joints import BEHIND, DIGITS_ONLY, DIRECT, DIRECT_KEY, DIRECT_SECRET, PIN, WIDE, WIDE_SIGNS
from brain.lint.secrets.shapes import (
    DIGITS,
    HEX,
    LIKELY,
    NOTHING,
    RANDOM,
    STRONG,
    is_counting,
    is_firm,
    is_issued,
    is_key,
    is_likely,
    is_password,
    is_plain_password,
    is_wide_password,
    residue,
    shape_of,
)  # fmt: skip
from brain.lint.secrets.spoken import find_spoken
from brain.text import strip_marks
from brain.value import value as record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

CHUNK = Pattern(r"[!#$%&()*+\-./0-9:=?@A-Z\[\\\]^_a-z{}~]{4,600}")
CHUNK_BEHIND = Pattern(r"(?<![À-ỹ])[!#$%&()*+\-./0-9:=?@A-Z\[\\\]^_a-z{}~]{4,600}")
"""A run of signs a value may be made of; where letters with marks stand, none that begins within a word."""
LABEL = Pattern(r"^[\w.@\[\]\-\\]{1,60}?[=:/](?=.)")
STRONG_WORDS = Pattern(
    r"(?<![a-z])(?:pass(?:word|wd|phrase|code|key)?s?(?![a-z])|pwd?s?(?![a-z])|(?<=_)pass"
    r"|[a-z_]*passw(?:or)?d|psk(?![a-z])|pre-?shared key"
    r"|secrets?(?![a-z])|token(?!i[sz]|iz|\w*_(?:count|limit|type|bucket))|api[ _-]?keys?|apikey"
    r"|access[ _-]?keys?|secret[ _-]?(?:access[ _-]?)?keys?|private[ _-]?keys?"
    r"|client[ _-]?secret|(?:server|service|master|license|signing|encryption|auth|account|deploy"
    r"|restricted|app|channel|hash|webhook|shared)[ _-]?(?:key|secret|token)s?"
    r"|cred(?:ential)?s?(?![a-z])|connection string|m(?:at)?[ .-]?khau|mk(?![a-z])|tk/mk|khoa(?! (?:chinh"
    r"|ngoai|hoc|cong khai))|chuoi (?:bi mat|ket noi)|bi mat|thong tin dang nhap|ma (?:pin|bao mat"
    r"|xac thuc|truy cap)"
    r"|pswd|p/w(?![a-z])|p@ssw|seed(?![a-z])"
    r"|pin(?![a-z])|otp(?![a-z])|login info|ssh-?pass|[a-z]pass(?![a-z]))"
    r"|(?<=[a-z_])(?:_key|_token|_secret|_pwd|_pass|_psk|_auth|_creds?|token|secret|password|apikey)(?![a-z])"
    r"|パスワ-?ド|ぱすわ[-あ]?ど|パスワード|パスフレ-?ズ|パスコ-?ド|暗証|秘密鍵|認証(?:情報|キー|鍵|コード)|接続文字列|シークレット|トークン|ログイン情報|共有鍵|アクセスキー"
    r"|apiキー|apiキ-|サーバーキー|制限付きキー|(?:解凍|復号|暗号)(?:パス|キ)|(?<![ァ-ー])パス(?![ァ-ー])|(?<![a-z])pw(?![a-z])"
    r"|(?<![a-z])pass(?![a-z])|密码|口令|密钥|令牌|비밀번호|암호|패스워드|토큰|contraseña|contrasena"
    r"|mot de passe|passwort|kennwort|senha|署名鍵|デプロイ鍵|暗号化?鍵|アプリケーションキー|クレデンシャル"
    r"|合言葉|webhook",
)
PASSWORD_WORD = Pattern(r"pass|p/?s?wd?|p@ss|khau|mk|パス|ぱすわ|暗証|psk|合言葉|(?:解凍|復号|暗号)キ")
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
LABEL_LENGTH, LABEL_WORDS = 48, 6
LEADS_ON = Pattern(r"^[\s>*+\-\d.)#:]*(?:[^\s:=]{1,30}[\s:=]{1,3}){0,2}[\"'`*]{0,3}$")
"""What may stand between the start of a line and a value that the label above is of: a list's mark, a name or two."""
CSV_HEAD = Pattern(
    r"[\w /.-]{1,40}(?:(?P<sign>[,;\t|])[\w /.-]{1,40})(?:(?P=sign)[\w /.-]{1,40}){0,20}", ",", ";", "\t", "|"
)
ID_BEHIND = Pattern(r"[ _-]?ids?(?![a-z])")
PUBLIC_BEFORE = Pattern(r"(?:(?:public|publishable)[ _-]?|公開)$", "publi", "公開")
SHORT_LABEL = Pattern(r"(?:[A-Z]|[^\W\d_]+ |[^\x00-\x7f])[^\W\d_]*(?:[ /][\w()-]+){0,3}")
"""A label of a few words without a mark: no statement of a program."""
BARE_LINK = Pattern(
    r"(?:[ _-]?(?:id|key|value|キ-|値))?[\"'`*)]{0,3}\s?(?:[=:#]|は|が|で|is|was|la|→|->)?\s?[\"'`*(]{0,3}"
)
COPULA = Pattern(r"[=:]|は|\bis\b|\bwas\b|\bla\b")
OWNED = Pattern(r"s?(?: \([^)]{0,40}\))?\s(?:for|of|to|on|in|from|at|by|cua|cho|tren)\s[^.,;:()\n]{0,40}$")
URLS = Pattern(r"(?:https?|HTTPS?|ftp|s3|gs|ssh|git)://[^\s\"'`<>|)\]]{1,600}")
LINK = Pattern(r"(?:[=:|>`\"']|→|は|が|に|を|\bis\b|\bla\b|\bto\b|\bof\b)\s?[\"'`*(]{0,3}$")
LONGEST_PLAIN, LEAST_HEX = 41, 20
SPOKEN_OF = (
    "pass",
    "pw",
    "p/w",
    "khau",
    "mk",
    "パス",
    "合言葉",
    "暗証",
    "phrase",
    "recovery",
    "mnemonic",
    "フレ",
    "cum tu",
)
MOST_SPOKEN = 20
NEAR = 50
MARKS = " \t\"'`*"
"""What may stand around a value in its cell."""
FAR, HEAD = 90, 300
"""Characters between a word and its value in one line, and of a line above or a table's head."""


@record
class Found:
    """A value in prose: offsets in the text, what it is, and whether that is certain."""

    start: int
    end: int
    what: str
    certain: bool


@record
class Table:
    """The head of a table, of markdown or of values between signs: what parts its cells, and their texts."""

    sign: str
    cells: tuple[str, ...]
    is_drawn: bool = False
    """Whether its rows begin with the sign: then blank lines do not end it."""

    def head_of(self, line: str, column: int) -> str:
        """Return the head over a column that begins a cell of ``line``, "" where it stands within one."""
        at = line.rfind(self.sign, 0, column)
        if line[at + 1 : column].strip(" \"'`*"):
            return ""
        number = line.count(self.sign, 0, column)
        return self.cells[number] if number < len(self.cells) else ""


def find_in_context(text: str) -> Iterator[Found]:
    """Yield the values that look like secrets in folded ``text``, line by line."""
    offset, above, table = 0, "", None
    for line in text.split("\n"):
        if "\x01" in line or line.strip():
            shown = _blank_urls(line)
            table = _table_at(shown, table)
            yield from _in_line(shown, offset, _words_of(above), table)
            if _leads_on(shown) or (shown.startswith("```") and above):
                above = shown
            elif not (above and shown.lstrip()[:1] in tuple("-*+|")):
                above = ""
        elif table and not table.is_drawn:
            table = None
        offset += len(line) + 1


def _leads_on(line: str) -> bool:
    """Say whether a line says what the next ones hold: it ends so, or is a label of a few words."""
    bare = line.strip()
    if bare.endswith((":", "は次のとおりです.", "như sau.", "```", "```env", "=")):
        return True
    if len(bare) > LABEL_LENGTH:
        return False
    words = len(bare.split())
    marked = bare.startswith("#") or (bare.startswith("**") and bare.endswith("**"))
    is_label = marked or (words < 5 and SHORT_LABEL.fullmatch(bare) is not None)
    return is_label and words <= LABEL_WORDS and STRONG_WORDS.search(_words_of(bare)) is not None


def _table_at(line: str, table: Table | None) -> Table | None:
    """Return the table that a line lies in, or begins."""
    if line.lstrip().startswith("|"):
        return table if table and table.is_drawn else Table("|", tuple(_words_of(line).split("|")), is_drawn=True)
    if table and line.count(table.sign) == len(table.cells) - 1:
        return table
    head = CSV_HEAD.fullmatch(line)
    if head and STRONG_WORDS.search(_words_of(line)):
        return Table(head["sign"], tuple(_words_of(line).split(head["sign"])))
    return None


def _blank_urls(line: str) -> str:
    return URLS.sub(lambda match: "\x01" * len(match[0]), line) if "://" in line else line


def _words_of(text: str) -> str:
    low = text.lower()
    return low if low.isascii() else strip_marks(low)


def _in_line(line: str, offset: int, above: str, table: Table | None) -> Iterator[Found]:
    words = ""
    seen: dict[str, tuple[int, str, int] | None] = {}
    wide = list(_wide(line, offset))
    yield from wide
    for chunk in (CHUNK if line.isascii() else CHUNK_BEHIND).finditer(line):
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
        if any(found.start <= offset + start < found.end for found in wide):
            continue
        verdict = _judge(_around(words, start, end, above, table), value, shape)
        if verdict is not None:
            yield Found(offset + start, offset + end, "password" if shape != RANDOM else "key", verdict)
    yield from _said(line, words or _words_of(line), offset)


def _said(line: str, words: str, offset: int) -> Iterator[Found]:
    """Yield the passwords of words, those right behind their word, and the PINs of a line."""
    if len(words) == len(line) and any(hint in words for hint in SPOKEN_OF):
        for spoken in islice(find_spoken(line, words), MOST_SPOKEN):
            yield Found(offset + spoken.start, offset + spoken.end, spoken.what, spoken.certain)
    if any(map(str.isdigit, line)):
        for match in BEHIND.finditer(words) if len(words) == len(line) else ():
            if is_password(line[match.start("v") : match.end("v")]):
                yield Found(offset + match.start("v"), offset + match.end("v"), "password", certain=True)
        for pattern, what in ((PIN, "PIN"), (DIGITS_ONLY, "password")):
            for match in pattern.finditer(words):
                if not is_counting(match["v"]):
                    yield Found(offset + match.start("v"), offset + match.end("v"), what, certain=True)


def _around(words: str, start: int, end: int, above: str, table: Table | None) -> Around:
    """Return what a value stands among: its line's words, the label above it, the head of its column."""
    near, leads = words[max(0, start - FAR) : start], []
    heads = "" if table is None else table.sign.join(table.cells)
    if table is not None and (head := table.head_of(words, start)):
        leads.append(f"{head.strip()}: ")
    cells = near.split("|")
    if len(cells) > 1 and not cells[-1].strip(MARKS):
        leads.append(f"{cells[-2].strip(MARKS)[-LABEL_LENGTH:]}: ")
    if above and LEADS_ON.match(words[max(0, start - FAR) : start]):
        leads.append(f"{above[-HEAD:].strip(' :#*')}: ")
    context = f"{above[-HEAD:]} {heads[:HEAD] if heads.strip() != words.strip() else ''} {near}"
    return Around(near, words[end : end + FAR], context, (near, *leads))


def _wide(line: str, offset: int) -> Iterator[Found]:
    """Yield passwords that hold signs which end a value elsewhere, or letters of other scripts."""
    if DIGITS.isdisjoint(line) or (line.isascii() and WIDE_SIGNS.isdisjoint(line)):
        return
    words = _words_of(line)
    if len(words) != len(line):
        words = line.lower()
    for match in WIDE.finditer(words):
        value = line[match.start("v") : match.end("v")].rstrip(".,;:)\"'`*")
        special = not value.isascii() or not WIDE_SIGNS.isdisjoint(value)
        if special and is_wide_password(value):
            yield Found(offset + match.start("v"), offset + match.start("v") + len(value), "password", certain=True)


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
        may_be = any(map(str.isalpha, value)) and (any(map(str.isdigit, value)) or is_key(value))
        if may_be and end - start < LONGEST_PLAIN:
            return start, value, NOTHING
    return best


def _parts(chunk: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a chunk that may be a value: all of it, and what follows a label."""
    start, end = 0, len(chunk)
    while start < end and chunk[start] in "([{)]}:.=":
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
    is_words = name.replace("_", "").replace("-", "").isalpha()
    return len(name) > 1 and not all(kinds) and (residue(name) < 0.5 or is_words)


@record
class Around:
    """The words a value stands among, in lower case without marks.

    ``near`` stands before it in its line, ``after`` behind it; ``context`` is ``near`` after the line that leads up to
    it and the head of its table. Each of ``leads`` ends right before the value: its line, its column's head, its label.
    """

    near: str
    after: str
    context: str
    leads: tuple[str, ...]


def _judge(around: Around, value: str, shape: int) -> bool | None:
    """Return whether a value is a secret for certain, None where nothing speaks for it."""
    if is_password(value) and any(DIRECT.search(lead) for lead in around.leads):
        return True
    if is_key(value) and any(DIRECT_KEY.search(lead) for lead in around.leads):
        return True
    if shape == NOTHING:
        return _judge_plain(around, value)
    strong = [match for match in STRONG_WORDS.finditer(around.context) if not _is_open(match, around.context)]
    if shape == STRONG:
        return _judge_strong(strong, around, value)
    if shape == RANDOM:
        return _judge_random(strong, around, value)
    if shape == LIKELY:
        wanted = any(_is_linked(lead, value) for lead in (around.context, *around.leads[1:]))
    else:
        wanted = bool(strong) or _has_weak_word(around)
    return True if wanted and not _is_named_public(strong, around.context) else None


def _is_open(match: re.Match[str], context: str) -> bool:
    """Say whether a word for a secret is that of its id, or of the half of a key that all may know."""
    behind = ID_BEHIND.compiled.match(context, match.end()) is not None
    return behind or PUBLIC_BEFORE.search(context[: match.start()]) is not None


def _judge_plain(around: Around, value: str) -> bool | None:
    """Judge letters and digits of no shape: right after ``password:``, and nothing else there, they may be one."""
    alone = not around.after.strip(" \"'`.|,") or around.after[:1] in "\"'`"
    named = any(DIRECT.search(lead) or DIRECT_SECRET.search(lead) for lead in around.leads)
    return False if alone and named and is_plain_password(value) else None


def _is_linked(context: str, value: str) -> bool:
    """Say whether a word for a secret leads right up to a value that is neither word nor name."""
    strong = _last_strong(context)
    if strong is None or not _is_close(strong, context):
        return False
    return is_firm(value) or PASSWORD_WORD.search(strong[0]) is not None


def _last_strong(context: str) -> re.Match[str] | None:
    found = [match for match in STRONG_WORDS.finditer(context) if not _is_open(match, context)]
    return found[-1] if found else None


def _is_close(strong: re.Match[str], context: str) -> bool:
    between = context[strong.end() :]
    return len(between) < NEAR and LINK.search(between) is not None


def _is_named_public(strong: list[re.Match[str]], context: str) -> bool:
    """Say whether a value is called a commit, a hash, a build: by the nearest noun, and as what it is itself.

    ``the token's commit is X`` names a commit, ``the key of the build is X`` a key.
    """
    public = list(PUBLIC_WORDS.finditer(context))
    if not public or not strong:
        return bool(public)
    last, secret = public[-1], strong[-1]
    between = context[last.end() :]
    if last.start() < secret.start() or BARE_LINK.fullmatch(between) is None:
        return False
    return not (COPULA.search(between) and OWNED.match(context[secret.end() : last.start()]))


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
    public = PUBLIC_WORDS.search(context) is not None
    if strong and not _is_named_public(strong, context):
        if not is_hex or (len(value) >= LEAST_HEX and not public):
            return True
        adjacent = not context[strong[-1].end() :].strip(" \"'`*")
        return True if len(value) >= LEAST_HEX and (adjacent or _is_close(strong[-1], context)) else None
    if public:
        return None
    if len(value) < 41 and residue(value) >= 0.7 and _is_mixed(value) and MEDIUM_WORDS.search(around.near[-30:]):
        return True
    long_mixed = (
        not is_hex and len(value) >= 32 and residue(value) >= 0.4 and not value.isupper() and not value.islower()
    )
    return is_issued(value) if long_mixed else None
