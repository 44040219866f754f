"""Twenty-six people, their answers, and the courses due to them.

The first sixteen were written after the statements and their fields (lab.generators) and before
the method that ranks courses by them. The other ten use the scale in unusual ways, or have subjects
that close many courses; their writer had seen statements and courses, but no field and no method.
Don't change any of them to fit an outcome. Courses are those of the demo's catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass

from lab.generators.interest_statements import interest_statements

KNOWN = {statement.code for statement in interest_statements()}


def codes(names: str) -> tuple[str, ...]:
    """Return the codes of statements named without their prefix. Raises KeyError for others."""
    found = tuple(f"int-{name}" for name in names.split())
    if unknown := set(found) - KNOWN:
        raise KeyError(f"No such statement: {unknown}")
    return found


@dataclass(frozen=True)
class Persona:
    """A person, answer by answer.

    `loves` (5), `likes` (4), `neutral` (3), `dislikes` (2) and `hates` (1) are codes of statements;
    all others get `usual`. `can` is the true ability on numerical, abstract and verbal puzzles (0
    = the middle, in SDs), `stream` the subjects of class 11-12 as the catalogue names them. At
    least one of `must_have` belongs among the first three courses, none of `must_not` among the
    five.
    """

    number: int
    who: str
    loves: tuple[str, ...]
    likes: tuple[str, ...]
    dislikes: tuple[str, ...]
    hates: tuple[str, ...]
    can: tuple[float, float, float]
    stream: str
    must_have: tuple[str, ...]
    must_not: tuple[str, ...]
    usual: int = 3
    neutral: tuple[str, ...] = ()

    def answer(self, code: str) -> int:
        """Return the answer (1 to 5) to the statement with this code."""
        lists = (self.hates, self.dislikes, self.neutral, self.likes, self.loves)
        return next((answer for answer, these in enumerate(lists, 1) if code in these), self.usual)


PERSONAS: tuple[Persona, ...] = (
    Persona(
        1,
        "Repairs the fans and motorbikes of the whole street, good with numbers, leaves the"
        " vegetables to others.",
        loves=codes("mixer motorbike lamp crane"),
        likes=codes("phone puzzle stool bricks network dice program"),
        dislikes=codes("cows trees story friend wedding names"),
        hates=codes("vegetables neighbour bandage poem drama"),
        can=(0.9, 0.8, -0.2),
        stream="science-maths",
        must_have=("BTECH-MEC", "BTECH-CIV"),
        must_not=("BPT", "BPHARM", "BSC-AGR", "BA-ENG"),
    ),
    Persona(
        2,
        "Grew up among fields and animals and wants to know why things grow; no patience with"
        " engines.",
        loves=codes("vegetables cows trees plants"),
        likes=codes("pond rainfall medicine neighbour flood stall"),
        dislikes=codes("mixer phone crane stool program files debate"),
        hates=codes("motorbike network clothes names"),
        can=(0.0, 0.2, -0.1),
        stream="science-biology",
        must_have=("BSC-AGR", "BSC-BIO"),
        must_not=("BTECH-CSE", "BTECH-MEC", "BFA", "LLB"),
    ),
    Persona(
        3,
        "Calm with blood and bandages, looked after a grandparent for a year; children's noise"
        " tires quickly.",
        loves=codes("bandage walking neighbour camp"),
        likes=codes("medicine virus friend flood brain pond"),
        dislikes=codes("reading counting mixer stage debate advert buses"),
        hates=codes("election soap stool drama motorbike"),
        can=(-0.1, 0.0, 0.2),
        stream="science-biology",
        must_have=("BSC-NUR", "BPT"),
        must_not=("BTECH-MEC", "BBA-LOG", "BFA"),
    ),
    Persona(
        4,
        "Reads and writes all night; paint and music leave the page blank.",
        loves=codes("story poem newspaper"),
        likes=codes("film interview debate district friend advert memory"),
        dislikes=codes("wall pencil tune dance program chart stock"),
        hates=codes("puzzle mixer bills dice bandage"),
        can=(-0.8, -0.2, 1.3),
        stream="arts",
        must_have=("BA-ENG", "BA-JMC"),
        must_not=("BTECH-MEC", "BCOM", "BSC-NUR"),
    ),
    Persona(
        5,
        "Paints, shapes and sews, and says little; would rather not write.",
        loves=codes("wall pencil clay characters"),
        likes=codes("clothes flat stage stool market"),
        dislikes=codes("story poem newspaper debate paying election files"),
        hates=codes("bills puzzle stock road soap"),
        can=(-0.4, 0.8, -0.5),
        stream="arts",
        must_have=("BFA", "BDES"),
        must_not=("BCOM", "LLB", "BTECH-CSE"),
    ),
    Persona(
        6,
        "Keeps the books of the family's shop to the last rupee, tidy everywhere, shy of selling.",
        loves=codes("bills spending profit bank"),
        likes=codes("stock files names marks parcels puzzle chart"),
        dislikes=codes("soap cycle advert friend film mixer"),
        hates=codes("drama dance wall cows election"),
        can=(0.8, 0.2, 0.0),
        stream="commerce",
        must_have=("BCOM", "BBA-LOG"),
        must_not=("BFA", "BSC-BIO", "BPT"),
    ),
    Persona(
        7,
        "Sells anything to anybody and will found a company; cannot sit over books.",
        loves=codes("shop stall soap cycle"),
        likes=codes("advert restaurant election wedding profit trip"),
        dislikes=codes("names brain rust program reading marks"),
        hates=codes("moon pond poem bandage puzzle"),
        can=(0.3, 0.1, 0.3),
        stream="commerce",
        must_have=("BBA", "BHM"),
        must_not=("BSC-PHY", "BSC-NUR", "BFA"),
    ),
    Persona(
        8,
        "Looks at the moon, asks what things are made of, loves a proof; living things are messy.",
        loves=codes("moon rust tubes puzzle"),
        likes=codes("rainfall dice chart program crane"),
        dislikes=codes("pond virus plants wedding shop clothes"),
        hates=codes("cows bandage soap trip counting"),
        can=(1.4, 1.3, 0.4),
        stream="science-maths",
        must_have=("BSC-PHY", "BSC-STA"),
        must_not=("BHM", "BBA", "BSW", "BA-BED"),
    ),
    Persona(
        9,
        "Writes programs and mends the school's network; keeps away from tools, soil and crowds.",
        loves=codes("program quiz network"),
        likes=codes("puzzle phone chart characters dice"),
        dislikes=codes("stool mixer friend wedding spending pond"),
        hates=codes("vegetables bricks cows election flood"),
        can=(0.9, 1.3, 0.1),
        stream="science-maths",
        must_have=("BTECH-CSE", "BCA"),
        must_not=("BSW", "BSC-AGR", "BPT"),
    ),
    Persona(
        10,
        "Wins every debate and stands up for the neighbourhood; selling feels cheap.",
        loves=codes("debate election dispute road"),
        likes=codes("newspaper friend district paying interview form"),
        dislikes=codes("shop stall cycle mixer tubes stock"),
        hates=codes("soap bricks rust bandage moon"),
        can=(0.0, 0.3, 1.3),
        stream="arts",
        must_have=("LLB", "BA-JMC"),
        must_not=("BTECH-MEC", "BSC-PHY", "BPHARM"),
    ),
    Persona(
        11,
        "Teaches the younger cousins with games and drawings; cannot bear hospitals.",
        loves=codes("reading counting explaining"),
        likes=codes("paying story friend drama form wall"),
        dislikes=codes("medicine mixer shop bank rainfall"),
        hates=codes("bandage walking soap bricks rust"),
        can=(-0.2, 0.0, 0.6),
        stream="arts",
        must_have=("BA-BED", "BSW"),
        must_not=("BCOM", "BTECH-CIV", "BSC-PHY"),
    ),
    Persona(
        12,
        "Wonders why people feel and act as they do, and listens well; classrooms bore.",
        loves=codes("memory brain friend"),
        likes=codes("district neighbour form flood interview virus"),
        dislikes=codes("reading counting explaining stock mixer advert"),
        hates=codes("bricks bills van crane names"),
        can=(0.2, 0.3, 0.8),
        stream="arts",
        must_have=("BA-PSY", "BSW"),
        must_not=("BTECH-CIV", "BCOM", "BBA-LOG"),
    ),
    Persona(
        13,
        "Films, photographs and cuts all day and thinks in pictures; poems are for others.",
        loves=codes("film market interview"),
        likes=codes("advert stage characters newspaper flat"),
        dislikes=codes("poem plants bandage dispute stool"),
        hates=codes("puzzle bills rust medicine names"),
        can=(-0.4, 0.5, 0.5),
        stream="arts",
        must_have=("BA-JMC", "BDES"),
        must_not=("BCOM", "BSC-PHY", "BPHARM"),
    ),
    Persona(
        14,
        "Bakes, hosts and plans every family journey; figures and screens are a chore.",
        loves=codes("wedding bread trip"),
        likes=codes("restaurant stall neighbour clothes camp"),
        dislikes=codes("puzzle debate names crane spending soap"),
        hates=codes("program network rust dice chart"),
        can=(-0.6, -0.2, 0.3),
        stream="commerce",
        must_have=("BHM", "BBA"),
        must_not=("BSC-PHY", "BTECH-CSE", "BSC-STA"),
    ),
    Persona(
        15,
        "Lives at the microscope and reads about medicines; would never nurse, farm or sell.",
        loves=codes("pond virus medicine"),
        likes=codes("plants tubes rust brain rainfall"),
        dislikes=codes("bandage walking neighbour wedding debate"),
        hates=codes("cows shop soap trip election drama"),
        can=(0.5, 0.7, 0.3),
        stream="science-biology",
        must_have=("BSC-BIO", "BPHARM"),
        must_not=("BBA", "BHM", "BFA", "LLB"),
    ),
    Persona(
        16,
        "Builds with wood and brick and draws houses to scale; engines and ledgers hold no charm.",
        loves=codes("stool bricks house"),
        likes=codes("crane flat clay pencil van"),
        dislikes=codes("motorbike mixer poem friend medicine"),
        hates=codes("bills names bandage bank reading"),
        can=(0.4, 0.8, -0.2),
        stream="science-maths",
        must_have=("BTECH-CIV", "BDES"),
        must_not=("BSC-NUR", "BCOM", "BA-ENG"),
    ),
    Persona(
        17,
        "Sits with a grandmother who is learning to walk again and stays calm when somebody"
        " bleeds. Never uses big words about what is liked or disliked.",
        loves=(),
        likes=codes("walking bandage neighbour camp flood friend medicine virus"),
        dislikes=(),
        hates=(),
        can=(-0.3, 0.0, 0.2),
        stream="science-biology",
        must_have=("BPT", "BSC-NUR"),
        must_not=("BBA", "BFA", "BDES"),
    ),
    Persona(
        18,
        "Takes broken motorbikes and mixers apart in the yard, but would not say that"
        " anything is much fun. Good with numbers, slow with words.",
        loves=(),
        likes=(),
        dislikes=(),
        hates=(),
        can=(0.7, 0.8, -0.6),
        stream="science-maths",
        must_have=("BTECH-MEC", "BTECH-CIV"),
        must_not=("BSW", "BA-ENG", "BFA", "BHM"),
        usual=2,
        neutral=codes("motorbike mixer crane lamp phone stool bricks puzzle"),
    ),
    Persona(
        19,
        "Happy with nearly any task, happiest in the fields of an uncle, where the question"
        " is always why one row grows better than the next.",
        loves=codes("plants vegetables trees cows pond rainfall"),
        likes=(),
        dislikes=codes("debate poem"),
        hates=(),
        can=(0.2, 0.1, -0.2),
        stream="science-biology",
        must_have=("BSC-AGR",),
        must_not=("BA-ENG", "LLB", "BFA"),
        usual=4,
    ),
    Persona(
        20,
        "Cheerful and ready to join in anything, but forgets dinner only when a program gives"
        " the wrong answer. Keeps the computers of the school running.",
        loves=codes("program quiz network puzzle dice van chart"),
        likes=(),
        dislikes=codes("dance wedding"),
        hates=(),
        can=(1.1, 1.0, 0.0),
        stream="science-maths",
        must_have=("BTECH-CSE", "BCA"),
        must_not=("BHM", "BSW", "BFA"),
        usual=4,
    ),
    Persona(
        21,
        "Took science because the family wished it, and cares for little apart from drawing"
        " faces and shaping clay. Office work is a horror.",
        loves=codes("pencil clay"),
        likes=codes("characters"),
        dislikes=(),
        hates=codes("bank bills names marks debate stall bandage stock"),
        can=(-0.2, 0.5, 0.0),
        stream="science-maths-biology",
        must_have=("BFA", "BDES"),
        must_not=("BSC-NUR", "BBA", "BBA-LOG", "LLB"),
        usual=2,
    ),
    Persona(
        22,
        "Looks at the moon on every clear night and stays with a hard problem until it gives"
        " way. Most other things, crowds above all, are a bother.",
        loves=codes("moon puzzle"),
        likes=codes("rust"),
        dislikes=(),
        hates=codes("wedding drama soap neighbour dance restaurant election clothes"),
        can=(1.2, 0.9, -0.3),
        stream="science-maths",
        must_have=("BSC-PHY",),
        must_not=("BHM", "BSW", "BBA", "BFA"),
        usual=2,
    ),
    Persona(
        23,
        "Speaks up about every broken road and every unfair rule, and usually wins the"
        " argument. Leaves cooking and drawing to others.",
        loves=codes("debate dispute road newspaper election"),
        likes=codes("form interview district drama"),
        dislikes=codes("pencil clothes clay wall flat"),
        hates=codes("bread wedding restaurant"),
        can=(-0.4, 0.3, 1.2),
        stream="arts",
        must_have=("LLB", "BA-JMC"),
        must_not=("BFA", "BHM", "BDES"),
    ),
    Persona(
        24,
        "The small children of the lane come here with their homework, and nobody explains"
        " with more patience. Dislikes quarrels and selling.",
        loves=codes("reading explaining counting"),
        likes=codes("friend paying story brain memory"),
        dislikes=codes("advert profit pencil clay dispute stall"),
        hates=codes("debate soap cycle election"),
        can=(-0.2, 0.0, 0.6),
        stream="arts",
        must_have=("BA-BED", "BA-PSY"),
        must_not=("BBA", "LLB", "BFA"),
    ),
    Persona(
        25,
        "Keeps the account book of the family shop and finds the one wrong figure in a page."
        " Quiet, exact, no wish to stand on a stage.",
        loves=codes("bills profit spending bank"),
        likes=codes("files stock marks chart names"),
        dislikes=codes("wall pencil clothes friend interview neighbour clay"),
        hates=codes("drama dance poem film"),
        can=(0.8, 0.1, -0.2),
        stream="commerce",
        must_have=("BCOM",),
        must_not=("BFA", "BSW", "BA-JMC", "BDES"),
    ),
    Persona(
        26,
        "Runs the snack stall at every fair and looks after the guests at every family"
        " wedding. Puzzles and computers are somebody else's work.",
        loves=codes("wedding restaurant stall trip"),
        likes=codes("bread advert shop cycle soap"),
        dislikes=codes("dice chart network pencil clay rainfall"),
        hates=codes("puzzle program"),
        can=(0.0, -0.4, 0.5),
        stream="commerce",
        must_have=("BHM", "BBA"),
        must_not=("BSC-STA", "BCA", "BFA"),
    ),
)
