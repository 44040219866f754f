"""Propose fields for a course from its name.

An editor's choice is better. A proposal lets a catalogue work until there is one.
"""

from __future__ import annotations

import re

FIELDS_MAX = 3
# The order in which the words of a name decide.
PROFESSION, SUBJECT, DEGREE = range(3)

# Degrees that decide the field, whatever else the name mentions: "B.Ed Mathematics" is teaching.
PROFESSIONS = """
    bed, med, beled, deled, jbt, ded, teacher education, teacher training, montessori, teaching,
        education, pedagogy: teaching helping
    llb, llm, law, laws, legal, jurisprudence, judicial: law mind_society writing
    mbbs, bds, md, ms surgery, medicine, surgery, dental, dentistry, bams, bhms, bums, bnys, bsms,
        ayurved*, homeopath*, homoeopath*, unani: care life_science physical_science
    nursing, nurse, anm, gnm, midwi*: care helping life_science
    bpt, mpt, physiotherap*, physical therapy: care life_science
    bot, occupational therapy, audiology, baslp, speech therapy, speech language: care helping
    bmlt, dmlt, medical lab*, radiograph*, radiology, medical imaging, imaging technology,
        operation theatre, dialysis, optometry, anaesthesia, cardiac, paramedic*, perfusion,
        emergency care, health science*, physician assistant: care life_science machines
    bpharm, mpharm, dpharm, pharmd, pharm, pharmacy, pharmaceutic*, pharmacolog*:
        life_science physical_science care
    bvsc, veterinary, animal husbandry, dairy, fisher*, poultry: nature life_science care
    bsw, msw, social work, community development, rural development, counselling,
        child development, special education, disability: helping mind_society
    bhm, bhmct, ihm, hotel, hospitality, culinary, catering, chef, bakery, cookery,
        food production, tourism, travel, airline, aviation hospitality, cabin crew:
        hospitality business
    bfa, mfa, bva, fine art*, painting, sculpture, visual art*, applied art*, drawing, illustration:
        art design
    bdes, mdes, fashion, interior*, textile design, apparel: design art
    barch, march, architecture, bplan, mplan, urban planning, town planning, city planning:
        building design maths
    music, dance, theatre, drama, performing art*, acting, stagecraft, bpa: performing art
    blib, blisc, blibisc, mlib, mlisc, library: office writing
"""

SUBJECTS = """
    mechanical, automobile, automotive, mechatronic*, robotic*, production engineering,
        industrial engineering, manufacturing, aeronautic*, aerospace, marine engineering, welding,
        machine*, machinist, fitter, turner, tool and die, diesel, refrigeration:
        machines physical_science maths
    aircraft maintenance, motor vehicle: machines physical_science
    electrical, electronic*, instrumentation, telecommunication*, communication engineering, vlsi,
        electrician, wireman, ece, eee: machines physical_science computers
    civil, construction, structural, surveying, quantity, plumbing, carpentry, mason*:
        building physical_science maths
    mining, metallurg*, petroleum, ceramic*, polymer*, chemical, chemistry, nanotechnology,
        materials: physical_science maths
    physics, physical science*, astronomy, geolog*, earth science*, meteorolog*, oceanograph*,
        applied science*, pcm, forensic*: physical_science maths
    biotech*, biochem*, microbiolog*, genetic*, biolog*, life science*, zoolog*, biomedical,
        bioinformatics, nutrition, dietetics, food technology, food science*, food processing,
        cbz, bzc, immunolog*: life_science physical_science
    botany, plant science*: life_science nature
    agricultur*, horticultur*, forestry, agronom*, agri, agribusiness, soil science, sericultur*,
        plantation, farm*, wildlife, floricultur*: nature life_science
    environment*, ecolog*: nature life_science
    mathematic*, maths, statistic*, actuarial, data science, data analytic*, analytics,
        business analytics, operations research, quantitative: maths computers
    economic*, econometric*: maths mind_society business
    computer*, computing, software, information technology, information science, it, cse,
        artificial intelligence, ai, machine learning, cyber*, cloud, web development,
        programming, internet, blockchain, bca, mca, copa, hardware and networking, networking:
        computers maths
    psycholog*, cognitive, behaviour*: mind_society helping
    sociolog*, anthropolog*, history, archaeolog*, philosoph*, geography, gender, women s studies,
        social science*, humanities, liberal art*, liberal studies: mind_society writing
    political science, politic*, public administration, public policy, international relations,
        governance, criminolog*, police, defence, public affairs, human rights: law mind_society
    english, hindi, literature, linguistic*, language*, sanskrit, tamil, telugu, marathi, bengali,
        kannada, malayalam, gujarati, punjabi, urdu, french, german, creative writing,
        translation: writing mind_society
    journalism, mass communication, mass media, media, bjmc, bmm, public relations, broadcast*,
        advertising, digital communication: media writing
    film*, cinema*, television, photograph*, video*, radio: media art
    animation, multimedia, graphic*, visual communication, vfx, game, gaming, ux: design computers
    commerce, accounting, accountancy, accounts, finance, financial, taxation, tax, banking, audit*,
        cost and management, chartered accountan*, ca, cma, insurance: accounts business
    logistic*, supply chain, shipping, transport*, port management, warehous*, maritime,
        aviation: logistics business
    secretar*, company secretary, cs executive, office, stenograph*, clerical, record*,
        office administration, computer operator: office accounts
    marketing, sales, retail, entrepreneur*, international business, e commerce, family business,
        business economics: business accounts
    human resource*, hr, personnel: business mind_society
    event*: business hospitality
    hospital administration, hospital management, healthcare management, health management:
        business care
    physical education, bped, mped, sport*, yoga, fitness: teaching care
    early childhood, nursery: teaching care
    beauty, cosmetolog*, hair*: care design
    home science: helping life_science
    textile*: machines design
    design, designing, jewellery, leather, footwear, craft*: design art
"""

# Used only where the name says nothing else: "BTech Computer Science" is not about machines.
DEGREES = """
    btech, mtech, be, me, engineering, polytechnic, iti, technician, technology:
        machines physical_science maths
    bcom, mcom: accounts business
    bba, mba, bbm, bms, pgdm, ipm, management, business, administration: business accounts
"""

_INITIALS = re.compile(
    r"\b([bmd]) (tech|e|sc|com|ed|el ed|p ed|pharm|arch|des|voc|lib|plan|ca|ba|s w|v sc|f a|a)\b"
)
_OTHER_WORDS = re.compile(r"[^a-z0-9]+")


def _table(text: str, rank: int) -> list[tuple[list[str], int, tuple[str, ...]]]:
    """Return (words, rank, fields) for each phrase of "phrase, phrase: field field" entries."""
    return [
        (phrase.split(), rank, tuple(fields.split()))
        for phrases, fields in re.findall(r"([^:]+):\s+([a-z_ ]+)\n", text)
        for phrase in phrases.split(",")
    ]


# The longest phrases come first: "computer operator" before "computer".
_PHRASES = sorted(
    [*_table(PROFESSIONS, PROFESSION), *_table(SUBJECTS, SUBJECT), *_table(DEGREES, DEGREE)],
    key=lambda entry: (-len(entry[0]), -len("".join(entry[0]))),
)


def propose_fields(name: str) -> tuple[str, ...]:
    """Return one to three fields for a course, the main one first, or none if nothing is known.

    They are those of the phrases in its name: professions, then subjects, else degrees. The first
    phrase gives all its fields, each further one its main field. A word counts once, in
    the longest phrase.
    """
    text = _OTHER_WORDS.sub(" ", name.lower().replace(".", "").replace("&", " and "))
    text = _INITIALS.sub(lambda found: (found[1] + found[2]).replace(" ", ""), text)
    words = text.split()
    matches = []
    for phrase, rank, fields in _PHRASES:
        for start in range(len(words) - len(phrase) + 1):
            place = slice(start, start + len(phrase))
            if all(map(_is_word, phrase, words[place])):
                matches.append((rank, start, fields))
                words[place] = [""] * len(phrase)
    if not matches:
        return ()
    (rank, _, first), *further = sorted(matches)
    more = [fields[0] for other, _, fields in further if other < DEGREE or rank == DEGREE]
    return tuple(dict.fromkeys([*first, *more]))[:FIELDS_MAX]


def _is_word(wanted: str, word: str) -> bool:
    """Return whether a word is the wanted one, of which a * stands for any ending."""
    return word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted
