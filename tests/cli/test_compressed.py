"""Tables in gzip and zstd archives."""

import gzip
import io
import subprocess

import pytest

from functions import write_csv


def zstd(content, *options):
    return subprocess.run(["zstd", "-q", "-c", *options], input=content, capture_output=True, check=True).stdout


def in_parts(pack):
    """Archives one behind the other, cut anywhere, one of them empty."""
    return lambda content: pack(content[:100]) + pack(b"") + pack(content[100:1001]) + pack(content[1001:])


def with_name_and_comment(content):
    buffer = io.BytesIO()
    with gzip.GzipFile("table.csv", "wb", fileobj=buffer) as file:
        file.write(content)
    return buffer.getvalue()


SKIPPED_FRAME = b"\x5a\x2a\x4d\x18\x03\0\0\0abc"

ARCHIVES = {
    "gzip": gzip.compress,
    "gzip that is not compressed": lambda content: gzip.compress(content, 0),
    "gzip with a name": with_name_and_comment,
    "gzip in parts": in_parts(gzip.compress),
    "gzip filled up with zeros": lambda content: gzip.compress(content) + bytes(512),
    "zstd": zstd,
    "zstd without a checksum": lambda content: zstd(content, "--no-check"),
    "zstd with a large window": lambda content: zstd(content, "--long=30"),
    "zstd in parts": in_parts(zstd),
    "zstd behind a frame to skip": lambda content: SKIPPED_FRAME + zstd(content) + SKIPPED_FRAME,
}
PACKERS = {"gzip": gzip.compress, "zstd": zstd}


@pytest.fixture(scope="module")
def run_bytes(binary, environment):
    def run(*arguments, stdin):
        return subprocess.run([binary, *map(str, arguments)], input=stdin, env=environment, capture_output=True)

    return run


# A name that says nothing, and one that says the wrong thing.
@pytest.mark.parametrize("name", ["table.csv.gz", "table.csv"])
@pytest.mark.parametrize("pack", ARCHIVES.values(), ids=ARCHIVES)
def test_an_archive_gives_what_its_table_gives(shrimp, fit_model, model, train, tmp_path, pack, name):
    table = tmp_path / name
    table.write_bytes(pack(train.read_bytes()))
    assert fit_model(table, tmp_path / "own.json").read_bytes() == model.read_bytes()
    assert shrimp("predict", model, table).stdout == shrimp("predict", model, train).stdout
    assert shrimp("evaluate", model, table).stdout == shrimp("evaluate", model, train).stdout


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_an_archive_is_read_from_standard_input(run_bytes, shrimp, model, train, pack):
    run = run_bytes("predict", model, "-", stdin=pack(train.read_bytes()))
    assert run.stdout.decode() == shrimp("predict", model, train).stdout


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_validation_and_test_tables_may_be_archives(shrimp, data, train, tmp_path, pack):
    plain, packed = tmp_path / "second.csv", tmp_path / "second.csv.packed"
    write_csv(plain, data[0][::2], data[1][::2])
    packed.write_bytes(pack(plain.read_bytes()))
    for command, flag in [("fit", "--validation"), ("path", "--validation"), ("path", "--test")]:
        runs = [shrimp(command, train, "--target", "y", "--features", 40, "-q", flag, file, "--output", "-")
                for file in (plain, packed)]  # fmt: skip
        assert runs[0].returncode == 0
        assert runs[0].stdout == runs[1].stdout


# More than one reading, and than one growth of what is read.
@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_a_large_archive_is_read_whole(shrimp, model, tmp_path, pack):
    row = "0.125,0.25,0.5\n"
    count = 400_000
    (tmp_path / "large.csv").write_bytes(pack(("x1,x2,x3\n" + row * count).encode()))
    (tmp_path / "one.csv").write_text("x1,x2,x3\n" + row)
    one = shrimp("predict", model, tmp_path / "one.csv").stdout.splitlines()[1]
    assert shrimp("predict", model, tmp_path / "large.csv").stdout == "prediction\n" + f"{one}\n" * count


def refusal(shrimp, model, path, content):
    path.write_bytes(content)
    run = shrimp("predict", model, path)
    assert run.returncode == 1
    assert not run.stdout
    first, second = run.stderr.splitlines()
    assert first.startswith(f"shrimp: {path}")
    assert second.startswith(" " * 8)
    return first


@pytest.mark.parametrize("kind, pack", PACKERS.items(), ids=PACKERS)
def test_an_archive_cut_short_anywhere_is_refused(shrimp, model, train, tmp_path, kind, pack):
    whole = pack(train.read_bytes())
    for size in [4, 5, 9, 10, 11, *range(12, len(whole), len(whole) // 20), len(whole) - 5, len(whole) - 1]:
        message = refusal(shrimp, model, tmp_path / "cut", whole[:size])
        assert f"is a damaged {kind} archive: it is truncated." in message


@pytest.mark.parametrize("kind, pack", PACKERS.items(), ids=PACKERS)
@pytest.mark.parametrize("garbage", [b"x", b"garbage", b"\0\0x", b"x1,x2,x3\n1,2,3\n"])
def test_an_archive_followed_by_something_else_is_refused(shrimp, model, train, tmp_path, kind, pack, garbage):
    message = refusal(shrimp, model, tmp_path / "longer", pack(train.read_bytes()) + garbage)
    assert f"is a damaged {kind} archive: other data follow its end." in message


@pytest.mark.parametrize("kind, pack", PACKERS.items(), ids=PACKERS)
def test_a_damaged_archive_is_refused(shrimp, model, train, tmp_path, kind, pack):
    content = pack(train.read_bytes())
    for at in [len(content) // 2, len(content) - 6]:
        damaged = content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :]
        assert f"is a damaged {kind} archive" in refusal(shrimp, model, tmp_path / "damaged", damaged)


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_an_empty_archive_is_an_empty_table(shrimp, model, tmp_path, pack):
    assert "empty: the file is empty." in refusal(shrimp, model, tmp_path / "empty", pack(b""))


def test_an_archive_that_needs_a_dictionary_is_refused(shrimp, model, train, tmp_path):
    dictionary = tmp_path / "dictionary"
    parts = []
    for k in range(60):
        parts.append(tmp_path / f"part{k}")
        parts[-1].write_bytes(train.read_bytes()[20 * k : 20 * k + 400])
    subprocess.run(["zstd", "-q", "--train", *parts, "-o", dictionary, "--maxdict=2000"], check=True, capture_output=True)
    content = zstd(train.read_bytes(), "-D", dictionary)
    assert "compressed with a dictionary" in refusal(shrimp, model, tmp_path / "archive", content)


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_an_archive_that_unpacks_to_more_than_memory_is_refused(shrimp, tmp_path, pack):
    bomb = tmp_path / "bomb"
    bomb.write_bytes(pack(b"x1,y\n" + b"0,0\n" * 10_000_000))
    assert bomb.stat().st_size < 100_000
    run = shrimp("fit", bomb, "--target", "y", "--memory", 0.005)
    assert run.returncode == 1
    assert f"{bomb} contains 5.1 MiB or more, but only 5.1 MiB of memory may be used for it.\n" in run.stderr
