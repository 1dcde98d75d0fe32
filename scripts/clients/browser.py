"""A headless Chromium driven over pipes with its DevTools protocol; nothing but the standard library.

The browser is told to keep off the network. Messages are JSON, each ended by a zero byte; commands go to its file
descriptor 3, answers and events come from 4.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome"]

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
]

# Puts the two pipes where the browser looks for them, then becomes the browser.
LAUNCH = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(fd), fcntl.F_DUPFD, 10) for fd in sys.argv[1:3]]
for at, fd in zip((3, 4), pipes):
    os.dup2(fd, at)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find():
    """Path of a Chromium; installed first when it is missing and we may."""
    given = os.environ.get("CHROMIUM")
    names = [given] if given else NAMES
    path = next(filter(None, map(shutil.which, names)), None)
    if path:
        return path
    if given:
        raise SystemExit(f"CHROMIUM is `{given}`, which is not a program")
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise SystemExit(
            "the browser test needs Chromium: install the package chromium, or set CHROMIUM to the path of one"
        )
    print("  installing chromium", flush=True)
    done = subprocess.run(["apt-get", "install", "--yes", "chromium"], capture_output=True, text=True)
    path = shutil.which("chromium")
    if done.returncode != 0 or not path:
        raise SystemExit(f"apt-get could not install chromium:\n{done.stderr}")
    return path


class Browser:
    """A browser with one page; to be used in a `with` statement."""

    def __init__(self, timeout=60):
        self.timeout = timeout
        self.buffer = b""
        self.number = 0
        self.session = None
        # Everything the page said or asked for, as (event, parameters).
        self.events = []

    def __enter__(self):
        path = find()
        self.profile = tempfile.TemporaryDirectory(prefix="delassus-browser-", ignore_cleanup_errors=True)
        command_in, self.command = os.pipe()
        self.answer, answer_out = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, str(command_in), str(answer_out), path, *FLAGS]
            + [f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(command_in, answer_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(command_in)
        os.close(answer_out)
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ["Page", "Runtime", "Log", "Network"]:
                self.call(f"{domain}.enable")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.command)
        os.close(self.answer)
        self.profile.cleanup()

    def call(self, method, **parameters):
        """A command and its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.command, json.dumps(message).encode() + b"\0")
        answer = self._until(lambda m: m.get("id") == self.number, method)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def _until(self, wanted, what):
        """The first message that is wanted; events on the way are kept."""
        end = time.monotonic() + self.timeout
        while True:
            while b"\0" not in self.buffer:
                ready, _, _ = select.select([self.answer], [], [], max(0.0, end - time.monotonic()))
                assert ready, f"the browser did not answer within {self.timeout} s: {what}"
                piece = os.read(self.answer, 1 << 16)
                assert piece, f"the browser went away: {what}"
                self.buffer += piece
            text, self.buffer = self.buffer.split(b"\0", 1)
            message = json.loads(text)
            if "method" in message:
                self.events.append((message["method"], message["params"]))
            if wanted(message):
                return message

    def open(self, path, width, height=900):
        """Loads a file at this width and waits until it is drawn; forgets earlier events."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.events.clear()
        result = self.call("Page.navigate", url=path.resolve().as_uri())
        assert "errorText" not in result, result
        if not any(name == "Page.loadEventFired" for name, _ in self.events):
            self._until(lambda m: m.get("method") == "Page.loadEventFired", "loading")
        # One round through the page, so that late messages are in.
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def run(self, expression):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def screenshot(self, path):
        """A picture of the whole page, also beyond the window."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def pdf(self):
        """The page as it is printed."""
        return base64.b64decode(self.call("Page.printToPDF")["data"])

    def complaints(self):
        """Errors and messages of the console since the page was opened."""
        out = []
        for name, p in self.events:
            if name == "Log.entryAdded":
                out.append(f"{p['entry']['level']}: {p['entry']['text']}")
            elif name == "Runtime.exceptionThrown":
                out.append(f"exception: {p['exceptionDetails']['text']}")
            elif name == "Runtime.consoleAPICalled":
                out.append(f"console.{p['type']}")
        return out

    def requests(self):
        """Addresses the page asked for since it was opened."""
        return [p["request"]["url"] for name, p in self.events if name == "Network.requestWillBeSent"]
