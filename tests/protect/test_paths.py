"""The ways to a server: under a sub-path, with a certificate of its own, behind a proxy, from an SSH remote."""

from __future__ import annotations

import base64
import ssl
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.gitlab.fixture import free_port, start
from tests.protect.desk import SHARED
from tests.protect.proxy import Proxy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.gitlab.fixture import Forge, Team
    from tests.protect.desk import Desk


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with ``ca.pem`` and ``key.pem`` for localhost."""
    folder = tmp_path_factory.mktemp("tls")
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", str(folder / "key.pem"), "-out", str(folder / "ca.pem")], capture_output=True, check=False)  # fmt: skip
    if made.returncode:
        pytest.skip("openssl is not here")
    return folder


@pytest.fixture(scope="module")
def secure(certificate: Path) -> Iterator[Forge]:
    """Return a server whose certificate no common authority signed, under a sub-path."""
    args = ("--tls-cert", str(certificate / "ca.pem"), "--tls-key", str(certificate / "key.pem"))
    context = ssl.create_default_context(cafile=str(certificate / "ca.pem"))
    with start(certificate / "data", prefix="/git/lab", args=args, verify=context) as forge:
        yield forge


def test_under_a_sub_path_with_a_certificate_of_its_own(
    secure: Forge, certificate: Path, desk: Callable[..., Desk]
) -> None:
    team = secure.team("group/sub/deep/docs", SHARED)
    tl = desk(team)
    done = tl.setup("--apply", BRAIN_GITLAB_CA=str(certificate / "ca.pem"))
    assert "done: make the label memory" in done.stdout, done.stderr
    checks = tl.checks(BRAIN_GITLAB_CA=str(certificate / "ca.pem"))
    assert checks["gitlab address"]["detail"].endswith(f"is group/sub/deep/docs on {secure.url}")
    assert checks["gitlab label memory"]["state"] == "ok"


def test_a_certificate_that_is_not_trusted_names_the_setting(secure: Forge, desk: Callable[..., Desk]) -> None:
    tl = desk(secure.team(files=SHARED))
    done = tl.setup()
    assert done.returncode == 5
    assert "the certificate is not trusted" in done.stderr
    assert "set gitlab.ca to the file of the authority" in done.stderr
    (check,) = tl.checks().values()
    assert (check["state"], check["mend"][:14]) == ("wrong", "set gitlab.ca ")


@pytest.mark.parametrize("text", [None, "no certificate"])
def test_a_file_of_authorities_that_is_none_is_named(
    secure: Forge, desk: Callable[..., Desk], tmp_path: Path, text: str | None
) -> None:
    path = tmp_path / "none.pem"
    if text:
        path.write_text(text)
    done = desk(secure.team(files=SHARED)).setup(BRAIN_GITLAB_CA=str(path))
    assert done.returncode == 5
    assert str(path) in done.stderr
    assert "gitlab.ca" in done.stderr


def test_a_proxy_passes_plain_http_on(team: Team, desk: Callable[..., Desk]) -> None:
    with Proxy() as proxy:
        assert "done: make the label memory" in desk(team).setup("--apply", HTTP_PROXY=proxy.url).stdout
        assert f"POST {team.forge.url}/api/v4{team.api}/labels" in proxy.seen


def test_a_proxy_tunnels_https(secure: Forge, certificate: Path, desk: Callable[..., Desk]) -> None:
    with Proxy() as proxy:
        env = {"HTTPS_PROXY": proxy.url, "BRAIN_GITLAB_CA": str(certificate / "ca.pem")}
        assert desk(secure.team(files=SHARED)).items(**env)["label memory"]["state"] == "wrong"
        assert set(proxy.seen) == {f"CONNECT {secure.url.split('/')[2]}"}


def test_a_proxy_that_wants_a_password_gets_it_and_shows_it_nowhere(
    secure: Forge, certificate: Path, desk: Callable[..., Desk]
) -> None:
    tl = desk(secure.team(files=SHARED))
    secret = base64.b64encode(b"ada:hunter2").decode()
    ca = {"BRAIN_GITLAB_CA": str(certificate / "ca.pem")}
    with Proxy(needs=f"Basic {secret}") as proxy:
        right = proxy.url.replace("//", "//ada:hunter2@")
        assert tl.items(HTTPS_PROXY=right, **ca)["label memory"]["state"] == "wrong"
        wrong = tl.setup(HTTPS_PROXY=right.replace("hunter2", "hunter3"), **ca)
    assert wrong.returncode == 5
    assert "the proxy refuses or does not answer" in wrong.stderr
    assert "NO_PROXY" in wrong.stderr
    assert "hunter" not in wrong.stderr


def test_a_proxy_that_is_gone_is_told(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team)
    dead = f"http://ada:hunter2@127.0.0.1:{free_port()}"
    (check,) = tl.checks(HTTP_PROXY=dead).values()
    assert check["state"] == "cannot see"
    assert "proxy" in check["detail"]
    assert "NO_PROXY" in check["mend"]
    assert "hunter2" not in str(check)
    assert tl.items(HTTP_PROXY=dead, NO_PROXY="localhost")["label memory"]["state"] == "wrong"


@pytest.mark.parametrize(
    "remote",
    [
        "ssh://git@localhost:2222/{path}.git",
        "git@localhost:{path}.git",
        "ssh://git@[::1]:2222/{path}",
        "git@host:/{path}/",
    ],
)
def test_an_ssh_remote_leads_to_a_project_in_nested_groups(
    forge: Forge, desk: Callable[..., Desk], remote: str
) -> None:
    team = forge.team(f"nest{forge.count}/sub/deep/docs", SHARED)
    tl = desk(team, remote=remote.format(path=team.path))
    checks = tl.checks(BRAIN_GITLAB_URL=forge.url)
    assert checks["gitlab address"]["detail"].partition(";")[0].endswith(f"is {team.path} on {forge.url}")
    assert "set gitlab.url" in checks["gitlab address"]["detail"]
    assert "done: make the label memory" in tl.setup("--apply", BRAIN_GITLAB_URL=forge.url).stdout


def test_an_ssh_remote_alone_means_https_on_that_host(team: Team, desk: Callable[..., Desk]) -> None:
    tl = desk(team, remote=f"ssh://git@127.0.0.1:2222/{team.path}.git")
    (check,) = tl.checks(HTTPS_PROXY="", NO_PROXY="*").values()
    assert check["state"] == "cannot see"
    assert "https://127.0.0.1" in check["detail"]
