"""The names of the fields, as students read them after "You enjoy"."""

from __future__ import annotations

FIELD_NAMES: dict[str, dict[str, str]] = {
    "machines": {"en": "machines", "hi": "मशीनें"},
    "building": {"en": "building things", "hi": "निर्माण"},
    "nature": {"en": "farms and nature", "hi": "खेती और प्रकृति"},
    "care": {"en": "health care", "hi": "मरीज़ों की देखभाल"},
    "life_science": {"en": "life science", "hi": "जीव विज्ञान"},
    "physical_science": {"en": "physics and chemistry", "hi": "भौतिकी और रसायन"},
    "maths": {"en": "maths and data", "hi": "गणित और आँकड़े"},
    "computers": {"en": "computers", "hi": "कंप्यूटर"},
    "mind_society": {"en": "mind and society", "hi": "मन और समाज"},
    "art": {"en": "art", "hi": "चित्र और मूर्ति कला"},
    "design": {"en": "design", "hi": "डिज़ाइन"},
    "writing": {"en": "writing", "hi": "लेखन"},
    "media": {"en": "media", "hi": "मीडिया"},
    "performing": {"en": "stage and music", "hi": "मंच और संगीत"},
    "teaching": {"en": "teaching", "hi": "पढ़ाना"},
    "helping": {"en": "helping people", "hi": "लोगों की मदद"},
    "business": {"en": "business", "hi": "व्यापार"},
    "law": {"en": "law and public affairs", "hi": "क़ानून और जन-कार्य"},
    "hospitality": {"en": "food and hospitality", "hi": "खान-पान और मेहमाननवाज़ी"},
    "accounts": {"en": "accounts", "hi": "हिसाब-किताब"},
    "logistics": {"en": "logistics", "hi": "सामान और यातायात का प्रबंध"},
    "office": {"en": "office work", "hi": "दफ़्तर का काम"},
}
