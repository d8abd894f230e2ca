"""Formulas and diagrams: text that a page draws so that nobody sees it, links within, and what they take in.

A page draws ``$…$``, ``$`…`$`` and fences called ``math``, ``mermaid`` or ``plantuml``: what stands there is code, and
is not shown as it is written.
"""

from __future__ import annotations

from brain.lint.finding import ERROR, WARNING, Rule
from brain.lint.links import judge_image, judge_target
from brain.lint.pattern import Pattern
from brain.lint.tags import NOT_SHOWN, NOT_WORDS
from brain.lint.words import gives_orders
from brain.text import count_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.lint.markdown import Marked
    from brain.lint.tags import Say

DRAWN_AWAY = Rule(
    "M638", "drawn-out-of-sight", ERROR, "a formula or diagram that hides text",
    "Reviewers do not see it in the rendered page, assistants read it.", "write it openly",
)  # fmt: skip
INCLUDE = Rule(
    "M637", "include", WARNING, "a line that takes another file in",
    "What is shown then is not what was reviewed.", "write the text itself",
)  # fmt: skip

MATH, DIAGRAMS = ("math", "latex", "tex", "katex"), ("mermaid", "plantuml", "puml", "kroki", "dot", "graphviz", "d2")
FORMULA = Pattern(r"\$\$[^$]{1,2000}\$\$|\$`[^`\n]{1,500}`\$|(?<![\w$\\])\$[^$\n]{1,500}\$(?!\w)", "$", ("\\", "%"))
_PALE = (
    r"(?:(?i:white(?:smoke)?|snow|ivory|azure|mintcream|ghostwhite|floralwhite|aliceblue|lavenderblush|seashell|honeydew"
    r"|oldlace|linen|cornsilk|beige|lightyellow|lightcyan|transparent)|rgba?\((?:\s?(?:2[2-5][0-9]|9[0-9]%"
    r"|100%)[ ,]{1,2}){2}"
    r"|rgba\([^)\n]{1,20}[, /]\s?0?\.?0?[0-9]?\)|hsla?\([^,\n]{1,8},[^,\n]{1,8},\s?(?:9[0-9]|100)%"
    r"|#[eEfF]{3,4}\b|#(?:[eEfF][a-fA-F0-9]){3}(?:[a-fA-F0-9]{2})?\b)"
)
PALE = Pattern(
    rf"\\(?:text|f?box)?color(?:box)?\s{{0,3}}\{{?\s{{0,3}}{_PALE}"
    r"|\\f?colorbox\s{0,3}\{\s{0,3}(?:black|navy|darkblue|#[0-3][0-9a-fA-F]{2}\b|#(?:[0-3][0-9a-fA-F]){3}\b)"
    r"|\\(?:[vh]?phantom|html(?:Style|Class|Data|Id)|definecolor|(?:math)?[rlc]lap|raise(?:box)?|lower|[gex]?def"
    r"|(?:re|provide)?newcommand|providecommand|newenvironment|let(?=\s?\\)|rule(?=\s{0,3}\{)|label|url)(?![a-zA-Z])"
    r"|\\(?:m?kern|m?skip|[hv]skip|hspace\*?)\s{0,3}\{?\s{0,3}-?[0-9]{2,}",
    "\\",
)
TINY = Pattern(
    r"(?:\^\s?\{\s?[^{}\n]{0,9}){4}|\\(?:tiny|scriptscriptstyle|fontsize\s{0,3}\{\s{0,3}[0-3](?![0-9]))", "\\"
)
REMARK = Pattern(r"(?<!\\)%([^\n]{1,1000})", "%")
LEADS = Pattern(r"\\(?:href|url)\s{0,3}\{([^}\n]{1,2000})\}", "\\href", "\\url")
SHOWS = Pattern(
    r"\\includegraphics[^{\n]{0,100}\{([^}\n]{1,2000})\}|<img[\s:][^<>\n]{0,300}?((?:https?:)?//[^\s<>\"']{1,2000})"
    r"|\b(?:image|img)\s?[=:]\s?[\"']((?:https?:)?//[^\s<>\"']{1,2000})",
    "\\include", "<img", "image", "img",
)  # fmt: skip
"""A picture in a formula or a diagram."""
COMMAND = Pattern(r"\\[A-Za-z]+(?:\s{0,3}\{\s{0,3}(?:#[0-9a-fA-F]{3,8}|white|transparent)\s{0,3}\})?")
WORD = Pattern(r"[^\W\d_]{3,}")
LEAST_WORDS = 2
"""Words in a formula from which it says something."""
NAMED = Pattern(r"\\(?:label|url|html(?:Id|Class))\s{0,3}\{([^{}\n]{1,300})\}", "\\label", "\\url", "\\html")
MOST_NAMED = 5
"""Words of a name in a formula, which is not drawn."""
SAME_COLOUR = Pattern(
    r"(?:fill|background|fillcolor)\s{0,3}[:=]\s{0,3}[\"']?(?P<c>[#\w]{3,20})\b[^\n]{0,200}?(?<![-\w])(?:font)?color\s{0,3}[:=]\s{0,3}[\"']?(?P=c)\b"
    r"|(?<![-\w])(?:font)?color\s{0,3}[:=]\s{0,3}[\"']?(?P<d>[#\w]{3,20})\b[^\n]{0,200}?(?:fill|background|fillcolor)\s{0,3}[:=]\s{0,3}[\"']?(?P=d)\b"
    r"|<back:(?P<e>[#\w]{3,20})><color:(?P=e)>",
    "color",
)
"""Text in the colour of its ground."""
SCRIPTED = Pattern(r"(?i:(?:java|vb)script:)[^\s\"'<>]{1,200}", "script:", "SCRIPT:", "Script:")
COMMENT = Pattern(
    r"(?m)^[ \t]*(?:%%(?!\{)|'|//|#(?!\w)|acc(?:Descr|Title)\s?:|![$][^\n=]{1,60}=|skinparam )(.*)$"
    r"|/['*]([^*']{1,1000})[*']/"
    r"|\b(?:comment|tooltip)\s?=\s?\"([^\"]{1,1000})\"|^[ \t]*click\s[^\n\"]{1,100}\"([^\"\n]{1,1000})\"[ \t]*$"
    r"|@end[a-z]{2,12}\n([\s\S]{1,2000})"
    r"|^[ \t]*acc(?:Descr|Title)\s?\{([^{}]{1,1000})\}|^[ \t]*!define(?:long)?\s+\S{1,40}\s([^\n]{1,1000})"
    r"|^[ \t]*!(?:if|procedure|function|unquoted)\b[^\n]{0,100}\n([\s\S]{1,1000}?)\n[ \t]*!end"
    r"|[;}\]>\w][ \t]+//([^\n]{1,1000})|<!--([^>]{1,1000})-->|\A([^@]{1,1000})@start[a-z]{2,12}\b"
    r"|^[ \t]*click\s[^\n\"]{1,100}\"[^\"\n]{1,1000}\"\s{1,4}\"([^\"\n]{1,1000})\""
    r"|\A\s{0,4}---\n(?:[ \t]*(?:title|config|theme|layout|look)\b[^\n]*\n){0,9}([\s\S]{1,1000}?)\n---",
    "<!--", "@start", "!define", "!if", "!proc", "!func", "---", "%%", "'", "//", "#", "acc", "!$", "skinparam", "/*",
    "comment", "tooltip", "click", "@end",
)  # fmt: skip
"""What is said in a diagram and not drawn: remarks, texts for who rests on it, variables, what follows its end."""
MOST_COMMENT, MOST_REMARKS = 6, 12
UNSEEN = Pattern(
    r"\bopacity\s{0,3}[:=]\s{0,3}[\"']?(?:0?\.0[0-9]*|0)(?![.0-9])|\bstyle\s?=\s?\"?invis|\bfont-?size\s{0,3}[:=]\s{0,3}[\"']?(?:[0-3]|0?\.[0-9]{1,3})(?:px|pt|em)?(?![.0-9])"
    r"|\bdisplay\s{0,3}:\s{0,3}none\b|<size:\s{0,3}[0-3]>|visibility\s{0,3}:\s{0,3}hidden",
    "opacity", "size", "display", "visibility", "invis",
)  # fmt: skip
PALE_TEXT = Pattern(rf"<color:\s{{0,3}}{_PALE}|(?<![-\w])(?:font)?color\s{{0,3}}[:=]\s{{0,3}}[\"']?{_PALE}", "color")
DARK = Pattern(rf"(?:fill|background|fillcolor)\s{{0,3}}[:=#]\s{{0,3}}[\"']?(?!{_PALE}|none)", "fill", "background")
"""A ground on which pale text is seen."""
SETS_UP = Pattern(r"%%\{[^\n]{0,500}?(?:securityLevel\W{1,6}(?:loose|antiscript)|themeCSS|htmlLabels)", "%%{")
CLICK = Pattern(
    r"(?m)^[ \t]*click\s{1,4}\S{1,60}\s{1,4}(?:href\s{1,4})?\"([^\"\n]{1,2000})\"|\[\[([^\s\]{}]{1,500})", "click", "[["
)
INCLUDES = Pattern(
    r"(?m)^[ \t]*(?:::include\{|!(?:include(?:url|sub|_many|_once)?|import)[ \t]|!theme[ \t][^\n]{1,80}[ \t]from[ \t])",
    "::include{", "!include", "!import", "!theme",
)  # fmt: skip


def scan_drawn(marked: Marked, say: Say) -> None:
    """Report what formulas and diagrams hide, link to and take in."""
    text = marked.text
    for match in FORMULA.finditer(text):
        if not marked.is_code(match.start()):
            _judge_formula(match[0], match.start(), say)
    for start, end, info in _fences(marked):
        if info in MATH:
            _judge_formula(text[start:end], start, say)
        elif info in DIAGRAMS:
            _judge_diagram(text[start:end], start, say)
    for match in INCLUDES.finditer(text):
        say(INCLUDE, match.start(), "", match[0])


def _fences(marked: Marked) -> Iterator[tuple[int, int, str]]:
    """Yield where the text of each fence begins and ends, and the word behind its opening."""
    for number, (offset, info) in enumerate(marked.infos):
        start = marked.text.find("\n", offset) + 1
        stop = marked.infos[number + 1][0] if number + 1 < len(marked.infos) else len(marked.text)
        if start:
            word = info.strip("{}. ").split(" ")[0].partition("{")[0].lower()
            yield start, _code_end(marked, start, stop), word


def _code_end(marked: Marked, start: int, stop: int) -> int:
    """Return where the lines of code that begin at ``start`` end."""
    at = start
    while at < stop:
        line_end = marked.text.find("\n", at, stop)
        line_end = stop if line_end < 0 else line_end
        if line_end > at and not marked.is_code(at):
            return at
        at = line_end + 1
    return stop


def _judge_formula(formula: str, offset: int, say: Say) -> None:
    """Report words in a formula that are drawn in the page's colour, as blank space, or too small to read."""
    _judge_leads(formula, offset, say)
    for named in NAMED.finditer(formula):
        if count_words(NOT_WORDS.sub(" ", named[1])) > MOST_NAMED:
            say(DRAWN_AWAY, offset + named.start(), "words in a name that is not drawn", named[1])
    for remark in REMARK.finditer(formula):
        _judge_comment(remark[1], offset + remark.start(), say)
    match = PALE.search(formula) or TINY.search(formula)
    if match is None:
        return
    words = sum(1 for _ in WORD.finditer(COMMAND.sub(" ", formula)))
    if words >= LEAST_WORDS:
        say(DRAWN_AWAY, offset + match.start(), f"{words} words behind {match[0][:20]}", formula[:200])


def _judge_comment(comment: str, offset: int, say: Say, *, outside: bool = False) -> None:
    severe = outside or gives_orders(comment)
    if (severe and not outside) or count_words(comment) > MOST_COMMENT:
        say(NOT_SHOWN, offset, "what a diagram or formula says and does not draw", comment, "" if severe else WARNING)


def _judge_leads(drawn: str, offset: int, say: Say) -> None:
    for match in LEADS.finditer(drawn):
        judge_target(match[1], offset + match.start(), say)
    for match in SHOWS.finditer(drawn):
        judge_image(next(filter(None, match.groups())), offset + match.start(), say)
    for match in SCRIPTED.finditer(drawn):
        judge_target(match[0], offset + match.start(), say)


def _judge_diagram(diagram: str, offset: int, say: Say) -> None:
    _judge_leads(diagram, offset, say)
    remarks = ""
    for match in COMMENT.finditer(diagram):
        comment, outside = next(filter(None, match.groups()), ""), match[0].startswith("@end") or "@start" in match[0]
        _judge_comment(comment, offset + match.start(), say, outside=outside)
        remarks += f" {comment}" if count_words(comment) <= MOST_COMMENT else ""
    if count_words(remarks) > MOST_REMARKS:
        say(NOT_SHOWN, offset, "what the remarks of a diagram say together", remarks, WARNING)
    for match in SAME_COLOUR.finditer(diagram):
        say(DRAWN_AWAY, offset + match.start(), "text in the colour of its ground", match[0])
    for match in UNSEEN.finditer(diagram):
        say(DRAWN_AWAY, offset + match.start(), "text of a diagram that is not drawn", match[0])
    for match in PALE_TEXT.finditer(diagram):
        line = diagram[diagram.rfind("\n", 0, match.start()) + 1 :].partition("\n")[0]
        if not DARK.search(line):
            say(DRAWN_AWAY, offset + match.start(), "text of a diagram in the page's colour", line, WARNING)
    for match in SETS_UP.finditer(diagram):
        say(DRAWN_AWAY, offset + match.start(), "a diagram that changes how it is drawn", match[0], WARNING)
    for match in CLICK.finditer(diagram):
        judge_target(match[1] or match[2], offset + match.start(), say)
