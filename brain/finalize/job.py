"""What finalize works with: a clone, its remote, its project on GitLab, and the token that may do it."""

from __future__ import annotations

import re

from brain.errors import BrainError
from brain.forge.locate import TOKEN
from brain.git.refs import get_repo
from brain.settings import load_config
from brain.submit.gather import check_forge, open_remote
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.forge.gitlab import GitLab
    from brain.forge.values import Person
    from brain.submit.push import Link

FORGE_FACTS = "finalize-forge.json"
BOT_NAME = re.compile(r"(?:project|group)_\d+_bot")
"""How GitLab calls the owner of a token of a project or group."""


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
    doors = open_remote(repo, config["memory.remote"], config, env, cache=FORGE_FACTS)
    link, gitlab = doors.link, doors.gitlab
    if gitlab is None:
        raise _no_token(env)
    link.ca = link.ca or env.get("CI_SERVER_TLS_CA_FILE", "")
    link.uses_token = link.takes_token  # what the runner left in the clone must not win: its push starts no pipeline
    me = check_forge(doors)
    return Job(repo.path, config["memory.root"], config["memory.branch"], link, gitlab, me, env)


def require_bot(me: Person, named: str) -> None:
    """Make sure that it is the bot who finalizes: what anyone else seals, the job does not take for looked at.

    Args:
        me: Whose token it is.
        named: The username that settings give the bot, "" where they leave it to GitLab to say who is one.

    Raises:
        BrainError: It is somebody else.
    """
    if me.username.lower() != named.lower() if named else not (me.bot or BOT_NAME.match(me.username)):
        what = f"the token in {TOKEN} is @{me.username}'s, and finalize is the bot's"
        raise BrainError(what, "let its job run, or take the bot's token; a user who is the bot is named in gitlab.bot")


def _no_token(env: Mapping[str, str]) -> BrainError:
    hint = f"set {TOKEN}, protected and masked: a project access token with the scopes api and write_repository"
    if env.get("CI_JOB_TOKEN"):
        what = "there is only CI_JOB_TOKEN: it cannot read approvals, and a push with it starts no pipeline"
        return BrainError(what, hint)
    return BrainError(f"finalize asks GitLab who approved, and {TOKEN} is empty", hint)
