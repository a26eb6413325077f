"""Scans of working scanners arrive, and none of their keys reach the console."""

import signal

from daemon import kinds, of_type, reasons, texts
from scenario import K1, K2, Scenario

PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))


class Scans(Scenario):

    def test_a_scan(self):
        program = self.run_daemon(K1)
        self.guest.type("k1", "4006381333931")
        self.assertEqual(texts(program.wait_for_type("scan")), ["4006381333931"])

    def test_mixed_case_and_symbols(self):
        program = self.run_daemon(K1)
        self.guest.type("k1", PRINTABLE)
        self.assertEqual(texts(program.wait_for_type("scan")), [PRINTABLE])

    def test_two_identical_scanners_interleaved(self):
        program = self.run_daemon(K1, K2)
        first = [f"40063813{n:05d}" for n in range(10)]
        second = [f"97801430{n:05d}" for n in range(10)]
        for one, other in zip(first, second):
            for a, b in zip(one + "\n", other + "\n"):
                self.guest.type("k1", a, enter=False, gap=0.004)
                self.guest.type("k2", b, enter=False, gap=0.004)
        events = program.wait_for_type("scan", 20)
        self.assertEqual((texts(events, "k1"), texts(events, "k2")), (first, second))

    def test_scanner_absent_at_start(self):
        self.unplug("k1")
        program = self.run_daemon(K1, wait=0)
        program.wait_for_log("no configured scanner is attached")
        self.guest.type("k2", "999")
        self.plug("k1")
        events = program.wait_for_type("scanner.connected")
        self.guest.type("k1", "12345670")
        events += program.wait_for_type("scan")
        # No events came before these.
        self.assertEqual(kinds(events), ["scanner.connected", "scan"])
        self.assertEqual(texts(events), ["12345670"])

    def test_nothing_reaches_the_console_during_100_scans(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        console = self.console()
        # Proves that the console reads keys; otherwise, the test could not fail.
        keyboards.type("v", "77")
        console.wait_for(b"77\r")
        program = self.run_daemon(wait=1)
        codes = [str(4_000_000_000_000 + n) for n in range(100)]
        keyboards.type("v", *codes, gap=0.001, reader=program.pid)
        self.assertEqual(texts(program.wait_for_type("scan", 100)), codes)
        program.stop()
        keyboards.type("v", "88")
        console.wait_for(b"77\r88\r")

    def test_sigterm_lets_the_scanner_go_and_tears_what_is_in_progress(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        program = self.run_daemon(wait=1)
        keyboards.all_at_once(
            {"do": "tap", "name": "v", "keys": [2, 3, 4]},
            {"do": "wait until read", "process": program.pid},
            {"do": "signal", "process": program.pid, "signal": signal.SIGTERM})
        program.wait_for_end()
        events = program.events()
        self.assertEqual((texts(events), reasons(events)), ([], ["torn"]))
        self.assertEqual(len(of_type(events, "scanner.disconnected")), 1)
