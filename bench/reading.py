"""Reading a large CSV file, against pandas."""

import numpy as np
import pandas

import figures
from programs import write_csv
from timing import repeat, seconds_of

ROWS, COLUMNS = 1_000_000, 20


def large_file(folder):
    """Random doubles in full; made once, for it takes longer than reading it."""
    path = folder / f"random_{ROWS}_{COLUMNS}.csv"
    if not path.exists():
        values = np.random.default_rng(0).normal(size=(ROWS, COLUMNS))
        scratch = path.with_suffix(".part")
        write_csv(scratch, values[:, :-1], values[:, -1])
        scratch.rename(path)
    return path


def measure(context):
    path = large_file(context.programs.folder)
    ours = context.programs.helper("read_csv", path)
    frame = pandas.read_csv(path, engine="c")
    if frame.shape != (ours["rows"], ours["columns"]) or not np.isclose(frame.to_numpy().sum(), ours["sum"], rtol=1e-6):
        raise RuntimeError("pandas and the library read different tables")
    peer = repeat(lambda: seconds_of(pandas.read_csv, path, engine="c"), at_least=3)
    return {
        "megabytes": path.stat().st_size / 1e6,
        "seconds": {"ours": ours["seconds"], "pandas": peer},
        "pandas/ours": peer.seconds / ours["seconds"],
    }


def describe(result):
    times = result["seconds"]
    rows = [[f"{times['ours']:.3g} s", figures.seconds(times["pandas"]), figures.at_least(result["pandas/ours"])]]
    return f"""{figures.table(["CSV: ours", "pandas", "pandas/ours"], rows)}
{ROWS:,} x {COLUMNS} doubles in full, {result["megabytes"]:.0f} MB in the page cache; pandas.read_csv(engine="c").
Ours: median of 3 runs, pandas: of {times["pandas"].runs}."""
