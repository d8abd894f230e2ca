"""Glossary tables and definition lists → glossary entries: a term, what it is in other languages, what it means."""

from __future__ import annotations

import re

from brain.guess import language_of
from brain.lint.fields import MAX_ALIASES
from brain.sources.piece import Left, Piece, Reading
from brain.sources.tables import tables
from brain.sources.text import anchor, bare, body, joined, language_in, matches, parse, tag_in, without_code
from brain.text import count_words, fold, is_dense
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brain.sources.tables import Table
    from brain.sources.text import Section

HEADING = re.compile(
    r"(?:.* )?(?:glossary|terminology|terms( and definitions)?|acronyms|abbreviations|ubiquitous language|vocabulary)"
    r"(?: .*)?"
    r"|.*(?:用語集|用語一覧|用語|略語|対訳表|単語帳).*|.*(?:thuat ngu|tu dien|tu viet tat|bang tu).*"
)
FILE = re.compile(r"(?:^|/)[^/]*(?:glossary|terminology|用語|thuat[-_ ]?ngu|対訳)[^/]*$")
COLUMNS = {
    "ja": re.compile(r"日本語|和名|日本語名|japanese|ja|jp|jpn|tieng nhat|nhat|日"),
    "vi": re.compile(r"tieng viet|viet|vietnamese|vi|vn|vie|ベトナム語|越語|越"),
    "en": re.compile(r"english|en|eng|英語|英語名|英名|tieng anh|anh|英"),
    "term": re.compile(r"terms?|word|acronym|abbreviation|用語|略語|語句|名称|thuat ngu|tu|tu viet tat|viet tat"),
    "meaning": re.compile(
        r"definitions?|meaning|description|explanation|full (?:form|name)|stands for|意味|定義|説明|解説|内容"
        r"|dinh nghia|y nghia|giai thich|mo ta|nghia|dien giai"
    ),
}  # fmt: skip
LANGUAGES = ("ja", "vi", "en")
NAMES = {
    "en": {"ja": "Japanese", "vi": "Vietnamese", "en": "English"},
    "vi": {"ja": "tiếng Nhật", "vi": "tiếng Việt", "en": "tiếng Anh"},
    "ja": {"ja": "日本語", "vi": "ベトナム語", "en": "英語"},
}
SAY = {"en": "say “{term}”{others}.", "vi": "dùng từ “{term}”{others}.", "ja": "「{term}」{others}と書く。"}
OTHERS = {"en": " ({told})", "vi": " ({told})", "ja": "（{told}）"}
ENTRY = {"en": "“{term}” is {others}.", "vi": "“{term}” là {others}.", "ja": "「{term}」は{others}。"}
MEANS = {"en": "“{term}” means: {meaning}", "vi": "“{term}” nghĩa là: {meaning}", "ja": "「{term}」とは、{meaning}"}
TOLD = {"en": "{name} “{term}”", "vi": "{name} “{term}”", "ja": "{name}で「{term}」"}
SPLIT = re.compile(r"\s*(?:[/／、;；]|,\s)\s*")
MOST_TERM, MOST_ENTRIES = 60, 300
DEFINED = re.compile(
    r"^(?P<term>[^\s:|>#*+-][^:\n|]{0,58})\n(?:[ \t]*\n)?:[ \t]+(?P<meaning>\S[^\n]*(?:\n[ \t]+\S[^\n]*)*)",
    re.MULTILINE,
)
COLONS = re.compile(r"^(?P<term>[^\s:|>#=*+-][^:\n|]{0,58})::[ \t]*\n?[ \t]*(?P<meaning>\S[^\n]*)", re.MULTILINE)
RST_TERM = re.compile(r"^(?P<in> +)(?P<term>\S[^\n]{0,58})\n(?P=in) +(?P<meaning>\S[^\n]*)", re.MULTILINE)
BOLD_TERM = re.compile(
    r"^[ \t]*[-*+][ \t]+(?:\*\*|__)(?P<term>[^*_\n]{1,58}?)[:：]?(?:\*\*|__)[ \t]*(?:[:：]|[-–—][ \t])?[ \t]*"
    r"(?P<meaning>\S[^\n]*)",
    re.MULTILINE,
)


@value
class Entry:
    """A term: language → how it is called there, the first the one that leads, and what it means ("" unsaid)."""

    terms: dict[str, tuple[str, ...]]
    meaning: str


def read(path: str, text: str) -> Reading:
    """Return an entry for each term that a document explains in a table or a list of definitions."""
    document = parse(text)
    named = bool(FILE.search(fold(path)))
    entries: dict[str, Entry] = {}
    for trail, section in document.root.walk():
        is_glossary = named or any(matches(title, HEADING) for title in (*trail, document.title))
        for entry in _entries(section, is_glossary=is_glossary):
            entries.setdefault(anchor(_lead(entry)), entry)
    pieces: list[Piece] = []
    left = []
    for key, entry in entries.items():
        has_room = len(pieces) < MOST_ENTRIES
        piece = _piece(path, key, entry) if key and has_room else None
        if piece:
            pieces.append(piece)
        else:
            why = "it is too long for an entry" if has_room else f"over {MOST_ENTRIES} entries"
            left.append(Left(path, key, why))
    return Reading(tuple(pieces), tuple(left))


def _entries(section: Section, *, is_glossary: bool) -> Iterator[Entry]:
    for table in tables(section.text):
        columns = _columns(table, is_glossary=is_glossary)
        yield from filter(None, (_entry(row, columns) for row in table.rows if columns))
    if is_glossary:
        text = without_code(section.text)
        patterns = [DEFINED, COLONS, BOLD_TERM, *([RST_TERM] if ".. glossary::" in text else [])]
        for match in (found for pattern in patterns for found in pattern.finditer(text)):
            terms = _forms(bare(match["term"]))
            meaning = bare(joined([line.strip() for line in match["meaning"].split("\n")]))
            if terms and meaning:
                yield Entry({language_of(terms[0]): terms}, meaning)


def _columns(table: Table, *, is_glossary: bool) -> dict[str, int]:
    """Return what → column; empty where the table is no glossary."""
    found: dict[str, int] = {}
    for number, title in enumerate(table.header):
        kind = next((name for name, pattern in COLUMNS.items() if matches(title, pattern)), "")
        if kind and kind not in found:
            found[kind] = number
    spoken = [name for name in LANGUAGES if name in found]
    if len(spoken) >= 2 or ("meaning" in found and (spoken or "term" in found) and is_glossary):
        return found
    return _by_script(table) if is_glossary and not spoken and "term" not in found else {}


def _by_script(table: Table) -> dict[str, int]:
    """Return the columns of two or three languages by the letters in them, where each is clearly of one."""
    found: dict[str, int] = {}
    for number in range(len(table.header)):
        cells = [row[number] for row in table.rows if row[number]]
        languages = [_script(cell) for cell in cells]
        likely = max(LANGUAGES, key=languages.count)
        if len(cells) * 2 >= len(table.rows) and languages.count(likely) * 3 >= len(cells) * 2 and likely not in found:
            found[likely] = number
    return found if len(found) >= 2 else {}


def _script(text: str) -> str:
    dense = any(is_dense(ord(sign)) for sign in text)
    return "ja" if dense else language_of(text) if not text.isascii() else "en"


def _entry(row: Sequence[str], columns: dict[str, int]) -> Entry | None:
    terms = {name: _forms(row[columns[name]]) for name in LANGUAGES if name in columns}
    terms = {name: forms for name, forms in terms.items() if forms}
    own = _forms(row[columns["term"]]) if "term" in columns else ()
    if own:
        language = _script(own[0])
        first = {language: tuple(dict.fromkeys((*own, *terms.get(language, ()))))}
        terms = first | {name: forms for name, forms in terms.items() if name != language}
    meaning = row[columns["meaning"]] if "meaning" in columns else ""
    return Entry(terms, meaning) if terms and (meaning or len(terms) > 1) else None


def _forms(cell: str) -> tuple[str, ...]:
    """Return the forms that a cell gives of a term; nothing where it holds a sentence."""
    forms = [form.strip(" .。") for form in SPLIT.split(re.sub(r"\s*[(（]([^()（）]{1,40})[)）]", r"; \1", cell))]
    forms = [form for form in forms if any(map(str.isalnum, form))]
    return tuple(dict.fromkeys(forms)) if all(len(form) <= MOST_TERM for form in forms) else ()


def _lead(entry: Entry) -> str:
    """Return the form that an entry goes by."""
    return next(iter(entry.terms.values()))[0]


def _piece(path: str, key: str, entry: Entry) -> Piece | None:
    lead_language, lead = next(iter(entry.terms)), _lead(entry)
    others = [(name, forms[0]) for name, forms in entry.terms.items() if name != lead_language]
    language = language_in(entry.meaning) if entry.meaning else "en" if len(entry.terms) > 1 else lead_language
    names = NAMES[language]
    told = [TOLD[language].format(name=names[name], term=term) for name, term in others]
    listed = ("、" if language == "ja" else ", ").join(told)
    if entry.meaning:
        said = MEANS[language].format(term=lead, meaning=_ended(entry.meaning, language))
    else:
        said = ENTRY[language].format(term=lead, others=listed)
    apply = SAY[language].format(term=lead, others=OTHERS[language].format(told=listed) if told else "")
    text = body([said], apply, path, language=language)
    if not text or count_words(entry.meaning) > 80:
        return None
    forms = dict.fromkeys(form for forms in entry.terms.values() for form in forms)
    english = entry.terms.get("en", ())
    tags = tuple(dict.fromkeys(filter(None, map(_tag, english or tuple(forms)))))[:3]
    title = english[0] if english else lead
    return Piece(
        "glossary", title, text, tags=tags, aliases=tuple(forms)[:MAX_ALIASES], source=path, anchor=key,
        reason="an entry of a glossary",
    )  # fmt: skip


def _ended(text: str, language: str) -> str:
    return text if text.endswith((".", "。", "!", "?", "！", "？")) else text + ("。" if language == "ja" else ".")


def _tag(form: str) -> str:
    """Return a form as a tag, "" where it is none."""
    tag = tag_in(form)
    return tag if tag and fold(form).isascii() and len(tag) <= 40 else ""
