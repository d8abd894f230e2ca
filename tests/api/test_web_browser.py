"""The pages in a real browser: axe finds nothing, nothing runs or is loaded from elsewhere, keys alone are enough."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from brain_api.web.texts import WORDS
from tests.api.test_web import TICKET
from tests.api.web_site import HOSTILE_ID, Site, sealed_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe_runner = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.gitlab.fixture import Forge

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the PATH")
PAGES = (
    "/", "/p/shop/queue", "/p/shop/memories", "/p/shop/memories?q=payment", f"/p/shop/memories/{HOSTILE_ID}",
    "/p/shop/memories/mem-F003-retry-after-429", "/p/shop/memories/mem-F003-old-way",
    "/p/shop/why?title=payment+retry+429&keywords=payment&workflow=coding", "/p/shop/why", "/p/shop/health",
    "/p/empty/queue", "/p/empty/memories", "/p/empty/health", "/p/empty/pilot", "/p/none/queue", "/login",
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, free_forge: Forge) -> Iterator[Site]:
    yield from sealed_site(tmp_path_factory, free_forge, "[limits]\nrate = 1000\nburst = 1000\n")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def enter(site: Site, browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Return what opens a browser's window, logged in; whatever runs or is loaded in it is held against the page."""
    made, wrong = [], []

    def look(page: Page) -> None:
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda said: wrong.append(said.text) if said.type == "error" and "status of" not in said.text else None,
        )
        page.on("request", lambda asked: None if asked.url.startswith(site.served.url) else wrong.append(asked.url))

    def make(*, known: bool = True, **settings: Any) -> BrowserContext:
        context = browser.new_context(base_url=site.served.url, **settings)
        made.append(context)
        if known:
            context.add_cookies([{"name": "brain_token", "value": site.served.bearer, "url": site.served.url}])
        context.on("page", look)
        return context

    yield make
    for context in made:
        context.close()
    assert wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", WORDS)
def test_axe_finds_nothing_on_any_page(enter: Callable[..., BrowserContext], language: str, scheme: str) -> None:
    page = enter(color_scheme=scheme, locale=language).new_page()
    found = []
    for path in PAGES:
        page.goto(path)
        for details in page.locator("details").all():
            details.evaluate("element => element.open = true")
        found += [
            (path, rule["id"], [node["html"] for node in rule["nodes"]])
            for rule in axe_runner.Axe().run(page).response["violations"]
        ]
    assert found == []


@pytest.mark.parametrize("language", WORDS)
def test_every_page_fits_320_pixels(enter: Callable[..., BrowserContext], language: str) -> None:
    page = enter(viewport={"width": 320, "height": 640}, locale=language).new_page()
    wide = {}
    for path in PAGES:
        page.goto(path)
        for details in page.locator("details").all():
            details.evaluate("element => element.open = true")
        width = page.evaluate("document.scrollingElement.scrollWidth")
        if width > 320:
            wide[path] = width
    assert wide == {}


def test_light_and_dark_follow_the_system(enter: Callable[..., BrowserContext]) -> None:
    def colours(scheme: str) -> Any:
        page = enter(color_scheme=scheme).new_page()
        page.goto("/p/shop/why")
        return page.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")

    light, dark = colours("light"), colours("dark")
    assert light[0] != dark[0]
    assert light[1] != dark[1]


def test_keys_alone_and_no_script_are_enough_to_log_in_ask_and_read(
    site: Site, enter: Callable[..., BrowserContext]
) -> None:
    page = enter(known=False, java_script_enabled=False, locale="vi").new_page()
    page.goto("/p/shop/why")
    page.keyboard.type(site.served.bearer)  # the one field has the focus
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=WORDS["vi"]["why"], level=1).wait_for()
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == WORDS["vi"]["skip"]
    assert page.locator(":focus").bounding_box()["x"] >= 0, "it is seen once it has the focus"
    page.keyboard.press("Enter")
    assert page.locator(":focus").get_attribute("id") == "main"
    page.keyboard.press("Tab")
    page.keyboard.type(TICKET["title"])
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=WORDS["vi"]["why_result"]).wait_for()
    assert page.get_by_label(WORDS["vi"]["why_title"]).input_value() == TICKET["title"]
    page.get_by_role("link", name="mem-F003-idempotency-key").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="再送のたびに新しい冪等キーを作ると、二重決済になる", level=1).wait_for()


def test_what_has_the_focus_is_seen(enter: Callable[..., BrowserContext]) -> None:
    page = enter().new_page()
    page.goto("/p/shop/queue")
    seen = []
    for _ in range(12):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))
    assert set(seen) == {"solid"}


def test_a_link_on_another_site_leads_to_the_page_and_not_to_the_login(
    site: Site, enter: Callable[..., BrowserContext], browser: Browser
) -> None:
    context = browser.new_context()
    context.add_cookies(
        [{"name": "brain_token", "value": site.served.bearer, "url": site.served.url, "sameSite": "Strict"}]
    )
    page = context.new_page()
    page.goto(site.served.url.replace("127.0.0.1", "localhost") + "/login")  # to a browser, another site
    page.evaluate("address => { location.href = address }", f"{site.served.url}/p/shop/queue")
    page.get_by_role("heading", name=WORDS["en"]["queue"], level=1).wait_for()
    context.close()


def test_a_printed_page_has_no_form_of_the_frame(enter: Callable[..., BrowserContext]) -> None:
    page = enter().new_page()
    page.emulate_media(media="print")
    page.goto("/p/shop/health")
    assert page.get_by_role("button", name=WORDS["en"]["logout"]).count() == 0
