"""Generated CSV files: our reader against Python's csv module and pandas."""

import argparse
import pathlib
import sys
import tempfile

repository = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(repository / "tests" / "cli"))

import csv_files  # noqa: E402

files_of_a_run = 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10000)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    arguments = parser.parse_args()
    program = repository / "build" / "release" / "tests" / "csv_cells"
    differences, totals = [], {}
    last = arguments.first + arguments.files
    with tempfile.TemporaryDirectory() as folder:
        for first in range(arguments.first, last, files_of_a_run):
            seeds = range(first, min(first + files_of_a_run, last))
            found, counts = csv_files.compare(program, seeds, pathlib.Path(folder), with_pandas=True)
            differences += found
            for name, count in counts.items():
                totals[name] = totals.get(name, 0) + count
    for difference in differences:
        print(difference)
    told = ", ".join(f"{count} {name}" for name, count in totals.items())
    print(f"tables: {arguments.files} files ({told}): {len(differences)} differences")
    return 1 if differences else 0


sys.exit(main())
