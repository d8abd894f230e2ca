"""Errors, rights, pages, limits, moved and archived projects: the borders of the API."""

from __future__ import annotations

from urllib.parse import quote

import httpx
import pytest

from tests.gitlab.fixture import Forge, Team


def test_tokens_are_taken_from_header_bearer_and_query(team: Team) -> None:
    url, token = f"{team.forge.url}/api/v4/user", team.dev.token
    for given in (
        {"headers": {"PRIVATE-TOKEN": token}},
        {"headers": {"Authorization": f"Bearer {token}"}},
        {"params": {"private_token": token}},
    ):
        assert httpx.get(url, **given).json()["id"] == team.dev.id  # type: ignore[arg-type]
    assert httpx.get(url).json() == {"message": "401 Unauthorized"}


def test_a_scope_that_does_not_reach_is_403_and_names_those_that_would(team: Team) -> None:
    reader = team.forge.client(
        team.root.ask("POST", f"/users/{team.dev.id}/personal_access_tokens", name="r", scopes=["read_api"])["token"]
    )
    assert reader.get(team.api).status_code == 200
    answer = reader.post(f"{team.api}/issues", json={"title": "x"})
    assert (answer.status_code, answer.json()["error"], answer.json()["scope"]) == (403, "insufficient_scope", "api")


def test_expired_and_revoked_tokens_say_so(team: Team) -> None:
    made = team.root.ask(
        "POST", f"/users/{team.dev.id}/personal_access_tokens", name="r", scopes=["api"], expires_at=None
    )
    client = team.forge.client(made["token"])
    team.root.delete(f"/personal_access_tokens/{made['id']}")
    assert client.get("/user").json() == {
        "error": "invalid_token",
        "error_description": "Token was revoked. You have to re-authorize from the user.",
    }
    made = team.root.ask("POST", f"/users/{team.dev.id}/personal_access_tokens", name="r", scopes=["api"])
    client = team.forge.client(made["token"])
    team.forge.clock(advance=366 * 86_400)
    assert (
        client.get("/user").json()["error_description"]
        == "Token is expired. You can either do re-authorization or token refresh."
    )
    team.forge.clock(advance=-366 * 86_400)


def test_what_one_may_not_see_does_not_exist(team: Team, forge: Forge) -> None:
    stranger = forge.person(f"stranger{team.id}")
    assert (stranger.get(team.api).status_code, stranger.get(team.api).json()) == (
        404,
        {"message": "404 Project Not Found"},
    )
    assert forge.client("").get(team.api).json() == {"message": "404 Project Not Found"}
    assert forge.client("").post(f"{team.api}/issues", json={"title": "x"}).json() == {"message": "401 Unauthorized"}


def test_a_developer_may_not_do_a_maintainers_work(team: Team) -> None:
    for verb, path in (
        ("POST", "/hooks"),
        ("GET", "/variables"),
        ("PUT", ""),
        ("POST", "/protected_branches"),
        ("POST", "/access_tokens"),
    ):
        answer = team.dev.request(verb, team.api + path, json={"url": "http://x", "name": "x", "scopes": ["api"]})
        assert (answer.status_code, answer.json()) == (403, {"message": "403 Forbidden"}), path


def test_a_path_stands_for_the_id_when_its_slashes_are_encoded(forge: Forge) -> None:
    team = forge.team("deep/er/docs")
    assert team.dev.ask("GET", "/projects/deep%2Fer%2Fdocs")["id"] == team.id
    assert team.dev.get("/projects/deep/er/docs").json() == {"error": "404 Not Found"}


def test_a_moved_project_is_301_to_read_and_405_to_write(team: Team) -> None:
    old = quote(team.path, safe="")
    team.root.ask("PUT", team.api, path="renamed")
    answer = team.dev.get(f"/projects/{old}/merge_requests?state=opened")
    assert (answer.status_code, answer.headers["location"]) == (
        301,
        f"{team.forge.url}/api/v4{team.api}/merge_requests?state=opened",
    )
    answer = team.dev.post(f"/projects/{old}/issues", json={"title": "x"})
    assert (answer.status_code, answer.json(), "location" in answer.headers) == (
        405,
        {"message": "Non GET methods are not allowed for moved projects"},
        False,
    )
    assert team.dev.get(team.api).json()["path"] == "renamed"


def test_an_archived_project_is_read_and_not_written(team: Team) -> None:
    team.root.ask("POST", f"{team.api}/archive")
    assert team.dev.ask("GET", team.api)["archived"] is True
    answer = team.dev.post(f"{team.api}/issues", json={"title": "x"})
    assert (answer.status_code, answer.json()) == (403, {"message": "403 Forbidden"})
    team.root.ask("POST", f"{team.api}/unarchive")
    assert team.dev.post(f"{team.api}/issues", json={"title": "x"}).status_code == 201


def labels(team: Team, count: int) -> None:
    for number in range(count):
        team.root.ask("POST", f"{team.api}/labels", name=f"l{number:02}", color="#112233")


def test_pages_have_numbers_and_links(team: Team) -> None:
    labels(team, 5)
    answer = team.dev.get(f"{team.api}/labels", params={"per_page": 2, "page": 2})
    names = ("x-page", "x-per-page", "x-next-page", "x-prev-page", "x-total", "x-total-pages")
    assert [answer.headers[name] for name in names] == ["2", "2", "3", "1", "5", "3"]
    links = {part.split("rel=")[1]: part.split(";")[0] for part in answer.headers["link"].split(", ")}
    assert list(links) == ['"prev"', '"next"', '"first"', '"last"']
    assert httpx.get(links['"next"'].strip("<>"), headers={"PRIVATE-TOKEN": team.dev.token}).json()[0]["name"] == "l04"
    assert team.dev.get(f"{team.api}/labels", params={"page": 9}).json() == []
    assert team.dev.get(f"{team.api}/labels", params={"per_page": 1000}).headers["x-per-page"] == "100"


def test_totals_are_missing_above_the_limit(team: Team) -> None:
    labels(team, 3)
    team.forge.set(max_rows_counted=2)
    headers = team.dev.get(f"{team.api}/labels", params={"per_page": 1}).headers
    team.forge.set(max_rows_counted=10_000)
    assert ("x-total" in headers, 'rel="last"' in headers["link"], headers["x-next-page"]) == (False, False, "2")


def test_keyset_pages_have_a_next_link_alone(team: Team, forge: Forge) -> None:
    url, seen = "/projects?pagination=keyset&per_page=1&order_by=id&sort=asc&membership=true", []
    forge.team()
    while url:
        answer = team.root.get(url)
        seen += [row["id"] for row in answer.json()]
        assert "x-total" not in answer.headers
        url = answer.headers.get("link", "").split(";")[0].strip("<>").removeprefix(f"{forge.url}/api/v4")
    assert seen == sorted(seen)
    assert team.id in seen


def test_a_rate_limit_answers_429_in_plain_text_with_when_to_retry(team: Team) -> None:
    team.forge.clock(freeze=True)
    team.forge.set(rate_limit={"requests": 3, "seconds": 60})
    answers = [team.dev.get("/user") for _ in range(4)]
    team.forge.set(rate_limit=None)
    assert [one.status_code for one in answers] == [200, 200, 200, 429]
    assert (answers[0].headers["ratelimit-limit"], answers[0].headers["ratelimit-remaining"]) == ("3", "2")
    assert (
        answers[3].text,
        int(answers[3].headers["retry-after"]) <= 60,
        answers[3].headers["content-type"].split(";")[0],
    ) == ("Retry later\n", True, "text/plain")
    team.forge.clock(run=True)


def test_a_raw_file_is_not_sent_twice(team: Team) -> None:
    path = f"{team.api}/repository/files/README.md/raw"
    first = team.dev.get(path, params={"ref": "main"})
    again = team.dev.get(path, params={"ref": "main"}, headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_members_come_and_go_and_expire(team: Team) -> None:
    team.forge.clock(freeze="2026-12-01T00:00:00Z")
    team.root.ask("PUT", f"{team.api}/members/{team.pm.id}", access_level=40, expires_at="2026-12-10")
    assert team.pm.get(team.api).status_code == 200
    team.forge.clock(advance=10 * 86_400)
    assert team.pm.get(team.api).status_code == 404
    team.forge.clock(run=True)
    team.forge.clock(advance=0)
    assert team.dev.delete(f"{team.api}/members/{team.dev.id}").status_code == 204
    assert team.dev.get(team.api).status_code == 404


def test_a_group_member_reaches_the_projects_below(forge: Forge) -> None:
    team = forge.team("over/under/docs")
    person = forge.person(f"inherits{team.id}")
    assert person.get(team.api).status_code == 404
    forge.root.ask("POST", f"/groups/{forge.group('over')}/members", user_id=person.id, access_level=30)
    assert person.get(team.api).json()["permissions"]["group_access"]["access_level"] == 30


@pytest.mark.parametrize("given", [{"state_event": "explode"}, {"assignee_ids": ["x"]}])
def test_values_that_cannot_be_are_400(team: Team, given: dict[str, object]) -> None:
    team.commit("memory/T-1", {"a": "a"})
    team.open("memory/T-1")
    answer = team.dev.put(f"{team.api}/merge_requests/1", json=given)
    assert (answer.status_code, list(answer.json())) == (400, ["error"])


def test_form_and_json_arguments_are_alike(team: Team) -> None:
    team.commit("memory/T-1", {"a": "a"})
    fields = {"source_branch": "memory/T-1", "target_branch": "main", "title": "x", "labels": "a,b", "squash": "true"}
    mr = team.dev.post(f"{team.api}/merge_requests", data=fields).json()
    assert (mr["labels"], mr["squash"]) == (["a", "b"], True)
    assert (
        team.dev.put(f"{team.api}/merge_requests/1", data={"assignee_ids[]": str(team.pm.id)}).json()["assignee"]["id"]
        == team.pm.id
    )


def test_a_server_with_a_private_certificate_takes_api_and_push(
    tmp_path_factory: pytest.TempPathFactory, git: object
) -> None:
    import ssl
    import subprocess

    from tests.gitlab.fixture import start

    folder = tmp_path_factory.mktemp("tls")
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", str(folder / "key.pem"), "-out", str(folder / "ca.pem")], capture_output=True, check=False)  # fmt: skip
    if made.returncode:
        pytest.skip("openssl is not here")
    context = ssl.create_default_context(cafile=str(folder / "ca.pem"))
    with start(
        folder / "data",
        args=("--tls-cert", str(folder / "ca.pem"), "--tls-key", str(folder / "key.pem")),
        verify=context,
    ) as forge:
        assert forge.url.startswith("https://")
        team = forge.team()
        assert callable(git)
        git("-c", f"http.sslCAInfo={folder / 'ca.pem'}", "clone", "--quiet", team.remote("dev"), "w")
        assert git("ls-remote", team.remote("dev"), ok=False).returncode == 128
