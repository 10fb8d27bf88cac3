"""`python -m theory`: the ledger as a table, one claim explained, JSON, or files to send."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from theory.across_claims import disorder, two_worlds, unsupported
from theory.collection import Collection, of_folder, the_paper
from theory.impact import around
from theory.kernel.proof_parts import two_processes
from theory.ledger import Entry, check_claims, recorded, recorded_assumptions, recorded_uses, write_record
from theory.render import export
from theory.render.terminal import explain, table

PIPE_WIDTH = 200  # columns when the output is not a terminal
TERMS = """\
verdicts:
  proved      every relation of the claim is proved
  refuted     false: there is an exact counterexample
  gap         the printed argument is invalid; what it was to show is not refuted
  misprint    false as printed; what is meant is proved
  supported   a statement about experiments, supported by simulation
  open        neither proved nor refuted

levels of a proof:
  kernel      the statement is a theorem in Coq
  engines     two independent engines agree
  argued      the proof cites a classical theorem or has a step in words, or the statement is typed by hand

A mutant is a false variant of a claim, which the engines must not prove. A claim uses the claims on which its proof
depends; it cites the claims to which its text refers.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 0 if every check ran and agreed with its recorded verdict."""
    args = _arguments(argv)
    out, err = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH), Console(stderr=True)
    try:
        for option, folder in (("--export", args.export), ("--coq", args.coq)):
            if folder is not None:
                export.check_target(option, folder)
        collection = of_folder(args.claims) if args.claims else replace(the_paper(), lazy=args.label is not None)
        if args.label is not None and args.label not in collection.claims():
            raise ValueError(_unknown(args.label, collection.claims()))
        return _run(args, collection, out, err)
    except BrokenPipeError:  # the reader closed the pipe, as in `python -m theory | head`
        return 1
    except BrokenExecutor:
        return _report(["python -m theory: a process that checked claims was killed (out of memory?)"], err)
    except (ValueError, OSError) as problem:
        return _report([f"python -m theory: {problem}"], err)


def _run(args: argparse.Namespace, collection: Collection, out: Console, err: Console) -> int:
    if args.coq is not None:
        return _coq(args, collection, out)
    if args.label is not None and not (args.json or args.record):
        return _explain(args.label, collection, args.fresh, out, err)
    alone = args.label is not None and bool(recorded(collection))  # the claims that it uses are recorded
    entries = _with_progress(collection, err, [args.label] if alone else None, details=args.json)
    entries = [e for e in entries if args.label in (None, e.claim.id)]
    if args.record:
        return _record(entries, collection, out, err)
    if args.json:
        print(json.dumps([e.as_json() for e in entries], indent=1, ensure_ascii=False))
    elif args.export is not None:
        for path in export.write(entries, args.export, collection):
            out.print(str(path), markup=False, soft_wrap=True)
    else:
        table(entries, collection, out)
    whole = _alone(entries, collection) if args.label else disorder(entries, collection)
    return _report([*_problems(entries), *whole], err)


def _coq(args: argparse.Namespace, collection: Collection, out: Console) -> int:
    """Write the claims recorded as proved in Coq, and check them unless told not to."""
    from theory.coq import command  # not needed, and not loaded, to explain a claim

    claims = [c for name, c in collection.claims().items() if recorded(collection).get(name) == "proved"]
    return command.run(
        args.coq,
        claims,
        lambda line: out.print(line, markup=False, highlight=False, soft_wrap=True),
        checking=not args.no_check,
        recording=args.record,
        ours=collection == the_paper(),
    )


def _record(entries: list[Entry], collection: Collection, out: Console, err: Console) -> int:
    """Record the verdicts of claims without a problem; the others keep theirs, and the exit status is then 1."""
    rejected = unsupported(entries, collection) | {e.claim.id: e.broken for e in entries if e.broken}
    taken = [e for e in entries if e.claim.id not in rejected]
    write_record(taken, collection)
    out.print(f"recorded {len(taken)} verdicts, rejected {len(rejected)}")
    return _report([f"{name}: not recorded: {why}" for name, why in rejected.items()], err)


def _explain(label: str, collection: Collection, fresh: bool, out: Console, err: Console) -> int:
    """Check one claim and show it with the recorded verdicts of the claims around it; `fresh` checks those too."""
    claims, verdicts, uses = collection.claims(), recorded(collection), recorded_uses(collection)
    if fresh or not verdicts:
        entries = _with_progress(collection, err, around(label, claims, verdicts, uses) if verdicts else None)
    else:
        with recorded_assumptions(collection), two_processes():
            entries = check_claims([label], collection=collection)
            _ = [e.items for e in entries]  # printed in two processes
    verdicts |= {e.claim.id: e.verdict for e in entries}
    uses |= {e.claim.id: e.uses for e in entries}
    entry = next(e for e in entries if e.claim.id == label)
    explain(entry, claims, verdicts, uses, out)
    return _report([*_problems(entries if fresh else [entry]), *_alone([entry], collection)], err)


def _problems(entries: Iterable[Entry]) -> list[str]:
    return [f"{e.claim.id}: {e.problem}" for e in entries if e.problem]


def _alone(entries: Iterable[Entry], collection: Collection) -> list[str]:
    """Contradictions between these claims and others that were not checked."""
    return [f"{name}: {why}" for name, why in two_worlds(entries, collection).items()]


def _with_progress(collection: Collection, err: Console, ids: list[str] | None, details: bool = True) -> list[Entry]:
    if not sys.stderr.isatty():
        return check_claims(ids, collection=collection, details=details)
    columns = SpinnerColumn(), TextColumn("{task.completed}/{task.total} {task.description}")
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("", total=len(collection.claims() if ids is None else ids))
        return check_claims(ids, lambda c: bar.update(task, advance=1, description=c.id), collection, details)


def _report(problems: Iterable[str], err: Console) -> int:
    problems = list(dict.fromkeys(problems))
    for p in problems:
        err.print(p, markup=False, highlight=False, soft_wrap=True)
    return 1 if problems else 0


def _unknown(label: str, known: Iterable[str]) -> str:
    known = list(known)
    near = dict.fromkeys([*difflib.get_close_matches(label, known, 4, 0.5), *(i for i in known if label in i)])
    return f"no claim {label!r}" + (f"; nearest: {', '.join(list(near)[:8])}" if near else "")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """The arguments; options that would have no effect together are rejected."""
    parser = _parser()
    args = parser.parse_args(argv)
    one = args.label is not None
    for useless, why in (
        (args.no_check and args.coq is None, "--no-check needs --coq"),
        (args.coq is not None and (args.json or args.export is not None), "--coq excludes --json and --export"),
        (one and args.export is not None, "--export writes every claim: leave out the label"),
        (one and args.coq is not None, "--coq writes every claim: leave out the label"),
    ):
        if useless:
            parser.error(why)
    return args


def _parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="python -m theory",
        description="Check every claim of the paper and print the verdicts, or explain one claim.",
        epilog=TERMS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("label", nargs="?", help="the claim to explain, such as sec:tau2")
    what = p.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help="print the ledger as JSON")
    what.add_argument("--export", type=Path, metavar="DIR", help="write the ledger (Markdown) and the erratum (LaTeX)")
    what.add_argument("--record", action="store_true", help="save the verdicts as the expected ones")
    p.add_argument("--claims", type=Path, metavar="FOLDER", help="check the claims of another paper, in this folder")
    p.add_argument(
        "--coq", type=Path, metavar="DIR", help="write the proved claims as Coq lemmas, and check them with coqc"
    )
    p.add_argument("--no-check", action="store_true", help="with --coq: write the files without checking them")
    p.add_argument("--fresh", action="store_true", help="with a label: also check claims that it depends on or affects")
    return p
