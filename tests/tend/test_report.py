"""The report: each figure from facts that are told, and all of them from a project on the stand-in."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

from brain.layout import find_place
from brain.memory import Memory
from brain.tend.chart import Series, render_bars, render_page
from brain.tend.counts import Counts, Use, Week
from brain.tend.metrics import Facts, Request, Sprint, make_report, sprint_of
from brain.tend.report_texts import FIGURES, WORDS
from brain.value import replace
from tests.tend.conftest import FADING, RETRY, ROTTEN, STALE, World

NONE = Facts(Counts({}, {}), (), {}, (), frozenset(), None, "2026-06-01", 14, 90)


def memory(path: str, **fields: object) -> Memory:
    place = find_place(path)
    assert place
    known = Memory(place, ("coding",), ("a",), 0.5, "T-1", "approved", 0, "2026-01-01", "Text.")
    return replace(known, **fields)


def test_each_figure_from_its_facts() -> None:
    counts = Counts(
        {"mem-F003-retry": Use(5, 3, "2026-05-30", ("T-1", "T-2", "T-3")), "mem-F004-fading": Use(2, 0, "2026-01-02", ("T-2",))},
        {"2026-05-18": Week(2, 4000, 0, 3, 1, ("T-1", "T-2")), "2026-05-25": Week(2, 2000, 1, 4, 2, ("T-2", "T-3"))},
    )  # fmt: skip
    report = make_report(Facts(
        counts, [memory(RETRY), memory(FADING), memory(STALE, stale=True)],
        {RETRY: "2026-01-05", FADING: "2026-01-03", STALE: "2026-02-01"},
        [memory(ROTTEN, removal_reason="R1: nobody used it"), memory(ROTTEN, removal_reason="wrong from the start")],
        frozenset([RETRY, STALE, ROTTEN]),
        [Request("merged", "memory/T-1", "2026-05-01", "2026-05-04"), Request("closed", "memory/T-2", "2026-05-05", "2026-05-18"),
         Request("opened", "memory/T-3", "2026-05-22"), Request("merged", "memory/consolidate", "2026-05-01", "2026-05-04")],
        "2026-06-01", 14, 90,
    ))  # fmt: skip
    assert report.figures == {
        "memories": 3, "used": 1 / 3, "hits": 7, "citations": 3, "tasks": 3, "citationsPerTask": 1.0,
        "lessonsThatHelped": 1, "repeatsPrevented": 2, "sessions": 4, "tokensPerSession": 1500.0, "sessionsOver": 0.25,
        "approved": 1, "rejected": 1, "queue": 1, "queueOldestDays": 10, "daysToApproval": 4, "removed": 2, "flagged": 3,
        "verifiedAgain": 1 / 3,
    }  # fmt: skip
    assert report.reasons == {"R1": 1, "R2": 0, "R3": 0, "R4": 1}
    assert report.sprints == (Sprint("2026-04-27", 1, 0), Sprint("2026-05-11", 0, 1))
    assert report.tokens == (("2026-05-18", 2000.0), ("2026-05-25", 1000.0))
    assert report.cited == (("2026-05-18", 0.5), ("2026-05-25", 1.0))


def test_what_is_not_known_is_said_to_be_so() -> None:
    figures = make_report(NONE).figures
    assert {name for name, number in figures.items() if number is None} == {
        "used", "citationsPerTask", "tokensPerSession", "sessionsOver", "approved", "rejected", "queue", "queueOldestDays",
        "daysToApproval", "verifiedAgain",
    }  # fmt: skip


def test_every_language_has_every_name_and_every_figure_is_defined() -> None:
    names = set(make_report(NONE).figures)
    assert {language: set(rows) for language, rows in FIGURES.items()} == dict.fromkeys(("en", "vi", "ja"), names)
    assert {frozenset(words) for words in WORDS.values()} == {frozenset(WORDS["en"])}


def test_a_sprint_begins_on_a_monday() -> None:
    assert [sprint_of(date, 14) for date in ("2026-05-10", "2026-05-11", "2026-05-24", "2026-05-25")] == [
        "2026-04-27", "2026-05-11", "2026-05-11", "2026-05-25",
    ]  # fmt: skip


class Tags(HTMLParser):
    """Hold that each element that is opened is closed, and what is loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.loaded += [str(text) for name, text in attrs if name in ("src", "href")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_loads_nothing_and_can_be_read_without_eyes() -> None:
    facts = replace(
        NONE,
        counts=Counts({}, {"2026-05-18": Week(2, 4000, 0, 3, 1, ("T-<1>",))}),
        requests=[Request("merged", "memory/T", "2026-05-01", "2026-05-04")],
    )
    for language in ("en", "vi", "ja"):
        page = render_page(make_report(facts), language)
        tags = Tags()
        tags.feed(page)
        assert (tags.open, tags.loaded) == ([], [])
        assert "<script" not in page
        assert page.count('role="img" aria-label="') == 3
        assert f'<html lang="{language}">' in page


def test_bars_are_as_tall_as_their_numbers() -> None:
    svg = render_bars("T", ["a", "b"], [Series("", [1, 4])])
    heights = [float(text) for text in re.findall(r'<rect[^>]* height="([0-9.]+)"', svg)]
    assert heights[1] == 4 * heights[0] > 0
    assert "<title>b: 4</title>" in svg


def test_the_command_says_what_the_project_shows(world: World) -> None:
    world.cite("s1", "mem-F003-retry", ticket="T-9")
    world.run("telemetry", "--publish")
    status, out, err = world.run("report", "--html", str(world.folder / "report.html"), "--json")
    found = json.loads(out)["figures"]
    assert status == 0, err
    expected = {
        "memories": 5,
        "hits": 1,
        "citations": 1,
        "tasks": 1,
        "repeatsPrevented": 1,
        "queue": 0,
        "removed": 0,
        "flagged": 0,
    }
    assert {name: found[name] for name in expected} == expected
    assert (found["approved"], found["rejected"]) == (2, 0)
    assert "Citations per task" in (world.folder / "report.html").read_text("utf-8")
    assert "Repeats prevented: " in world.run("report")[1]
