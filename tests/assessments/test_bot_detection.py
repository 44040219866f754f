"""What a fetch of a link looks like: a robot's name from a short list, or a person's browser."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.student.bot_detection import HEADLESS, PRELOAD, PROGRAM, looks_like

CHROME = (
    "Mozilla/5.0 (Linux; Android 13; SM-A145F) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/126.0.0.0 Mobile Safari/537.36"
)
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
)
COMPATIBLE = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; "

ROBOTS = [
    ("WhatsApp/2.24.11.79 A", "WhatsApp preview"),
    ("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
     "Facebook preview"),
    (f"{SAFARI} facebookexternalhit/1.1 Facebot Twitterbot/1.0", "Apple Messages preview"),
    ("facebookexternalhit/1.1;line-poker/1.0", "LINE preview"),
    ("TelegramBot (like TwitterBot)", "Telegram preview"),
    ("Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5", "Skype or Teams preview"),
    ("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "Slack preview"),
    ("Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)", "Discord preview"),
    ("LinkedInBot/1.0 (compatible; Mozilla/5.0; Jakarta Commons-HttpClient/4.3)",
     "LinkedIn preview"),
    ("Twitterbot/1.0", "X preview"),
    ("Mozilla/5.0 (compatible; Snap URL Preview Service; bot; snapchat)", "Snapchat preview"),
    ("Iframely/1.3.1 (+https://iframely.com/docs/about)", "a chat preview"),
    ("Microsoft Office/16.0 (Windows NT 10.0; Safelinks)", "Microsoft mail scanner"),
    ("Mozilla/5.0 (compatible; Barracuda Sentinel)", "Barracuda mail scanner"),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; Proofpoint URL Defense)",
     "Proofpoint mail scanner"),
    ("Mozilla/5.0 (compatible; Mimecast; +https://mimecast.com)", "Mimecast mail scanner"),
    ("Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
     "Google mail proxy"),
    ("Mozilla/5.0 (compatible; Campus E-Mail Scan)", "a mail scanner"),
    ("Mozilla/5.0 (compatible; Campus Security Scanner/1.0)", "a robot"),
    ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
     "Google search robot"),
    (f"{COMPATIBLE}bingbot/2.0; +http://www.bing.com/bingbot.htm)", "Bing search robot"),
    (f"{SAFARI} (Applebot/0.1; +http://www.apple.com/go/applebot)", "Apple search robot"),
    (f"{COMPATIBLE}GPTBot/1.2; +https://openai.com/gptbot)", "an AI robot"),
    ("Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)", "a search robot"),
    ("Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)", "a monitor"),
    ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/125.0.0.0 Safari/537.36",
     HEADLESS),
    ("curl/8.5.0", PROGRAM),
    ("Python-urllib/3.11", PROGRAM),
    ("Dalvik/2.1.0 (Linux; U; Android 12; RMX3501)", PROGRAM),
    ("", PROGRAM),
    ("something of our own 1.0", PROGRAM),
    ("Mozilla/5.0 (compatible; NeverHeardOfBot/0.1)", "a robot"),
]  # fmt: skip
PEOPLE = [
    CHROME,
    SAFARI,
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
    # inside apps
    f"{CHROME} Telegram-Android/10.14.5 (Samsung SM-A145F; Android 13; SDK 33; AVERAGE)",
    f"{SAFARI} [FBAN/FBIOS;FBAV/468.0.0.38.94;FBDV/iPhone13,2]",
    f"{SAFARI} Line/14.7.1",
    f"{CHROME} Slack_SSB/4.38.125",
    # apps that sound like robots
    f"{CHROME} QR Scanner/3.2",
    f"{SAFARI} CurlScan/1.0",
    # phones that sound like robots, phones of few words
    CHROME.replace("SM-A145F", "CUBOT_X18_Plus"),
    "Opera/9.80 (J2ME/MIDP; Opera Mini/7.1.32052/191.308; U; en) Presto/2.12.423 Version/12.16",
    "UCWEB/2.0 (MIDP-2.0; U; Adr 4.4.2; en-US) U2/1.0.0 UCBrowser/10.7.9.856 Mobile",
    "Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5",
]


@pytest.mark.parametrize(("user_agent", "name"), ROBOTS)
def test_a_robot_is_named(user_agent: str, name: str) -> None:
    assert looks_like("GET", {"User-Agent": user_agent}) == name


@pytest.mark.parametrize("user_agent", PEOPLE)
def test_a_person_s_browser_has_no_name(user_agent: str) -> None:
    assert looks_like("GET", {"User-Agent": user_agent}) == ""


@pytest.mark.parametrize(
    ("method", "headers", "name"),
    [
        ("HEAD", {}, PROGRAM),
        ("GET", {"Range": "bytes=0-99"}, PROGRAM),
        ("GET", {"Purpose": "prefetch"}, PRELOAD),
        ("GET", {"Purpose": ""}, ""),
        ("POST", {}, ""),
    ],
)
def test_a_browser_does_not_ask_like_this_when_a_person_opens_a_page(
    method: str, headers: dict[str, str], name: str
) -> None:
    assert looks_like(method, {"User-Agent": CHROME, **headers}) == name


@given(st.text(max_size=3_000), st.sampled_from(["GET", "HEAD", "POST"]))
def test_whatever_it_says_of_itself_only_our_own_names_come_out(text: str, method: str) -> None:
    name = looks_like(method, {"User-Agent": text})

    assert len(name) <= 40
    assert re.fullmatch(r"[A-Za-z' ]*", name)
