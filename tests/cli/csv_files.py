"""Generated CSV files, and what Python's csv module reads from them, to compare with our reader.

A file is the same for the same number. Most are well formed; some have a quote that is not closed, text after a closing
quote, a carriage return within a line, or a row of another length: those must be refused or read as Python reads them.
"""

import csv
import io
import json
import random
import subprocess

DELIMITERS = ",;\t "
MISSING = {"", "na", "nan", "null", "?"}
PIECES = ["a", "bc", "ä", "€", "2", "-", ".", " ", "  ", "\t", ",", ";", "'", "NA", "x y", "pipe", "#", "\\"]


def text_of(rng, delimiter, line_end):
    text = "".join(rng.choice(PIECES) for _ in range(rng.randrange(5)))
    return text.replace("\t", "_") if delimiter == " " else text  # Our reader takes tabs for spaces.


def unquoted(rng, delimiter, line_end):
    """Quotes may stand anywhere but at the start."""
    text = text_of(rng, delimiter, line_end).replace(delimiter, "_").strip(" \t")
    if text and rng.random() < 0.3:
        at = rng.randrange(1, len(text) + 1)
        text = text[:at] + '"' * rng.choice([1, 1, 2]) + text[at:]
    if delimiter == " ":
        text = text or "none"
    return text


def quoted(rng, delimiter, line_end):
    text = text_of(rng, delimiter, line_end)
    for _ in range(rng.randrange(3)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(['"', line_end, delimiter, "\n" if line_end != "\r" else "\r"]) + text[at:]
    return '"' + text.replace('"', '""') + '"'


def number(rng, delimiter, line_end):
    return rng.choice(["{:d}", "{:.3f}", "{:e}", "+{:d}"]).format(rng.randrange(1000))


def cell(rng, delimiter, line_end, kind):
    text = kind(rng, delimiter, line_end)
    if rng.random() < 0.1:
        text = " " + text
    if rng.random() < 0.1 and delimiter != " ":
        text += " " * rng.randrange(3)
    return text


def damaged(rng, line, delimiter):
    """A line with something that RFC 4180 does not know."""
    cells = line.split(delimiter)
    at = rng.randrange(len(cells))
    how = rng.randrange(5)
    if how == 0:
        cells[at] = '"' + cells[at]
    elif how == 1:
        cells[at] = '"a"' + cells[at]
    elif how == 2:
        cells[at] += "\rb"
    elif how == 3:
        cells.append("more")
    else:
        del cells[at]
    return delimiter.join(cells)


def generate(seed):
    """The text of a file, and the delimiter that it was written with."""
    rng = random.Random(seed)
    delimiter = rng.choice(DELIMITERS)
    line_end = rng.choice(["\n", "\n", "\r\n", "\r"])
    width = rng.choice([1, 2, 3, 4, 8, 20]) if delimiter == "," else rng.choice([2, 3, 4, 8, 20])
    kinds = [number] + [rng.choice([number, unquoted, quoted]) for _ in range(width - 1)]
    rng.shuffle(kinds)
    header = [f"name {j}" if delimiter != " " else f"name{j}" for j in range(width)]
    header = [f'"{name}{delimiter}"' if rng.random() < 0.2 else name for name in header]
    lines = [delimiter.join(header)]
    for _ in range(rng.choice([1, 2, 5, 15, 40])):
        lines.append(delimiter.join(cell(rng, delimiter, line_end, kind) for kind in kinds))
        if rng.random() < 0.05:
            lines.append(rng.choice(["", "  "]))
    if rng.random() < 0.2:
        at = rng.randrange(1, len(lines))
        lines[at] = damaged(rng, lines[at], delimiter)
    text = line_end.join(lines) + rng.choice(["", line_end])
    return rng.choice(["", "", "", "\ufeff"]) + text, delimiter


def is_blank(row):
    return not row or (len(row) == 1 and not row[0].strip(" \t"))


def python_rows(text, delimiter):
    """Python's csv module with spaces before a cell skipped; blank lines are left out, as every reader of tables does."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter, skipinitialspace=True)
    return [row for row in reader if not is_blank(row)]


def suits_pandas(text, delimiter):
    """pandas joins cells where a line ends with a carriage return alone and the next begins with the delimiter, and where
    it skips spaces that delimit cells."""
    return delimiter != " " and "\r" not in text.replace("\r\n", "")


def pandas_rows(text, delimiter):
    import pandas

    table = pandas.read_csv(
        io.StringIO(text.removeprefix("\ufeff"), newline=""),
        sep=delimiter,
        header=None,
        dtype=str,
        keep_default_na=False,
        skipinitialspace=True,
    )
    return table.values.tolist()


def is_same(ours, theirs):
    """Up to blanks around a cell, the notation of a number, the words for a missing cell, and the kind of line ends."""
    ours, theirs = (("" if cell is None else cell).strip(" \t") for cell in (ours, theirs))
    if ours == theirs or {ours.lower(), theirs.lower()} <= MISSING:
        return True
    if ours.replace("\r\n", "\n").replace("\r", "\n") == theirs.replace("\r\n", "\n").replace("\r", "\n"):
        return True
    try:
        return float(ours) == float(theirs.replace(",", "."))
    except ValueError:
        return False


def difference(found, rows):
    """Where cells differ; None where they are the same."""
    names, ours = found["names"], found["rows"]
    if len(rows) - 1 != len(ours):
        return f"{len(ours)} rows, not {len(rows) - 1}"
    for line, (own, other) in enumerate(zip([names, *ours], rows)):
        if len(own) != len(other):
            return f"row {line} has {len(own)} cells, not {len(other)}"
        for mine, theirs in zip(own, other):
            if not is_same(mine, theirs) and not (line == 0 and theirs == ""):
                return f"row {line}: {mine!r}, not {theirs!r}"
    return None


def read_all(program, texts, folder):
    """What our reader makes of each text, in one process."""
    pack = folder / "files.pack"
    with open(pack, "wb") as file:
        for text in texts:
            data = text.encode()
            file.write(b"%d\n%s" % (len(data), data))
    run = subprocess.run([program, pack], check=True, capture_output=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def is_table(rows):
    return len(rows) > 1 and len({len(row) for row in rows}) == 1


def compare(program, seeds, folder, with_pandas=False):
    """The differences as text, and how many files were read, refused, of another delimiter, and compared with pandas."""
    seeds = list(seeds)
    files = [generate(seed) for seed in seeds]
    counts = dict(read=0, refused=0, ambiguous=0, pandas=0)
    differences = []
    for seed, (text, delimiter), found in zip(seeds, files, read_all(program, [text for text, _ in files], folder)):
        rows = python_rows(text, delimiter)
        if "refused" in found:
            counts["refused"] += 1
            continue
        counts["read"] += 1
        if found["delimiter"] != delimiter and len(rows[0]) > 1:
            counts["ambiguous"] += 1
            rows = python_rows(text, found["delimiter"])
            if not is_table(rows):
                differences.append(f"file {seed}: read with {found['delimiter']!r}, which does not make a table")
                continue
        different = difference(found, rows)
        if different:
            differences.append(f"file {seed}: {different}")
        if with_pandas and found["delimiter"] == delimiter and suits_pandas(text, delimiter):
            counts["pandas"] += 1
            different = difference(found, pandas_rows(text, delimiter))
            if different:
                differences.append(f"file {seed}: {different} (pandas)")
    return differences, counts
