"""Browsers beside Debian's chromium: Firefox, WebKit, and a Chromium as old as some phones have.

Each runs without a window and in an empty profile. It can do three things: open an address,
evaluate an expression on the page, and take a picture. What a student does is made of these.
"""

import base64
import json
import os
import sys
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.databases import free_port
from tests.support.programs import Program, until

PATIENCE = 30  # seconds
WIDTH, HEIGHT = 360, 640
# Qt's browser is a part of a program, so this is one.
QT_BROWSER = f"""
from PyQt5.QtCore import QUrl
from PyQt5.QtWebEngineWidgets import QWebEngineView
from PyQt5.QtWidgets import QApplication
application = QApplication(["browser"])
view = QWebEngineView()
view.resize({WIDTH}, {HEIGHT})
view.load(QUrl("about:blank"))
view.show()
application.exec_()
"""


class Socket:
    """Commands over a WebSocket, as in WebDriver BiDi and in Chromium's protocol."""

    def __init__(self, address):
        import websocket

        self._socket = websocket.create_connection(address, PATIENCE, suppress_origin=True)
        self._count = 0

    def call(self, method, **params):
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv())).get("id") != self._count:
            pass  # an event
        assert "result" in answer, (method, answer)
        return answer["result"]


class Engine:
    """A running browser."""

    packages = ()  # the Python packages of requirements-engines.txt that it needs
    program = ""
    comes_from = ""  # Debian's package of the program

    def __init__(self, folder):
        self.folder, self.programs = folder, []
        if self.program and not Path(self.program).exists():
            pytest.skip(f"apt-get install {self.comes_from}")
        if not all(map(find_spec, self.packages)):
            pytest.skip("pip install -r requirements-engines.txt")

    def run(self, *command, **environment):
        own = {"HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder)}
        program = Program(self.folder / f"{len(self.programs)}.log")
        self.programs.append(program)
        program.run(command, env=os.environ | own | environment)
        return program

    def close(self):
        for program in reversed(self.programs):
            program.kill()


class Firefox(Engine):
    packages = ("websocket",)
    program, comes_from = "/usr/bin/firefox-esr", "firefox-esr"

    def start(self):
        port = free_port()
        options = ["--headless", "--no-remote", "--profile", str(self.folder)]
        size = {"MOZ_HEADLESS_WIDTH": f"{WIDTH}", "MOZ_HEADLESS_HEIGHT": f"{HEIGHT}"}
        firefox = self.run(self.program, *options, f"--remote-debugging-port={port}", **size)
        firefox.wait_for_port(port, PATIENCE)
        self.socket = Socket(f"ws://127.0.0.1:{port}/session")
        self.socket.call("session.new", capabilities={})
        [context] = self.socket.call("browsingContext.getTree")["contexts"]
        self.context = context["context"]
        size = {"width": WIDTH, "height": HEIGHT}
        self.call("browsingContext.setViewport", viewport=size)

    def call(self, method, **params):
        return self.socket.call(method, context=self.context, **params)

    def open(self, url):
        self.call("browsingContext.navigate", url=url, wait="complete")

    def back(self):
        self.call("browsingContext.traverseHistory", delta=-1)

    def evaluate(self, expression):
        answer = self.socket.call(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self.context},
            awaitPromise=False,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))

    def picture(self):
        return self.call("browsingContext.captureScreenshot", origin="document")["data"]


class WebKit(Engine):
    program, comes_from = "/usr/bin/WebKitWebDriver", "webkit2gtk-driver xvfb"
    browser = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"

    def start(self):
        display, port = f":{free_port()}", free_port()
        screen = ["-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"]
        self.run("/usr/bin/Xvfb", display, *screen)
        until(Path(f"/tmp/.X11-unix/X{display[1:]}").exists, PATIENCE)
        driver = self.run(self.program, f"--port={port}", DISPLAY=display)
        driver.wait_for_port(port, PATIENCE)
        self.address = f"http://127.0.0.1:{port}/session"
        options = {"binary": self.browser, "args": ["--automation", f"--geometry={WIDTH}x{HEIGHT}"]}
        wanted = {"webkitgtk:browserOptions": options}
        session = self.call("POST", "", capabilities={"alwaysMatch": wanted})
        self.address += f"/{session['sessionId']}"
        self.call("POST", "/window/rect", x=0, y=0, width=WIDTH, height=HEIGHT)

    def call(self, method, path, **params):
        body = json.dumps(params).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, body, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def open(self, url):
        self.call("POST", "/url", url=url)

    def back(self):
        self.call("POST", "/back")

    def evaluate(self, expression):
        return self.call("POST", "/execute/sync", script=f"return {expression}", args=[])

    def picture(self):
        return self.call("GET", "/screenshot")

    def close(self):
        if "/session/" in getattr(self, "address", ""):
            self.call("DELETE", "")
        super().close()


class Chromium83(Engine):
    packages = ("websocket", "PyQt5.QtWebEngineWidgets")

    def start(self):
        port = free_port()
        own = {
            "QT_QPA_PLATFORM": "offscreen",
            "QTWEBENGINE_REMOTE_DEBUGGING": str(port),
            "QTWEBENGINE_DISABLE_SANDBOX": "1",
            "QTWEBENGINE_CHROMIUM_FLAGS": "--disable-gpu",
            "QT_QUICK_BACKEND": "software",
        }
        qt = self.run(sys.executable, "-c", QT_BROWSER, **own)
        qt.wait_for_url(f"http://127.0.0.1:{port}/json", PATIENCE)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
            [page] = json.load(answer)
        self.socket = Socket(page["webSocketDebuggerUrl"])
        assert "Chrome/83." in self.evaluate("navigator.userAgent")  # newer wheels have 87

    def open(self, url):
        self.socket.call("Page.navigate", url=url)

    def back(self):
        self.evaluate("(history.back(), null)")

    def evaluate(self, expression):
        answer = self.socket.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def picture(self):
        return self.socket.call("Page.captureScreenshot")["data"]


ENGINES = {"firefox": Firefox, "webkit": WebKit, "chromium 83": Chromium83}


class Visitor:
    """A student in one of these browsers, who does everything by clicks."""

    def __init__(self, engine, folder):
        self.engine, self.folder = engine, folder

    def see(self, expression):
        return self.engine.evaluate(expression)

    def do(self, *statements):
        self.see(f"({', '.join(statements)}, null)")

    @property
    def kind(self):
        return self.see("document.body.dataset.page") or self.see("document.title")

    def leave(self, act):
        """Mark the page, act, and wait for another one."""
        # Back may show a page as it was left.
        self.do("window.isLeft = true", "addEventListener('pageshow', () => (isLeft = false))")
        act()

        def has_come():
            try:
                return self.see("!window.isLeft && document.readyState === 'complete'")
            except AssertionError:  # between two pages
                return False

        until(has_come, PATIENCE)

    def open(self, url):
        self.leave(lambda: self.engine.open(url))

    def back(self):
        self.leave(self.engine.back)

    def click(self, selector):
        self.do(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, selector="main form button[type=submit]"):
        self.leave(lambda: self.click(selector))

    def answer(self):
        """Choose the second answer of each question, or none on a page without, and go on."""
        choose = "each => each.querySelectorAll('[type=radio]')[1].click()"
        self.do(f"document.querySelectorAll('[data-page=question] fieldset').forEach({choose})")
        self.press()

    def save_picture(self, name):
        picture = base64.b64decode(self.engine.picture())
        assert len(picture) > 5000, "an empty picture"
        (self.folder / f"{name}.png").write_bytes(picture)
