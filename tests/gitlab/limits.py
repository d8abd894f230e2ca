"""Rate limits, as an administrator switches them on; and the RateLimit headers."""

from __future__ import annotations

from tests.gitlab import errors
from tests.gitlab.call import Call
from tests.gitlab.clock import iso

SETTING = "throttle_authenticated_api"


def limit_of(call: Call) -> tuple[int, int] | None:
    """Return how many requests in how many seconds, or None."""
    set_here = call.world.settings["rate_limit"]
    if set_here:
        return int(set_here["requests"]), int(set_here["seconds"])
    application = call.world.meta["application"]
    if not application.get(f"{SETTING}_enabled"):
        return None
    return int(application[f"{SETTING}_requests_per_period"]), int(application[f"{SETTING}_period_in_seconds"])


def count(call: Call) -> dict[str, str]:
    """Count a call and return its RateLimit headers; none when there is no limit.

    Raises:
        ApiError: 429 above the limit, in plain text.
    """
    limit = limit_of(call)
    if limit is None:
        return {}
    allowed, seconds = limit
    now = call.world.now()
    window = int(now // seconds)
    seen = call.world.meta.setdefault("seen", {})
    key = str(call.user["id"]) if call.user else "anonymous"
    kept = seen.get(key, [window, 0])
    used = kept[1] + 1 if kept[0] == window else 1
    seen[key] = [window, used]
    reset = (window + 1) * seconds
    headers = {
        "RateLimit-Limit": str(allowed),
        "RateLimit-Name": SETTING,
        "RateLimit-Observed": str(used),
        "RateLimit-Remaining": str(max(allowed - used, 0)),
        "RateLimit-Reset": str(reset),
    }
    if used > allowed:
        headers |= {"Retry-After": str(max(int(reset - now), 1)), "RateLimit-ResetTime": iso(reset) or ""}
        raise errors.ApiError(429, "Retry later\n", headers)
    return headers
