"""`python -m theory.paper.numbering SOURCE`: read the numbers of equations, theorems and sections off the LaTeX source.

Writes `theory/labels.json`: for every label its number as the source compiles ("Lemma 8") and its line, the SHA-256
of the source. The source itself is not part of the project.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

OUTPUT = Path(__file__).parents[1] / "labels.json"
ROWS = ("align", "gather", "eqnarray")  # one number per row
SINGLE = ("equation", "multline")  # one number
FLOATS = {"figure": "Figure", "table": "Table", "algorithm": "Algorithm"}
LEVELS = ("section", "subsection", "subsubsection")
TOKEN = re.compile(
    r"(?P<comment>(?<!\\)%.*)|\\declaretheorem\[(?P<options>[^\]]*(?:\{[^}]*\}[^\]]*)*)\]\{(?P<declared>\w+)\}"
    r"|\\(?P<level>(?:sub){0,2}section)\{|(?P<appendix>\\appendix\b)|\\begin\{(?P<begin>\w+\*?)\}"
    r"|\\end\{(?P<end>\w+\*?)\}|\\label\{(?P<label>[^}]*)\}|(?P<notag>\\notag\b|\\nonumber\b)|(?P<row>\\\\)"
    r"|(?P<caption>\\caption\{)"
)


@dataclass
class Reader:
    """Counters of LaTeX while the source is read from top to bottom."""

    labels: dict[str, dict[str, str | int]] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)
    theorems: dict[str, tuple[str, str]] = field(default_factory=dict)  # environment: name, counter
    open: list[str] = field(default_factory=list)
    current: str = ""  # what a label refers to
    waiting: list[str] = field(default_factory=list)  # labels of the display that is open
    tagged: bool = True
    appendix: bool = False

    def step(self, counter: str) -> int:
        self.counters[counter] = self.counters.get(counter, 0) + 1
        return self.counters[counter]

    def section(self, level: str) -> None:
        self.step(level)
        for lower in LEVELS[LEVELS.index(level) + 1 :]:
            self.counters[lower] = 0
        numbers = [self.counters[x] for x in LEVELS[: LEVELS.index(level) + 1]]
        first = chr(64 + numbers[0]) if self.appendix else str(numbers[0])
        self.current = ("Appendix " if self.appendix else "Section ") + ".".join([first, *map(str, numbers[1:])])

    def begin(self, environment: str) -> None:
        self.open.append(environment)
        self.tagged = environment in ROWS or environment in SINGLE
        if environment in self.theorems:
            name, counter = self.theorems[environment]
            self.current = f"{name} {self.step(counter)}"

    def row(self) -> None:
        """End of a row of a display: it takes a number unless it has none; labels wait for the next number."""
        if self.tagged:
            self.current = f"Eq. ({self.step('equation')})"
            for label in self.waiting:
                self.labels[label]["number"] = self.current
            self.waiting = []
        self.tagged = True

    def end(self, environment: str) -> None:
        if environment in ROWS or environment in SINGLE:
            self.row()
        if environment in self.open:
            del self.open[len(self.open) - 1 - self.open[::-1].index(environment)]

    def label(self, name: str, line: int) -> None:
        self.labels[name] = {"number": self.current, "line": line}
        if self.open and self.open[-1] in (*ROWS, *SINGLE):
            self.waiting.append(name)


def read(source: str) -> dict[str, dict[str, str | int]]:
    """Every label of the source: its number as compiled and its line."""
    reader = Reader()
    for match, line in _tokens(source):
        kind = match.lastgroup
        if kind == "declared":
            options: dict[str, str] = dict(re.findall(r"(\w+)=(\w+|\{[^}]*\})", match["options"]))
            reader.theorems[match["declared"]] = (options["name"], options.get("sibling", match["declared"]))
        elif kind == "level":
            reader.section(match[kind])
        elif kind == "appendix":
            reader.appendix = True
            reader.counters.update(dict.fromkeys(LEVELS, 0))
        elif kind == "begin":
            reader.begin(match[kind])
        elif kind == "end":
            reader.end(match[kind])
        elif kind == "label":
            reader.label(match[kind], line)
        elif kind == "notag":
            reader.tagged = False
        elif kind == "row" and reader.open and reader.open[-1] in ROWS:
            reader.row()
        elif kind == "caption":
            floats = [FLOATS[e.rstrip("*")] for e in reader.open if e.rstrip("*") in FLOATS]
            reader.current = f"{floats[-1]} {reader.step(floats[-1])}"
    return reader.labels


def _tokens(source: str) -> Iterator[tuple[re.Match[str], int]]:
    """Tokens in the order in which the source compiles: included files where they are included."""
    files = {name.strip(): start for start, name in _files(source)}
    ends = sorted([*files.values(), len(source)])

    def walk(name: str) -> Iterator[tuple[re.Match[str], int]]:
        start = files[name]
        stop = next(e for e in ends if e > start)
        position = start
        while position < stop:
            included = re.compile(r"\\input\{(\w+)\}").search(source, position, stop)
            upto = included.start() if included else stop
            for match in TOKEN.finditer(source, position, upto):
                if match.lastgroup != "comment":
                    yield match, source.count("\n", 0, match.start()) + 1
            if included is None:
                return
            yield from walk(f"{included[1]}.tex")
            position = included.end()

    yield from walk(next(iter(files)))


def _files(source: str) -> list[tuple[int, str]]:
    """Where each file starts in the source, which is all files one after the other under `%% file: NAME`."""
    found = [(m.start(), m[1]) for m in re.finditer(r"^%% file: (.*)$", source, re.M)]
    return found or [(0, "")]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m theory.paper.numbering", description=__doc__)
    parser.add_argument("source", type=Path)
    data = parser.parse_args().source.read_bytes()
    rows = [f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in read(data.decode()).items()]
    digest = hashlib.sha256(data).hexdigest()
    OUTPUT.write_text(f'{{\n "sha256": "{digest}",\n "labels": {{\n' + ",\n".join(rows) + "\n }\n}\n")


if __name__ == "__main__":
    main()
