"""A headless Chromium, controlled through its driver's protocol (W3C WebDriver) without a library."""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

from register import PATIENCE, eventually, free_port

# The key of an element's reference (W3C WebDriver, section 12).
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
TAB = "\ue004"
SHIFT_TAB = "\ue008\ue004"
SPACE = "\ue00d"
ENTER = "\ue007"
# Counts in `notes` how many notes the page plays, and keeps its audio context, which needs a while to start.
COUNT_NOTES = """
    window.notes = 0;
    const resume = AudioContext.prototype.resume;
    AudioContext.prototype.resume = function () { window.audio = this; return resume.apply(this); };
    window.AudioContext = class extends AudioContext { constructor() { super(); window.audio = this; } };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.notes += 1; start.apply(this, when); };"""


class Browser:
    """One window of a Chromium with its own profile.

    `switches` are for Chromium; `inside` is a command that runs the driver.
    """

    def __init__(self, switches=(), inside=()):
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="keywedge-browser-"))
        self._port = free_port()
        environment = {**os.environ, "HOME": str(self._folder), "XDG_CONFIG_HOME": str(self._folder)}
        self._driver = subprocess.Popen(
            [*inside, "chromedriver", f"--port={self._port}", "--log-level=SEVERE"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        self._session = None
        try:
            eventually("chromedriver answers", self._is_ready)
            self._session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome",
                "timeouts": {"script": PATIENCE * 1000, "pageLoad": PATIENCE * 1000},
                "goog:loggingPrefs": {"browser": "ALL"},
                "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": [
                    "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en-US",
                    "--no-first-run", f"--user-data-dir={self._folder}/profile",
                    # As root, for example in a container, Chromium cannot use its sandbox.
                    *(["--no-sandbox"] if os.geteuid() == 0 or inside else []), *switches]},
            }}})["sessionId"]
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the browser and its driver."""
        try:
            if self._session:
                self._ask("DELETE", f"/session/{self._session}")
        finally:
            self._driver.terminate()
            self._driver.wait()
            shutil.rmtree(self._folder, ignore_errors=True)

    def open(self, url):
        """Opens a page, and waits until it is loaded."""
        self._command("POST", "url", {"url": url})

    def run(self, script, *arguments):
        """Runs the body of a function in the page; returns its value, or the result of its promise."""
        return self._command("POST", "execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector):
        """Returns the visible text of an element."""
        return self.run("return document.querySelector(arguments[0]).innerText", selector)

    def press(self, *keys):
        """Presses keys one after another, in the element that has the focus."""
        element = self._command("GET", "element/active")[ELEMENT]
        self._command("POST", f"element/{element}/value", {"text": "".join(keys)})

    def log(self):
        """Returns the console's messages since the last call."""
        return self._command("POST", "se/log", {"type": "browser"})

    def expect_quiet(self, *allowed):
        """Fails if the console has warnings or errors without one of the allowed words."""
        # The daemon answers with 503 if the journal's disk is busy for too long; the page then asks again.
        complaints = [entry for entry in self.log() if entry["level"] in ("SEVERE", "WARNING")
                      and not any(words in entry["message"] for words in (*allowed, "status of 503"))]
        assert not complaints, complaints

    def tell(self, command, **parameters):
        """Runs a command of Chromium's own protocol, and returns its result."""
        return self._command(
            "POST", "goog/cdp/execute", {"cmd": command, "params": parameters})

    def new_tab(self):
        """Opens another tab, and switches to it."""
        handle = self._command("POST", "window/new", {"type": "tab"})["handle"]
        self.turn_to(handle)
        return handle

    @property
    def tab(self):
        """The current tab."""
        return self._command("GET", "window")

    @property
    def tabs(self):
        """All tabs and windows."""
        return self._command("GET", "window/handles")

    def can_sound(self):
        """Whether the page, which ran `COUNT_NOTES`, can play sound now."""
        return self.run("return window.audio?.state") == "running"

    def close_tab(self):
        """Closes the current tab; `turn_to` must follow."""
        self._command("DELETE", "window")

    def turn_to(self, tab):
        """Switches to another tab."""
        self._command("POST", "window", {"handle": tab})

    def looks(self, width, height, scheme="light", scale=1, is_phone=False):
        """Sets the size of the display, and whether it is light or dark."""
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=is_phone)
        self.tell("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def settle(self):
        """Waits until nothing on the page moves."""
        eventually("nothing moves", lambda: self.run("return document.getAnimations().length === 0"))

    def picture(self, file):
        """Writes a picture of the page to a file, whose suffix is the format: png or webp."""
        file = pathlib.Path(file)
        data = self.tell("Page.captureScreenshot", format=file.suffix[1:], optimizeForSpeed=False)["data"]
        file.write_bytes(base64.b64decode(data))

    def _is_ready(self):
        assert self._driver.poll() is None, "chromedriver ended"
        try:
            return self._ask("GET", "/status")["ready"]
        except OSError:
            return False

    def _command(self, method, path, body=None):
        return self._ask(method, f"/session/{self._session}/{path}", body)

    def _ask(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}{path}", data, {"Content-Type": "application/json"},
            method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            problem = json.load(error)["value"]
            raise RuntimeError(f"{method} {path}: {problem['error']}: {problem['message'][:400]}") from None
