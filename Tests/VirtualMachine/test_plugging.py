"""Scanners pulled out, put in, gone to sleep, and folders that come and go."""

import time

from daemon import kinds, of_type, reasons, texts
from scenario import K1, K2, Scenario, Shared


class Plugging(Scenario):

    def test_unplugged_in_mid_scan_and_plugged_in_again_20_times(self):
        program = self.run_daemon(K1)
        rejections = []
        for number in range(20):
            code = f"{4006381300000 + number}"
            self.guest.type("k1", code[:1 + number % 12], enter=False)
            time.sleep(0.05)
            self.guest.unplug("k1")
            events = program.wait_for_type("scanner.disconnected")
            self.assertEqual(texts(events), [], number)
            rejections += reasons(events)
            self.plug("k1")
            program.wait_for_type("scanner.connected")
            self.guest.type("k1", code)
            self.assertEqual(texts(program.wait_for_type("scan")), [code])
        # On a busy host half a second may pass before the plug is out.
        self.assertEqual(len(rejections), 20)
        self.assertLessEqual(set(rejections), {"torn", "idle"})
        self.assertGreater(rejections.count("torn"), 10)

    def test_back_under_another_number(self):
        program = self.run_daemon(K1)
        keyboards = self.virtual_keyboards()
        before = self.node("k1")
        self.guest.unplug("k1")
        program.wait_for_type("scanner.disconnected")
        keyboards.create("other", vendor=0x1234, phys="other/1")
        self.plug("k1")
        self.assertNotEqual(self.node("k1"), before)
        program.wait_for_type("scanner.connected")
        self.guest.type("k1", "12345670")
        self.assertEqual(texts(program.wait_for_type("scan")), ["12345670"])

    def test_of_two_with_the_same_identity_the_second_is_refused(self):
        both = {"name": "counter", "match": {"vendor": "0627"}}
        first, second = sorted(("k1", "k2"), key=self.node)
        program = self.run_daemon(both, wait=1)
        self.guest.type(second, "222")
        self.guest.type(first, "111")
        self.assertEqual(texts(program.wait_for_type("scan")), ["111"])
        self.assertIn("tell the two apart by phys or uniq", program.log)
        self.guest.unplug(first)
        program.wait_for_type("scanner.connected")
        self.guest.type(second, "333")
        self.assertEqual(texts(program.wait_for_type("scan")), ["333"])

    def test_one_unplugged_leaves_the_other_alone(self):
        program = self.run_daemon(K1, K2)
        self.guest.type("k2", "400", enter=False)
        self.guest.unplug("k1")
        self.guest.type("k2", "638")
        self.assertEqual(texts(program.wait_for_type("scan")), ["400638"])

    def test_folder_missing_at_start(self):
        self.guest.check("mv /dev/input /dev/hidden")
        try:
            program = self.run_daemon(K1, wait=0)
            program.wait_for_log("/dev/input\" does not exist")
        finally:
            self.guest.check("mv /dev/hidden /dev/input")
        events = program.wait_for_type("scanner.connected")
        self.guest.type("k1", "12345670")
        events += program.wait_for_type("scan")
        # Nothing had come ahead of that.
        self.assertEqual(kinds(events), ["scanner.connected", "scan"])
        self.assertEqual(texts(events), ["12345670"])

    def test_folder_removed_and_made_again(self):
        # What is unplugged later would stay away: of these nodes the kernel does not know.
        self.addCleanup(Shared.stop)
        program = self.run_daemon(K1)
        self.guest.check(
            "cp -a /dev/input /run/input.copy; rm -rf /dev/input; sleep 0.5\n"
            "mkdir /dev/input; sleep 0.2; cp -a /run/input.copy/. /dev/input; rm -rf /run/input.copy")
        self.guest.type("k1", "111")
        self.assertEqual(texts(program.wait_for_type("scan")), ["111"])
        node = self.node("k1")
        self.guest.unplug("k1")
        events = program.wait_for_type("scanner.disconnected")
        self.assertEqual(of_type(events, "scanner.connected"), [])
        # The kernel does not remove a node it did not make, nor put another in its place.
        self.guest.check(f"rm -f {node}")
        self.plug("k1")
        program.wait_for_type("scanner.connected")
        self.guest.type("k1", "222")
        self.assertEqual(texts(program.wait_for_type("scan")), ["222"])
