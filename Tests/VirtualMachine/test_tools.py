"""The commands that an installer uses: `devices`, `monitor`, `record` and `type --device`."""

import json
import time

from console import NEVER, USUAL, delay_repeats
from daemon import Daemon, of_type, texts
from machine import GuestError
from scenario import IDLE, K1, K2, PROGRAM, Scenario


class Tools(Scenario):

    def setUp(self):
        super().setUp()
        self.guest.check("rm -f tool.* other.* shop.evemu; echo '{}' >none.yaml")
        (self.guest.exchange / "patient.yaml").write_text(
            json.dumps({"scanners": [{"name": "any", "idle_timeout": IDLE}]}))
        delay_repeats(self.guest, NEVER)
        self.addCleanup(delay_repeats, self.guest, USUAL)

    def start(self, command, ready):
        """Starts a command in the background, and waits until it prints the text `ready`."""
        tool = Daemon(self.guest, f"{PROGRAM} {command} --config patient.yaml", "tool")
        self.addCleanup(self.guest.run, f"kill -KILL {tool.start().pid}")
        self.wait_for("tool.log", ready)
        return tool

    def wait_for(self, file, text, seconds=240):
        """Waits until a file contains a text, and returns the file's content."""
        deadline = time.monotonic() + seconds
        path = self.guest.exchange / file
        while True:
            content = path.read_text(errors="replace") if path.exists() else ""
            if text in content:
                return content
            if time.monotonic() > deadline:
                raise GuestError(f"{text!r} is not in {file}: {content}")
            time.sleep(0.05)

    def end(self, tool, signal):
        """Sends a signal to a command, and waits until it ends."""
        tool.signal(signal)
        tool.wait_for_end()

    def test_what_is_recorded_replays_to_what_was_typed(self):
        for signal in ("INT", "TERM"):
            with self.subTest(signal):
                tool = self.start(f"record {self.node('k1')} -o shop.evemu", "Ctrl-C ends it")
                self.guest.type("k1", "aB]7 x")
                self.wait_for("shop.evemu", "EV_KEY / KEY_ENTER            0")
                self.end(tool, signal)
                self.assertIn("8 key presses", self.wait_for("tool.log", "presses recorded"))
                self.assertEqual(self.guest.check(
                    f"{PROGRAM} replay shop.evemu --config patient.yaml --format text 2>replay.log"),
                    "aB]7 x\n")
                self.assertEqual(self.guest.check("stat -c %a shop.evemu"), "600\n")
                self.guest.check("rm shop.evemu")

    def test_evemu_play_types_what_was_recorded(self):
        tool = self.start(f"record {self.node('k1')} -o shop.evemu", "Ctrl-C ends it")
        self.guest.type("k1", "4006381333931")
        self.wait_for("shop.evemu", "EV_KEY / KEY_ENTER            0")
        self.end(tool, "INT")
        program = self.run_daemon(K2)
        self.guest.check(f"evemu-play {self.node('k2')} <shop.evemu")
        self.assertEqual(texts(program.wait_for_type("scan")), ["4006381333931"])

    def test_with_grab_the_daemon_is_kept_out_and_then_gets_its_turn(self):
        node = self.node("k1")
        tool = self.start(f"record {node} --grab -o shop.evemu", "Ctrl-C ends it")
        program = self.run_daemon(K1, wait=0)
        self.assertIn(
            (tool.pid, "keywedge"),
            [(holder["process"], holder["command"])
             for holder in self.devices("none.yaml")[node]["open_in"]])
        self.guest.type("k1", "111")
        self.wait_for("shop.evemu", "EV_KEY / KEY_ENTER            0")
        self.end(tool, "TERM")
        program.wait_for_type("scanner.connected")
        self.guest.type("k1", "222")
        self.assertEqual(texts(program.wait_for_type("scan")), ["222"])

    def test_a_grab_waits_until_whoever_saw_a_key_go_down_saw_it_come_up(self):
        node = self.node("k1")
        other = Daemon(self.guest, f"{PROGRAM} record {node} --config none.yaml", "other")
        self.addCleanup(self.guest.run, f"kill -KILL {other.start().pid}")
        self.wait_for("other.log", "Ctrl-C ends it")
        self.guest.send("k1", [("a", True)])
        self.wait_for("other.events", "EV_KEY / KEY_A                1")
        tool = self.start(f"record {node} --grab -o shop.evemu", "Ctrl-C ends it")
        self.guest.send("k1", [("a", False)])
        self.wait_for("other.events", "EV_KEY / KEY_A                0")
        # The recording contains keys that were read before the grab and written after it.
        self.wait_for("shop.evemu", "EV_KEY / KEY_A                0")
        self.guest.type("k1", "7")
        self.wait_for("shop.evemu", "EV_KEY / KEY_ENTER            0")
        self.end(tool, "INT")
        self.assertNotIn("KEY_7", (self.guest.exchange / "other.events").read_text())

    def test_a_grab_that_another_process_holds_is_refused(self):
        self.run_daemon(K1)
        result = self.guest.run(f"{PROGRAM} monitor {self.node('k1')} --grab --config none.yaml")
        self.assertEqual(result.code, 1)
        self.assertIn("Device or resource busy", result.output)

    def test_several_nodes_of_one_scanner_are_recorded_as_one(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("first", phys="v/input0")
        keyboards.create("second", phys="v/input1")
        tool = self.start("record 0c2e:0001 -o shop.evemu", "Ctrl-C ends it")
        keyboards.all_at_once(*(
            {"do": "tap", "name": name, "keys": [key]}
            for name, key in [("first", 2), ("second", 3), ("first", 4), ("second", 28)]))
        self.wait_for("shop.evemu", "EV_KEY / KEY_ENTER            0")
        self.end(tool, "INT")
        self.assertEqual(self.guest.check(
            f"{PROGRAM} replay shop.evemu --config patient.yaml --format text 2>replay.log"), "123\n")

    def test_a_signal_ends_it_although_nobody_reads_what_it_writes(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("scanner")
        self.guest.check("rm -f full; mkfifo full; sleep 1000 <>full & echo $! >reader.pid")
        self.addCleanup(self.guest.run, "kill $(cat reader.pid)")
        tool = self.start("record 0c2e:0001 -o full", "Ctrl-C ends it")
        keyboards.type("scanner", *["1234567890"] * 100)
        self.end(tool, "TERM")

    def test_a_recording_ends_when_the_scanner_goes_away(self):
        tool = self.start(f"record {self.node('k1')} -o shop.evemu", "Ctrl-C ends it")
        self.guest.type("k1", "12", enter=False)
        self.wait_for("shop.evemu", "EV_KEY / KEY_2                0")
        self.guest.unplug("k1")
        log = self.wait_for("tool.log", "presses recorded")
        self.assertIn("the scanner went away\nkeywedge: 2 key presses recorded", log)
        tool.wait_for_end()

    def test_monitor_shows_keys_while_everybody_else_gets_them_too(self):
        tool = self.start(f"monitor {self.node('k1')}", "Ctrl-C ends it")
        other = Daemon(self.guest, f"{PROGRAM} record {self.node('k1')} --config none.yaml", "other")
        self.addCleanup(self.guest.run, f"kill -KILL {other.start().pid}")
        self.wait_for("other.log", "Ctrl-C ends it")
        self.guest.type("k1", "A1")
        lines = self.wait_for("tool.events", "settings of").splitlines()
        self.assertEqual(
            [line[12:].split() for line in lines[1:5]],
            [["KEY_LEFTSHIFT", "modifier"], ["KEY_A", "Shift", '"A"'], ["KEY_1", '"1"'],
             ["KEY_ENTER", "ends", "the", "scan"]])
        self.assertTrue(lines[5].startswith('=> scan "A1", text, 3 keys'), lines[5])
        self.wait_for("other.events", "EV_KEY / KEY_ENTER            1")
        self.end(tool, "INT")

    def test_monitor_says_that_the_daemon_holds_the_scanner(self):
        self.run_daemon(K1)
        tool = self.start(f"monitor {self.node('k1')}", "Ctrl-C ends it")
        tool.wait_for_log("where that has grabbed it, no key comes here")
        self.end(tool, "TERM")

    def test_an_idle_monitor_makes_no_wake_ups(self):
        tool = self.start(f"monitor {self.node('k1')}", "Ctrl-C ends it")
        self.assert_no_wake_ups(tool.pid)
        self.end(tool, "INT")

    def test_type_through_a_device_reaches_the_daemon(self):
        program = self.run_daemon(wait=0)
        program.wait_for_log("no device known as a scanner is attached")
        for text in ("4006381333931", "]d201095060001343522110LOT-7"):
            self.guest.check(
                f"{PROGRAM} type '{text}' --device --vendor 0c2e --product 0b61 --name Voyager"
                " --wait 12s --config none.yaml")
            events = program.wait_for_type("scanner.disconnected")
            (data,) = [event["data"] for event in of_type(events, "scan")]
            self.assertEqual((data["aim"] or "") + data["text"], text)
            self.assertEqual(data["scanner"]["vendor"], "0c2e")
            self.assertEqual(data["scanner"]["product"], "0b61")

    def test_a_device_is_gone_when_typing_is_interrupted(self):
        before = self.devices("none.yaml").keys()
        # The command types for minutes.
        tool = self.start(f"type {'1234567890' * 10} --device --pace 1s", "the virtual scanner is")
        self.assertEqual(len(self.devices("none.yaml").keys() - before), 1)
        self.end(tool, "INT")
        self.assertEqual(self.devices("none.yaml").keys(), before)
