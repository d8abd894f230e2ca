"""The whole loop, with nothing but the public commands: one machine learns, the PM approves, another recalls."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.loop.world import World

LESSON = "A payment that is sent again gets a new key, and is charged twice."
TERM = "Orders that are cancelled are kept for five years."
KEY, KEPT = "mem-F003-key", "mem-F003-kept"
PATH = "01.Lessons/dev/F-003_Payment/key.md"
SCOPE = "F-003_Payment"


def test_what_one_machine_learned_another_recalls_until_it_is_removed_and_again_once_it_is_restored(
    world: World,
) -> None:
    ada, bea, pm = world.machine("dev"), world.machine("tl", "bea"), world.team.pm.username
    assert (ada.remember("key", LESSON, scope=SCOPE), bea.recalled()) == (KEY, set())
    assert "not approved yet (your draft)" in ada.session()
    iid = ada.submit()
    linted = world.lint(iid)
    assert linted.status == 0, linted
    world.approve(iid)
    world.merge(iid)
    assert (bea.recalled(), ada.recalled()) == (set(), set()), "merged, and not final yet"
    done = world.finalize()
    assert (done.status, done.out) == (0, f"approve: {PATH}, approved by {pm} (!{iid})\n")
    assert (bea.recalled(), LESSON in bea.session()) == ({KEY}, True)
    assert f"!{iid} is merged" in ada.brain("status").err
    removal = ada.propose("remove", KEY, "--reason", "the gateway keeps the key now")
    assert bea.recalled() == {KEY}, "only proposed"
    world.accept(removal)
    assert bea.recalled() == {KEY}, "merged, and not carried out yet"
    done = world.finalize()
    assert (done.status, done.out) == (0, f"remove: {PATH}, approved by {pm} (!{removal})\n")
    assert (bea.recalled(), ada.recalled()) == (set(), set())
    restore = ada.propose("restore", KEY)
    assert bea.recalled() == set()
    world.accept(restore)
    assert world.finalize().status == 0
    assert (bea.recalled(), ada.recalled()) == ({KEY}, {KEY})
    assert world.finalize("--check").status == 0


def test_two_tickets_at_once_one_is_turned_down_and_one_taken_back_for_editing(world: World) -> None:
    ada = world.machine("dev", "ada", taskId="PAY-1")
    bob, bea = world.machine("dev", "bob", taskId="PAY-2"), world.machine("tl", "bea")
    ada.remember("key", LESSON, scope=SCOPE)
    bob.remember("kept", TERM, scope=SCOPE)
    drafts = ada.drafts()
    with ThreadPoolExecutor() as pool:
        first, second = pool.map(lambda machine: machine.submit(), (ada, bob))
    assert world.opened() == sorted((first, second))
    world.close(first, "We know this from the gateway's manual.")
    done = ada.brain("status")
    assert (
        f"turned down by {world.team.pm.username}, the drafts are back: We know this from the gateway's manual."
        in done.out
    )
    assert ada.drafts() == drafts
    assert bob.brain("pull-back", "PAY-2").status == 0
    assert (len(bob.drafts()), world.request(second)["draft"]) == (1, True)
    done = bob.brain("remember", TERM, "--update", KEPT, "--apply", "hide them, and never delete.")
    assert done.status == 0, done
    assert (bob.submit(), world.opened()) == (second, [second])
    assert "hide them, and never delete." in world.file("01.Lessons/dev/F-003_Payment/kept.md", "memory/PAY-2")
    world.accept(second)
    assert world.finalize().status == 0
    assert (bea.recalled(), "hide them, and never delete." in bea.session()) == ({KEPT}, True)


def test_two_machines_one_ticket_are_one_merge_request_however_often_they_submit(world: World) -> None:
    ada, bob = world.machine("dev", "ada"), world.machine("tl", "bob")
    ada.remember("key", LESSON, scope=SCOPE)
    bob.remember("kept", TERM, scope=SCOPE)
    with ThreadPoolExecutor() as pool:
        iids = list(pool.map(lambda machine: machine.submit(), (ada, bob)))
    assert {*iids, ada.submit(), bob.submit()} == {iids[0]}
    assert world.opened() == [iids[0]]
    world.accept(iids[0])
    assert world.finalize().status == 0
    assert (ada.recalled(), bob.recalled()) == ({KEY, KEPT}, {KEY, KEPT})


def test_a_removal_that_races_an_edit_of_the_same_memory_removes_nothing_that_the_pm_did_not_see(world: World) -> None:
    ada, bob = world.machine("dev", "ada"), world.machine("tl", "bob", taskId="PAY-8")
    ada.remember("key", LESSON, scope=SCOPE)
    world.accept(ada.submit())
    assert world.finalize().status == 0
    assert bob.recalled() == {KEY}
    removal = ada.propose("remove", KEY, "--reason", "the gateway keeps the key now")
    done = bob.brain(
        "remember", "A payment that is sent again keeps its key.", "--update", KEY, "--apply", "send it again."
    )
    assert done.status == 0, done
    edit = bob.submit()
    for iid in (removal, edit):
        world.lint(iid)
        world.approve(iid)
    world.merge(edit)
    world.merge(removal)
    done = world.finalize()
    why = "its text was changed at the same time; propose the removal again if it still is to go"
    assert (done.status, done.out.splitlines()) == (1, [
        f"approve as staying: {PATH}, approved by {world.team.pm.username} (!{edit})",
        f"not final: !{removal} {PATH} stays, its removal is not carried out: {why}",
    ])  # fmt: skip
    assert ("keeps its key" in world.file(PATH), "removal" in world.file(PATH)) == (True, False)
    assert bob.recalled() == {KEY}
