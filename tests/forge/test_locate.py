"""Which server and project a remote means, and when a token is for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.errors import ConfigError
from brain.forge.locate import Address, locate, parse_address
from brain.settings import load_config

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://git.example.com/team/docs.git", Address("https", "git.example.com", "", "team/docs")),
        ("https://ada:tok@git.example.com:8443/sub/a/b/docs.git/", Address("https", "git.example.com", ":8443", "sub/a/b/docs", "ada")),
        ("http://[::1]:80/a/b", Address("http", "[::1]", ":80", "a/b")),
        ("git@git.example.com:team/docs.git", Address("ssh", "git.example.com", "", "team/docs", "git")),
        ("git.example.com:team/docs", Address("ssh", "git.example.com", "", "team/docs")),
        ("ssh://git@git.example.com:2222/team/x%20y.git", Address("ssh", "git.example.com", ":2222", "team/x y", "git")),
        ("/srv/git/docs.git", None), ("../docs", None), ("file:///srv/docs.git", None), ("C:\\git\\docs", None), ("https://", None),
        ("https://h:port/x", None), ("", None),
    ],
)  # fmt: skip
def test_addresses_are_taken_apart(url: str, address: Address | None) -> None:
    assert parse_address(url) == address


def places(remote: str, env: dict[str, str], **settings: str) -> tuple[tuple[str, str], ...]:
    config = load_config({}, None, {})
    config.layer({"gitlab": settings}, "BRAIN_GITLAB_…")
    found = locate(remote, config, env)
    return found.places if found else ()


def shared(remote: str, url: str, env: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the places where the memory repo's own settings name a server."""
    found = locate(remote, load_config({"gitlab": {"url": url}}, None, {}), env)
    return found.places if found else ()


def test_from_the_remote_alone(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    assert places("git@h.example:a/b/c.git", env) == (("https://h.example", "a/b/c"),)
    assert places("https://h.example:8443/a/b.git", env) == (("https://h.example:8443", "a/b"),)
    assert places("https://h.example/a/b/c/d.git", env) == (
        ("https://h.example", "a/b/c/d"), ("https://h.example/a", "b/c/d"), ("https://h.example/a/b", "c/d"),
    )  # fmt: skip
    assert places("/srv/docs.git", env) == ()


def test_settings_win(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "CI_API_V4_URL": "https://ci.example/api/v4", "CI_SERVER_HOST": "h.example"}
    assert places("git@h.example:a/b.git", env, url="https://g.example/sub/") == (("https://g.example/sub", "a/b"),)
    assert places("https://h.example/sub/a/b.git", env, url="https://h.example/sub") == (
        ("https://h.example/sub", "a/b"),
    )
    assert places("/srv/docs.git", env, url="http://127.0.0.1:1", project="7") == (("http://127.0.0.1:1", "7"),)


def test_in_ci_the_server_is_known_and_the_own_project_s_number(tmp_path: Path) -> None:
    env = {
        "HOME": str(tmp_path), "CI_API_V4_URL": "https://h.example/git/api/v4", "CI_SERVER_HOST": "h.example",
        "CI_PROJECT_ID": "9", "CI_PROJECT_PATH": "a/b",
    }  # fmt: skip
    assert places("https://gitlab-ci-token:x@h.example/git/a/b.git", env) == (("https://h.example/git", "9"),)
    assert places("https://h.example/git/a/other.git", env) == (("https://h.example/git", "a/other"),)
    assert places("git@elsewhere.example:a/b.git", env) == (("https://elsewhere.example", "a/b"),)


def test_the_files_of_other_tools(tmp_path: Path) -> None:
    (tmp_path / ".python-gitlab.cfg").write_text(
        "[global]\ndefault = x\n[x]\nurl = https://h.example/g\nssl_verify = /ca.pem\n"
    )
    glab = tmp_path / ".config/glab-cli"
    glab.mkdir(parents=True)
    (glab / "config.yml").write_text(
        "hosts:\n  k.example:\n    api_protocol: http\n    api_host: api.k.example:81\n    subfolder: s\n"
    )
    env = {"HOME": str(tmp_path)}
    found = locate("git@h.example:a/b.git", load_config({}, None, {}), env)
    assert found
    assert (found.places, found.ca) == ((("https://h.example/g", "a/b"),), "/ca.pem")
    assert places("git@k.example:a/b.git", env) == (("http://api.k.example:81/s", "a/b"),)
    (tmp_path / ".python-gitlab.cfg").write_text("broken")
    (glab / "config.yml").write_text("hosts: [")
    assert places("git@h.example:a/b.git", env) == (("https://h.example", "a/b"),)


@pytest.mark.parametrize(
    ("env", "token"),
    [
        ({}, ""), ({"BRAIN_GITLAB_TOKEN": " one\n"}, "one"), ({"GITLAB_TOKEN": "two"}, "two"),
        ({"BRAIN_GITLAB_TOKEN": "one", "GITLAB_TOKEN": "two"}, "one"),
        ({"GITLAB_TOKEN": "two", "GITLAB_HOST": "other.example"}, ""),
        ({"GITLAB_TOKEN": "two", "GITLAB_HOST": "https://h.example"}, "two"),
        ({"BRAIN_GITLAB_TOKEN": "one", "GITLAB_HOST": "other.example"}, "one"),
    ],
)  # fmt: skip
def test_a_token_comes_from_the_environment_and_is_for_one_server(
    tmp_path: Path, env: dict[str, str], token: str
) -> None:
    found = locate("git@h.example:a/b.git", load_config({}, None, {}), {"HOME": str(tmp_path), **env})
    assert found
    assert found.token == token
    assert not token or token not in repr(found)


@pytest.mark.parametrize("remote", ["git@git.example.com:a/b.git", "https://git.example.com:8443/a/b.git"])
@pytest.mark.parametrize(
    "named",
    ["https://evil.example", "https://git.example.com.evil.example", "http://example.com@evil.example", "nonsense"],
)
def test_the_memory_repo_sends_no_token_to_a_server_that_its_remote_is_not_on(remote: str, named: str) -> None:
    with pytest.raises(ConfigError, match=r"brain\.toml: gitlab\.url: names .*: your token would go there"):
        shared(remote, named, {"BRAIN_GITLAB_TOKEN": "x"})
    with pytest.raises(ConfigError, match="lies on this machine"):
        shared("/srv/git/docs.git", named, {})
    own = load_config({"gitlab": {"url": "https://evil.example"}}, None, {"BRAIN_GITLAB_URL": named})
    assert locate(remote, own, {})


@pytest.mark.parametrize("named", ["https://git.example.com/sub", "http://GIT.example.com:81", "https://example.com"])
def test_it_may_name_its_remotes_own_server(named: str) -> None:
    assert shared("git@git.example.com:a/b.git", named, {}) == ((named, "a/b"),)
    assert shared("git@altssh.git.example.com:a/b.git", named, {"CI_SERVER_HOST": "git.example.com"})
