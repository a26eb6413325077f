"""Tests which devices keywedge claims as scanners, and which it never claims."""

from daemon import kinds, texts
from scenario import Scenario


class Selection(Scenario):

    def test_with_nothing_configured_a_known_maker_is_taken_and_a_keyboard_is_not(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("scanner", vendor=0x05F9, phys="v/1")
        program = self.run_daemon(wait=1)
        self.guest.type("k1", "111")
        keyboards.type("scanner", "222")
        self.assertEqual(texts(program.wait_for_type("scan")), ["222"])

    def test_with_nothing_attached_it_says_how_to_configure_one_and_waits(self):
        program = self.run_daemon(wait=0)
        program.wait_for_log("name one under scanners: match:")
        self.guest.type("k1", "111")
        keyboards = self.virtual_keyboards()
        keyboards.create("scanner", vendor=0x05F9, phys="v/1")
        events = program.wait_for_type("scanner.connected")
        keyboards.type("scanner", "222")
        events += program.wait_for_type("scan")
        self.assertEqual(kinds(events), ["scanner.connected", "scan"])
        self.assertEqual(texts(events), ["222"])

    def test_a_mouse_called_scanner_is_refused(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("mouse", label="Barcode Scanner", phys="v/1", keys=[0x110], moves=True)
        keyboards.create("real", label="Barcode Scanner", phys="v/2")
        program = self.run_daemon({"name": "a", "match": {"name": "*Scanner"}})
        keyboards.type("real", "111")
        self.assertEqual(texts(program.wait_for_type("scan")), ["111"])
        program.wait_for_log("got a pointing device")

    def test_several_nodes_of_one_scanner_are_read_as_one(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("first", phys="v/input0")
        keyboards.create("second", phys="v/input1")
        program = self.run_daemon({"name": "a", "match": {"vendor": "0c2e"}})
        keyboards.all_at_once(*(
            {"do": "tap", "name": name, "keys": [key]}
            for name, key in [("first", 2), ("second", 3), ("first", 4), ("second", 28)]))
        self.assertEqual(texts(program.wait_for_type("scan")), ["123"])
        keyboards.remove("first")
        # Waits until the daemon knows that the node is gone; otherwise, the scan would be torn.
        keyboards.wait_until_read(program.pid)
        keyboards.type("second", "456")
        self.assertEqual(texts(program.wait_for_type("scan")), ["456"])
