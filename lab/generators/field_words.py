"""The names of the fields, as students read them after "You enjoy"."""

from __future__ import annotations

FIELD_NAMES: dict[str, dict[str, str]] = {
    "machines": {"en": "machines", "hi": "मशीनें"},
    "building": {"en": "building things", "hi": "चीज़ें बनाना"},
    "nature": {"en": "farming and nature", "hi": "खेती और प्रकृति"},
    "care": {"en": "health care", "hi": "मरीज़ों की देखभाल"},
    "life_science": {"en": "biology", "hi": "बायोलॉजी"},
    "physical_science": {"en": "physics and chemistry", "hi": "फ़िज़िक्स और केमिस्ट्री"},
    "maths": {"en": "maths", "hi": "गणित"},
    "computers": {"en": "computers", "hi": "कंप्यूटर"},
    "mind_society": {"en": "people and society", "hi": "मन और समाज"},
    "art": {"en": "art", "hi": "चित्रकला"},
    "design": {"en": "design", "hi": "डिज़ाइन"},
    "writing": {"en": "writing", "hi": "लिखना"},
    "media": {"en": "media", "hi": "मीडिया"},
    "performing": {"en": "stage and music", "hi": "नाटक और संगीत"},
    "teaching": {"en": "teaching", "hi": "पढ़ाना"},
    "helping": {"en": "helping people", "hi": "लोगों की मदद"},
    "business": {"en": "business", "hi": "बिज़नेस"},
    "law": {"en": "law and politics", "hi": "कानून और राजनीति"},
    "hospitality": {"en": "food and hospitality", "hi": "होटल और खान-पान"},
    "accounts": {"en": "accounts", "hi": "हिसाब-किताब"},
    "logistics": {"en": "transport and deliveries", "hi": "सामान पहुँचाने का काम"},
    "office": {"en": "office work", "hi": "दफ़्तर का काम"},
}
