"""The Hindi of verbal logic, read by pattern into bare English for the solver of the English.

The names of things, facts and kinds become numbers, told apart by their stems, so that nothing
is learned of them but where they are the same. Nothing is shared with the generators.
"""

import re

from lab.tests.generators.logic_solver import answers

NUMBERS = {"तीन": "three", "चार": "four", "पाँच": "five"}
VERB = r"(?P<no>नहीं )?(?:है|उड़ी|पहुँची|निकलती है)"
UP = "ऊपर|भारी|लंबी|महँगा|पुराना|पहले|बाईं ओर|ऊँची मंज़िल पर"
DOWN = "नीचे|हल्का|छोटी|सस्ता|नया|बाद|दाईं ओर|नीची मंज़िल पर"
TOP = "ऊपर|ऊपर की मंज़िल पर|भारी|लंबी|महँगा|पुरान[ाी]|पहले"
BOTTOM = "नीचे|नीचे की मंज़िल पर|हल्का|छोटी|सस्ता|नया|नई|आखिर में"
# By the word of the intro: two words of the English, then the noun, "such" in its gender, a name.
NOUNS = {
    "डिब्बे": ("boxes", "box 1", "डिब्बा|डिब्बे", "ऐसे", "सातवाँ डिब्बा"),
    "बसें": ("buses", "bus 1", "बस|बसें", "ऐसी", "बस 12"),
    "कार्ड": ("cards", "card 1", "कार्ड", "ऐसे", "पाँचवाँ कार्ड"),
    "गाँव": ("villages", "the village N", "गाँव|गाँवों", "ऐसे", "नवगाँव"),
    "घर": ("houses", "house 1", "घर|घरों", "ऐसे", "घर 9"),
    "दुकानें": ("shops", "the corner shop", "दुकान|दुकानों", "ऐसी", "कोने की दुकान"),
}
SMALL = {"वाल", "क", "में", "पर", "है", "हैं", "नहीं", "बेचन", "मिलत", "मिलतीं", "हुई", "हुआ", "हुए"}


def answers_in_hindi(passage, question, options, reading="plain"):
    """Return which options (from 1) answer the question in this reading of the passage."""
    return answers(*Reader().in_english(passage, question, options), reading)


class Reader:
    """What is known of one item: the names met so far, and the kind of its things."""

    def __init__(self):
        self.names = []
        self.noun = ""

    def in_english(self, passage, question, options):
        """Return passage, question and options with numbers for names."""
        assert passage.endswith("।")
        intro, *premises = passage.removesuffix("।").split("। ")
        offered = [option.removesuffix("।") for option in options]
        if intro.endswith("ये सब बातें सच हैं"):
            begun, say = "All of this is true", self.fact
        elif found := re.fullmatch(r".+ में बहुत-स[ेी] (.+) हैं", intro):
            self.noun = found[1]
            begun, say = f"A place has many {NOUNS[self.noun][0]}", self.kinds
        else:
            (number,) = [NUMBERS[word] for word in intro.split() if word in NUMBERS]
            begun, say = f"There are {number}", self.order
            if premises[0] == "कोई भी दो कारें फ़िनिश लाइन पर एक साथ नहीं पहुँचीं":
                del premises[0]
        told = ". ".join([begun, *map(say, premises)])
        return f"{told}.", asked(question), [say(option) for option in offered]

    def number(self, name):
        """Return the number of a name, whatever its endings are here."""
        found = stem(name)
        if found not in self.names:
            self.names.append(found)
        return self.names.index(found)

    def order(self, said):
        """Read a sentence about an order, or a thing alone."""
        if said == "दी गई जानकारी से यह पता नहीं चल सकता":
            return "This cannot be known"
        between = r"(.+?)(?: का नंबर)? कहीं (.+) और (.+) के बीच में (?:है|आया)"
        if found := re.fullmatch(between, said):
            one, two, three = (f"the t{self.number(name)}" for name in found.groups())
            return f"{one} is somewhere between {two} and {three}"
        if "," not in said and not re.search(r"(है|उड़ी|पहुँची)$", said):
            return f"the t{self.number(said)}"
        just = "(?P<just>ठीक (?:एक मंज़िल )?)?"
        pair = rf"(?P<x>.+), (?P<y>.+) (?:से|के) {just}(?P<how>{UP}|{DOWN}) {VERB}"
        if found := re.fullmatch(pair, said):
            one, other = (f"the t{self.number(found[name])}" for name in "xy")
            up = re.fullmatch(UP, found["how"])
            if found["just"]:
                how = "just to the left of" if up else "just to the right of"
            else:
                how = "heavier than" if up else "lighter than"
            return f"{one} is {not_(found)}{how} {other}"
        end = rf"(?P<x>.+?) (?:सबसे (?P<how>{TOP}|{BOTTOM})|(?P<side>बाएँ|दाएँ) सिरे पर) {VERB}"
        found = re.fullmatch(end, said)
        assert found, said
        top = found["side"] == "बाएँ" or re.fullmatch(TOP, found["how"] or "")
        place = "the heaviest" if top else "the lightest"
        return f"the t{self.number(found['x'])} is {not_(found)}{place}"

    def fact(self, said):
        """Read a sentence about facts."""
        if found := re.fullmatch("अगर (.+), तो (.+)", said):
            return f"if {self.clause(found[1])}, {self.clause(found[2])}"
        if found := re.fullmatch("(.+) सिर्फ़ तभी (.+), जब (.+)", said):
            return f"{self.clause(f'{found[1]} {found[2]}')} only if {self.clause(found[3])}"
        if found := re.fullmatch("(.+) तब तक (.+), जब तक (.+)", said):
            one, other = self.clause(f"{found[1]} {found[2]}"), self.clause(found[3])
            assert " not " in other
            return f"{one} unless {other.replace(' not ', ' ')}"
        if found := re.fullmatch("या तो (.+) या (.+), पर दोनों एक साथ नहीं", said):
            return f"either {self.clause(found[1])} or {self.clause(found[2])}, but not both"
        return self.clause(said)

    def clause(self, said):
        """Read a single fact or its opposite, as it is or as it may be."""
        found = re.fullmatch("(.+?) (नहीं है|न हो|है|हो)", said)
        assert found and not re.search("[,।]| न | नहीं ", found[1]), said
        denial = "not " if found[2] in ("नहीं है", "न हो") else ""
        return f"the f{self.number(found[1])} is {denial}so"

    def kinds(self, said):
        """Read a sentence about kinds of the things that this item is about."""
        things, named, noun, such, name = NOUNS[self.noun]
        has = {"shops": "sells", "villages": "has", "houses": "has"}.get(things, "is")
        if said.startswith(name):
            return f"{named} {self.said_of_one(said.removeprefix(name), has)}"
        if found := re.fullmatch(f"सिर्फ़ (.+) (?:{noun}) ही (.+)", said):
            return f"only {self.kind(found[1], 2)} {self.said_of_many(found[2])}"
        only = f"(?:जो|जिन) (?:{noun}) (.+), सिर्फ़ {such} (?:{noun}) (?:ही )?(.+)"
        if found := re.fullmatch(only, said):
            return f"only {self.kind(found[1], 2)} {self.said_of_many(found[2])}"
        quantity = "सभी|कोई भी|किसी भी|कुछ|कम से कम एक"
        found = re.fullmatch(f"(.*?)({quantity}) (.*?)(?:{noun}) (.+)", said)
        assert found, said
        kind, last = found[1] + found[3], found[4]
        if found[2] in ("सभी", "कुछ"):
            every = {"सभी": "all the", "कुछ": "some"}[found[2]]
            return f"{every} {self.kind(kind, 2)} {self.said_of_many(last)}"
        if found[2] == "कम से कम एक":
            return f"at least one {self.kind(kind, 1)} {self.said_of_one(last, has)}"
        assert "नहीं" in last, said
        return f"no {self.kind(kind, 1)} {self.said_of_one(last.replace('नहीं', ''), has)}"

    def kind(self, words, count):
        things = NOUNS[self.noun][0]
        one = {"boxes": "box", "buses": "bus"}.get(things, things.removesuffix("s"))
        many, what = (things if count > 1 else one), f"k{self.number(words)}"
        if things == "shops":
            return f"{many} that sell {what}" if count > 1 else f"{many} that sells {what}"
        return f"{many} with a {what}" if things in ("villages", "houses") else f"{what} {many}"

    def said_of_many(self, words):
        assert "नहीं" not in words, words
        things, what = NOUNS[self.noun][0], f"k{self.number(words)}"
        verb = {"shops": "sell", "villages": "have a", "houses": "have a"}.get(things, "are")
        return f"{verb} {what}"

    def said_of_one(self, words, verb):
        what = f"a k{self.number(words)}" if verb == "has" else f"k{self.number(words)}"
        if "नहीं" not in words:
            return f"{verb} {what}"
        denied = {"is": "is not", "has": "does not have", "sells": "does not sell"}
        return f"{denied[verb]} {what}"


def not_(found):
    return "not " if found["no"] else ""


def stem(words):
    """Return what is left of words without endings, in one order, and without small words."""
    bare = (re.sub("(?:ा|े|ी|ों)$", "", word.replace("कुएँ", "कुआँ")) for word in words.strip().split())
    return " ".join(sorted(set(bare) - SMALL))


def asked(question):
    """Read what is asked for."""
    if question == "इनमें से कौन-सी बात ज़रूर सच है?":
        return "Which of these must be true?"
    if question == "इनमें से कौन-सी बात सच नहीं हो सकती?":
        return "Which of these cannot be true?"
    said = re.sub(r"^कौन-स[ाी] \S+ ", "", question)
    if re.search("तीसरे|ठीक बीच", said):
        return "Which thing is in the middle?"
    if re.search(f"(आखिर|नीचे|दाईं ओर) से दूसर|दूसर[ाी] सबसे ({BOTTOM})|से एक मंज़िल ऊपर", said):
        return "Which thing is the second lightest?"
    if "दूसर" in said:
        return "Which thing is the second heaviest?"
    if re.search(f"सबसे ({BOTTOM}) |दाएँ", said):
        return "Which thing is the lightest?"
    assert re.search(f"सबसे ({TOP}) |बाएँ", said), question
    return "Which thing is the heaviest?"
