"""Forges summaries whose checksum is right: `merge` refuses each, or makes a model that can be read and predicts numbers."""

import math
import random
import struct
import tempfile
import zlib

from workplace import Findings, Workplace, at_once, options, run

HEAD = 12  # Bytes before the first number that is forged: the name of the format and its version.
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-320, 1e-300, -1e-300, 1e-17, 1e17, 1e150, 1e300, -1e300, 1.7e308, math.inf, -math.inf, math.nan]
COUNTS = [0, 1, 2, 63, 64, 65, 1 << 31, 1 << 32, 1 << 53, 1 << 62, 1 << 63, (1 << 64) - 1]


def sealed(content):
    return content + struct.pack("<I", zlib.crc32(content))


def forge(whole, draw):
    """One field, or a few, with another value."""
    content = bytearray(whole[:-4])
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        # Eight bytes at a time, as most fields are; those of the head more often than numbers of triangles.
        places = range(HEAD, min(len(content), 200) - 7, 4) if draw.random() < 0.7 else range(HEAD, len(content) - 7, 8)
        place = draw.choice(places)
        kind = draw.randrange(5)
        (number,) = struct.unpack_from("<d", content, place)
        if kind == 0:
            struct.pack_into("<d", content, place, draw.choice(NUMBERS))
        elif kind == 1:
            struct.pack_into("<Q", content, place, draw.choice(COUNTS))
        elif kind == 2:
            content[place + draw.randrange(8)] ^= 1 << draw.randrange(8)
        elif kind == 3:
            struct.pack_into("<d", content, place, -number)
        else:
            struct.pack_into("<d", content, place, number * 10.0 ** draw.randint(-200, 100) if math.isfinite(number) else 1.0)
    return sealed(bytes(content))


def merged(place, number, forged, findings):
    """Whether the summary was taken."""
    path, model = place.outputs / f"{number}.summary", place.outputs / f"{number}.json"
    path.write_bytes(forged)
    took = False
    for parts in ([path], [place.inputs / "rows.summary", path], [path, place.inputs / "rows.summary"]):
        done = run("merge", place.inputs / "model.json", *parts, "--output", model)
        words = done.stderr.decode(errors="replace")
        if done.returncode not in (0, 1, 3):
            findings.add(f"{number}: merge ended with {done.returncode}: {words[-300:]}")
        if done.returncode != 0:
            continue
        took = True
        for verb in (["inspect", model], ["predict", model, place.inputs / "table.csv"]):
            after = run(*verb)
            if after.returncode != 0 or b"nan" in after.stdout or b"inf" in after.stdout:
                findings.add(f"{number}: {verb[0]} of the merged model ended with {after.returncode}: "
                             f"{after.stderr.decode(errors='replace')[-300:]}")  # fmt: skip
    return took


def main():
    chosen = options(__doc__, forgeries=400)
    findings = Findings("forged")
    with tempfile.TemporaryDirectory() as folder:
        place = Workplace(folder)
        place.outputs.mkdir()
        whole = (place.inputs / "rows.summary").read_bytes()
        draw = random.Random(chosen.seed)
        forgeries = [forge(whole, draw) for _ in range(chosen.forgeries)]
        taken = at_once(merged, [(place, number, forged, findings) for number, forged in enumerate(forgeries)])
        findings.end(f"{chosen.forgeries} forged summaries, {sum(taken)} of them merged")


if __name__ == "__main__":
    main()
