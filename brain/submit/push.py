"""The remote, through the git executable: what is there, bring it here, push with the state that is expected there.

Credentials, ssh settings, proxies and certificates are git's own. Only where git has no valid credentials, or the
address carries a job's (a push with which starts no pipeline), the token is used: in git's environment, so that it is
in no argument, address, file or message.
"""

from __future__ import annotations

import base64
import os
import re
from urllib.parse import urlsplit

from brain.errors import GitError
from brain.forge.locate import WEB, parse_address
from brain.git.fetch import HANGING, cause_of, without_userinfo
from brain.git.run import TIMED_OUT, try_git
from brain.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brain.git.run import Result

ARRIVED, MOVED, REFUSED, UNKNOWN = "arrived", "moved", "refused", "unknown"
"""It is there; the branch was not what was expected; the server or a hook said no; no clear answer."""
SECONDS = 120.0
"""Longest that git may take for one thing it does with the remote."""
FETCH = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance")
PLAIN = ("--no-verify", "--no-follow-tags", "--recurse-submodules=no")
"""This commit and nothing else; hooks of the code repo that the memory may lie in are not for it."""
JOB_USER = "gitlab-ci-token"
NO_ACCESS = re.compile(
    r"could not read (?:Username|Password)|Authentication failed|terminal prompts disabled|Access denied"
    r"|returned error: 40[13]|Permission denied \(publickey"
)
NO_ANSWER = re.compile(
    r"unable to access|Could not resolve|Connection (?:refused|timed out|reset)|unexpected disconnect|hung up"
    r"|early EOF|Could not read from remote|RPC failed|Network is unreachable|no answer within"
)
ANOTHER = re.compile(
    r"stale info|fetch first|non-fast-forward"  # seen by git here
    r"|cannot lock ref '[^']*': (?:reference already exists|is at \w+ but expected)"  # seen there, at the last moment
)
NO_OPTIONS = "does not support push options"
MERGE_REQUEST = re.compile(r"https?://\S+/-/merge_requests/(\d+)\b")


@value
class Heads:
    """What a remote has: its default branch and that one's commit, and the commit of the branch asked for ("" none)."""

    default: str
    base: str
    tip: str


@value
class Answer:
    """How a push ended, what the server said, and the merge request it named (0 and "" for none)."""

    state: str
    words: str = ""
    iid: int = 0
    url: str = ""


class Link:
    """One remote of the memory repo."""

    def __init__(
        self, repo: str, remote: str, env: Mapping[str, str], token: str = "", ca: str = "", server: str = ""
    ) -> None:
        self.repo, self.remote, self.env, self.token, self.ca = repo, remote, env, token, ca
        self.seconds = SECONDS
        found = try_git(repo, "remote", "get-url", remote)
        if found.status:
            hint = f"git remote add {remote} URL, or set memory.remote"
            raise GitError(["remote", "get-url", remote], found.status, f"there is no remote {remote!r}", hint)
        self.url = os.fsdecode(found.out).strip()
        address = parse_address(self.url)
        own = bool(address and urlsplit(server).hostname == address.host)  # a token is for its own server alone
        self.takes_token = bool(token and own and address and address.scheme in WEB)
        self.uses_token = bool(self.takes_token and address and address.user == JOB_USER)

    def heads(self, branch: str, default: str = "", guess: str = "") -> Heads:
        """Return what the remote has now; ``default`` names its default branch, "" asks, ``guess`` helps if it is mute.

        Raises:
            GitError: It did not answer, or has nothing on that branch.
        """
        names = [f"refs/heads/{name}" for name in dict.fromkeys((branch, default, guess)) if name]
        out = self._git("ls-remote", "--symref", self.remote, "HEAD", *names)
        refs: dict[str, str] = {}
        head = ""
        for line in out.decode("utf-8", "surrogateescape").splitlines():
            found, _, name = line.partition("\t")
            if found.startswith("ref: ") and name == "HEAD":
                head = found[5:].removeprefix("refs/heads/")
            elif not found.startswith("ref: "):
                refs[name] = found
        default = default or head or guess
        base = refs.get(f"refs/heads/{default}") or (refs.get("HEAD", "") if default == head else "")
        if not default or not base:
            what = f"a branch {default!r}" if default else "a default branch"
            hint = "push the memory's skeleton to it first, or set memory.branch"
            raise GitError(["ls-remote", self.remote], 2, f"{self.remote} has not {what}", hint)
        return Heads(default, base, refs.get(f"refs/heads/{branch}", ""))

    def fetch(self, heads: Heads, branch: str) -> None:
        """Bring those commits here, and note the default branch's where git keeps it.

        Raises:
            GitError: They could not be brought.
        """
        wanted = [f"+refs/heads/{heads.default}:refs/remotes/{self.remote}/{heads.default}"]
        if heads.tip and not self.has(heads.tip):
            wanted.append(f"+refs/heads/{branch}:refs/remotes/{self.remote}/{branch}")
        if len(wanted) > 1 or not self._is_noted(heads):
            self._git(*FETCH, self.remote, *wanted)

    def bring(self, *refs: str) -> bool:
        """Bring what these refs or commits of the remote lead to here, under no name; say whether that worked."""
        return self._run(*FETCH, self.remote, *refs).status == 0

    def mirror(self, *refspecs: str) -> None:
        """Make the refs here that these name what they are there; those that are gone there go here too.

        Raises:
            GitError: They could not be brought.
        """
        self._git(*FETCH, "--prune", self.remote, *refspecs)

    def deepen(self, branch: str) -> None:
        """Bring the history of a branch that a shallow clone was cut off from.

        Raises:
            GitError: It could not be brought.
        """
        if try_git(self.repo, "rev-parse", "--is-shallow-repository").out.strip() == b"true":
            self._git("fetch", "--quiet", "--no-tags", "--unshallow", self.remote, f"refs/heads/{branch}")

    def push(self, branch: str, commit: str, before: str, options: Sequence[str] = ()) -> Answer:
        """Make the remote's branch that commit, if it is ``before`` now ("": if it is not there)."""
        return self.push_expecting(f"refs/heads/{branch}", commit, before, options)

    def push_expecting(self, ref: str, commit: str, before: str, options: Sequence[str] = ()) -> Answer:
        """Make any ref that commit, if it is ``before`` now ("": if it is not there)."""
        args = ["push", "--porcelain", f"--force-with-lease={ref}:{before}", *PLAIN]
        args += [f"--push-option={option}" for option in options]
        return _read_push(self._run(*args, self.remote, f"{commit}:{ref}"))

    def push_ref(self, ref: str, commit: str) -> Answer:
        """Make any ref that commit, "" takes it away; for refs that nobody else moves."""
        return _read_push(self._run("push", "--porcelain", *PLAIN, self.remote, f"{commit}:{ref}"))

    def has(self, commit: str) -> bool:
        """Say whether a commit is here already."""
        env = {**self.env, "GIT_NO_LAZY_FETCH": "1"}
        return try_git(self.repo, "cat-file", "-e", f"{commit}^{{commit}}", env=env).status == 0

    def _is_noted(self, heads: Heads) -> bool:
        ref = f"refs/remotes/{self.remote}/{heads.default}"
        noted = try_git(self.repo, "rev-parse", "--verify", "--quiet", ref).out.decode().strip()
        return noted == heads.base and self.has(heads.base)

    def _git(self, *args: str) -> bytes:
        result = self._run(*args)
        if result.status == 0:
            return result.out
        err = without_userinfo(result.err.decode("utf-8", "replace"))
        raise GitError([args[0], self.remote], result.status, _late(result) or err, _hint(err))

    def _run(self, *args: str) -> Result:
        """Run git; where it has no credentials that are valid, once more with the token."""
        result = self._once(args)
        may = result.status and self.takes_token and not self.uses_token
        if may and NO_ACCESS.search(result.err.decode("utf-8", "replace")):
            self.uses_token = True
            result = self._once(args)
        return result

    def _once(self, args: Sequence[str]) -> Result:
        env = {**self.env, "LC_ALL": "C"}  # what it says is read
        if self.ca:
            env["GIT_SSL_CAINFO"] = self.ca
        if self.uses_token:
            parts = urlsplit(self.url)
            bare = parts._replace(netloc=parts.netloc.rpartition("@")[2])
            args = [bare.geturl() if arg == self.remote else arg for arg in args]
            env.update(_with_header(self.env, bare._replace(path="/", query="").geturl(), self.token))
        return try_git(self.repo, *HANGING, *args, timeout=self.seconds, env=env)


def _with_header(env: Mapping[str, str], server: str, token: str) -> dict[str, str]:
    """Return the settings that send the token, behind those there are, as git's environment holds them."""
    count = int(env["GIT_CONFIG_COUNT"]) if env.get("GIT_CONFIG_COUNT", "").isdigit() else 0
    basic = base64.b64encode(f"oauth2:{token}".encode()).decode()
    rows = [(f"http.{server}.extraHeader", f"Authorization: Basic {basic}"), ("credential.helper", "")]
    found = {"GIT_CONFIG_COUNT": str(count + len(rows))}
    for number, (key, text) in enumerate(rows, count):
        found[f"GIT_CONFIG_KEY_{number}"], found[f"GIT_CONFIG_VALUE_{number}"] = key, text
    return found


def _read_push(result: Result) -> Answer:
    err = without_userinfo(result.err.decode("utf-8", "replace"))
    out = result.out.decode("utf-8", "replace")
    row = next((line for line in out.splitlines() if line.startswith(("!\t", "*\t", " \t", "+\t", "=\t", "-\t"))), "")
    found = MERGE_REQUEST.search(err)
    iid, url = (int(found[1]), found[0]) if found else (0, "")
    if result.status == 0 and row and not row.startswith("!"):
        return Answer(ARRIVED, _words(err), iid, url)
    reason = row.rpartition("\t")[2] if row else ""
    if ANOTHER.search(f"{reason}\n{err}"):
        return Answer(MOVED, reason)
    if NO_OPTIONS in err:
        return Answer(REFUSED, NO_OPTIONS)
    if row.startswith("!") and "remote failure" not in reason:
        return Answer(REFUSED, _words(err) or reason)
    if not row and result.status != TIMED_OUT and not NO_ANSWER.search(err):
        return Answer(REFUSED, _words(err) or _last(err))
    return Answer(UNKNOWN, _late(result) or _last(err))


def _words(err: str) -> str:
    """Return what the server said, on one line."""
    said = [line.removeprefix("remote:").strip(" =-\t") for line in err.splitlines() if line.startswith("remote:")]
    return " ".join(line for line in said if line)[:500]


def _last(err: str) -> str:
    return cause_of(err) or "no reason given"


def _late(result: Result) -> str:
    return f"fatal: no answer within {SECONDS:g} s" if result.status == TIMED_OUT else ""


def _hint(err: str) -> str:
    if NO_ACCESS.search(err):
        return "check your access: git's own credentials for that remote, or BRAIN_GITLAB_TOKEN for an HTTPS one"
    return "check network, VPN and proxy; the drafts are where they were: run it again later"
