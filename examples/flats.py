"""Writes flats.csv and new_flats.csv: rents by area, district, year of building, listing date and balcony.

    python3 examples/flats.py FOLDER
"""

import csv
import datetime
import pathlib
import random
import sys

DISTRICTS = {"Centre": 260, "Harbour": 90, "Hill": 40, "North": -60, "Works": -120}  # Contribution to the rent.


def flat(draw):
    """A random row. One flat in four has no year and is cheaper; in the centre, the rent rises more with the area."""
    district = draw.choices(list(DISTRICTS), weights=[3, 2, 2, 4, 3])[0]
    area = round(draw.uniform(25, 120), 1)
    year = draw.randint(1890, 2020)
    known = draw.random() < 0.75
    balcony = draw.random() < 0.4
    listed = datetime.date(2024, 1, 1) + datetime.timedelta(days=draw.randrange(500))
    rent = 150 + 8 * area + DISTRICTS[district] + 45 * balcony
    rent += 4 * (area - 70) if district == "Centre" else 0
    rent += 0.012 * (year - 1950) ** 2 if known else -90
    rent += draw.gauss(0, 30)
    return [area, district, year if known else "", listed, "yes" if balcony else "no", round(rent)]


def write(path, rows, seed):
    draw = random.Random(seed)
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["area", "district", "year", "listed", "balcony", "rent"])
        writer.writerows(flat(draw) for _ in range(rows))


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "flats.csv", 500, seed=1)
    write(folder / "new_flats.csv", 200, seed=2)
