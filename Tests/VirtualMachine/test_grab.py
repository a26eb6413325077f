"""Claims of scanners: held keys, other holders, late permissions, crashes."""

import json

from daemon import kinds, reasons, texts
from keys import events as key_events
from scenario import K1, K2, Scenario
from script import Script
from test_broken import keys_of

HOLD = """
import fcntl, sys, time
with open(sys.argv[1], "rb") as node:
    fcntl.ioctl(node, 0x40044590, 1)  # EVIOCGRAB
    print("held", flush=True)
    time.sleep(1000)
"""


# The daemon must read the halves of a scan as one scan, however long the host suspends the guest.
PATIENT = {**K1, "idle_timeout": "30s", "recovery": "120s"}
# This scanner runs in the guest, so it can continue as soon as it is claimed. After two seconds without a key,
# later keys would form a new scan, and a busy host may need longer than that.
VIRTUAL = {**PATIENT, "name": "v", "match": {"phys": "v/1"}}
FOUR = 5


class Grab(Scenario):

    def test_waits_until_a_held_key_comes_up_and_rejects_what_was_in_flight(self):
        self.hold_four()
        program = self.run_daemon(PATIENT, wait=0)
        program.wait_for_log(f"{self.node('k1')} has a key held down")
        self.guest.send("k1", [("4", False)])
        self.guest.type("k1", "006", gap=0.02)
        events = program.wait_for_type("scanner.connected")
        self.assertEqual((texts(events), reasons(events)), ([], ["started-before-grab"]))
        self.guest.type("k1", "4006")
        self.assertEqual(texts(program.wait_for_type("scan")), ["4006"])

    def test_does_not_wait_for_ever_for_a_key_that_stays_down(self):
        self.hold_four()
        # A key that stays down for ten times the recovery counts as released.
        program = self.run_daemon({**K1, "idle_timeout": "2s", "recovery": "2s"}, wait=0)
        program.wait_for_log("one of its keys was held down")
        program.wait_for_type("scanner.connected")
        self.guest.send("k1", [("4", False)])
        # Sent as one group, because a busy host may pause between keys that it types one by one.
        self.guest.send("k1", list(key_events("4006\n")))
        self.assertEqual(texts(program.wait_for_type("scan")), ["4006"])

    def hold_four(self):
        """Presses a key, and waits until the guest knows that it is down."""
        self.guest.send("k1", [("4", True)])
        self.virtual_keyboards().all_at_once({"do": "wait for key", "node": self.node("k1"), "key": FOUR})

    def scanner(self):
        """Creates a virtual scanner; returns it with its node."""
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        return keyboards, self.node_of_phys("v/1")

    def start_beside(self, name, node, *commands):
        """Starts the daemon while the virtual scanner executes commands, which can wait for the daemon's claim."""
        claim = {"process": f"/run/exchange/{name}.pid", "node": node}
        script = Script.of(self.guest, "guest_keyboards", "guest_gadget")
        script.begin(*(json.dumps({**claim, **command}) for command in commands))
        program = self.run_daemon(VIRTUAL, wait=0, name=name)
        script.finish()
        return program

    def test_a_scan_typed_two_and_a_half_seconds_after_the_claim_is_a_scan(self):
        keyboards, node = self.scanner()
        program = self.run_daemon(VIRTUAL, wait=0)
        keyboards.all_at_once(
            {"do": "wait until claimed", "process": program.pid, "node": node},
            {"do": "sleep", "seconds": 2.5},
            {"do": "type", "name": "v", "texts": ["12345670"], "gap": 0.001})
        events = program.wait_for_type("scan")
        self.assertEqual(kinds(events), ["scanner.connected", "scan"])

    def test_grabbed_at_any_point_of_a_scan_gives_no_shorter_code(self):
        keyboards, node = self.scanner()
        for point in range(0, 14, 2):
            keyboards.all_at_once({"do": "tap", "name": "v", "keys": keys_of("4006381333931")[:point]})
            program = self.start_beside(
                f"grab-{point}", node, {"do": "wait until claimed"},
                {"do": "tap", "name": "v", "keys": keys_of("4006381333931")[point:]},
                {"do": "wait until read"}, {"do": "type", "name": "v", "texts": ["12345670"], "gap": 0})
            events = program.wait_for_type("scan")
            self.assertEqual(
                (texts(events), reasons(events)), (["12345670"], ["started-before-grab"]), point)
            program.stop()

    def test_grabbed_while_keys_pour_in_gives_whole_codes_only(self):
        _, node = self.scanner()
        for number in range(3):
            # If keys were lost, the first of the last two codes ends the broken scan.
            program = self.start_beside(
                f"pour-{number}", node,
                {"do": "pour", "name": "v", "text": "4006381333931", "gap": 0.001},
                {"do": "wait until read"}, {"do": "tap", "name": "v", "keys": keys_of("4006381333931")},
                {"do": "wait until read"}, {"do": "tap", "name": "v", "keys": keys_of("12345670")})
            events = program.wait_for(lambda found: "12345670" in texts(found))
            self.assertLessEqual(set(texts(events)), {"4006381333931", "12345670"}, number)
            # The claim came in the middle of a scan, and more keys may have been queued than the kernel keeps.
            self.assertLessEqual(set(reasons(events)), {"started-before-grab", "torn"}, number)
            self.assertGreaterEqual(len(reasons(events)), 1, number)
            program.stop()

    def test_another_process_holds_the_grab_and_lets_go(self):
        (self.guest.exchange / "hold.py").write_text(HOLD)
        self.guest.check(
            f"python3 hold.py {self.node('k1')} >hold.out 2>&1 & echo $! >hold.pid\n"
            "while ! grep -q held hold.out; do sleep 0.1; done")
        self.addCleanup(self.guest.run, "kill $(cat hold.pid)")
        program = self.run_daemon(PATIENT, K2, wait=0)
        program.wait_for_log("is grabbed by another process")
        events = program.wait_for_type("scanner.connected")
        self.guest.type("k1", "111")
        # An event of the first scanner would have come before those of the second.
        self.guest.type("k2", "999")
        self.assert_only_the_other_reads(events + program.wait_for_type("scan"))
        self.guest.check("kill $(cat hold.pid)")
        program.wait_for_type("scanner.connected")
        self.guest.type("k1", "222")
        self.assertEqual(texts(program.wait_for_type("scan")), ["222"])

    def assert_only_the_other_reads(self, events):
        """Asserts that the first scanner caused no event, not even `scanner.connected`."""
        self.assertEqual(
            [(event["data"]["scanner"]["name"], kind) for event, kind in zip(events, kinds(events))],
            [("k2", "scanner.connected"), ("k2", "scan")])
        self.assertEqual(texts(events), ["999"])

    def test_permissions_arrive_late(self):
        node, other = self.node("k1"), self.node("k2")
        self.guest.check(f"chmod 600 {node}; chmod 666 {other}")
        user = "setpriv --reuid=65534 --regid=65534 --clear-groups"
        program = self.run_daemon(PATIENT, K2, wait=0, prefix=user)
        program.wait_for_log(f"{node} may not be opened: ")
        events = program.wait_for_type("scanner.connected")
        self.guest.type("k1", "111")
        self.guest.type("k2", "999")
        self.assert_only_the_other_reads(events + program.wait_for_type("scan"))
        self.guest.check(f"chmod 666 {node}")
        program.wait_for_type("scanner.connected")
        self.guest.type("k1", "12345670")
        self.assertEqual(texts(program.wait_for_type("scan")), ["12345670"])

    def test_of_keyboards_that_are_no_scanners_nothing_is_said(self):
        self.guest.check("chmod 600 /dev/input/event*")
        user = "setpriv --reuid=65534 --regid=65534 --clear-groups"
        program = self.run_daemon({"name": "x", "match": {"uniq": "none"}}, wait=0, prefix=user)
        program.wait_for_log("no configured scanner is attached")
        # Longer than the daemon waits before it reports missing permissions.
        self.guest.check("sleep 3")
        self.assertNotIn("may not be opened", program.log)

    def test_killed_in_mid_scan_then_started_again(self):
        keyboards, node = self.scanner()
        program = self.run_daemon(VIRTUAL)
        keys = keys_of("4006381333931")
        keyboards.all_at_once({"do": "tap", "name": "v", "keys": keys[:4]})
        program.signal("KILL")
        keyboards.all_at_once({"do": "tap", "name": "v", "keys": keys[4:7]})
        program = self.start_beside(
            "again", node, {"do": "wait until claimed"}, {"do": "tap", "name": "v", "keys": keys[7:]},
            {"do": "wait until read"}, {"do": "tap", "name": "v", "keys": keys})
        events = program.wait_for_type("scan")
        self.assertEqual(
            kinds(events), ["scan.rejected", "scanner.connected", "scan"])
        self.assertEqual(
            (texts(events), reasons(events)), (["4006381333931"], ["started-before-grab"]))
