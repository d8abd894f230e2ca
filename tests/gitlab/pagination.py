"""Lists in pages: offset with headers and links, or keyset with links alone."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode

from tests.gitlab import errors, faults
from tests.gitlab.call import Call, Reply

KEYSET = {"/projects", "/users", "/groups"}


def paged(call: Call, rows: list[Any], render: Any = None) -> Reply:
    """Answer one page of `rows`, each drawn by `render` (only those on the page are drawn)."""
    draw = render or (lambda row: row)
    per_page = min(max(call.int("per_page", 20), 1), 100)
    if call.text("pagination") == "keyset":
        return _keyset(call, rows, draw, per_page)
    page = max(call.int("page", 1), 1)
    chosen = rows[(page - 1) * per_page : page * per_page]
    return Reply([draw(row) for row in chosen], headers=_headers(call, len(rows), page, per_page))


def _headers(call: Call, total: int, page: int, per_page: int) -> dict[str, str]:
    pages = max(-(-total // per_page), 1)
    counted = total <= call.world.settings["max_rows_counted"]
    after = page + 1 if page < pages else None
    before = page - 1 if 1 < page <= pages else None
    links = {"prev": before, "next": after, "first": 1, "last": pages if counted else None}
    headers = {
        "x-page": str(page),
        "x-per-page": str(per_page),
        "x-next-page": str(after or ""),
        "x-prev-page": str(before or ""),
        "link": ", ".join(
            f'<{_url(call, page=to, per_page=per_page)}>; rel="{rel}"' for rel, to in links.items() if to
        ),
    }
    if counted and not faults.take(call.world, "headers"):
        headers |= {"x-total": str(total), "x-total-pages": str(pages)}
    return headers


def _url(call: Call, **change: Any) -> str:
    kept = [(key, value) for key, value in parse_qsl(call.query, keep_blank_values=True) if key not in change]
    return f"{call.world.address}/api/v4{call.path}?{urlencode(kept + list(change.items()))}"


def _keyset(call: Call, rows: list[Any], draw: Any, per_page: int) -> Reply:
    if call.path not in KEYSET and not call.path.startswith(("/projects/", "/groups/")):
        raise errors.not_allowed("Keyset pagination is not yet available for this type of request")
    if call.path in KEYSET:
        rows = sorted(rows, key=lambda row: row["id"], reverse=call.text("sort", "desc") == "desc")
    ids = [str(row.get("id", row.get("name"))) for row in rows]
    start = ids.index(call.text("cursor")) + 1 if call.text("cursor") in ids else 0
    chosen = rows[start : start + per_page]
    headers = {}
    if start + per_page < len(rows):
        headers["link"] = f'<{_url(call, cursor=ids[start + per_page - 1])}>; rel="next"'
    return Reply([draw(row) for row in chosen], headers=headers)
