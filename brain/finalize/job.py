"""What finalize works with: a clone, its remote, its project on GitLab, and the token that may do it."""

from __future__ import annotations

import os

from brain.errors import BrainError
from brain.forge.gitlab import GitLab
from brain.forge.locate import TOKEN, locate
from brain.git.refs import get_repo
from brain.index.cache import cache_dir
from brain.settings import load_config
from brain.submit.push import Link
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.forge.values import Person

FORGE_FACTS = "finalize-forge.json"


@value
class Job:
    """``repo`` is the clone's folder, ``root`` the memory root in it, ``me`` whose token it is.

    ``branch`` is the default branch's name where settings say it.
    """

    repo: str
    root: str
    branch: str
    link: Link
    gitlab: GitLab
    me: Person
    env: Mapping[str, str]


def open_job(folder: str, env: Mapping[str, str]) -> Job:
    """Return what finalize of the clone at ``folder`` works with.

    Raises:
        BrainError: There is no token that could do it, or the project takes no changes.
        ForgeError: GitLab does not answer, or not to this token.
    """
    repo = get_repo(folder)
    config = load_config({}, None, env)  # the clone's own files are not looked at: they may be a merge request's
    remote = config["memory.remote"]
    ca = os.path.expanduser(config["gitlab.ca"]) or env.get("CI_SERVER_TLS_CA_FILE", "")
    link = Link(repo.path, remote, env, ca=ca)
    where = locate(link.url, config, env)
    if where is None or not where.token:
        raise _no_token(env)
    link = Link(repo.path, remote, env, str(where.token), where.ca or ca, where.places[0][0])
    link.uses_token = link.takes_token  # what the runner left in the clone must not win: its push starts no pipeline
    gitlab = GitLab(where, os.path.join(cache_dir(repo), FORGE_FACTS))
    project = gitlab.project()
    if project.archived:
        raise BrainError(f"{project.path} is archived on GitLab: it takes no changes", "have it unarchived, or moved")
    return Job(repo.path, config["memory.root"], config["memory.branch"], link, gitlab, gitlab.person(), env)


def _no_token(env: Mapping[str, str]) -> BrainError:
    hint = f"set {TOKEN}, protected and masked: a project access token with the scopes api and write_repository"
    if env.get("CI_JOB_TOKEN"):
        what = "there is only CI_JOB_TOKEN: it cannot read approvals, and a push with it starts no pipeline"
        return BrainError(what, hint)
    return BrainError(f"finalize asks GitLab who approved, and {TOKEN} is empty", hint)
