"""Catalogues of any size, made of the demo's courses."""

import csv
import random

from bench.stack import COURSES

IN_A_DEPARTMENT = 20


def courses_file(folder, count):
    """Write `count` courses, each with the cells of three of the demo's; return the file's path."""
    with COURSES.open(encoding="utf-8-sig", newline="") as demo:
        given = list(csv.DictReader(demo))
    draw, file = random.Random("courses"), folder / f"{count}-courses.csv"
    with file.open("w", encoding="utf-8", newline="") as made:
        writer = csv.DictWriter(made, given[0])
        writer.writeheader()
        for number in range(count):
            course, second, third = draw.sample(given, 3)
            fields = [*course["fields"].split(";")[:2], second["fields"].partition(";")[0]]
            own = {
                "code": f"C{number}",
                "name": f"{course['name']} {number}",
                "fields": ";".join(dict.fromkeys(fields)),
                "department": f"Department {number // IN_A_DEPARTMENT}",
                "delivery": second["delivery"],
                "required_streams": third["required_streams"],
            }
            writer.writerow(course | own)
    return str(file)
