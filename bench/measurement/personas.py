"""Sixteen simulated students: their interests, abilities and expected courses.

The expectations were written before the first run. Don't change them to fit an outcome. Courses are
those of the demo's catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Persona:
    """A student.

    `likes` are the mean answers (1 to 5) to statements about realistic, investigative, artistic,
    social, enterprising and conventional things; `can` the true ability on numerical, abstract
    and verbal puzzles (0 = the middle, in SDs); `leans` the mean answers on the four preference
    scales, 5 = the second word of the scale's name. The recommended courses should include at
    least `least` of `expected` and none of `not_expected`. Every text of `noted` should be true
    of the result (see bench.measurement.students).
    """

    number: int
    who: str
    likes: tuple[float, float, float, float, float, float]
    can: tuple[float, float, float]
    expected: tuple[str, ...]
    least: int
    not_expected: tuple[str, ...] = ()
    leans: tuple[float, float, float, float] = (3, 3, 3, 3)
    noted: tuple[str, ...] = ()
    manner: str = "reads"


PERSONAS: tuple[Persona, ...] = (
    Persona(
        1,
        "Repairs the phones and fans of the whole street, good with numbers, bored by stories.",
        (4.7, 3.6, 1.8, 2.2, 2.2, 2.6),
        (0.9, 0.8, -0.2),
        ("BTECH-MEC", "BTECH-CIV", "BTECH-CSE"),
        1,
        ("BA-ENG", "BSW", "BA-JMC"),
    ),
    Persona(
        2,
        "Loves machines just as much, but numbers are hard.",
        (4.7, 3.4, 1.8, 2.2, 2.2, 2.4),
        (-1.4, -0.3, -0.3),
        ("BTECH-MEC", "BTECH-CIV"),
        1,
        ("BA-ENG", "BSW"),
        noted=("a counterpoint names preparation",),
    ),
    Persona(
        3,
        "From a farm; grows, breeds and sells, and wants to run it better.",
        (4.6, 2.8, 1.5, 2.4, 4.0, 2.6),
        (0.1, 0.0, 0.0),
        ("BSC-AGR",),
        1,
        ("BA-ENG", "BFA", "BA-PSY"),
    ),
    Persona(
        4,
        "Looks after ill relatives, calm with blood and bandages, careful with medicines.",
        (3.6, 2.4, 1.6, 4.7, 1.8, 3.2),
        (0.0, 0.0, 0.2),
        ("BSC-NUR", "BPT", "BSW"),
        1,
        ("BFA", "BBA-LOG"),
    ),
    Persona(
        5,
        "Reads novels, writes poems, hates sums.",
        (1.4, 2.4, 4.7, 3.3, 2.4, 1.6),
        (-0.8, -0.2, 1.2),
        ("BA-ENG", "BA-JMC", "BFA"),
        2,
        ("BCOM", "BTECH-MEC"),
    ),
    Persona(
        6,
        "Paints and sews, makes things with the hands, talks little.",
        (3.8, 1.8, 4.8, 1.8, 2.0, 1.6),
        (-0.2, 0.9, -0.4),
        ("BFA", "BDES"),
        2,
        ("BCOM", "LLB"),
        leans=(1.6, 1.6, 3, 3),
    ),
    Persona(
        7,
        "Keeps the accounts of the family's shop and never a rupee is missing.",
        (1.8, 2.4, 1.4, 1.9, 3.4, 4.8),
        (0.9, 0.2, 0.0),
        ("BCOM", "BBA-LOG", "BSC-STA"),
        2,
        ("BFA", "BSC-BIO"),
        leans=(3, 4.3, 1.5, 3),
    ),
    Persona(
        8,
        "Class representative, sells tickets and sponsorships, will found a company.",
        (1.8, 2.0, 2.4, 3.2, 4.8, 3.2),
        (0.3, 0.2, 0.4),
        ("BBA", "LLB", "BHM", "BBA-LOG"),
        2,
        ("BSC-PHY",),
        leans=(4.5, 2, 4, 3),
    ),
    Persona(
        9,
        "Asks why all day, takes part in every science fair, solves puzzles for fun.",
        (2.8, 4.9, 2.0, 2.0, 1.6, 2.2),
        (1.4, 1.3, 0.5),
        ("BSC-PHY", "BSC-BIO", "BSC-STA"),
        2,
        ("BHM", "BBA"),
    ),
    Persona(
        10,
        "Writes small programs on an old laptop, keeps everything in tidy folders.",
        (2.4, 4.2, 2.0, 1.6, 1.8, 4.3),
        (0.9, 1.3, 0.2),
        ("BCA", "BSC-STA", "BTECH-CSE"),
        2,
        ("BSW", "BA-BED"),
        leans=(1.8, 2, 3, 1.4),
    ),
    Persona(
        11,
        "Argues well, stands up for others, wants to speak in court.",
        (1.4, 2.6, 2.8, 3.9, 4.6, 2.6),
        (0.0, 0.3, 1.4),
        ("LLB", "BA-JMC", "BBA"),
        1,
        ("BTECH-MEC", "BSC-PHY"),
    ),
    Persona(
        12,
        "Teaches younger cousins, plays and draws with them.",
        (1.8, 2.0, 3.6, 4.8, 2.2, 2.0),
        (-0.2, 0.0, 0.6),
        ("BA-BED", "BSW", "BA-PSY"),
        2,
        ("BCOM", "BTECH-CIV"),
        leans=(4.6, 2, 3, 4.6),
    ),
    Persona(
        13,
        "Wonders why people do what they do, reads about the mind, listens well.",
        (1.4, 4.3, 2.6, 4.4, 1.6, 1.8),
        (0.2, 0.4, 0.9),
        ("BA-PSY",),
        1,
        ("BBA-LOG", "BTECH-MEC"),
    ),
    Persona(
        14,
        "Cooks for guests, loves a full house, keeps the kitchen running.",
        (3.5, 1.6, 2.6, 4.0, 4.3, 2.4),
        (-0.4, -0.3, 0.0),
        ("BHM",),
        1,
        ("BSC-PHY", "BSC-STA"),
    ),
    Persona(
        15,
        "Likes everything a little, has no favourite yet.",
        (3.4, 3.4, 3.4, 3.4, 3.4, 3.4),
        (0.0, 0.0, 0.0),
        (),
        0,
        noted=("five courses", "the profile is called flat or the note asks for care"),
    ),
    Persona(
        16,
        "Wants it over with: the same answer to every statement, puzzles clicked away.",
        (3, 3, 3, 3, 3, 3),
        (0.5, 0.5, 0.5),
        (),
        0,
        noted=("five courses", "the answers are flagged", "the status is Completed"),
        manner="clicks",
    ),
)
