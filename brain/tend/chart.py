"""Charts as SVG text, and the report as one HTML page that loads nothing from anywhere."""

from __future__ import annotations

from html import escape

from brain.tend.report_texts import FIGURES, WORDS, said
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from brain.tend.metrics import Report

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 220, 56, 34, 12
"""Pixels of a chart, and of its margins."""
COLOURS = ("#1f6feb", "#d1242f")
MOST_LABELS = 9
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:48rem;padding:0 1rem;color:#1f2328;background:#fff}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d0d7de}
td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}svg{width:100%;height:auto}
svg text{font:11px system-ui,sans-serif;fill:#57606a}figure{margin:2rem 0}figcaption{font-weight:600}
@media(prefers-color-scheme:dark){
body{background:#0d1117;color:#e6edf3}svg text{fill:#9198a1}th,td{border-color:#30363d}}
"""
PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<h1>{title}</h1>
<p>{as_of}</p>
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
{charts}
</html>
"""


@value
class Series:
    """A row of a chart: what it is called, and a number for each label."""

    name: str
    numbers: Sequence[float]


def render_bars(title: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Return a bar chart; each bar says what it is when pointed at, and the whole is named for screen readers."""
    most = max((number for row in series for number in row.numbers), default=0.0) or 1.0
    room, high = WIDTH - LEFT, HEIGHT - BOTTOM - TOP
    slot = room / max(len(labels), 1)
    wide = max(1.0, slot * 0.8 / max(len(series), 1))
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title, quote=True)}">',
        *(_line(most * share, TOP + high * (1 - share)) for share in (0, 0.5, 1)),
    ]
    for place, row in enumerate(series):
        for at, number in enumerate(row.numbers):
            x, tall = LEFT + slot * at + slot * 0.1 + wide * place, high * number / most
            about = f"{labels[at]}: {row.name} {number:,.6g}".replace(":  ", ": ")
            parts.append(
                f'<rect x="{x:.1f}" y="{TOP + high - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}" '
                f'fill="{COLOURS[place % len(COLOURS)]}"><title>{escape(about)}</title></rect>'
            )
    step = -(-len(labels) // MOST_LABELS) or 1
    parts += [
        f'<text x="{LEFT + slot * (at + 0.5):.1f}" y="{HEIGHT - 12}" text-anchor="middle">{escape(labels[at])}</text>'
        for at in range(0, len(labels), step)
    ]
    return "\n".join([*parts, "</svg>"])


def _line(number: float, y: float) -> str:
    return (
        f'<line x1="{LEFT}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#8c959f" stroke-opacity=".4"/>'
        f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{number:,.4g}</text>'
    )


def render_page(report: Report, language: str) -> str:
    """Return the report as a page: figures with their definitions, and charts."""
    words = WORDS[language]
    head = "".join(f'<th scope="col">{escape(words[name])}</th>' for name in ("figure", "number", "definition"))
    return PAGE.format(
        language=language, title=escape(words["title"]), style=STYLE, head=head,
        as_of=escape(words["asOf"].format(today=report.today)),
        rows="\n".join(_row(name, number, language) for name, number in report.figures.items()),
        charts="\n".join(chart for chart in _charts(report, words) if chart),
    )  # fmt: skip


def _row(name: str, number: float | None, language: str) -> str:
    title, definition = FIGURES[language][name]
    cells = f'<td class="n">{escape(said(name, number, language))}</td><td>{escape(definition)}</td>'
    return f'<tr><th scope="row">{escape(title)}</th>{cells}</tr>'


def _charts(report: Report, words: Mapping[str, str]) -> Iterator[str]:
    for name, rows in (("tokens", report.tokens), ("cited", report.cited)):
        yield _figure(words[name], [row[0] for row in rows], [Series("", [row[1] for row in rows])])
    ended = [
        Series(words["approved"], [row.approved for row in report.sprints]),
        Series(words["rejected"], [row.rejected for row in report.sprints]),
    ]
    yield _figure(words["sprints"], [row.start for row in report.sprints], ended)
    reasons = [f"{name} {words[name]}" for name in report.reasons]
    yield _figure(words["reasons"], reasons, [Series("", list(report.reasons.values()))])


def _figure(title: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Return a chart with its title and, of several rows, what their colours mean; "" of nothing."""
    if not any(number for row in series for number in row.numbers):
        return ""
    colours = [COLOURS[at % len(COLOURS)] for at in range(len(series))]
    legend = " ".join(
        f'<span style="color:{colour}">■</span> {escape(row.name)}'
        for colour, row in zip(colours, series, strict=True)
        if row.name
    )
    caption = f"<figcaption>{escape(title)} {legend}</figcaption>"
    return f"<figure>\n{caption}\n{render_bars(title, labels, series)}\n</figure>"
