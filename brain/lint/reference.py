"""The rule reference page, made from the rules: ``python -m tests.docs``."""

from __future__ import annotations

from importlib import import_module

from brain.lint.finding import ERROR, Rule

FAMILIES = (
    ("Files", ("encoding",)),
    ("Frontmatter", ("header", "fields")),
    ("Paths and the tree", ("place", "tree")),
    ("Refs", ("refs",)),
    ("Body", ("body",)),
    (
        "Duplicates, index and settings",
        ("duplicates", "leads", "engine", "settings", "frame", "steering", "said", "official"),
    ),
    ("Secrets", ("secrets.scan", "scanner")),
    ("Personal data", ("personal",)),
    ("Text that attacks", ("hidden", "tags", "links", "drawn", "markup", "words")),
    ("Lint itself", ("judge",)),
)
"""Heading → modules of ``brain.lint``."""

HEAD = """\
# Lint rules

Made from the rules by `python -m tests.docs`; do not edit it by hand.

`brain lint` and `brain-ci lint` judge by the same rules. An **error** blocks a merge request, a *warning* does not.
Words that give orders are a warning alone and an error with a second sign; in quotes or code they stay a warning, as
long as nothing beside them says to do so.
A code never changes its meaning.

A finding that is wrong is let through in `brain.toml`, on the default branch, with a reason:

```toml
[[lint.allow]]
fingerprint = "0123456789abcdef0123"   # stands at the end of the finding's line
reason = "a published test key of the sandbox"
```

It is reported as allowed from then on. Nothing within a memory (`gitleaks:allow` and its like) is obeyed.
"""

PROMISE = """
## What lint promises, and what it does not

Promised as an **error**, in Japanese, Vietnamese and English prose, in lists, tables, code, frontmatter, paths,
commit messages, and names of branches, tags and authors (`tests/lint/test_promised.py`, `test_smuggled.py`,
`test_secrets.py`, `test_passwords.py`, `test_personal.py`, `test_drawn.py`, `test_orders.py`):

- tokens of the services listed in `brain/lint/secrets/tokens.py`, whatever sign they hang on, and what has the form of
  any service's token: a name, `_` or `-`, and 32 characters or more of which 20 at the end are letters and digits at
  random, unless the name is that of an id (`user_`, `req_`, `pk_`, …); keys between armour; addresses that something
  posts to;
- passwords behind a word for one and a sign or verb (`:`, `=`, `は`, `is`, `là`, a bracket, a dash, …): eight ASCII
  letters and digits or more with two digits, or six digits or more behind `:`, `=` or a verb; keys at random behind a
  word for one; passwords in an address, a header, a command's option, a connection string, as `user:password@host`;
  PINs and seed phrases by their words, the latter in one line;
- tokens cut over cells, rows, columns, lines, items, links or strings in pieces of six characters or more, and what is
  in a published coding: base64, base32, base16, base85, base58, quoted-printable, percent and backslash escapes,
  entities, UTF-7, UTF-16, uuencoding, dumps, in up to six layers; tokens in Morse, braille, letters moved along the
  alphabet, backwards, spaced out, too;
- personal data with a check digit or beside its word: official numbers of Japan and Viet Nam, cards, phones, mail
  addresses (spelled out in the usual ways too), bank accounts, dates of birth;
- characters that nobody sees, text that the rendered page does not show (in the colour of its ground, too small, moved
  away, behind a wide gap or many lines without a word), links whose text of a few words names another host, or that
  have a blank to fill in (`{x}`, `${x}`, `$X`, `%X%`, `%s`, `<x>`, `[x]`, `【x】`, `YOUR_X`), HTML that acts;
- files, frontmatter and changes that are not as the rules below say.

Promised as a *warning*: 32 letters and digits or more at random that stand alone and no word tells of, a password with
a blank alone behind its word, a shorter one (six letters and digits), a mobile or Japanese phone number or a Japanese
or Vietnamese postal address by its usual form alone, a blank to fill in in a whole address that is no link, what a
diagram or formula says and does not draw (remarks, tooltips, branches that are never taken; more than six words, or
twelve together), commands that carry out what a machine keeps to itself (keys, `env`, what `gh auth token` and its like
print) or run what they download, and orders to an assistant: a known phrase, or a form (whoever reads by machine is
addressed and told what to do; what was told to it before is undone; people are to be kept out of it; the memory is to
stand above others or to be copied). Such an order beside a second sign is an error; one that came and went within a
branch is a warning.

Not promised, and for the PM to see:

- a plain false fact, and an order that reads like an honest lesson or is worded as no rule knows;
- a coding that somebody made up: numbers in words, a cipher, letters by their place, blanks at the ends of lines, a
  token whose pieces have words between them or stand in another order: who can read it could be told it elsewhere;
- personal data over several lines or cells, and mail addresses in other letters than ASCII ones: numbers of a table
  stand like that in every team;
- passwords that are words, that hold letters other than ASCII ones, that are cut, or coded so that nothing shows where
  they begin (backwards, Morse, spaced out, a shifted alphabet), and those that a program's call is handed by position;
- numbers and values that count up or repeat (`1234567`): every sample has them;
- letters of one script that look alike (`口` and `ロ`, `l` and `1`): words are written with both;
- words in an address, in the name of a file, an anchor or a node of a diagram, and up to six in a tooltip or title:
  they are shown to who looks there, and honest ones look the same;
- a choice of words, of order, of file names or of times that says something to who knows of it;
- names of people, and secrets that are words like any other where no word tells of them, or where the word stands in
  another line or sentence;
- what is in pictures and in files that lie outside of the memory folder;
- what an annotated tag or a git note says: a merge request brings commits of its branch and nothing else; tags and
  notes are pushed by themselves, by who may push them, and no assistant of the project reads them.

So "nothing could be smuggled in" is a statement that can be tested: a case of the first list without an error, or of
the second without a finding, is a defect of lint. A case of the third is none.
"""


def rules_of(module: str) -> list[Rule]:
    """Return the rules of a module of ``brain.lint``, by code."""
    found = {rule.code: rule for rule in vars(import_module(f"brain.lint.{module}")).values() if isinstance(rule, Rule)}
    return sorted(found.values(), key=lambda rule: rule.code)


def all_rules() -> dict[str, list[Rule]]:
    """Return heading → rules; each rule once."""
    seen: set[str] = set()
    families: dict[str, list[Rule]] = {}
    for heading, modules in FAMILIES:
        rules = {rule.code: rule for module in modules for rule in rules_of(module) if rule.code not in seen}
        seen |= rules.keys()
        families[heading] = sorted(rules.values(), key=lambda rule: rule.code)
    return families


def render_reference() -> str:
    """Return the page in markdown."""
    parts = [HEAD, PROMISE]
    for heading, rules in all_rules().items():
        parts.append(f"\n## {heading}\n\n| code | rule | severity | what | why | mend |\n|---|---|---|---|---|---|\n")
        for rule in rules:
            severity = f"**{rule.severity}**" if rule.severity == ERROR else f"*{rule.severity}*"
            cells = (rule.code, f"`{rule.name}`", severity, *(_cell(text) for text in (rule.what, rule.why, rule.mend)))
            parts.append("| " + " | ".join(cells) + " |\n")
    return "".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
