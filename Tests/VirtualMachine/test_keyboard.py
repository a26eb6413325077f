"""The sink `keyboard` of the real unit: its keys reach the console, and the scanner's keys do not."""

import json
import re
import time

import test_unit
from machine import GuestError

# Reads keys from the console one by one, as an interactive program does.
CONSOLE = """
import fcntl, os, struct, sys, termios, tty
console = os.open("/dev/tty1", os.O_RDWR | os.O_NOCTTY)
fcntl.ioctl(console, 0x5606, 1)  # VT_ACTIVATE
# If the host suspends the guest between a press and its release, the kernel must not repeat the key.
fcntl.ioctl(console, 0x4B52, struct.pack("ii", 600_000, 0))  # KDKBDREP
tty.setraw(console)
attributes = termios.tcgetattr(console)
# The characters of KEY_Y, KEY_Z and KEY_SLASH, plain and with Shift. The kernel still has those of the last run.
KEYS = {"us": ("yY", "zZ", "/?"), "de": ("zZ", "yY", "-_")}[sys.argv[1]]
for key, characters in zip((21, 44, 53), KEYS):
    for table, character in enumerate(characters):
        kind = 11 if character.isalpha() else 0  # KT_LETTER, KT_LATIN
        fcntl.ioctl(console, 0x4B47, struct.pack("BBH", table, key, kind << 8 | ord(character)))  # KDSKBENT
with open("console.bytes", "ab", buffering=0) as output:
    open("console.ready", "w").close()
    while True:
        output.write(os.read(console, 100))
"""
DROP_INS = "/etc/systemd/system/keywedge.service.d"
RULES = "/etc/udev/rules.d/72-keywedge-keyboard.rules"
# The commands of docs/sinks.md that allow the unit to create a keyboard.
(COMMANDS,) = re.findall(
    r"(?ms)^```sh\n(cd /usr/share/doc/keywedge/examples$.*?)^```$", (test_unit.SOURCES / "docs/sinks.md").read_text())


class Keyboard(test_unit.UnitScenario):

    def setUp(self):
        super().setUp()
        (self.guest.exchange / "console.py").write_text(CONSOLE)
        self.addCleanup(
            self.guest.run,
            f"rm -rf {DROP_INS} {RULES}; udevadm control --reload; modprobe uinput; chown root:root /dev/uinput\n"
            "chmod 600 /dev/uinput; mv keyboard-kept.yaml /etc/keywedge/keywedge.yaml\n"
            "systemctl daemon-reload")
        self.guest.check("cp /etc/keywedge/keywedge.yaml keyboard-kept.yaml")

    def install(self):
        """Allows the unit to create a keyboard, as docs/sinks.md says, on a box without a loaded uinput module."""
        # systemd nevertheless creates the node at boot, so that the first process that opens it loads the module.
        self.guest.check("set -e; rmmod uinput\n[ -e /dev/uinput ] || mknod -m 600 /dev/uinput c 10 223")
        self.guest.check("set -e\n" + COMMANDS.replace("/usr/share", f"{self.PREFIX}/share"))

    def configure(self, keyboard, layout="us"):
        """Starts a reader of the console, and restarts the unit with a keyboard."""
        # JSON is YAML.
        (self.guest.exchange / "keyboard.yaml").write_text(json.dumps({
            "scanners": [{
                "name": "counter", "idle_timeout": "30s", "length": {"max": 20},
                "keys": {"KEY_F8": "\u001d"}}],
            "catalog": {"sources": []},
            "events": [{"stdout": {"format": "json"}}, {"keyboard": keyboard}],
        }))
        self.addCleanup(self.guest.run, "kill $(cat console.pid)")
        self.guest.check(
            "kill $(cat console.pid) 2>/dev/null; rm -f console.ready console.bytes\n"
            f"python3 console.py {layout} >console.log 2>&1 & echo $! >console.pid\n"
            "while [ ! -e console.ready ]; do kill -0 $(cat console.pid) || exit 1; sleep 0.05; done\n"
            f"cp keyboard.yaml /etc/keywedge/keywedge.yaml; systemctl restart {test_unit.UNIT}")
        self.wait_for("scanner.connected", self.invocation())

    def wait_for_console(self, expected, seconds=240):
        """Waits until the console has received the expected bytes, and nothing else."""
        path = self.guest.exchange / "console.bytes"
        deadline = time.monotonic() + seconds
        while (found := path.read_bytes() if path.exists() else b"") != expected:
            if time.monotonic() > deadline or not expected.startswith(found):
                raise GuestError(f"expected {expected!r} on the console, got {found!r}\n" + self.log())
            time.sleep(0.1)

    def wait_for_log(self, pattern):
        """Waits until this run of the unit has logged a line that matches a pattern."""
        self.guest.check(
            f"until journalctl -o cat _SYSTEMD_INVOCATION_ID={self.invocation()} |\n"
            f"grep -q '{pattern}'; do sleep 0.2; done")

    def log(self):
        """Returns the log of this run of the unit."""
        return self.guest.check(f"journalctl -o cat _SYSTEMD_INVOCATION_ID={self.invocation()}")

    def scan_with_a_control_character(self):
        """Scans `12`, a function key that is configured as GS, and `34`."""
        self.guest.type("k1", "12", enter=False)
        self.guest.send("k1", [("f8", True)])
        self.guest.send("k1", [("f8", False)])
        self.guest.type("k1", "34")

    def test_what_it_types_reaches_the_console_and_what_the_scanner_types_does_not(self):
        self.install()
        self.configure({"template": "{gtin|text}{enter}", "rejection": "?{tab}"})
        self.guest.type("k1", "4006381333931")
        self.wait_for_console(b"04006381333931\r")
        # The first scan is too long, and the second has a control character, so nothing of it is typed.
        self.guest.type("k1", "123456789012345678901")
        self.wait_for_console(b"04006381333931\r?\t")
        self.scan_with_a_control_character()
        self.guest.type("k1", "Bag-S")
        self.wait_for_console(b"04006381333931\r?\tBag-S\r")
        self.wait_for_log("a scan is not typed: it has a control character")
        # Proves that the console reads keyboards, so it would have received any other keys.
        self.guest.type("k2", "typed by hand")
        self.wait_for_console(b"04006381333931\r?\tBag-S\rtyped by hand\r")

    def test_control_characters_where_they_are_allowed_and_another_layout(self):
        self.install()
        self.configure({"template": "{text}{tab}x{enter}", "controls": True})
        self.scan_with_a_control_character()
        self.wait_for_console(b"12\x1d34\tx\r")
        self.configure({"template": "<{text}>{enter}", "layout": "de"}, layout="de")
        # The German layout has a separate key for <, as the console's table has, and another key for -.
        self.guest.type("k1", "XYZ-yz_1")
        self.wait_for_console(b"<XYZ-yz_1>\r")

    def test_without_the_drop_in_the_unit_says_what_it_lacks(self):
        (self.guest.exchange / "keyboard.yaml").write_text(
            'events: [{keyboard: {template: "{text}{enter}"}}]\n')
        # The node's mode lets everyone use it, but the sandbox does not let the unit.
        self.guest.check("chmod 666 /dev/uinput; cp keyboard.yaml /etc/keywedge/keywedge.yaml")
        self.guest.check(f"systemctl restart {test_unit.UNIT}")
        self.wait_for_log("sink keyboard: scans are not typed: .*/dev/uinput.*not permitted")
