#!/usr/bin/env python3
"""Draws the pictures of docs/how-to/report.md, and prints what each page takes: needs Chromium and the folder of real tables.

    build/venv-python/bin/python docs/images/make_report_figures.py FOLDER_OF_TABLES
"""

import csv
import io
import itertools
import math
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

from PIL import Image

repository = pathlib.Path(__file__).parents[2]
sys.path += [str(repository / "examples"), str(repository / "tests" / "cli")]
from chromium import Browser

SHRIMP = repository / "build" / "release" / "bin" / "shrimp"
WIDTH, SCALE, COLOURS = 1060, 0.62, 64


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def write_demo(folder):
    subprocess.run([sys.executable, repository / "examples" / "ishigami.py", folder], check=True)
    return folder / "ishigami_train.csv", folder / "ishigami_test.csv"


def write_power_plant(folder):
    """Four fifths of the rows to fit, the others to test."""
    with open(pathlib.Path(sys.argv[1]) / "ccpp.csv", newline="") as file:
        header, *rows = csv.reader(file)
    random.Random(0).shuffle(rows)
    cut = len(rows) * 4 // 5
    write(folder / "train.csv", header, rows[:cut])
    write(folder / "test.csv", header, rows[cut:])
    return folder / "train.csv", folder / "test.csv"


def write_sixty(folder):
    """Twelve inputs that each have an effect, and 48 pairs of them."""
    numbers = random.Random(5)
    names = [f"p{j + 1}" for j in range(12)]
    pairs = list(itertools.combinations(range(12), 2))
    numbers.shuffle(pairs)
    pairs = pairs[:48]
    sizes = [numbers.uniform(0.5, 2) for _ in names]
    rates = [numbers.uniform(0.5, 1.6) for _ in names]
    weights = [numbers.uniform(0.3, 1.5) for _ in pairs]

    def row():
        x = [numbers.uniform(-1, 1) for _ in names]
        alone = sum(size * math.sin(math.pi * rate * t) for size, rate, t in zip(sizes, rates, x))
        together = sum(weight * x[i] * x[j] for weight, (i, j) in zip(weights, pairs))
        return [f"{value:.5f}" for value in [*x, alone + together + numbers.gauss(0, 0.2)]]

    for name, count in (("train.csv", 2000), ("test.csv", 1000)):
        write(folder / name, [*names, "y"], [row() for _ in range(count)])
    return folder / "train.csv", folder / "test.csv"


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def make_page(folder, tables):
    train, test = tables(folder)
    model, path, page = (folder / name for name in ("model.json", "path.csv", "report.html"))
    options = [train, "--target", "y", "--quick-error", "-q"]
    subprocess.run([SHRIMP, "fit", *options, "--output", model], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([SHRIMP, "path", *options, "--output", path], check=True)
    before = processor_seconds()
    command = [SHRIMP, "report", model, "--data", test, "--path", path, "--output", page]
    subprocess.run(command, check=True)
    return page, processor_seconds() - before


def draw(browser, page, scheme, first, last, picture):
    """The page from the top of one section to the top of another, in few colours."""
    browser.prefer(scheme)
    browser.size(WIDTH, 900)
    browser.open(page)
    browser.size(WIDTH, browser.evaluate("document.documentElement.scrollHeight"))
    top, bottom = (browser.evaluate(f"document.querySelector('{name}').getBoundingClientRect().top") for name in (first, last))
    with tempfile.TemporaryDirectory() as folder:
        whole = pathlib.Path(folder) / "whole.png"
        browser.screenshot(whole, clip={"x": 0, "y": max(0, top - 20), "width": WIDTH, "height": bottom - top + 10})
        image = Image.open(whole).convert("RGB")
        image = image.resize([round(SCALE * side) for side in image.size], Image.LANCZOS)
    content = io.BytesIO()
    image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(content, "PNG", optimize=True)
    picture.write_bytes(content.getvalue())


def main():
    pictures = pathlib.Path(__file__).parent
    with Browser() as browser:
        for name, tables, scheme, first, last in (
            ("demo", write_demo, "light", "header", "#higher"),
            ("ccpp", write_power_plant, "dark", "#inputs", "#made"),
            ("sixty", write_sixty, "light", "#terms", "#higher"),
        ):
            with tempfile.TemporaryDirectory() as folder:
                page, seconds = make_page(pathlib.Path(folder), tables)
                picture = pictures / f"report-{name}.png"
                draw(browser, page, scheme, first, last, picture)
                print(f"{name}: {page.stat().st_size / 1000:.0f} kB in {seconds:.2f} processor seconds; {picture.name} {picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
