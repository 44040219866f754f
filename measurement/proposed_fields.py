"""Propose fields for a course from its name.

An editor's choice is better. A proposal lets a catalogue work until there is one.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate

FIELDS_MAX = 3
# The order in which the words of a name decide.
PROFESSION, SUBJECT, DEGREE, GENERIC = range(4)

# Degrees that decide the field, whatever else the name mentions: "B.Ed Mathematics" is teaching.
PROFESSIONS = """
    bed, med, beled, deled, jbt, ded, teacher education, teacher training, montessori,
        pedagogy, बीएड, डीएलएड: teaching helping
    llb, llm, law, laws, legal, jurisprudence, judicial, criminal justice, विधि, एलएलबी, कानून:
        law mind_society writing
    bhms hotel management, होटल: hospitality business
    mbbs, bds, md, ms surgery, medicine, surgery, dental, dentistry, bams, bhms, bums, bnys,
        bsms, ayurved*, homeopath*, homoeopath*, unani: care life_science physical_science
    nursing, nurse, anm, gnm, midwi*, geriatric, old age care, नर्सिंग:
        care helping life_science
    public health, sanitary inspector, hospital housekeeping: care helping life_science
    yoga, yogic, naturopath*, spa therapy, योग: care teaching
    medical coding: care office
    bpt, mpt, physiotherap*, physical therapy: care life_science
    bot, occupational therapy, audiology, baslp, speech therapy, speech language: care helping
    bmlt, dmlt, medical lab*, radiograph*, radiology, medical imaging, imaging technology,
        operation theatre, dialysis, optometr*, boptom, x ray, anaesthesia, cardiac,
        paramedic*, perfusion, emergency care, health science*, physician assistant:
        care life_science machines
    bpharm, mpharm, dpharm, pharmd, pharm, pharmacy, pharmaceutic*, pharmacolog*, फार्मेसी:
        life_science physical_science care
    bvsc, bfsc, veterinary, animal husbandry, dairy*, milk, fisher*, poultry:
        nature life_science care
    bsw, msw, social work, community development, rural development, counselling,
        child development, special education, disability, social welfare, development studies:
        helping mind_society
    bhm, bhmct, ihm, hotel, hospitality, culinary, catering, chef, bakery, cookery,
        food production, baker*, confectioner*, tourism, tourist, travel, airline,
        aviation hospitality, cabin crew: hospitality business
    bfa, mfa, bva, fine art*, painting, sculpture, visual art*, applied art*, drawing,
        illustration: art design
    bdes, mdes, fashion, interior*, textile design, apparel: design art
    barch, march, architecture, bplan, mplan, urban planning, town planning, city planning:
        building design maths
    music, dance, theatre, drama, performing art*, acting, stagecraft, bpa, tabla, sitar,
        veena, violin, flute, mridangam, harmonium, संगीत, नृत्य: performing art
    blib, blisc, blibisc, mlib, mlisc, mlibisc, library, पुस्तकालय: office writing
"""

SUBJECTS = """
    physiolog*, anatom*, patholog*, toxicolog*, virolog*: life_science care
    medical radiation, radiation therapy, acupuncture, acupressure, podiatr*, chiropract*,
        ophthalm*, prosthetic*, biokinetic*, hospital, health, healthcare: care life_science
    child care, anganwadi, creche: teaching helping care
    sign language, disaster management, human development: helping mind_society
    gandhian, peace, civics, ethics: mind_society law
    astrophysic*, nuclear, ocean*, photonic*, optic*, sugar, rubber, glass, paint technology:
        physical_science maths
    space, avionic*, locomotive*, railway*, elevator*, cnc, cad, smartphone, electric vehicle:
        machines physical_science computers
    embedded, iot, internet of things, mobile application*: computers machines
    nautical, freight forwarding: logistics business
    tally, gst, payroll, stock market, capital market*, investment*, wealth: accounts business
    real estate, estate management, customer service, customer relations: business accounts
    front office, housekeeping, house keeper, air hostess, bartending, barista, tour:
        hospitality business
    sound, audio: media performing
    beautician, make up, makeup: care design
    garment*, knitting, carpet, pottery, gem, gems, gemmolog*: design machines
    mechanical, automobile, automotive, mechatronic*, robotic*, production engineering,
        industrial engineering, manufacturing, aeronautic*, aerospace, marine engineering,
        weld*, machine*, machinist, fitter, turner, tool and die, diesel, refrigeration,
        mechanic, draughtsman mechanical, draftsman mechanical, lift and escalator, escalator,
        tractor, pump operator, driver, sheet metal, foundry*, electroplat*, drone*, फिटर,
        वेल्डर: machines physical_science maths
    aircraft maintenance, motor vehicle: machines physical_science
    electrical, electronic*, instrumentation, telecommunication*, communication engineering,
        vlsi, electrician, wireman, ece, eee, इलेक्ट्रीशियन:
        machines physical_science computers
    civil, construction, structural, survey*, quantity, plumb*, carpent*, wood work, mason*,
        draughtsman, draftsman, painter: building physical_science maths
    mining, metallurg*, petroleum, ceramic*, polymer*, chemical, chemistry, nanotechnology,
        material*, petrochemical, plastic*: physical_science maths
    physics, भौतिक*, रसायन*, physical science*, astronomy, geolog*, earth science*,
        meteorolog*, oceanograph*, applied science*, pcm, forensic*: physical_science maths
    biotech*, biochem*, microbiolog*, genetic*, biolog*, life science*, zoolog*, biomedical,
        bioinformatics, nutrition, dietetics, food technology, food science*, food processing,
        cbz, bzc, immunolog*, जीव विज्ञान, प्राणि*: life_science physical_science
    botany, plant science*, वनस्पति: life_science nature
    agricultur*, horticultur*, forestry, agronom*, agri, agribusiness, soil science,
        sericultur*, plantation, farm*, wildlife, floricultur*, soil, crop*, irrigation,
        fruit and vegetable, कृषि: nature life_science
    environment*, ecolog*: nature life_science
    mathematic*, maths, गणित, statistic*, actuarial, data science, data analytic*, analytics,
        business analytics, operations research, quantitative: maths computers
    economic*, econometric*, अर्थशास्त्र: maths mind_society business
    computer*, computing, software, information technology, information science, it, cse,
        artificial intelligence, ai, machine learning, cyber*, cloud, web development,
        programming, internet, blockchain, bca, bcs, mca, copa, hardware and networking, networking,
        information and communication tech*, computer application*, cs, web design*, कंप्यूटर,
        कम्प्यूटर, बीसीए: computers maths
    geoinformatic*, gis, remote sensing: computers building
    psycholog*, cognitive, behaviour*, मनोविज्ञान: mind_society helping
    sociolog*, anthropolog*, history, archaeolog*, philosoph*, geography, gender,
        women s studies, social science*, humanities, liberal art*, liberal studies,
        historical, indian culture, population, demograph*, asian studies, islamic studies,
        religious studies, vedic, theolog*, divinity, इतिहास, समाजशास्त्र, दर्शनशास्त्र, भूगोल:
        mind_society writing
    political science, pol sci, politic*, राजनीति*, public administration, public policy,
        international relations, governance, criminolog*, police, defence, public affairs,
        human rights: law mind_society
    english, hindi, literature, linguistic*, language*, sanskrit, tamil, telugu, marathi,
        bengali, kannada, malayalam, gujarati, punjabi, urdu, odia, oriya, assamese, konkani,
        nepali, sindhi, maithili, manipuri, kashmiri, dogri, pali, prakrit, arabic, persian,
        french, german, russian, spanish, italian, japanese, chinese, korean, latin, blit,
        blitt, creative writing, translation, हिंदी, हिन्दी, अंग्रेज़ी, संस्कृत, उर्दू:
        writing mind_society
    journalism, mass communication, mass media, media, bjmc, bmm, bammc, पत्रकारिता,
        public relations, broadcast*, advertising, digital communication: media writing
    film*, cinema*, television, photograph*, video*, radio: media art
    animation, multimedia, graphic*, visual communication, vfx, game, gaming, ux:
        design computers
    commerce, accounting, accountancy, accounts, finance, financial, taxation, tax, banking,
        audit*, cost and management, chartered accountan*, ca, cma, insurance,
        financial market*, baf, bbi, bfm, वाणिज्य, कॉमर्स, बैंकिंग: accounts business
    cooperati*, entrepreneur*, development of enterprises: business accounts
    logistic*, supply chain, shipping, transport*, port management, warehous*, maritime,
        aviation, navigat*, freight: logistics business
    secretar*, company secretary, cs executive, office, stenograph*, clerical, record*,
        office administration, computer operator, data entry, desktop publishing:
        office computers
    marketing, sales, retail, international business, e commerce, family business,
        business economics: business accounts
    human resource*, hr, personnel: business mind_society
    event*: business hospitality
    hospital administration, hospital management, healthcare management, health management:
        business care
    physical education, bped, mped, sport*, fitness: teaching care
    early childhood, nursery: teaching care
    beauty, cosmetolog*, hair*, skin care: care design
    home science: helping life_science
    textile*, weaving, spinning, printing, packaging: machines design
    design, designing, jewellery, leather, footwear, craft*, costume, dress making, sewing,
        tailor*, embroider*, bamboo: design art
"""

# Used only where the name says nothing else.
DEGREES = """
    bcom, mcom, बीकॉम: accounts business
    bba, mba, bbm, bms, pgdm, ipm, बीबीए: business accounts
"""

# Used only where the whole name is known: "BTech Ceramics" says more than these words, and of an
# unknown subject nothing is proposed rather than a wrong field.
GENERICS = """
    btech, mtech, be, me, engineering, polytechnic, iti, technician, technology, इंजीनियरिंग:
        machines physical_science maths
    management, business, administration, प्रबंधन: business accounts
    education, teaching, शिक्षा: teaching helping
"""
# Words that say nothing about a subject.
EMPTY_WORDS = frozenset(
    (
        *("a", "aided", "advance", "advanced", "allied", "and", "applied", "arts", "b", "ba"),
        *("bachelor", "bs", "bsc", "bvoc", "certificate", "course", "dds", "degree", "diploma"),
        *("dual", "entry", "evening", "faculty", "first", "five", "for", "four", "full", "general"),
        *("graduate", "hon", "honors", "honours", "hons", "i", "in", "integrated", "lateral", "ll"),
        *("m", "ma", "major", "master", "masters", "minor", "mphil", "ms", "msc", "mvoc", "of"),
        *("one", "part", "pg", "phd", "post", "programme", "program", "regular", "s", "sc"),
        *("science", "sciences", "second", "self", "sf", "shift", "ss", "studies", "the", "three"),
        *("time", "two", "ug", "undergraduate", "vocational", "voc", "with", "year", "years"),
        *("स्नातक", "ऑनर्स", "बीए", "बीएससी", "एमए", "एमएससी", "में", "का", "की"),
    )
)
_NUKTA = "\u093c"


def _spelled(text: str) -> list[str]:
    """Return the words of a text in small letters, with the marks of Devanagari but its nukta."""
    lower = unicodedata.normalize("NFD", text.lower().replace("&", " and ")).replace(_NUKTA, "")
    kept = (
        each if each.isalnum() or unicodedata.category(each).startswith("M") else " "
        for each in lower
    )
    return "".join(kept).split()


def _phrases() -> dict[str, list[tuple[str, bool, int, tuple[str, ...]]]]:
    """Return (letters, whether any ending will do, rank, fields) of each phrase.

    They are listed by their first letter.
    """
    found: dict[str, list[tuple[str, bool, int, tuple[str, ...]]]] = {}
    for rank, table in enumerate((PROFESSIONS, SUBJECTS, DEGREES, GENERICS)):
        for phrases, fields in re.findall(r"([^:]+):\s+([a-z_ ]+)\n", table):
            for phrase in phrases.split(","):
                letters = "".join(_spelled(phrase))
                entry = (letters, phrase.rstrip().endswith("*"), rank, tuple(fields.split()))
                found.setdefault(letters[0], []).append(entry)
    return found


_PHRASES = _phrases()


def propose_fields(name: str) -> tuple[str, ...]:
    """Return one to three fields for a course, the main one first, or none if nothing is known.

    They are those of the phrases in its name: professions, then subjects, else degrees, else
    generic words if no other word is left. The first phrase gives all its fields, each further one
    its main field. A letter counts once, in the longest phrase. Hyphens, full stops, spaces and
    case don't matter: a phrase begins and ends where a word does.
    """
    words = _spelled(name)
    if not words:
        return ()
    text = "".join(words)
    ends = [*accumulate(map(len, words))]
    starts = [0, *ends[:-1]]
    matches = []
    for start in starts:
        for letters, is_open, rank, fields in _PHRASES.get(text[start], ()):
            end = start + len(letters)
            if text.startswith(letters, start) and (is_open or end in ends):
                whole = next(each for each in ends if each >= end)
                matches.append((whole - start, start, whole, rank, fields))
    taken: list[tuple[int, int, int, tuple[str, ...]]] = []
    used: set[int] = set()
    for _length, start, end, rank, fields in sorted(matches, key=lambda each: (-each[0], each[1])):
        if used.isdisjoint(range(start, end)):
            used.update(range(start, end))
            taken.append((rank, start, end, fields))
    is_known = all(
        start in used or word in EMPTY_WORDS or word.isdigit()
        for word, start in zip(words, starts, strict=True)
    )
    taken = [each for each in taken if each[0] < GENERIC or is_known]
    if not taken:
        return ()
    (rank, _, _, first), *further = sorted(taken)
    more = [fields[0] for other, *_, fields in further if other < DEGREE or rank >= DEGREE]
    return tuple(dict.fromkeys([*first, *more]))[:FIELDS_MAX]
