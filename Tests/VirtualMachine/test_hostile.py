"""Devices and neighbours that behave badly."""

from daemon import of_type, reasons, texts
from scenario import K1, Scenario


# Prints whether a pipe is too full for another line.
IS_FULL = """
import os, select, sys
poll = select.poll()
poll.register(os.open(sys.argv[1], os.O_WRONLY | os.O_NONBLOCK), select.POLLOUT)
print("room" if poll.poll(0) else "full")
"""


class Hostile(Scenario):

    def test_a_name_that_holds_an_escape_sequence(self):
        keyboards = self.virtual_keyboards()
        name = "\033]0;pwned\007\033[2J\u202e"
        keyboards.create("v", label=name, phys="v/1\033[31m")
        keyboards.create("mouse", label=name, phys="v/2", keys=[0x110])
        program = self.run_daemon(wait=1)
        keyboards.type("v", "4006")
        self.assertEqual(texts(program.wait_for_type("scan")), ["4006"])
        program.wait_for_log("cannot type a scan")
        raw = (self.guest.exchange / "daemon.events").read_bytes() + program.log.encode()
        self.assertNotIn(b"\033", raw)
        self.assertNotIn("\u202e".encode(), raw)

    def test_64_scanners_typing_at_once_lose_nothing(self):
        keyboards = self.virtual_keyboards()
        names = [f"v{number}" for number in range(64)]
        for name in names:
            keyboards.create(name, phys=f"{name}/1")
        scanners = [
            {"name": name, "match": {"phys": f"{name}/1"}, "idle_timeout": "30s"} for name in names]
        program = self.run_daemon(*scanners, wait=0)
        program.wait_for_type("scanner.connected", 64)
        expected = {
            name: [f"{number:03d}{scan:05d}" for scan in range(5)]
            for number, name in enumerate(names)
        }
        # The kernel keeps the keys of only one code, and a busy host may stall the reader while more are typed.
        for scan in range(5):
            keyboards.all_at_once(
                {"do": "race", "texts": {name: [codes[scan]] for name, codes in expected.items()}},
                {"do": "wait until read", "process": program.pid})
        events = program.wait_for(
            lambda found: len(texts(found)) + len(reasons(found)) >= 64 * 5)
        self.assertEqual({name: texts(events, name) for name in names}, expected)

    def test_a_device_that_sends_only_auto_repeat(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        program = self.run_daemon(wait=1)
        repeat = {"do": "send", "name": "v", "events": [(1, 4, 2)]}
        keyboards.all_at_once(*(repeat, {"do": "sleep", "seconds": 0.01}) * 100)
        keyboards.type("v", "4006")
        events = program.wait_for_type("scan")
        self.assertEqual((texts(events), reasons(events)), (["4006"], []))

    def test_the_clock_stepped_by_a_day_in_mid_scan(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        # The timeout is longer than an overloaded guest takes to set its clock.
        program = self.run_daemon(
            {"name": "v", "match": {"phys": "v/1"}, "idle_timeout": "30s"})
        for step in ("+1 day", "-2 days", "+1 day"):
            keyboards.all_at_once(
                {"do": "tap", "name": "v", "keys": [2, 3, 4]},
                {"do": "run", "command": ["date", "-s", step]},
                {"do": "tap", "name": "v", "keys": [5, 6, 28]})
            events = program.wait_for_type("scan")
            self.assertEqual((texts(events), reasons(events)), (["12345"], []), step)

    def test_a_consumer_that_does_not_read_for_a_while(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        (self.guest.exchange / "full.py").write_text(IS_FULL)
        self.guest.check(
            "rm -f /run/pipe go; mkfifo /run/pipe\n"
            "(exec 3</run/pipe; while [ ! -e go ]; do sleep 0.1; done; exec cat <&3)"
            " >/run/exchange/slow.events 2>/dev/null &")
        # The timeout is longer than an overloaded guest takes from one key to the next.
        scanner = {"name": "v", "match": {"phys": "v/1"}, "idle_timeout": "30s"}
        program = self.run_daemon(scanner, wait=0, prefix="sh -c 'exec \"$@\" >/run/pipe' sh")
        codes = [str(4_000_000_000_000 + n) for n in range(700)]
        # After two seconds without a key, the scanner's keys cannot be the rest of an earlier scan.
        keyboards.all_at_once(
            {"do": "wait until claimed", "process": program.pid, "node": self.node_of_phys("v/1")},
            {"do": "sleep", "seconds": 2.5})
        for first in range(0, len(codes), 100):
            keyboards.type("v", *codes[first:first + 100], reader=program.pid)
        self.assertEqual(self.guest.check("python3 full.py /run/pipe"), "full\n")
        self.guest.check("touch go")
        program.read_from("slow.events")
        events = program.wait_for(
            lambda found: len(texts(found)) + len(reasons(found)) >= len(codes))
        self.assertEqual(texts(events), codes)
        self.assertEqual(len(of_type(events, "scanner.connected")), 1)

    def test_a_foreign_grab_taken_while_we_run_is_refused_by_the_kernel(self):
        program = self.run_daemon(K1)
        result = self.guest.run(
            "python3 -c 'import fcntl, sys\n"
            f"fcntl.ioctl(open(\"{self.node('k1')}\", \"rb\"), 0x40044590, 1)'")
        self.assertNotEqual(result.code, 0)
        self.assertIn("busy", result.output)
        self.guest.type("k1", "4006")
        self.assertEqual(texts(program.wait_for_type("scan")), ["4006"])
