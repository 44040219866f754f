"""Tell robots that fetch a link, such as chat previews and mail scanners, from browsers."""

import re
from collections.abc import Mapping

PROGRAM = "a program"
PRELOAD = "a browser's preloading"
HEADLESS = "a headless browser"
# Longer than real user agents; limits the time spent on a hostile one.
USER_AGENT_READ = 512

# What a robot is called, with the part of the user agent that names it. The first match counts.
# Browsers inside apps must pass, because people use them: Telegram-Android, FBAN/FBIOS, Line/13,
# Slack_SSB, LinkedInApp.
_NAMED: tuple[tuple[str, str], ...] = (
    # These pose as Facebook's.
    ("Apple Messages (chat preview)", r"facebookexternalhit\S* Facebot Twitterbot"),
    ("LINE (chat preview)", r"line-poker"),
    (
        "{} (chat preview)",
        r"^WhatsApp(?=/)|facebook(?=externalhit)|Facebot|meta(?=-external)|Telegram(?=Bot)"
        r"|Skype(?=UriPreview)|Slack(?=bot|-ImgProxy)|Discord(?=bot)|^Viber(?=/|$)|Viber(?=Bot)"
        r"|Snap(?= URL Preview)|URL ?Preview|LinkPreview|LinkedIn(?=Bot)|Twitter(?=bot)|iframely"
        r"|Embedly|kakaotalk(?=-scrap)|reddit(?=bot)",
    ),
    (
        "{} (mail scanner)",
        r"Safe ?Links|Bing(?=Preview)|ms-office|Microsoft Office|MSOffice|Barracuda|Proofpoint"
        r"|urldefense|Mimecast|Google(?=ImageProxy|-Safety)|Yahoo(?=MailProxy)|MessageLabs"
        r"|Symantec|IronPort|Sophos|Trend ?Micro|FireEye|FortiGuard|Fortimail|Kaspersky"
        r"|Bitdefender|\bESET\b|\b(?:(?:e-?)?mail|link|url)[ _-]?scan",
    ),
    # Browsers without a person
    (HEADLESS, r"Headless|PhantomJS|Puppeteer|Playwright|Selenium|Lighthouse|Prerender"),
    (
        PROGRAM,
        r"^(curl|Wget|Java|Dart|PHP|Ruby|Deno|Bun|node|got|axios|undici|okhttp|Dalvik|Insomnia"
        r"|HTTPie|libwww-perl|GuzzleHttp|PostmanRuntime|Go-http-client|Apache-HttpClient)\b"
        r"|^python|python-|aiohttp|httpx|urllib|node-fetch|HttpClient|WinHttp|Scrapy",
    ),
    # Search, monitors, and others that call themselves robots. CUBOT is a brand of phones, and
    # people use QR scanners.
    (
        "{} (robot)",
        r"Google(?=-InspectionTool|Other)|ChatGPT(?=-User)|Bytespider|Yahoo! Slurp|Pingdom"
        r"|StatusCake|UptimeRobot|Site24x7|Zabbix|Blackbox|\b(?!cubot\b)[a-z]*bot\b|crawler"
        r"|spider\b|scraper|(?<=compatible;)[^)]*\bscanner\b",
    ),
)
_PATTERNS = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _NAMED]
# Browsers, including those of feature phones.
_BROWSER = re.compile(r"Mozilla/|Opera|UCWEB|UCBrowser|MIDP|BlackBerry|Nokia|SAMSUNG", re.I)
_PRELOADS = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")


def identify_robot(method: str, headers: Mapping[str, str]) -> str:
    """Return the kind of robot, in at most 40 characters; "" for a person's browser."""
    user_agent = headers.get("User-Agent", "")[:USER_AGENT_READ].strip()
    for name, pattern in _PATTERNS:
        if match := pattern.search(user_agent):
            return name.format(match[0].strip()[:25])
    if any(re.match("prefetch|preview", headers.get(header, ""), re.I) for header in _PRELOADS):
        return PRELOAD
    # Browsers do not send HEAD or Range requests when a person opens a page.
    if method == "HEAD" or "Range" in headers or not _BROWSER.search(user_agent):
        return PROGRAM
    return ""
