"""Which names of courses ask for a degree."""

from measurement.course_levels import asks_for_degree

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
