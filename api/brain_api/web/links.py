"""Links to GitLab, the only ones that lead away: made of the service's own settings, never of what a memory says."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from brain.forge.locate import WEB, parse_address
from brain.stale.refs import MEMORY
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.stale.refs import Ref
    from brain_api.project import Project


@value
class Links:
    """The server, "" where none is known, and alias → the path there of that repo; ``docs`` is the memory's."""

    server: str
    projects: Mapping[str, str]

    def file(self, alias: str, commit: str, path: str) -> str:
        """Return the address of a file as it is in a commit, "" where nothing tells."""
        return self._at(alias, f"blob/{commit}/{quote(path, errors='surrogateescape')}") if commit and path else ""

    def commit(self, commit: str) -> str:
        """Return the address of a commit of the memory repo, "" where nothing tells."""
        return self._at(MEMORY, f"commit/{commit}") if commit else ""

    def ref(self, ref: Ref, commit: str) -> str:
        """Return the address of what a ref names as it is in ``commit``, "" for a glob or where nothing tells."""
        return "" if ref.is_glob else self.file(ref.alias, commit, ref.path.rstrip("/"))

    def _at(self, alias: str, rest: str) -> str:
        path = self.projects.get(alias)
        return f"{self.server}/{quote(path)}/-/{rest}" if self.server and path else ""


def links_of(project: Project) -> Links:
    """Return the links of a project; a code repo on another server than the memory's has none."""
    where, settings = project.location, project.settings
    if where is None:
        return Links("", {})
    server, own = where.places[0]
    if urlsplit(server).scheme not in WEB:
        return Links("", {})
    found = {MEMORY: own}
    for alias, url in {"": settings.code, **settings.repos}.items():
        address = parse_address(url) if url else None
        if address and address.host == urlsplit(server).hostname:
            sub = urlsplit(server).path.strip("/")
            found[alias] = address.path.removeprefix(f"{sub}/") if sub and address.scheme in WEB else address.path
    return Links(server, found)


def is_web(url: str) -> bool:
    """Say whether an address that GitLab gave leads to a page: nothing else becomes a link."""
    return urlsplit(url).scheme in WEB
