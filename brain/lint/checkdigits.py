"""Check digits: what tells a number of a kind from any other."""

from __future__ import annotations

PROVINCES = frozenset(
    # Viet Nam's province codes, as the first three digits of a citizen's number (Thông tư 07/2016/TT-BCA)
    "001 002 004 006 008 010 011 012 014 015 017 019 020 022 024 025 026 027 030 031 033 034 035 036 037 038 040 042"
    " 044 045 046 048 049 051 052 054 056 058 060 062 064 066 067 068 070 072 074 075 077 079 080 082 083 084 086 087"
    " 089 091 092 093 094 095 096".split()
)
TEST_CARDS = frozenset(
    # published by the payment services for their sandboxes
    "4242424242424242 4111111111111111 4012888888881881 4000000000000002 4000056655665556 5555555555554444"
    " 5105105105105100 5200828282828210 2223003122003222 378282246310005 371449635398431 378734493671000"
    " 3530111333300000 3566002020360505 6011111111111117 6011000990139424 30569309025904 38520000023237 36227206271667"
    " 4000002500003155 4000000000009995 4000000000000077 4222222222222 5019717010103742 6331101999990016"
    " 4917610000000000"
    " 5454545454545454 4444333322221111 4976000000003436 6759649826438453".split()
)


def is_my_number(digits: str) -> bool:
    """Say whether the last of 12 digits is the check digit of Japan's My Number (総務省令第85号, 2014)."""
    if len(digits) != 12:
        return False
    total = sum(int(digits[11 - n]) * (n + 1 if n <= 6 else n - 5) for n in range(1, 12)) % 11
    return int(digits[11]) == (0 if total <= 1 else 11 - total)


def is_citizen_number(digits: str) -> bool:
    """Say whether 12 digits may be a Vietnamese citizen's number: province, century and sex, year of birth."""
    return len(digits) == 12 and digits[:3] in PROVINCES and digits[3] in "0123"


def is_luhn(digits: str) -> bool:
    """Say whether the last digit is right by Luhn's rule (ISO/IEC 7812-1)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """Say whether digits are a payment card's: length and range of an issuer, Luhn, not published for tests."""
    length, head = len(digits), int(digits[:4])
    ranges = (
        (digits[0] == "4" and length in (16, 19)) or (length == 16 and (5100 <= head <= 5599 or 2221 <= head <= 2720))
        or (length == 15 and head // 100 in (34, 37)) or (length == 16 and 3528 <= head <= 3589)
        or (length == 14 and (head // 100 in (36,
        38) or 3000 <= head <= 3059)) or (length == 16 and (head == 6011 or head // 100 == 65))
        or (16 <= length <= 19 and head // 100 == 62)
    )  # fmt: skip
    return ranges and is_luhn(digits) and digits not in TEST_CARDS and len(set(digits[4:])) > 3


def is_iban(text: str) -> bool:
    """Say whether an international bank account number adds up (ISO 13616, mod 97)."""
    if not 15 <= len(text) <= 34:
        return False
    return int("".join(str(int(sign, 36)) for sign in text[4:] + text[:4])) % 97 == 1
