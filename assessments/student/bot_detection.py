"""What fetched a link, as far as its request says: a robot's name, or nothing for a browser.

Pure functions over a request's method and headers. The name is one of a short list of our own, so
that nothing of the request itself is ever kept. A robot that gives itself out as a browser is
taken for one: only the box that a person ticks tells them apart, and that is what uses a link.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

PROGRAM = "a program"
PRELOAD = "a browser's preloading"
HEADLESS = "a headless browser"
# Longer than any real one; the rest of a hostile one is not worth the time.
USER_AGENT_READ = 512

# The first that matches gives the name, so the narrower stands before the wider. Browsers inside
# apps must pass: Telegram-Android, FBAN/FBIOS, Line/13, Slack_SSB, LinkedInApp hold a person.
_NAMED: tuple[tuple[str, str], ...] = (
    # Chat previews. Apple's gives itself out as two others at once.
    ("Apple Messages preview", r"facebookexternalhit\S* Facebot Twitterbot"),
    ("LINE preview", r"line-poker"),
    ("WhatsApp preview", r"^WhatsApp/"),
    ("Facebook preview", r"facebookexternalhit|Facebot|meta-external"),
    ("Telegram preview", r"TelegramBot"),
    ("Skype or Teams preview", r"SkypeUriPreview"),
    ("Slack preview", r"Slackbot|Slack-ImgProxy"),
    ("Discord preview", r"Discordbot"),
    ("Viber preview", r"^Viber(/|$)|ViberBot"),
    ("Snapchat preview", r"Snap URL Preview"),
    ("LinkedIn preview", r"LinkedInBot"),
    ("X preview", r"Twitterbot"),
    ("a chat preview", r"URL ?Preview|LinkPreview|iframely|Embedly|kakaotalk-scrap|redditbot"),
    # Mail scanners
    ("Microsoft mail scanner", r"Safe ?Links|BingPreview|ms-office|Microsoft Office|MSOffice"),
    ("Barracuda mail scanner", r"Barracuda"),
    ("Proofpoint mail scanner", r"Proofpoint|urldefense"),
    ("Mimecast mail scanner", r"Mimecast"),
    ("Google mail proxy", r"GoogleImageProxy|Google-Safety"),
    ("Yahoo mail proxy", r"YahooMailProxy"),
    (
        "a mail scanner",
        r"MessageLabs|Symantec|IronPort|Sophos|Trend ?Micro|FireEye|FortiGuard|Fortimail"
        r"|Kaspersky|Bitdefender|\bESET\b|\b(?:(?:e-?)?mail|link|url)[ _-]?scan",
    ),
    # Search
    ("Google search robot", r"Googlebot|Google-InspectionTool|GoogleOther|AdsBot-Google"),
    ("Bing search robot", r"bingbot|adidxbot"),
    ("Apple search robot", r"Applebot"),
    ("an AI robot", r"GPTBot|OAI-SearchBot|ChatGPT-User|ClaudeBot|CCBot|Bytespider|PerplexityBot"),
    ("a search robot", r"YandexBot|DuckDuckBot|Baiduspider|PetalBot|Yahoo! Slurp|SeznamBot"),
    ("a monitor", r"UptimeRobot|Pingdom|StatusCake|Site24x7|Zabbix|Blackbox"),
    # Browsers without a person
    (HEADLESS, r"Headless|PhantomJS|Puppeteer|Playwright|Selenium|Lighthouse|Prerender"),
    (
        PROGRAM,
        r"^(curl|Wget|Java|Dart|PHP|Ruby|Deno|Bun|node|got|axios|undici|okhttp|Dalvik|Insomnia"
        r"|HTTPie|libwww-perl|GuzzleHttp|PostmanRuntime|Go-http-client|Apache-HttpClient)\b"
        r"|^python|python-|aiohttp|httpx|urllib|node-fetch|HttpClient|WinHttp|Scrapy",
    ),
    # Any other that calls itself one. CUBOT makes phones, and QR scanners hold a person.
    ("a robot", r"\b(?!cubot\b)[a-z]*bot\b|crawler|spider\b|scraper|compatible;[^)]*\bscanner\b"),
)
_PATTERNS = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _NAMED]
# What browsers have in common, those of feature phones among them.
_BROWSER = re.compile(r"Mozilla/|Opera|UCWEB|UCBrowser|MIDP|BlackBerry|Nokia|SAMSUNG", re.I)
_PRELOADS = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")


def looks_like(method: str, headers: Mapping[str, str]) -> str:
    """Return what the request looks like, at most 40 characters; "" for a person's browser."""
    user_agent = headers.get("User-Agent", "")[:USER_AGENT_READ].strip()
    for name, pattern in _PATTERNS:
        if pattern.search(user_agent):
            return name
    if any(re.match("prefetch|preview", headers.get(header, ""), re.I) for header in _PRELOADS):
        return PRELOAD
    # No browser asks for the head of a page, or for a part of it, when a person opens it.
    if method == "HEAD" or "Range" in headers or not _BROWSER.search(user_agent):
        return PROGRAM
    return ""
