"""The pages as a browser without JavaScript gets them: who may see them, what they say, and that no text does anything."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from typing import TYPE_CHECKING

import httpx
import pytest

from brain.layout import find_place
from brain.memory import parse_memory
from brain.stale.answers import Answer
from brain.stale.memories import Doubt
from brain.tend.report_texts import FIGURES
from brain.tend.report_texts import WORDS as REPORT
from brain_api.web.charts import columns
from brain_api.web.health import weeks
from brain_api.web.language import choose_language
from brain_api.web.memory import state_of
from brain_api.web.texts import ONE, WORDS
from tests.api.conftest import RETRY
from tests.api.serving import wait_for
from tests.api.test_local import _ready as ready
from tests.api.test_local import environment
from tests.api.web_site import HOSTILE, HOSTILE_ID, TITLE, Site, sealed_site
from tests.support.repos import COMMIT, clone, memory_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.api.conftest import World
    from tests.gitlab.fixture import Forge

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
PAGES = (
    "/p/shop/queue", "/p/shop/memories", "/p/shop/memories?q=payment", f"/p/shop/memories/{HOSTILE_ID}",
    "/p/shop/memories/mem-F003-retry-after-429", "/p/shop/why", "/p/shop/why?title=payment+retry&workflow=coding",
    "/p/shop/health", "/p/shop/pilot", "/p/empty/queue", "/p/empty/memories", "/p/empty/health", "/p/empty/pilot", "/", "/login", "/p/shop/memories/none",
)  # fmt: skip


class Read(HTMLParser):
    """A page as a browser reads it: its elements with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: text or "" for name, text in attrs}))
        self.text += " " if tag in ("dd", "td") else ""

    def handle_data(self, text: str) -> None:
        self.text += text

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, free_forge: Forge) -> Iterator[Site]:
    yield from sealed_site(tmp_path_factory, free_forge)


@pytest.fixture
def visitor(site: Site) -> Iterator[httpx.Client]:
    with site.visitor() as found:
        yield found


def page(visitor: httpx.Client, path: str, status: int = 200, **headers: str) -> Read:
    found = visitor.get(path, headers=headers)
    assert found.status_code == status, found.text
    return Read(found.text)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_lets_anything_in(visitor: httpx.Client, path: str) -> None:
    found = visitor.get(path)
    assert found.headers["content-security-policy"] == POLICY
    assert found.headers["cache-control"] == "no-store"
    read = Read(found.text)
    tags = {tag for tag, _ in read.elements}
    assert not tags & {"script", "iframe", "object", "img", "style", "base", "embed"}, tags
    assert not [
        name for _, attributes in read.elements for name in attributes if name.startswith("on") or name == "style"
    ]


@pytest.mark.parametrize("path", PAGES)
def test_links_lead_to_the_forge_or_stay_here(site: Site, visitor: httpx.Client, path: str) -> None:
    links = [attributes["href"] for attributes in page(visitor, path, 404 if "none" in path else 200).all("a")]
    away = [link for link in links if not re.match(r"[/?#](?!/)", link)]
    assert [link for link in away if not link.startswith(f"{site.team.forge.url}/{site.team.path}/-/")] == []


@pytest.mark.parametrize("path", [path for path in PAGES if "none" not in path])
@pytest.mark.parametrize("language", WORDS)
def test_every_page_is_whole_in_every_language(visitor: httpx.Client, path: str, language: str) -> None:
    read = page(visitor, path, **{"accept-language": language})
    assert read.all("html") == [{"lang": language}]
    headings = [tag for tag, _ in read.elements if re.fullmatch("h[1-6]", tag)]
    assert headings.count("h1") == 1
    levels = [int(tag[1]) for tag in headings]
    assert all(after <= before + 1 for before, after in pairwise(levels)), headings
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    fields = {
        attributes["id"]
        for tag in ("input", "select", "textarea")
        for attributes in read.all(tag)
        if "id" in attributes
    }
    assert fields <= {attributes["for"] for attributes in read.all("label")}


def test_hostile_text_is_shown_as_it_is_written(visitor: httpx.Client) -> None:
    read = page(visitor, f"/p/shop/memories/{HOSTILE_ID}")
    shown, apply = HOSTILE.replace("\u202e", "⟨U+202E⟩").split("\n\n**Apply:**")
    assert shown in read.text
    assert f"Apply:{apply}" in read.text, "what would turn text around is named"
    for text in ('src/<b onmouseover="x">.py', '"><script>alert(3)</script>', "<i>alias"):
        assert text in read.text
    assert not [
        link for link in read.all("a") if "evil" in link["href"] or "javascript:" in link["href"].partition("/-/")[0]
    ]
    assert TITLE in page(visitor, "/p/shop/queue").text
    words = "<zqxj>{{ 8 }}"
    read = Read(visitor.get("/p/shop/memories", params={"q": words}).text)
    assert [field["value"] for field in read.all("input") if field["name"] == "q"] == [words]
    assert f"“{words}”" in read.text


def test_the_queue_says_age_state_and_findings(site: Site, visitor: httpx.Client) -> None:
    text = visitor.get("/p/shop/queue").text
    clean, wrong = (part.partition("</dl>")[0] for part in text.split('<li class="card">')[1:])
    assert (f"!{site.clean} ·" in clean, "No findings" in clean, "today" in clean) == (True, True, True)
    assert (f"!{site.wrong} ·" in wrong, "errors" in wrong, "<strong>M0" in wrong) == (True, True, True)
    assert "wrong.md:" in wrong
    closed = text.partition("Closed without merging")[2]
    assert f"!{site.gone} ·" in closed
    assert f"{site.team.forge.url}/{site.team.path}/-/merge_requests/{site.wrong}" in text


def test_a_project_without_a_forge_says_that_its_queue_is_not_known(visitor: httpx.Client) -> None:
    assert WORDS["en"]["queue_unknown"] in page(visitor, "/p/empty/queue").text
    assert WORDS["en"]["list_none"] in page(visitor, "/p/empty/memories").text


def test_a_memory_says_what_it_rests_on_who_approved_it_and_its_history(site: Site, visitor: httpx.Client) -> None:
    found = visitor.get("/p/shop/memories/mem-F003-retry-after-429").text
    text = " ".join(Read(found).text.split())
    assert WORDS["en"]["memory_doubted"] in text
    assert "src/payment/retry.py changed its content changed" in text
    assert "Approved by linh" in text
    assert "Work" in text.partition("History")[2]
    commit = site.served.commit()
    assert f"/-/blob/{commit}/99.Memory/01.Lessons/dev/F-003_Payment/retry-after-429.md" in found
    fresh = " ".join(page(visitor, "/p/shop/memories/mem-F003-idempotency-key").text.split())
    assert "src/payment/client.py unchanged" in fresh
    assert WORDS["en"]["memory_fresh"] in fresh
    assert WORDS["en"]["memory_marked"] in page(visitor, "/p/shop/memories/mem-F003-new-way").text
    old = visitor.get("/p/shop/memories/mem-F003-old-way").text
    assert WORDS["en"]["memory_replaced"] in old
    assert 'href="/p/shop/memories/mem-F003-new-way"' in old


def test_a_text_is_marked_with_its_own_language(visitor: httpx.Client) -> None:
    for name, language in (("idempotency-key", "ja"), ("gateway-timeouts", "vi"), ("refund-window", "en")):
        read = page(visitor, f"/p/shop/memories/mem-F003-{name}", **{"accept-language": "en"})
        assert [heading.get("lang") for heading in read.all("h1")] == [language]


def test_search_finds_in_any_language_and_the_list_has_pages_and_types(visitor: httpx.Client) -> None:
    for words in ("二重決済", "thanh toan", "idempot"):
        read = page(visitor, f"/p/shop/memories?q={words}")
        assert any(link["href"].startswith("/p/shop/memories/mem-") for link in read.all("a")), words
    everything = page(visitor, "/p/shop/memories")
    links = [link["href"] for link in everything.all("a") if "/memories/mem-" in link["href"]]
    assert len(links) == 13
    terms = page(visitor, "/p/shop/memories?type=glossary")
    assert {link["href"].rpartition("/")[2] for link in terms.all("a") if "/memories/mem-" in link["href"]} == {
        "mem-global-juchu", "mem-global-kessai",
    }  # fmt: skip
    rest = page(visitor, "/p/shop/memories?after=mem-global-juchu")
    ids = [link["href"].rpartition("/")[2] for link in rest.all("a") if "/memories/mem-" in link["href"]]
    assert ids == [name for name in sorted(link.rpartition("/")[2] for link in links) if name > "mem-global-juchu"]


TICKET = {
    "title": "再送で二重決済になる",
    "keywords": "payment、 retry, http-429",
    "function": "F-003_Payment",
    "workflow": "coding",
}


def test_why_explains_as_the_api_does(site: Site, visitor: httpx.Client) -> None:
    asked = {"title": TICKET["title"], "keywords": ["payment", "retry", "http-429"], "functionId": TICKET["function"],
             "workflow": "coding"}  # fmt: skip
    told = site.served.http.post("/v1/projects/shop/recall", json={"ticket": asked, "explain": True}).json()
    sent = visitor.post("/p/shop/why", data=TICKET)
    linked = visitor.get("/p/shop/why", params=TICKET)
    for found in (sent, linked):
        assert found.status_code == 200
        rows = found.text.split("<tbody>")[1].partition("</tbody>")[0].split("<tr>")[1:]
        assert len(rows) == len(told["memories"])
        for row, item in zip(rows, told["memories"], strict=True):
            assert f"/memories/{item['id']}" in row
            assert f"<b>{item['score']:.2f}</b>" in row
            shown = re.findall(r"<b>([+-][0-9.]+)</b>", row)
            assert shown == [f"{amount:+.2f}" for amount in item["terms"].values() if round(amount, 2)]
        assert told["context"] in Read(found.text).text
        assert "mem-F003-old-way is replaced by mem-F003-new-way" in Read(found.text).text
    (again,) = (link["href"] for link in Read(sent.text).all("a") if link["href"].startswith("?title="))
    assert visitor.get(f"/p/shop/why{again}").text.partition("<tbody>")[2] == linked.text.partition("<tbody>")[2]


def test_why_without_a_ticket_asks_for_one_and_keeps_what_was_said(visitor: httpx.Client) -> None:
    assert WORDS["en"]["why_empty"] in Read(visitor.post("/p/shop/why", data={"title": " "}).text).text
    assert WORDS["en"]["why_empty"] not in page(visitor, "/p/shop/why").text
    found = Read(visitor.post("/p/shop/why", data={"description": "\n</textarea><b>x", "kind": "hotfix"}).text)
    assert "</textarea><b>x" in found.text
    assert {"value": "hotfix", "selected": ""} in found.all("option")


def test_health_says_in_text_what_its_charts_show(site: Site, visitor: httpx.Client) -> None:
    told = site.served.http.get("/v1/projects/shop/report").json()
    read = page(visitor, "/p/shop/health")
    text = " ".join(read.text.split())
    assert f"{told['memories']} approved memories" in text
    assert f"{told['queue']['open']} waiting for the PM" in text
    assert "2 may be stale" in text
    for row in ("lesson 6", "fact 3", "term 2", "up to 1 day 2"):
        assert row in text, row
    assert len(read.all("svg")) > 20
    assert all(drawn.get("aria-hidden") == "true" for drawn in read.all("svg")), "the text beside them says it"


def test_the_pilots_figures_are_those_of_all_machines_and_of_the_forge(site: Site, visitor: httpx.Client) -> None:
    text = wait_for(lambda: _told(page(visitor, "/p/shop/pilot").text), "the counts and the merge requests")
    for name, number in (("citations", 4), ("tasks", 2), ("citationsPerTask", 2), ("hits", 4), ("repeatsPrevented", 2),
                         ("tokensPerSession", "1,167"), ("queue", 2), ("rejected", 1), ("approved", 2)):  # fmt: skip
        title, definition = FIGURES["en"][name]
        assert f"{title} {number} {definition}" in text, name
    assert "2026-11-16 3.00" in text
    told = site.served.http.get("/v1/projects/shop/report").json()["pilot"]
    assert {name: told["figures"][name] for name in ("citations", "hits", "queue", "rejected")} == {
        "citations": 4, "hits": 4, "queue": 2, "rejected": 1,
    }  # fmt: skip
    assert told["definitions"]["queue"] == FIGURES["en"]["queue"][1]
    empty = " ".join(page(visitor, "/p/empty/pilot", **{"accept-language": "ja"}).text.split())
    title, definition = FIGURES["ja"]["queue"]
    assert f"{title} {REPORT['ja']['unknown']} {definition}" in empty, "without a forge nothing is known of a queue"


def _told(text: str) -> str:
    text = " ".join(text.split())
    return text if "Waiting 2" in text else ""


def test_who_has_no_token_is_asked_for_one_and_then_led_on(site: Site) -> None:
    with site.visitor("") as stranger:
        asked = stranger.get("/p/shop/queue?lang=ja")
        assert asked.status_code == 401
        read = Read(asked.text)
        (after,) = (field["value"] for field in read.all("input") if field["name"] == "after")
        assert after == "/p/shop/queue?lang=ja"
        assert "memory(" not in read.text
        wrong = stranger.post("/login", data={"token": "brain_x_y", "after": after})
        assert (wrong.status_code, "set-cookie" in wrong.headers, "brain_x_y" in wrong.text) == (401, False, False)
        let_in = stranger.post("/login", data={"token": f" {site.served.bearer}\n", "after": after})
        assert (let_in.status_code, let_in.headers["location"]) == (303, after)
        cookie = let_in.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert "Secure" not in cookie
        assert page(stranger, after).all("html") == [{"lang": "ja"}]
        left = stranger.post("/logout")
        assert (left.status_code, left.headers["location"]) == (303, "/login")
        assert stranger.get("/p/shop/queue").status_code == 401


def test_behind_https_the_cookie_stays_there(site: Site) -> None:
    with site.visitor("") as stranger:
        let_in = stranger.post("/login", data={"token": site.served.bearer}, headers={"x-forwarded-proto": "https"})
        assert "Secure" in let_in.headers["set-cookie"]


@pytest.mark.parametrize(
    "after", ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", "", "x"]
)
def test_the_login_leads_nowhere_else(site: Site, after: str) -> None:
    with site.visitor("") as stranger:
        assert stranger.post("/login", data={"token": site.served.bearer, "after": after}).headers["location"] == "/"


@pytest.mark.parametrize("headers", [{"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}, {"origin": "null"},
                                     {"sec-fetch-site": "same-site"}])  # fmt: skip
@pytest.mark.parametrize("path", ["/login", "/logout"])
def test_another_site_logs_nobody_in_or_out(site: Site, path: str, headers: dict[str, str]) -> None:
    with site.visitor() as found:
        answer = found.post(path, data={"token": site.served.bearer}, headers=headers)
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


def test_a_link_from_another_site_is_opened_once_more_with_the_cookie(site: Site) -> None:
    with site.visitor("") as stranger:
        led = stranger.get("/p/shop/queue", headers={"sec-fetch-site": "cross-site"})
        assert [meta for meta in Read(led.text).all("meta") if meta.get("http-equiv") == "refresh"]
        again = stranger.get("/p/shop/queue", headers={"sec-fetch-site": "same-origin"})
        assert (again.status_code, "refresh" in again.text) == (401, False)


def test_scopes_and_projects_of_a_token_hold_here_too(site: Site) -> None:
    with site.visitor(site.served.token("read", project="shop", name="reader")) as reader:
        assert page(reader, "/p/shop/memories").all("h1")
        assert [reader.get(f"/p/shop/{name}").status_code for name in ("queue", "health")] == [403, 403]
        assert [reader.get(f"/p/{name}/memories").status_code for name in ("empty", "none")] == [404, 404]
        links = {link["href"] for link in page(reader, "/p/shop/memories").all("a")}
        assert ("/p/shop/queue" in links, "/p/shop/why" in links) == (False, True)
        assert reader.get("/").headers["location"] == "/p/shop"
        assert reader.get("/p/shop").headers["location"] == "/p/shop/memories"
    with site.visitor(site.served.token("metrics", name="meter")) as meter:
        assert meter.get("/p/shop/memories").status_code == 403
        assert WORDS["en"]["projects_none"] in page(meter, "/").text
    with site.visitor() as owner:
        assert owner.get("/p/shop").headers["location"] == "/p/shop/queue"
        assert {"/p/shop", "/p/empty"} <= {link["href"] for link in page(owner, "/").all("a")}


def test_a_revoked_token_is_nobody_at_once(site: Site) -> None:
    text = site.served.token("read", name="gone")
    with site.visitor(text) as guest:
        assert guest.get("/p/shop/memories").status_code == 200
        assert (
            site.served.run("token", "revoke", "--settings", str(site.served.settings), text.split("_")[1]).returncode
            == 0
        )
        assert WORDS["en"]["login_wrong"] in page(guest, "/p/shop/memories", 401).text


def test_the_token_is_in_no_page_and_no_log(site: Site, visitor: httpx.Client) -> None:
    secret = site.served.bearer.rpartition("_")[2]
    for path in PAGES:
        assert secret not in visitor.get(path).text
    assert secret not in site.served.log.read_text("utf-8")


def test_what_is_not_there_is_said_in_the_visitors_language(visitor: httpx.Client) -> None:
    for path in (
        "/p/shop/memories/none",
        "/p/none/queue",
        "/p/Sh%20op/queue",
        "/web/none.css",
        "/p/shop/memories/" + "x" * 300,
    ):
        read = page(visitor, path, 404, **{"accept-language": "vi"})
        assert WORDS["vi"]["trouble_404"] in read.text, path
    many = "&".join(f"f{number}=1" for number in range(100))
    sent = visitor.post("/p/shop/why", content=many, headers={"content-type": "application/x-www-form-urlencoded"})
    assert sent.status_code == 400
    assert visitor.post("/p/shop/why", data={"description": "x" * 300_000}).status_code == 413


def test_files_beside_the_pages_are_kept_by_their_version(visitor: httpx.Client) -> None:
    (style,) = (link["href"] for link in page(visitor, "/p/shop/why").all("link") if link["rel"] == "stylesheet")
    found = visitor.get(style)
    assert (found.headers["content-type"], "immutable" in found.headers["cache-control"]) == (
        "text/css; charset=utf-8",
        True,
    )
    assert "url(" not in found.text
    assert "@import" not in found.text


def test_the_switch_is_remembered_and_keeps_the_question(visitor: httpx.Client) -> None:
    read = page(visitor, "/p/shop/memories?q=payment", **{"accept-language": "fr, en;q=0.5"})
    links = {link["hreflang"]: link["href"] for link in read.all("a") if "hreflang" in link}
    assert links["ja"] == "?q=payment&lang=ja"
    assert page(visitor, "/p/shop/memories?lang=ja").all("html") == [{"lang": "ja"}]
    assert page(visitor, "/p/shop/queue", **{"accept-language": "vi"}).all("html") == [{"lang": "ja"}]


@pytest.mark.parametrize(("asked", "language"), [
    (("", "", ""), "en"), (("", "", "vi-VN,vi;q=0.9,en;q=0.8"), "vi"), (("", "ja", "vi"), "ja"), (("vi", "ja", "en"), "vi"),
    (("xx", "<b>", "fr, ja;q=0.2, en;q=0.3"), "en"), (("", "", "vi;q=0, ja;q=x, *"), "en"), (("", "", ",;q=,JA"), "ja"),
])  # fmt: skip
def test_the_language_is_the_chosen_then_the_kept_then_the_asked(asked: tuple[str, str, str], language: str) -> None:
    assert choose_language(*asked) == language


def test_every_language_says_everything_with_the_same_facts() -> None:
    def facts(words: dict[str, str]) -> dict[str, set[str]]:
        return {key: set(re.findall(r"{(\w+)}", text)) for key, text in words.items() if not key.endswith(ONE)}

    english = facts(WORDS["en"])
    for words in WORDS.values():
        assert facts(words) == english
        assert all(words.values())


def test_every_word_of_the_pages_is_used() -> None:
    from brain_api.web import page as pages

    found = pages.templates()
    assert found.loader
    text = "".join(found.loader.get_source(found, name)[0] for name in found.list_templates())
    groups = ("merge_", "type_", "status_", "reason_", "ref_", "kind_", "term_", "fresh_", "age_", "trouble_", "findings_",
              "service_", "error", "warning")  # fmt: skip
    unused = [key for key in WORDS["en"] if f'"{key.removesuffix(ONE)}"' not in text and not key.startswith(groups)]
    assert unused == []


def test_weeks_begin_on_mondays_and_end_with_this_one() -> None:
    found = weeks([], "2026-11-30")  # a Monday
    assert (found[-1], len(found)) == (("2026-11-30", 0), 26)
    assert weeks([], "2026-12-06")[-1][0] == "2026-11-30"


def test_a_column_that_is_not_0_can_be_seen() -> None:
    small, large, none = columns([("a", 1), ("b", 10_000), ("c", 0)])
    assert (small.height, large.height, none.height) == (2.0, 100.0, 0.0)
    assert (small.y, large.y, large.x) == (98.0, 0.0, 55.0)
    assert [column.width for column in columns([("a", 1)] * 24)] == [20.0] * 24


def test_trouble_of_the_service_is_told_on_its_pages(site: Site, visitor: httpx.Client) -> None:
    row = wait_for(lambda: site.served.row("empty"), "the project")
    assert row["status"] == "ready"
    gone = site.served.folder.parent / "empty"
    aside = gone.rename(gone.with_name("aside"))
    try:
        wait_for(lambda: site.served.row("empty")["status"] == "old", "that it is missed")
        text = page(visitor, "/p/empty/memories").text
        assert "cannot be brought up to date now" in text
        assert WORDS["en"]["list_none"] in text
    finally:
        aside.rename(gone)


@pytest.mark.parametrize(("path", "status"), [
    ("/p/shop/memories/%00", 404), ("/p/shop/memories/..%2f..%2fetc%2fpasswd", 404), ("/p/shop/memories/%ff%fe", 404),
    ("/p/shop/memories?q=%00%ff%ed%a0%80", 200), ("/p/shop/memories?after=%f0%9f&type=%22%3E", 200), ("/p/shop/memories?q=" + "x" * 600, 404),
    ("/p/shop/why?title=%00&files=%0a%0a..%2f&keywords=,,,&kind=%3Cb%3E", 200), ("/web/..%2fpage.py", 404), ("/p/shop/why?lang=%00", 200),
])  # fmt: skip
def test_odd_requests_are_answered_with_a_page(visitor: httpx.Client, path: str, status: int) -> None:
    odd = {"accept-language": ",;q=1e999;" + "x" * 2000, "cookie": f"brain_language=%00; {'a' * 500}=1"}
    found = visitor.get(path, headers=odd)
    assert (found.status_code in (status, 401), "Traceback" in found.text) == (True, False), found.text
    assert visitor.get(path).status_code == status


def test_a_newcomers_one_command_shows_the_page(world: World) -> None:
    clone(world.memory, world.folder / "docs")
    workspace = clone(world.code, world.folder / "shop")
    (workspace / ".aiflow").mkdir()
    (workspace / ".aiflow" / "state.json").write_text('{"memory": {"repo": "../docs"}}')
    log = world.folder / "log"
    with log.open("wb") as file:
        command = [sys.executable, "-m", "brain_api", "serve", "--port", "0"]
        served = subprocess.Popen(command, cwd=workspace, env=environment(), stderr=file)
    try:
        line = wait_for(
            lambda: next((row for row in log.read_text().splitlines() if "http://127" in row), ""), "the address"
        )
        with httpx.Client(base_url=line.split()[1], trust_env=False, follow_redirects=True) as http:
            wait_for(lambda: ready(http), "the memory")
            found = http.get("")
            assert "mem-F003-retry" in found.text
            assert str(found.url).endswith("/p/shop/memories")
            assert [http.get(f"/p/shop/{name}").status_code for name in ("queue", "why", "health", "pilot")] == [
                200
            ] * 4
            assert WORDS["en"]["login"] not in Read(found.text).text
    finally:
        served.terminate()
        assert served.wait(30) == 0


def test_one_stale_ref_makes_a_memory_stale_whatever_the_others_are() -> None:
    place = find_place(RETRY)
    assert place

    def state(*states: str, refs: tuple[str, ...] = ("src/a.py", "src/b.py")) -> str:
        doubts = [Doubt("src/a.py", COMMIT, Answer(state, "why")) for state in states]
        return state_of(parse_memory(memory_text(RETRY, refs=refs), place), doubts)

    assert [state("unknown", "stale"), state("stale", "unknown"), state("unknown")] == ["stale", "stale", "unknown"]
    assert [state(), state(refs=())] == ["fresh", ""]
