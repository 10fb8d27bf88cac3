"""How claims are dealt to processes, and what is taken from the record."""

from multiprocessing import get_context

import pytest
from rich.console import Console

from theory.checking import CHUNK, Process, shares
from theory.collection import the_paper
from theory.kernel import sources
from theory.ledger import check_claims, recorded_assumptions
from theory.render.terminal import explain


@pytest.mark.parametrize("processes", [1, 2, 3, 8])
@pytest.mark.parametrize("count", [1, 2, 7, 147])
def test_every_chunk_is_checked_once_whoever_is_faster(processes, count):
    chunks = [[str(m)] for m in range(count)]
    for fast in range(processes):
        left = get_context("spawn").Array("i", shares(count, processes))
        workers = [Process(chunks, the_paper(), left, p) for p in range(processes)]
        turns = [fast] * (count // 2) + [m % processes for m in range(count - count // 2)]
        taken = [workers[p].next_chunk()[0] for p in turns]
        assert sorted(taken, key=int) == [str(m) for m in range(count)]


def test_a_process_takes_its_own_share_in_order_and_then_the_end_of_the_largest():
    chunks = [[str(m)] for m in range(6)]
    left = get_context("spawn").Array("i", shares(6, 2))
    first, second = (Process(chunks, the_paper(), left, p) for p in range(2))
    assert [first.next_chunk()[0] for _ in range(4)] == ["0", "1", "2", "5"]
    assert [second.next_chunk()[0] for _ in range(2)] == ["3", "4"]


def test_the_record_has_what_the_used_proofs_depend_on():
    """Of claims that cite a theorem or take a law, and of those that use one; after use the record counts no more."""
    names = ("ours/counting/bad-rounds", "ours/counting/reflection", "ours/conditioning/two-arms", "ours/pulls/one")
    the_paper().claims()
    with recorded_assumptions(the_paper()):
        record = {name: sources.inherited(name) for name in names}
    assert not sources.RECORDED
    for name, found in record.items():
        assert list(map(set, found)) == list(map(set, sources.basis(name)))
    assert record["ours/counting/reflection"].assumptions
    assert record["ours/counting/bad-rounds"].worlds == ("Gaussian arm means and rewards",)
    assert record["ours/counting/bad-rounds"].laws
    assert record["ours/pulls/one"] == sources.Basis()


def test_a_typed_statement_is_marked(capsys):
    """What the paper prints is typed; what was checked is generated, and the statement of a proved claim is that."""
    entries = {entry.claim.id: entry for entry in check_claims(["sec:tau2", "sec:tau2/repaired"])}
    assert {name: entry.as_json()["typed"] for name, entry in entries.items()} == {
        "sec:tau2": True,
        "sec:tau2/repaired": False,
    }
    for entry in entries.values():
        explain(entry, the_paper().claims(), {}, {}, Console(width=200))
    marked = [line.split()[0] for line in capsys.readouterr().out.splitlines() if "[typed by hand, " in line]
    assert marked == ["printed", "fails"]


def test_the_laws_behind_a_claim_are_shown(capsys):
    """A sum over the rounds takes no law itself; those of the rounds are told apart."""
    with recorded_assumptions(the_paper()):
        (entry,) = check_claims(["ours/sharp"])
    about = entry.as_json()
    assert about["laws_itself"] == []
    assert "the effect has mean 0" in about["laws"]
    explain(entry, the_paper().claims(), {}, {}, Console(width=200))
    assert "model law      the effect has mean 0  [through a claim that it uses]" in capsys.readouterr().out


def without_times(entry):
    about = entry.as_json()
    return about | {"evidence": [{**e, "seconds": None} for e in about["evidence"]]}


@pytest.mark.xdist_group("ledger")  # where these claims are built
def test_several_processes_find_what_one_does_in_the_order_asked_for():
    names = ["sec:tau2", "variance2", "sec:tau", "sec:tau2/repaired", "ours/sharp", "ours/width"]
    assert len(names) > CHUNK
    alone, shared = (check_claims(names, processes=number) for number in (1, 2))
    assert [without_times(e) for e in shared] == [without_times(e) for e in alone]
