"""Carries out docs/register.md to the letter on a box on which keywedge was never installed.

The test does what a person would do at the box: plug in, scan and edit. It runs dpkg instead of apt,
because there is no network here.
"""

import re
import time

import test_package
from machine import GuestError
from test_layouts import CALIBRATION, FEW_LAYOUTS

PAGE = (test_package.SOURCES / "docs" / "register.md").read_text()
STANDING_IN = {
    "sudo": '#!/bin/sh\nexec "$@"\n',
    "apt": "#!/bin/sh\nexec dpkg -i /run/exchange/this.deb\n",
    "editor": "#!/bin/sh\ncp /run/exchange/edited.yaml \"$1\"\n",
}


def blocks(language):
    """Returns the page's code blocks in a language, in their order."""
    found = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", PAGE)
    return [text for name, text in found if name == language]


class RegisterPage(test_package.InstalledBox):

    def test_from_an_unpacked_scanner_to_a_running_till(self):
        (install, devices, edit, monitor, detect, fetch, start, admit, listen, till) = blocks("sh")
        # Leaves one scanner, as on the page.
        self.unplug("k2")
        self.stand_in()
        self.assertRegex(self.do(install), r"(?m)^\d+\.\d+\.\d+$")
        self.name_the_scanner(self.do_in_terminal(devices))
        self.do(edit)
        self.while_scanning(monitor, "4006381333931", lambda text: "4006381333931" in text)
        self.detect_the_layout(detect)
        (self.guest.exchange / "products.csv").write_text(blocks("")[0])
        self.assertIn("Pencil", self.do(fetch))
        self.assertIn("active (running)", self.do(start))
        self.do("useradd -m cashier\n" + admit)
        self.assertRegex(self.read_as_cashier(listen), r"Pencil.*0\.89")
        self.assertRegex(self.read_as_cashier(till), r"0\.89 +Pencil")

    def stand_in(self):
        """Installs the scripts that replace a person and the network in the guest."""
        for name, text in STANDING_IN.items():
            (self.guest.exchange / name).write_text(text)
        self.guest.check(f"install -m 755 {' '.join(STANDING_IN)} /usr/local/bin")

    def do(self, commands):
        """Runs the page's commands as a shell would, and returns their output."""
        return self.guest.check(f"set -e\n{commands}")

    def do_in_terminal(self, commands):
        """Runs commands at a terminal, and returns what it showed, without colours."""
        (self.guest.exchange / "step.sh").write_text(commands)
        shown = self.guest.check("script -qec 'sh -e step.sh' /dev/null")
        return re.sub(r"\x1b\[[0-9;]*m|\r", "", shown)

    def name_the_scanner(self, said):
        """Makes the editor replace the configured scanners with the `match` that the command printed."""
        lines = re.search(r"(?m)^ *(match: \{.*\})$", said)
        self.assertIsNotNone(lines, said)
        old = self.guest.check(f"cat {test_package.CONFIGURATION}")
        begin, end = old.index("\nscanners:"), old.index("\nbarcodes:")
        (self.guest.exchange / "edited.yaml").write_text(
            f"{old[:begin]}\nscanners:\n  - name: counter\n    {lines[1]}\n{old[end:]}")

    def while_scanning(self, commands, typed, is_enough, ready=""):
        """Runs commands, scans a code until their output satisfies `is_enough`, and returns the output.

        Like a person, it waits for the output `ready` before it scans.
        """
        (self.guest.exchange / "step.sh").write_text(commands)
        # The output of the previous step must not count.
        self.guest.check("rm -f step.out; setsid sh step.sh >step.out 2>&1 & echo $! >step.pid")
        self.addCleanup(self.guest.run, "kill -KILL -- -$(cat step.pid)")
        output = self.guest.exchange / "step.out"
        deadline = time.monotonic() + 120
        while not output.exists() or ready not in output.read_text(errors="replace"):
            self.assertLess(time.monotonic(), deadline, output)
            time.sleep(0.1)
        for _ in range(40):
            self.guest.type("k1", typed)
            deadline = time.monotonic() + 5
            while time.monotonic() < deadline:
                if is_enough(text := output.read_text(errors="replace")):
                    self.guest.run("kill -- -$(cat step.pid)")
                    return text
                time.sleep(0.1)
        raise GuestError(f"{commands} printed only: {output.read_text(errors='replace')}")

    def detect_the_layout(self, commands):
        """Scans the calibration symbol, with few layouts, because an emulated processor needs minutes for all."""
        (self.guest.exchange / "few.py").write_text(FEW_LAYOUTS)
        self.guest.check(
            "rm -rf /run/xkb; cp -r /usr/share/X11/xkb /run/xkb\n"
            "python3 few.py /run/xkb/rules/evdev.xml /run/xkb/rules/evdev.extras.xml")
        self.while_scanning(
            f"export XKB_CONFIG_ROOT=/run/xkb\n{commands}", CALIBRATION.read_text().rstrip("\n"),
            lambda text: "layout: us" in text, ready="scan the calibration symbol")

    def read_as_cashier(self, commands):
        """Runs commands as the cashier, scans the pencil, and returns the output."""
        return self.while_scanning(
            f"exec setpriv --reuid=cashier --regid=cashier --init-groups sh -c '\n{commands}'",
            "4006381333931", lambda text: "Pencil" in text)
