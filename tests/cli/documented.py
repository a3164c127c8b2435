"""Blocks of the documentation that show a command and what it prints, and how they are compared with a run.

    $ command
    what it prints

Text must be equal but for the number of spaces; numbers agree within one unit of the third significant digit. A line `…`
stands for any number of lines, a line that ends in `…` for one that begins so.

Two things are decided by rounding, which differs between processors, and get more room. Both need the standard deviation
of the target, `spread`:
- An error of a clean fit is rounding alone where its square is below 1e-12 of the target's variance: such numbers, both
  below 1e-6 of the spread, agree within a factor of 1000.
- Where the page or the run shows such a number, rounding also decides which basis functions are kept: whole numbers agree within a
  factor of two, whether and in how many steps the model was pruned is not compared (docs/reference/reliability.md has an example),
  and neither is the constant (`y = -38.1 + …`), which depends on the basis functions that are kept.
"""

import dataclasses
import difflib
import re

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)")
PRUNING = re.compile(r"\b(?:pruned|selected) from (\d+) basis functions(?: in \d+ steps?)?")
CONSTANT = re.compile(r"(?<== )[-+.\de]+(?= \+)")
LEFT_OUT = "…"
SMALLEST, ROOM_OF_ROUNDING, ROOM_OF_COUNTS = 1e-6, 1000.0, 2.0


@dataclasses.dataclass
class Shown:
    """A command and the lines that the page shows below it, the first of which has index `start` in the page."""

    place: str
    command: str
    lines: list
    start: int


def pages_with_runs(repository, program):
    """README and the pages of the documentation that show a run of the program, relative to the repository."""
    pages = [repository / "README.md", *sorted((repository / "docs").rglob("*.md"))]
    pages = [page.relative_to(repository) for page in pages if any(blocks_of_commands(page, program))]
    return [str(page) for page in pages if not any(part.startswith(("_", ".")) for part in page.parts)]


def scripts_on_pages(repository):
    """Paths of the Python scripts whose output README or a page of the documentation shows."""
    blocks = (block for page in pages_with_runs(repository, "python") for block in blocks_of_commands(repository / page, "python"))
    return {repository / shown.command.split()[1] for block in blocks for shown in block}


def fenced_blocks(page):
    """(first line's number, language, lines) of each. Directives such as {note} may contain blocks of their own."""
    directives, fence, start, language, block = [], "", 0, "", []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        mark = re.match(r"(`{3,}|:{3,})(.*)", line)
        if fence:
            if mark and not mark[2].strip() and mark[1].startswith(fence):
                yield start, language, block
                fence = ""
            else:
                block.append(line)
        elif mark and directives and not mark[2].strip() and mark[1].startswith(directives[-1]):
            directives.pop()
        elif mark and (mark[1][0] == ":" or mark[2].startswith("{") and not mark[2].startswith("{code")):
            directives.append(mark[1])
        elif mark:
            fence, start, language, block = mark[1], number + 1, mark[2].strip(), []


def blocks_of_commands(page, program):
    """Lists of Shown: those blocks that begin with `$ program`."""
    for start, _, block in fenced_blocks(page):
        if not block or not block[0].startswith(f"$ {program} "):
            continue
        shown = []
        for number, line in enumerate(block, start):
            if line.startswith("$ "):
                shown.append(Shown(f"{page.name}:{number}", line[2:], [], number))
            else:
                shown[-1].lines.append(line)
        yield shown


class Rewriting:
    """Collects new outputs for a page; save() writes them into it."""

    def __init__(self, page):
        self.page, self.outputs = page, []

    def replace(self, shown, printed):
        self.outputs.append((shown, with_elisions(shown.lines, printed)))

    def save(self):
        lines = self.page.read_text().splitlines(keepends=True)
        for shown, output in sorted(self.outputs, key=lambda pair: pair[0].start, reverse=True):
            lines[shown.start : shown.start + len(shown.lines)] = [line + "\n" for line in output]
        if self.outputs:
            self.page.write_text("".join(lines))


def most_similar(line, candidates):
    """The position of the candidate that resembles the line most, apart from its numbers; None if none does."""

    def likeness(candidate):
        return difflib.SequenceMatcher(None, *(NUMBER.sub("0", " ".join(text.split())) for text in (line, candidate))).ratio()

    scores = [likeness(candidate) for candidate in candidates]
    best = max(range(len(scores)), key=scores.__getitem__, default=None)
    return best if best is not None and scores[best] >= 0.6 else None


def with_elisions(shown, printed):
    """The printed lines, shortened where the shown ones are: a line `…` stays between the lines that resemble its
    neighbours, and a line that ends in `…` keeps its number of words. All that is printed, if that is impossible."""
    printed = [line.rstrip() for line in printed]
    while printed and not printed[0]:
        printed = printed[1:]
    blank_lines = len(shown) - len("\n".join(shown).rstrip("\n").splitlines()) if shown else 0
    lines, position = [], 0  # Lines of the page so far, and the number of printed ones that they stand for.
    for index, line in enumerate(shown):
        if line.strip() != LEFT_OUT:
            continue
        before = shown[index - 1] if index else None
        after = next((text for text in shown[index + 1 :] if text.strip()), None)
        if before is not None:
            last = most_similar(before.removesuffix(LEFT_OUT), printed[position:])
            count = index if last is None else last + 1
            lines += printed[position : position + count]
            position = min(position + count, len(printed))
        if after is None:
            position = len(printed)
        else:
            skipped = most_similar(after.removesuffix(LEFT_OUT), printed[position:])
            if skipped is None:
                lines, position = [], 0
                break
            if skipped == 0:
                continue  # Nothing is left out any more.
            position += skipped
        lines.append(line)
    lines += printed[position:]
    for line in shown:
        if not line.strip() == LEFT_OUT and line.endswith(LEFT_OUT):
            place = most_similar(line.removesuffix(LEFT_OUT), lines)
            if place is not None:
                start = re.match(r"\s*(\S+\s+){%d}" % (len(line.split()) - 1), lines[place])
                lines[place] = f"{start[0].rstrip()} {LEFT_OUT}" if start else lines[place]
    lines += [""] * blank_lines
    return printed if Comparison(lines, printed).difference() else lines


def unit_of_third_digit(value):
    return 10.0 ** (int(f"{abs(value):e}".partition("e")[2]) - 2)


class Comparison:
    def __init__(self, shown, printed, spread=None):
        self.smallest = SMALLEST * spread if spread else 0.0
        numbers = [float(text) for line in [*shown, *printed] for text in NUMBER.findall(line)]
        self.is_rounding = any(0 < abs(number) < self.smallest for number in numbers)
        self.shown, self.printed = self._tidy(shown), self._tidy(printed)

    def _tidy(self, lines):
        tidy = [" ".join(line.split()) for line in lines]
        if self.is_rounding:
            tidy = [PRUNING.sub(r"from \1 basis functions", CONSTANT.sub("constant", line)) for line in tidy]
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
