"""keywedge never claims the keyboard on which it types scans itself."""

from daemon import of_type, texts
from scenario import Scenario

SCANNERS = [{"name": "counter", "match": {"name": "*keyboard*"}}]
EVENTS = [{"stdout": {"format": "json"}}, {"keyboard": {"template": "{text}{enter}"}}]


class OwnKeyboard(Scenario):

    def setUp(self):
        super().setUp()
        self.terminal = self.console()

    def test_a_pattern_that_matches_it_claims_the_scanner_alone(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", label="wedge keyboard", phys="v/1")
        program = self.run_daemon(*SCANNERS, events=EVENTS)
        keyboards.type("v", "12345670")
        self.terminal.wait_for(b"12345670\r")
        keyboards.type("v", "96385074")
        self.terminal.wait_for(b"12345670\r96385074\r")
        events = program.wait_for_type("scan", 2)
        self.assertEqual(texts(events), ["12345670", "96385074"])
        self.assertTrue(self.device("v/1")["taken"])
        self.assert_is_refused(self.device("keywedge/keyboard"))

    def test_alone_it_is_no_scanner(self):
        program = self.run_daemon(*SCANNERS, events=EVENTS, wait=0)
        program.wait_for_log("no configured scanner is attached")
        self.assert_is_refused(self.device("keywedge/keyboard"))
        keyboards = self.virtual_keyboards()
        keyboards.create("v", label="wedge keyboard", phys="v/1")
        events = program.wait_for_type("scanner.connected")
        keyboards.type("v", "12345670")
        self.terminal.wait_for(b"12345670\r")
        events += program.wait_for_type("scan")
        self.assertEqual(len(of_type(events, "scanner.connected")), 1)
        self.assertEqual(texts(events), ["12345670"])

    def test_a_rule_that_marks_every_keyboard_does_not_mark_it(self):
        # Marks the nodes event0 to event9 in udev's database, as udev would.
        self.addCleanup(self.guest.check, "rm -rf /run/udev")
        self.guest.check(
            "mkdir -p /run/udev/data; for minor in $(seq 64 73); do\n"
            "echo E:KEYWEDGE_SCANNER=1 >/run/udev/data/c13:$minor; done")
        program = self.run_daemon(events=EVENTS, wait=2)
        self.guest.type("k1", "12345670")
        self.terminal.wait_for(b"12345670\r")
        self.guest.type("k2", "96385074")
        self.terminal.wait_for(b"12345670\r96385074\r")
        self.assertEqual(texts(program.wait_for_type("scan", 2)), ["12345670", "96385074"])
        self.assert_is_refused(self.device("keywedge/keyboard"))

    def device(self, phys):
        """Returns the entry of `keywedge devices` for the device at a port."""
        (device,) = [each for each in self.devices().values() if each["phys"] == phys]
        return device

    def assert_is_refused(self, device):
        """Asserts that the device is refused because it is keywedge's own keyboard."""
        self.assertFalse(device["taken"], device)
        self.assertIn("keywedge", device["reason"])
