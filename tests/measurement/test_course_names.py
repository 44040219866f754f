"""Proposed fields of names of courses, tagged beforehand, and which names ask for a degree.

`right` and `plausible` are main fields; "-" means that nothing should be proposed.
"""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from measurement.course_names import RANKS, TABLES, asks_for_degree, propose_fields, split_words
from measurement.fields import FIELDS

NAMES = Path(__file__).parent / "data" / "course_names.csv"
KINDS = ("right", "plausible")


with NAMES.open(encoding="utf-8", newline="") as lines:
    ROWS = list(csv.DictReader(lines))


def test_each_field_is_a_tag_and_no_name_stands_twice():
    assert len(ROWS) >= 800
    assert max(Counter(row["name"] for row in ROWS).values()) == 1
    right, plausible = ({tag for row in ROWS for tag in row[kind].split()} for kind in KINDS)
    assert right == {*FIELDS, "-"} >= plausible


def test_no_phrase_stands_twice():
    texts = [text for rank in RANKS for texts in TABLES[rank].values() for text in texts]
    phrases = Counter("".join(split_words(text)) for text in texts)

    assert [phrase for phrase, count in phrases.items() if count > 1] == []


def test_most_names_get_a_right_or_plausible_field_and_hardly_any_a_wrong_one():
    none, wrong = [], []
    for row in ROWS:
        main = next(iter(propose_fields(row["name"])), "-")
        if main not in (row["right"] + " " + row["plausible"]).split():
            (none if main == "-" else wrong).append(f"{row['name']}: {main}")

    assert len(none + wrong) <= 0.02 * len(ROWS), none
    assert len(wrong) <= 0.01 * len(ROWS), wrong


@pytest.mark.parametrize(
    "spelled",
    [
        str.upper,
        str.lower,
        lambda name: name.replace(".", ". "),
        lambda name: name.replace("-", " "),
        lambda name: f"  {name.replace(' ', '  ')} ",
        lambda name: re.sub(r"\b([A-Za-z])\.(?=[A-Za-z])", r"\1", name),
    ],
    ids=["upper", "lower", "wide full stops", "no hyphens", "wide", "fewer full stops"],
)
def test_case_full_stops_hyphens_and_spaces_change_nothing(spelled):
    names = [row["name"] for row in ROWS]

    assert [name for name in names if propose_fields(name) != propose_fields(spelled(name))] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("B.Sc. Bio-Chemistry", "BSc Biochemistry"), ("Physio therapy", "Physiotherapy")]
    + [("B.Sc. C.S.", "BSc CS"), ("B. Ed.", "BEd"), ("बी.एस.सी. हिन्दी", "बीएससी हिंदी")]
    + [("बी०ए० हिंदी", "बी.ए. हिंदी"), ("बी0ए0 हिंदी", "बी.ए. हिंदी")]
    # a language of teaching, and who pays
    + [("B.Com. (English Medium)", "B.Com."), ("B.Sc. Physics (Self Finance)", "BSc Physics")],
)
def test_spellings_of_one_name(one, other):
    assert propose_fields(one) == propose_fields(other) != ()


@pytest.mark.parametrize(
    "name",
    ["B.A.", "B.Sc. (Hons.)", "B.Tech. Xyzology", "Management of Xyzology", "Foundation Year", ""]
    + ["Level 4 Diploma in Xyzology (RQF)", "B.A. (Hindi Medium)", "Craftsman Training Scheme"]
    + ["Doctor of Philosophy", "BS-MS Dual Degree", "कला स्नातक"],
)
def test_of_an_unknown_subject_nothing_is_proposed(name):
    assert propose_fields(name) == ()


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("BA Psychology and English", ("mind_society", "helping", "writing")),
        ("BBA Logistics", ("logistics", "business")),
        # a degree says nothing beside a subject, and a profession more than one
        ("BTech Computer Science and Engineering", ("computers", "maths")),
        ("B.Ed Physics", ("teaching", "helping", "physical_science")),
        ("Bachelor of Education (Arts) French", ("teaching", "helping", "writing")),
        # a hint says nothing beside a subject
        ("BE Electronics and Communication", ("machines", "physical_science", "computers")),
        ("Diploma in Communication", ("media", "writing")),
    ],
)
def test_several_words_of_a_name_give_several_fields(name, fields):
    assert propose_fields(name) == fields


FOR_GRADUATES = """
    M.A. | M.A. Hindi | MA English (Self Finance) | English (M.A.) | M. A. Economics | M.Sc. |
    M.Sc. Nursing | MSc Data Science | M.Sc. (Maths) - Evening | M.Com. | MBA | M.B.A. (Finance) |
    MBA (BA) | Executive MBA | MCA | M.C.A. (Lateral Entry) | M.Tech. VLSI Design |
    M.E. Structural Engineering | M.A./M.Sc. Geography | M.A./M.B.A. | Master of Arts |
    Master in Social Work | Masters in Public Health | Master's in Law | Master Degree in Yoga |
    M.S.W. | M.Lib.I.Sc. | MLIS | M.P.Ed. | M.Ed. | B.Ed. - M.Ed. (Integrated, 3 Years) |
    PG Diploma in Yoga | P.G. Diploma in Journalism | PGDCA | P.G.D.C.A. | PGDM | PGDRD |
    Post Graduate Diploma in Clinical Research | Postgraduate Certificate in Education |
    Post-Graduation in Commerce | PGCE Primary | Graduate Diploma in Law | Ph.D. |
    Ph. D. in Commerce | Doctor of Philosophy | M.Phil. English | Integrated M.Sc.-Ph.D. |
    Ph.D. (5 Years) | Post Doctoral Fellowship | LL.M. | LLM (Cyber Law) | LL.B. | LL.B. (3 Years) |
    L.L.B. Three Year | Bachelor of Laws (LL.B.) | B.Ed. | B.Ed. (2 Years) | Bachelor of Education |
    B.P.Ed. | B.Lib.I.Sc. | BLIS | Bachelor of Library and Information Science | MD |
    M.D. (Ayurveda) | MD General Medicine | M.S. Orthopaedics | MS General Surgery | MD/MS |
    M.D.S. | M.Ch. Neurosurgery | MPT (Neurology) | Doctor of Medicine | MS in Computer Science |
    M.S. (Research) | Level 7 Diploma in Strategic Management | M.Sc. in Integrated Biology |
    एम.ए. हिन्दी | एम०ए० संस्कृत | एम.एससी. गणित | एम.कॉम. | एम.बी.ए. | पीएच.डी. हिन्दी |
    स्नातकोत्तर डिप्लोमा | बी.एड. | एल.एल.बी. | विधि स्नातक (एल.एल.बी.) | मास्टर ऑफ साइंस |
    पीजी डिप्लोमा | MSc Medical Lab Technology | M.Sc. M.L.T.
"""
FOR_SCHOOL_LEAVERS = """
    B.A. | B.Sc. (Hons.) Physics | B.Com. | BBA | BMS | B.M.S. | B.Tech. Mechanical |
    Bachelor of Arts in Music | MBBS | M.B.B.S. | B.A.M.S. | B.H.M.S. | BUMS | D.M.L.T. | DMLT |
    BMLT | MLT | M.L.T. | Medical Lab Technology | Med. Lab. Technician | B.A. LL.B. |
    B.A. LL.B. (Hons.) 5 Years | BALLB | BBA LL.B. | B.Com. LL.B. | LL.B. (5 Year Integrated) |
    Five Year LL.B. | B.A. B.Ed. | B.Sc.-B.Ed. (ITEP) | B.Ed. (4 Year Integrated) | B.El.Ed. |
    Integrated M.Sc. | M.Sc. (Integrated) Chemistry | M.Sc. Physics (5 Years) |
    Five-Year M.Sc. Biotechnology | Integrated MBA | MBA (5 Years, after 12th) | Integrated MCA |
    M.Tech (5 Yr) | Int. M.Sc. Maths | B.Tech-M.Tech Dual Degree | B.Tech + MBA |
    B.Sc.-M.Sc. Integrated | BS-MS | B.S.-M.S. Dual Degree | BBA-MBA | BCA + MCA |
    Bachelor and Master of Technology (Dual Degree) |
    Civil Engineering and M.Tech. in Environmental Engineering (5 Years) | MBA Tech |
    Diploma in Mechanical | Diploma in Mech. Engg. | Advanced Diploma in Hotel Management |
    Post Diploma in Industrial Safety | Post Basic B.Sc. Nursing | Undergraduate Diploma |
    UG Certificate | Certificate in MS Office | MS Office | MS-CIT | M.S. Excel |
    M. Visvesvaraya Diploma in Civil | M.A. Ansari College B.Com. |
    M.A. Ansari Certificate in Urdu | M.S. Ramaiah Nursing | B.Sc. M. Sharma Batch |
    Master Chef Course | Scrum Master | Master Tailor | Masterclass in Baking |
    Head Master Training | Web Master | Pharm.D. | D.Pharm | Doctor of Pharmacy |
    Graduation in Arts | B.Voc. (NSQF Level 7) | Level 5 Diploma | Mass Media | Mathematics |
    Marine Engineering | Medicine | MERN Stack | Metallurgy | MIS | Mechanic | Fitter | IPM |
    बी.ए. | बी.एससी. नर्सिंग | कला स्नातक | बी.ए. एल.एल.बी. (पंचवर्षीय) | बी.ए. बी.एड. |
    डिप्लोमा इन फार्मेसी | एकीकृत एम.एससी. | मैकेनिक
"""


def names_of(text):
    return [name.strip() for name in text.split("|")]


def test_a_name_says_whether_a_course_is_for_graduates_or_for_school_leavers():
    assert [name for name in names_of(FOR_GRADUATES) if not asks_for_degree(name)] == []
    others = [*names_of(FOR_SCHOOL_LEAVERS), ""]
    assert [name for name in others if asks_for_degree(name)] == []
