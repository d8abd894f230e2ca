"""What leads up to a password or a PIN: the words for one, and what joins them to it, for ``context``.

For words in lower case without marks.
"""

from __future__ import annotations

from brain.lint.pattern import Pattern

_UNIT = (
    r"(?! ?(?:digits?|chars?|characters?|桁|文字|chu so|ky tu|minutes?|seconds?|days?|years?|phut|giay|ngay"
    r"|分|秒|日|年|回|lan"
    r"|times?|%|bits?|bytes?)(?![a-z]))"
)
PIN = Pattern(
    r"(?:(?<![a-z])(?:pin|passcode|ma pin|otp|(?:door|gate|alarm|safe|entry|lock|unlock|keypad) (?:code|pin"
    r"|combination)"
    r"|ma mo (?:cua|khoa|ket)|mat ma (?:cua|ket|khoa)|(?:ma|khoa) (?:cua|ket))(?![a-z])|暗証番号|パスコード|解除コード"
    r"|(?:ドア|金庫|玄関|入口|警備)の?(?:暗証|番号|コード))[^0-9\n]{0,30}?"
    rf"(?<![0-9A-Za-z.-])(?P<v>[0-9]{{4,8}})(?![0-9A-Za-z]|[.,:/-][0-9]){_UNIT}",
    "pin", "passcode", "otp", " code", " combination", "ma ", "khoa ", "暗証", "パスコード", "解除コード", "番号",
    "コード",
)  # fmt: skip
_NAMES = (
    r"(?:(?<![a-z])(?:pass(?: ?word|wort|wd| ?phrase|code)?|p@ssw[o0]rd|p/w|pswd|pwd?|psk|m(?:at)?[ .-]?khau|mk)"
    r"(?![a-z])"
    r"|(?<=[a-z_])(?:passw(?:or)?d|_pass|pwd|_pw)(?![a-z])|パスワ[ー-]ド|ぱすわ[ーあ-]ど|パスフレ[ー-]ズ|暗証(?:番号)?|密码|비밀번호"
    r"|(?:解凍|復号|暗号|共有)(?:キ[ー-]|パス))"
)
_KEYED = (
    r"(?:(?<![a-z])(?:api|access|secret|private)[ _-]?keys?(?![a-z])|secret(?![a-z])|シ[ー-]クレット|トークン"
    r"|apiキ[ー-]|(?<!csrf[ _-])(?<!idempotency[ _-])(?<!client[ _-])(?<!request[ _-])(?<!page[ _-])token(?![a-z]))"
)
_OWNER = (
    r"(?: (?:for|of|on|in|at|to)(?: [a-z0-9._-]{1,30}){1,4}|(?<=khau)(?: [a-z]{1,12}){1,3}"
    r"|(?<=mk)(?: [a-z]{1,12}){1,3}"
    r"|(?: (?:wi-?fi|vpn|admin|root|login|mail|db|database|server|ssh|ftp|nas|router|zip)){1,2})?"
)
_IS = (
    r"(?: ?\([^)\n]{0,20}\))?[\"'`*\])]{0,4}\s?"
    r"(?:=>|->|→|⇒|={1,3}|:|は(?:同じで ?)?|が|を|には?|(?<=\) )|(?<=\))"
    r"|(?<= )(?:(?:still |now )?is|was|remains|stays|(?:van |se |dang )?la|thanh)"
    r"(?:(?= )|:))\s?[\"'`*(\[]{0,3}"
)
_NUMBER_IS = rf"(?:{_NAMES}|(?<![ァ-ヴー])パス(?![ァ-ヴ]))"
DIGITS_ONLY = Pattern(
    rf"{_NUMBER_IS}{_OWNER}{_IS}(?P<v>[0-9]{{6,12}})(?![0-9A-Za-z]|[.,:/-][0-9]){_UNIT}",
    "pass", "pw", "p/w", "pswd", "psk", "khau", "mk", "パス", "ぱすわ", "暗証", "解凍", "復号", "共有", "暗号", "密码",
    "비밀번호",
)  # fmt: skip
_HINTS = (
    "pass",
    "pw",
    "p@ss",
    "p/w",
    "pswd",
    "psk",
    "khau",
    "mk",
    "パス",
    "ぱすわ",
    "暗証",
    "解凍",
    "復号",
    "共有",
    "暗号",
    "密码",
    "비밀번호",
)
DIRECT = Pattern(rf"{_NAMES}{_OWNER}{_IS}$|/ ?{_NAMES}{_IS}[\w.@-]{{1,40}} ?/ ?$", *_HINTS)
"""What leads right up to a password: ``password: ``, ``password of the test box is ``, ``ID/PW: app / ``."""
DIRECT_KEY = Pattern(rf"(?:{_NAMES}|{_KEYED}){_IS}$", *_HINTS, "key", "secret", "token", "レット", "トークン", "キ")
DIRECT_SECRET = Pattern(r"(?<![a-z_-])secret[\"'`*]{0,2}\s?[:=]\s?[\"'`*]{0,3}$", "secret")
WIDE = Pattern(
    rf"{_NAMES}{_OWNER}{_IS}(?P<v>(?<=\")[^\"\n]{{6,64}}(?=\")|\S{{8,64}})",
    *_HINTS,
    (":", "=", "は", "が", "→", "->", " is ", " was ", " la "),
)  # fmt: skip
WIDE_SIGNS = frozenset(";,<>|'")
_LEADS = (
    rf"(?:{_NAMES}|(?<![ァ-ヴー])パス(?:コ[ー-]ド)?(?![ァ-ヴ])|合言葉|共有鍵|暗号化?(?:鍵|キ[ー-])"
    r"|(?<![a-z])(?:mat ma|ma bi mat|p\.w\.?|pre-?shared key|wi-?fi key|encryption key)(?![a-z]))"
)
BEHIND = Pattern(
    rf"(?:{_LEADS}(?:{_OWNER}| cua [a-z0-9._-]{{1,20}})(?:{_IS}|\s?(?:\([^()\n]{{1,20}}\)\s?)?"
    r"(?:[\[({【「『,\t]|\.{2,3}|:|\s[-–—]\s|も|\s(?:is|was) now\s))"
    rf"|/ ?{_NAMES}{_IS}[a-z0-9.@_-]{{1,40}} ?/|(?<![\w/.-]){_NAMES}/)\s?[\"'`*$(\[{{【「『]{{0,4}}"
    r"(?P<v>[0-9a-z]{8,64})(?![0-9a-z]|[._/-][0-9a-z]|@)",
    *_HINTS, "合言葉", "鍵", "キー", "キ-", "mat ma", "bi mat", "p.w", " key",
)  # fmt: skip
"""A word for a password, a sign of any kind, and letters and digits."""
