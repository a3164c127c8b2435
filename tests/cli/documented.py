"""Blocks of the documentation that show a command and what it prints, and how they are compared with a run.

    $ command
    what it prints

Text must be equal but for the number of spaces; numbers agree within one unit of the third significant digit. A line `…`
stands for any number of lines, a line that ends in `…` for one that begins so.

Two things are decided by rounding, which differs between processors, and get more room. Both need the standard deviation
of the target, `spread`:
- An error of a clean fit is rounding alone where its square is below 1e-12 of the target's variance: such numbers, both
  below 1e-6 of the spread, agree within a factor of 1000.
- Where an output has such a number, rounding also decides which basis functions are kept: whole numbers agree within a
  factor of two, whether and in how many steps the model was pruned is not compared (docs/reference/reliability.md has an example),
  and neither is the constant (`y = -38.1 + …`), which depends on the basis functions that are kept.
"""

import dataclasses
import re

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)")
PRUNING = re.compile(r"\b(?:pruned|chosen) from (\d+) columns(?: in \d+ steps?)?")
CONSTANT = re.compile(r"(?<== )[-+.\de]+(?= \+)")
LEFT_OUT = "…"
SMALLEST, ROOM_OF_ROUNDING, ROOM_OF_COUNTS = 1e-6, 1000.0, 2.0


@dataclasses.dataclass
class Shown:
    """A command and the lines that the page shows below it."""

    place: str
    command: str
    lines: list


def fenced_blocks(page):
    """(first line's number, language, lines) of each."""
    start, language, block = None, "", []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            if start is None:
                start, language, block = number + 1, line[3:].strip(), []
            else:
                yield start, language, block
                start = None
        elif start is not None:
            block.append(line)


def blocks_of_commands(page, program):
    """Lists of Shown: those blocks that begin with `$ program`."""
    for start, _, block in fenced_blocks(page):
        if not block or not block[0].startswith(f"$ {program} "):
            continue
        shown = []
        for number, line in enumerate(block, start):
            if line.startswith("$ "):
                shown.append(Shown(f"{page.name}:{number}", line[2:], []))
            else:
                shown[-1].lines.append(line)
        yield shown


def unit_of_third_digit(value):
    return 10.0 ** (int(f"{abs(value):e}".partition("e")[2]) - 2)


class Comparison:
    def __init__(self, shown, printed, spread=None):
        self.smallest = SMALLEST * spread if spread else 0.0
        numbers = [float(text) for line in shown for text in NUMBER.findall(line)]
        self.is_rounding = any(0 < abs(number) < self.smallest for number in numbers)
        self.shown, self.printed = self._tidy(shown), self._tidy(printed)

    def _tidy(self, lines):
        tidy = [" ".join(line.split()) for line in lines]
        if self.is_rounding:
            tidy = [PRUNING.sub(r"from \1 columns", CONSTANT.sub("constant", line)) for line in tidy]
        return [line for line in tidy if line]

    def numbers_agree(self, first, second):
        a, b = float(first), float(second)
        if abs(a - b) <= max(unit_of_third_digit(a), unit_of_third_digit(b)) if a and b else a == b:
            return True
        low, high = sorted([abs(a), abs(b)])
        if 0 < high < self.smallest:
            return high <= ROOM_OF_ROUNDING * low
        whole = first.isdigit() and second.isdigit()
        return self.is_rounding and whole and high <= ROOM_OF_COUNTS * low

    def lines_agree(self, shown, printed):
        if shown.endswith(LEFT_OUT):
            shown = shown.removesuffix(LEFT_OUT).rstrip()
            return NUMBER.sub("0", printed).startswith(NUMBER.sub("0", shown)) and self._all_agree(shown, printed)
        return NUMBER.sub("0", shown) == NUMBER.sub("0", printed) and self._all_agree(shown, printed)

    def _all_agree(self, shown, printed):
        return all(self.numbers_agree(*pair) for pair in zip(NUMBER.findall(shown), NUMBER.findall(printed)))

    def difference(self):
        """The first line of the page that the run does not print where it should, with what it prints; "" if there is none."""
        position, may_skip = 0, False
        for line in self.shown:
            if line == LEFT_OUT:
                may_skip = True
                continue
            places = range(position, len(self.printed) if may_skip else min(position + 1, len(self.printed)))
            found = next((place for place in places if self.lines_agree(line, self.printed[place])), None)
            if found is None:
                rest = "\n".join(self.printed[position : position + 20])
                return f"the page shows\n{line}\nand the run prints\n{rest or '(nothing more)'}"
            position, may_skip = found + 1, False
        if position < len(self.printed) and not may_skip:
            return "the page does not show\n" + "\n".join(self.printed[position:])
        return ""
