"""Catalogues of any size, made of the demo's courses."""

import csv
import random

from bench.stack import COURSES

IN_A_DEPARTMENT = 20


def courses_file(folder, count):
    """Write a file of `count` courses; return its path.

    Each takes fields, subjects and the rest from three of the demo's courses, so that 1,000 differ
    as much as those of a college.
    """
    with COURSES.open(encoding="utf-8-sig", newline="") as demo:
        given = list(csv.DictReader(demo))
    draw, file = random.Random("courses"), folder / f"{count}-courses.csv"
    with file.open("w", encoding="utf-8", newline="") as made:
        writer = csv.DictWriter(made, given[0])
        writer.writeheader()
        for number in range(count):
            course, second, third = draw.sample(given, 3)
            first_fields, (field, *_) = (each["fields"].split(";") for each in (course, second))
            own = {
                "code": f"C{number}",
                "name": f"{course['name']} {number}",
                "order": number,
                "fields": ";".join(dict.fromkeys([*first_fields[:2], field])),
                "department": f"Department {number // IN_A_DEPARTMENT}",
                "delivery": second["delivery"],
                "required_streams": third["required_streams"],
            }
            writer.writerow(course | own)
    return str(file)
