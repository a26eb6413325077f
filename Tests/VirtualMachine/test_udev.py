"""The udev rule, applied by a real systemd-udevd."""

import pathlib

from daemon import of_type, texts
from gadgets import Gadgets
from hid_reports import HONEYWELL, report
from scenario import Scenario

RULES = pathlib.Path(__file__).resolve().parents[2] / "udev" / "72-keywedge.rules"
USERS = pathlib.Path(__file__).resolve().parents[2] / "systemd" / "keywedge.sysusers"
# Debian does not tag keyboards for the logged-in user, but a desktop's rules may.
TAGGING = '''SUBSYSTEM=="input", KERNEL=="event*", TAG+="uaccess", TAG+="seat"
SUBSYSTEM=="hidraw|tty", TAG+="uaccess"
'''
LOCAL = 'SUBSYSTEM=="input", KERNEL=="event*", ATTRS{uniq}=="SN-k1", ENV{KEYWEDGE_SCANNER}="1"\n'
AS_KEYWEDGE = "setpriv --reuid=keywedge --regid=keywedge --clear-groups"


class Udev(Scenario):

    def setUp(self):
        super().setUp()
        (self.guest.exchange / "71-keywedge-local.rules").write_text(LOCAL)
        (self.guest.exchange / "70-tagging.rules").write_text(TAGGING)
        self.guest.check(
            f"systemd-sysusers {USERS}; mkdir -p /run/udev/rules.d\n"
            f"cp {RULES} 70-tagging.rules 71-keywedge-local.rules /run/udev/rules.d/\n"
            "/lib/systemd/systemd-udevd --daemon\n"
            "udevadm trigger --action=add --subsystem-match=input; udevadm settle")
        self.addCleanup(
            self.guest.check,
            "pkill -x systemd-udevd; while pgrep -x systemd-udevd >/dev/null; do sleep 0.1; done\n"
            "rm -rf /run/udev; chmod 600 /dev/input/event*")

    def look(self, node):
        """Returns the group, mode and properties of a node."""
        group, mode = self.guest.check(f"stat -c '%G %a' {node}").split()
        properties = self.guest.check(f"udevadm info --query=property --name={node}").splitlines()
        return group, mode, dict(line.split("=", 1) for line in properties)

    def links(self, node):
        """Returns the links in /dev/input/scanners that lead to a node."""
        return self.guest.check(
            "for link in /dev/input/scanners/*; do [ -e \"$link\" ] && "
            f"[ \"$(readlink -f \"$link\")\" = {node} ] && echo \"$link\"; done; true").split()

    def test_a_scanner_gets_group_mode_property_and_link(self):
        node = self.node("k1")
        group, mode, properties = self.look(node)
        self.assertEqual((group, mode), ("keywedge", "660"))
        self.assertEqual(properties["KEYWEDGE_SCANNER"], "1")
        self.assertEqual(properties["LIBINPUT_IGNORE_DEVICE"], "1")
        tags = properties.get("CURRENT_TAGS", "").split(":")
        self.assertNotIn("uaccess", tags)
        self.assertNotIn("seat", tags)
        self.assertEqual(self.links(node), ["/dev/input/scanners/0627-0001-SN-k1-00"])

    def test_a_plain_keyboard_stays_as_it_was(self):
        group, _, properties = self.look(self.node("k2"))
        # Proves that the tags that a scanner loses are normally present.
        self.assertLessEqual({"uaccess", "seat"}, set(properties["CURRENT_TAGS"].split(":")))
        self.assertEqual(group, "input")
        self.assertNotIn("KEYWEDGE_SCANNER", properties)
        self.assertNotIn("LIBINPUT_IGNORE_DEVICE", properties)

    def test_a_known_maker_is_marked_and_its_mouse_is_not(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", vendor=0x05F9, phys="v/1")
        keyboards.create("mouse", vendor=0x05F9, phys="v/2", keys=[0x110], moves=True)
        self.guest.check("udevadm settle")
        node = self.node_of_phys("v/1")
        self.assertEqual(self.look(node)[0], "keywedge")
        self.assertEqual(len(self.links(node)), 1)
        self.assertEqual(self.look(self.node_of_phys("v/2"))[0], "input")

    def test_scanners_that_are_no_keyboards_belong_to_keywedge_alone(self):
        gadgets = Gadgets(self.guest)
        self.addCleanup(gadgets.close)
        gadgets.plug("hid", "hid", HONEYWELL)
        gadgets.plug("port", "acm", vendor="0x05f9")
        # The kernel creates the nodes after it has found a driver.
        self.guest.check(
            "until grep -qs HID_UNIQ=SN-hid /sys/class/hidraw/*/device/uevent && [ -e /dev/ttyACM0 ]\n"
            "do sleep 0.1; done\n"
            "udevadm trigger --action=add --subsystem-match=hidraw; udevadm settle")
        keyboard, scanner = ("/dev/" + self.guest.check(
            f"cd /sys/class/hidraw; for n in *; do grep -q HID_UNIQ={serial} $n/device/uevent && echo $n; done; true"
        ).strip() for serial in ("SN-k2", "SN-hid"))
        group, _, properties = self.look(keyboard)
        self.assertEqual(group, "root")
        self.assertIn("uaccess", properties["CURRENT_TAGS"])
        for node in (scanner, "/dev/ttyACM0"):
            group, mode, properties = self.look(node)
            self.assertEqual((group, mode), ("keywedge", "660"))
            self.assertNotIn("uaccess", properties.get("CURRENT_TAGS", ""))
        self.assertEqual(properties["ID_MM_PORT_IGNORE"], "1")
        device = self.guest.check("udevadm info --query=property --path=$(readlink -f /sys/class/tty/ttyACM0/device/..)")
        self.assertIn("ID_MM_DEVICE_IGNORE=1\n", device)
        program = self.run_daemon(
            {"name": "hid", "match": {"uniq": "SN-hid"}},
            {"name": "port", "match": {"serial": "/dev/ttyACM0"}}, prefix=AS_KEYWEDGE)
        gadgets.tool("send", "hid", 0, report(b"\x02\x03]E0", "111"))
        gadgets.tool("send", "port", 0, b"222\r".hex())
        events = of_type(program.wait_for_type("scan", 2), "scan")
        self.assertEqual(sorted(texts(events)), ["111", "222"])

    def test_the_daemon_as_its_own_user_takes_marked_scanners_through_every_plugging(self):
        program = self.run_daemon(wait=1, prefix=AS_KEYWEDGE)
        self.guest.type("k2", "222")
        for code in ("111", "333"):
            self.guest.type("k1", code)
            self.assertEqual(texts(program.wait_for_type("scan")), [code])
            self.guest.unplug("k1")
            program.wait_for_type("scanner.disconnected")
            self.plug("k1")
            program.wait_for_type("scanner.connected")

    def test_a_path_by_which_a_scanner_is_configured_may_appear_after_its_node(self):
        self.unplug("k1")
        program = self.run_daemon(
            {"name": "a", "match": {"path": "/dev/input/scanners/0627-0001-SN-k1-00"}}, wait=0)
        self.plug("k1")
        program.wait_for_type("scanner.connected")
        self.guest.type("k1", "111")
        self.assertEqual(texts(program.wait_for_type("scan")), ["111"])

    def test_a_database_that_comes_late_or_is_replaced_marks_scanners_all_the_same(self):
        self.unplug("k1")
        self.addCleanup(self.guest.run, "cp -a /run/udev/kept/. /run/udev/data/")
        self.guest.check("udevadm settle; mv /run/udev/data /run/udev/kept")
        program = self.run_daemon(wait=0)
        program.wait_for_log("name one under scanners: match:")
        for code, change in (("111", "true"), ("222", "mv /run/udev/data /run/udev/old; "
                                                      "mkdir -p /run/udev/data")):
            self.guest.check(change)
            self.plug("k1")
            program.wait_for_type("scanner.connected")
            self.guest.type("k1", code)
            self.assertEqual(texts(program.wait_for_type("scan")), [code])
            self.guest.unplug("k1")
            program.wait_for_type("scanner.disconnected")
