"""The CSV reader against Python's csv module. scripts/campaign tables compares 10,000 files, with pandas as well."""

import csv_files
import pytest


@pytest.fixture(scope="module")
def program(binary):
    return binary.parents[1] / "tests" / "csv_cells"


def test_generated_files_have_the_cells_that_pythons_csv_module_reads_or_are_refused(program, tmp_path):
    differences, counts = csv_files.compare(program, range(4000), tmp_path)
    assert not differences, "\n".join(differences[:10])
    assert counts["read"] > 3000
    assert counts["ambiguous"] < 100


REFUSED = {
    "a quote that is not closed": 'x,y\n1,2\n3,"4\n',
    "text after a closing quote": 'x,y\n1,2\n3,"4"5\n',
    "a carriage return within a line": "x,y\n1,2\r3,4\n",
    "a row of another length": "x,y\n1,2\n3\n",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_damaged_files_are_refused(program, tmp_path, text):
    assert "refused" in csv_files.read_all(program, [text], tmp_path)[0]
