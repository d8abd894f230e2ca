"""Requests to GitLab's REST interface, through python-gitlab, with what that leaves to us (facts.md, end of part A).

A request always has a deadline. Only what may be sent twice is sent twice: a GET, and a PUT, which sets values; whoever
sends a POST must look whether it took effect (``ForgeError.unclear``). Rate limits are waited for shortly, and then
told. The token travels in the ``Authorization`` header alone, which is taken off where a redirect leads elsewhere.
"""

from __future__ import annotations

import json
import time
from urllib.parse import parse_qsl, urlsplit

from brain.errors import ForgeError
from brain.git.fetch import without_userinfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    import gitlab
    import requests

    from brain.forge.locate import Location

TRIES = 3
PAUSE = 0.3
"""Seconds before the second try, twice that before the third."""
MOST_WAIT = 10.0
"""Seconds that rate limits are waited for in one run."""
MOST_PAGES = 1000
ONCE = ("post", "patch")
"""What must not be sent again unseen: it makes something, or adds to a list."""
TRANSIENT = frozenset((500, 502, 503, 504))
OFFLINE = "check network, VPN and proxy; nothing is lost: run it again later"


class RateLimitError(ForgeError):
    """Too many requests: this one was not carried out. ``seconds`` until the server wants another."""

    def __init__(self, request: str, seconds: float) -> None:
        super().__init__(request, 429, "too many requests", f"try again in {seconds:g} s")
        self.seconds = seconds


class UntrustedError(ForgeError):
    """The server's certificate is not trusted, or what it is checked by cannot be read: trying again does not help."""


class NotGitLabError(ForgeError):
    """What answered is no GitLab: it speaks no JSON."""


class Connection:
    """A server, and how to ask it."""

    def __init__(self, location: Location, server: str) -> None:
        self.location, self.server = location, server
        self._waited = 0.0
        self._headers: Mapping[str, str] = {}
        self._client: gitlab.Gitlab | None = None

    def call(
        self, verb: str, path: str, *, query: Mapping[str, Any] | None = None, body: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the JSON that a request is answered with, None where the answer is empty.

        Raises:
            ForgeError: There was no answer, it was an error, or it is no JSON.
        """
        response = self.response(verb, path, query=query, body=body)
        return _parse(response, f"{verb.upper()} {path}") if response.content else None

    def each(self, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        """Yield all rows of a list: ``Link`` says where the next page is, the totals may be missing."""
        asked = {"per_page": "100", **query}
        for _ in range(MOST_PAGES):
            response = self.response("get", path, query=asked)
            rows = _parse(response, f"GET {path}")
            yield from rows if isinstance(rows, list) else ()
            following = response.links.get("next", {}).get("url")
            if not following:
                return
            asked = {**asked, **dict(parse_qsl(urlsplit(following).query))}

    def response(
        self, verb: str, path: str, *, query: Mapping[str, Any] | None = None, body: Mapping[str, Any] | None = None
    ) -> requests.Response:
        """Return the answer to a request, which is sent again where that does no harm."""
        for tries in range(1, TRIES + 1):
            try:
                return self._send(verb, path, query, body)
            except RateLimitError as error:
                self._wait(error, last=tries == TRIES)
            except ForgeError as error:
                if not error.unclear or verb in ONCE or tries == TRIES:
                    raise
                time.sleep(PAUSE * tries)
        raise AssertionError  # the last try returns or raises

    def _wait(self, error: RateLimitError, *, last: bool) -> None:
        if last or self._waited + error.seconds > MOST_WAIT:
            raise error
        self._waited += error.seconds
        time.sleep(error.seconds)

    def _send(
        self, verb: str, path: str, query: Mapping[str, Any] | None, body: Mapping[str, Any] | None
    ) -> requests.Response:
        import requests
        from gitlab.exceptions import GitlabError, RedirectError

        request = f"{verb.upper()} {path}"
        try:
            return self._connected().http_request(
                verb, path, query_data=dict(query or {}), post_data=None if body is None else dict(body),
                obey_rate_limit=False, max_retries=0, retry_transient_errors=False, timeout=self.location.timeout,
            )  # fmt: skip
        except RedirectError as error:
            reason = f"it was redirected: {self._clean(str(error))}"
            raise ForgeError(request, 0, reason, "set gitlab.url and gitlab.project to where it leads") from None
        except GitlabError as error:
            raise self._refused(request, error) from None
        except requests.RequestException as error:
            raise self._unanswered(request, error) from None
        except OSError as error:  # requests cannot read the file of authorities
            reason = f"{self.location.ca or 'the file of certificate authorities'}: {self._clean(str(error))}"
            raise UntrustedError(request, 0, reason, "set gitlab.ca to a file that is there, in PEM form") from None

    def _connected(self) -> gitlab.Gitlab:
        """Return the client; the library is imported here, since most commands need none."""
        if self._client is None:
            import gitlab

            self._client = gitlab.Gitlab(
                self.server, oauth_token=str(self.location.token) or None, ssl_verify=self.location.ca or True,
                timeout=self.location.timeout, keep_base_url=True, user_agent="project-brain",
            )  # fmt: skip
            self._client.session.hooks["response"].append(self._keep_headers)
        return self._client

    def _keep_headers(self, response: requests.Response, *_args: Any, **_named: Any) -> None:
        """Keep the last answer's headers: python-gitlab's errors do not carry ``Retry-After``."""
        self._headers = response.headers

    def _refused(self, request: str, error: Any) -> ForgeError:
        """Return the error that an answer other than 2xx means."""
        status = int(error.response_code or 0)
        if status == 429:
            return RateLimitError(request, self._retry_after())
        if status == 404 and not _is_json(error.response_body or b""):
            return NotGitLabError(request, status, f"{self.server} is no GitLab", "set gitlab.url to its address")
        reason = self._clean(_flat(error.error_message)) or "no reason given"
        hint = _hint(status, reason, self.location.token_name if self.location.token else "")
        return ForgeError(request, status, reason, hint, unclear=status in TRANSIENT)

    def _unanswered(self, request: str, error: requests.RequestException) -> ForgeError:
        """Return the error that no answer means; where no connection was made, nothing was sent."""
        import requests

        cause = _innermost(error)
        reason = f"{self.server}: {self._clean(str(cause) or type(cause).__name__)}"
        if isinstance(error, requests.exceptions.SSLError):
            hint = "set gitlab.ca to the file of the authority that signed the server's certificate"
            hint += f"; it is {self.location.ca}" if self.location.ca else ""
            return UntrustedError(request, 0, f"the certificate is not trusted: {reason}", hint)
        if isinstance(error, requests.exceptions.ProxyError):
            hint = "check HTTPS_PROXY, HTTP_PROXY and NO_PROXY; a server inside the network belongs into NO_PROXY"
            return ForgeError(request, 0, f"the proxy refuses or does not answer: {reason}", hint)
        if isinstance(error, requests.Timeout):
            reason = f"{self.server}: no answer within {self.location.timeout:g} s"
        unsent = isinstance(error, requests.exceptions.ConnectTimeout | requests.exceptions.InvalidURL)
        unsent = unsent or isinstance(cause, ConnectionRefusedError) or type(cause).__name__ == "gaierror"
        return ForgeError(request, 0, reason, OFFLINE, unclear=not unsent)

    def _retry_after(self) -> float:
        text = self._headers.get("Retry-After", "")
        return min(float(text), 86400.0) if text.isascii() and text.isdigit() else 1.0

    def _clean(self, text: str) -> str:
        """Return one line that holds no secret."""
        line = " ".join(without_userinfo(text).split())
        return (line.replace(self.location.token, "***") if self.location.token else line)[:300]


def _parse(response: requests.Response, request: str) -> Any:
    try:
        return response.json()
    except ValueError:
        raise NotGitLabError(request, 0, "the answer is no JSON", "set gitlab.url to GitLab's own address") from None


def _is_json(body: bytes | str) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def _flat(message: Any) -> str:
    """Return what GitLab says on one line: it is a text, a list, or a mapping of field to list."""
    if isinstance(message, dict):
        return "; ".join(f"{key}: {_flat(found)}" for key, found in message.items())
    if isinstance(message, list | tuple):
        return "; ".join(map(_flat, message))
    text = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message or "")
    return "" if text.lstrip().startswith("<") else text


def _innermost(error: BaseException) -> BaseException:
    """Return the cause behind requests' and urllib3's wrappings."""
    seen = error
    while seen.__cause__ or seen.__context__:
        seen = seen.__cause__ or seen.__context__ or seen
    return seen


def _hint(status: int, reason: str, token_name: str) -> str:
    if status == 401:
        return f"the token in {token_name} is not valid, has expired, or may not do this" if token_name else ""
    if status == 403:
        return "the project may be archived, or the token's role or scopes do not allow it (it needs the scope api)"
    if status == 405 and "moved" in reason:
        return "the project moved: set gitlab.project to its new path"
    return OFFLINE if status in TRANSIENT else ""
