"""Scanners that are set to keyboard layouts other than the one in the kernel's tables."""

import pathlib
import time

from daemon import Daemon, of_type, reasons, texts
from scenario import K1, K2, PROGRAM, Scenario

CALIBRATION = pathlib.Path(__file__).resolve().parents[2] / "docs/calibration.txt"
# Only some layouts, because an emulated processor would need minutes for all of them.
FEW_LAYOUTS = """
import sys, xml.etree.ElementTree as tree
for path in sys.argv[1:]:
    registry = tree.parse(path)
    layouts = registry.find("layoutList")
    for layout in layouts.findall("layout"):
        if layout.find("configItem/name").text not in ("us", "cz", "fr"):
            layouts.remove(layout)
    registry.write(path)
"""


class Layouts(Scenario):

    def test_two_scanners_with_different_layouts_at_once(self):
        program = self.run_daemon({**K1, "layout": "us"}, {**K2, "layout": "fr"})
        # The keys of the top row type digits on one layout and signs on the other.
        for key in "12345678\n":
            self.guest.type("k1", key, enter=False, gap=0.004)
            self.guest.type("k2", key, enter=False, gap=0.004)
        events = program.wait_for_type("scan", 2)
        self.assertEqual(texts(events, "k1"), ["12345678"])
        self.assertEqual(texts(events, "k2"), ["&é\"'(-è_"])

    def test_a_wrong_layout_is_suspected_and_the_text_kept(self):
        program = self.run_daemon({**K1, "layout": "fr"})
        # Scans do not wait until the layouts are compiled, so the first ones may lack the finding.
        codes, deadline = [], time.monotonic() + 180
        while "layout-suspect" not in codes and time.monotonic() < deadline:
            self.guest.type("k1", "4006381333931")
            event = of_type(program.wait_for_type("scan"), "scan")[-1]
            self.assertEqual(texts([event]), ["'àà-\"_&\"\"\"ç\"&"])
            codes = [problem["code"] for problem in event["data"]["problems"]]
        self.assertIn("layout-suspect", codes)

    def test_enter_inside_the_data(self):
        # The timeouts are long because a busy host also causes pauses.
        program = self.run_daemon({**K1, "terminator_pause": "15s", "idle_timeout": "30s"})
        self.guest.type("k1", "one\ntwo")
        found = program.wait_for_type("scan")
        # Checked first, because a rejection would explain why a scan lacks characters.
        self.assertEqual(reasons(of_type(found, "scan.rejected")), [])
        self.assertEqual(texts(found), ["one\rtwo"])
        self.assertEqual(reasons(of_type(program.events(), "scan.rejected")), [])

    def test_detect_names_the_layout_of_a_scanner_that_types_the_calibration_text(self):
        (self.guest.exchange / "few.py").write_text(FEW_LAYOUTS)
        (self.guest.exchange / "none.yaml").write_text("{}")
        (self.guest.exchange / "czech.yaml").write_text(
            '{"scanners": [{"name": "v", "layout": "cz", "caps": "inverted"}]}')
        self.guest.check(
            "rm -rf /run/xkb; cp -r /usr/share/X11/xkb /run/xkb\n"
            "python3 few.py /run/xkb/rules/evdev.xml /run/xkb/rules/evdev.extras.xml")
        (self.guest.exchange / "text").write_text(CALIBRATION.read_text().rstrip("\n"))
        typing = Daemon(
            self.guest,
            f"{PROGRAM} type \"$(cat text)\" --device --vendor 0c2e --product 0b61 --wait 30s"
            " --pace 100ms --config czech.yaml", "typing")
        self.addCleanup(self.guest.run, f"kill -KILL {typing.start().pid}")
        typing.wait_for_log("the virtual scanner is")
        # The command must not type before the reader has started, however long that takes.
        typing.signal("STOP")
        detect = Daemon(
            self.guest,
            f"env XKB_CONFIG_ROOT=/run/xkb {PROGRAM} layouts detect --scanner 0c2e:0b61"
            " --config /run/exchange/none.yaml", "detect")
        self.addCleanup(self.guest.run, f"kill -KILL {detect.start().pid}")
        detect.wait_for_log("scan the calibration symbol")
        # Stops the reader for longer than 700 ms; keys that wait in the meantime must still belong to the scan.
        self.wait_until_at_rest(detect.pid)
        switches = f"grep -h ^voluntary /proc/{detect.pid}/task/*/status"
        self.guest.check(
            f"before=$({switches}); kill -CONT {typing.pid}\n"
            f"while [ \"$({switches})\" = \"$before\" ]; do :; done\n"
            f"kill -STOP {detect.pid}; sleep 1.2; kill -CONT {detect.pid}")
        detect.wait_for_end()
        self.assertEqual(detect.output, "layout: cz\ncaps: inverted\n", detect.log)
