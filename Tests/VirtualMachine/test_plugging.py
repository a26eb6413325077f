"""Scanners that are unplugged, plugged in or asleep, and folders that vanish and reappear."""

import json
import time

from daemon import kinds, of_type, reasons, texts
from scenario import K1, K2, PROGRAM, Scenario, Shared


class Plugging(Scenario):

    def test_unplugged_in_mid_scan_and_plugged_in_again_20_times(self):
        program = self.run_daemon(K1)
        keyboards = self.virtual_keyboards()
        rejections = []
        for number in range(20):
            code = f"{4006381300000 + number}"
            self.guest.type("k1", code[:1 + number % 12], enter=False)
            # Unread keys would be lost with the keyboard.
            keyboards.wait_until_read(program.pid)
            self.guest.unplug("k1")
            events = program.wait_for_type("scanner.disconnected")
            self.assertEqual(texts(events), [], number)
            rejections += reasons(events)
            self.plug("k1")
            program.wait_for_type("scanner.connected")
            self.guest.type("k1", code)
            self.assertEqual(texts(program.wait_for_type("scan")), [code])
        # On a busy host, unplugging may take so long that the scan is rejected as `idle` instead of `torn`.
        self.assertEqual(len(rejections), 20)
        self.assertLessEqual(set(rejections), {"torn", "idle"})
        self.assertGreater(rejections.count("torn"), 10)

    def test_back_under_another_number(self):
        program = self.run_daemon(K1)
        keyboards = self.virtual_keyboards()
        before = self.node("k1")
        self.guest.unplug("k1")
        program.wait_for_type("scanner.disconnected")
        # New nodes get the lowest free numbers, so one of them gets the scanner's former number.
        others = 0
        while self.guest.run(f"[ -e {before} ]").code != 0:
            keyboards.create(f"other{others}", vendor=0x1234, phys=f"other{others}/1")
            others += 1
        self.plug("k1")
        self.assertNotEqual(self.node("k1"), before)
        program.wait_for_type("scanner.connected")
        self.guest.type("k1", "12345670")
        self.assertEqual(texts(program.wait_for_type("scan")), ["12345670"])

    def test_two_devices_that_match_one_scanner_are_both_claimed(self):
        console = self.console()
        first, second = sorted(("k1", "k2"), key=lambda name: int(self.node(name).partition("event")[2]))
        program = self.run_daemon({"name": "counter", "match": {"vendor": "0627"}}, wait=2)
        self.guest.type(first, "111")
        self.guest.type(second, "222")
        names = {scan["data"]["text"]: scan["data"]["scanner"]["name"]
                 for scan in of_type(program.wait_for_type("scan", 2), "scan")}
        self.assertEqual(names["111"], "counter")
        self.assertNotIn(names["222"], ("counter", ""))
        devices = self.devices()
        for keyboard, name in ((first, names["111"]), (second, names["222"])):
            device = devices[self.node(keyboard)]
            self.assertTrue(device["taken"], device)
            self.assertIn(name, (device["scanner"], device["reason"]))
        self.guest.unplug(first)
        program.wait_for_type("scanner.disconnected")
        self.guest.type(second, "333")
        self.assertEqual(texts(program.wait_for_type("scan")), ["333"])
        self.assertEqual(console.received(), b"")

    def test_two_scanners_with_the_same_serial_number_have_two_names(self):
        console = self.console()
        keyboards = self.virtual_keyboards()
        for name in ("a", "b"):
            keyboards.plug(name, serial="SAME")
        program = self.run_daemon(wait=2)
        keyboards.type("a", "111", gap=0.01)
        keyboards.type("b", "222", gap=0.01)
        events = program.wait_for_type("scan", 2)
        self.assertEqual(sorted(texts(events)), ["111", "222"])
        names = {event["data"]["scanner"]["name"] for event in of_type(events, "scan")}
        self.assertEqual(len(names), 2)
        ports = {device["phys"].partition("/")[0] for device in self.devices().values()
                 if device["uniq"] == "SAME"}
        self.assertEqual(len(ports), 2)
        for port in ports:
            label = "".join(c if c.isalnum() else "-" for c in port)
            self.assertEqual(
                [name for name in names if "-same-" in name and name.endswith(label)],
                [f"0c2e-0001-same-{label}"])
        self.assertEqual(console.received(), b"")
        self.guest.type("k2", "by hand")
        console.wait_for(b"by hand\r")

    def test_so_many_changes_that_the_kernel_loses_count_disconnect_nothing(self):
        settings = "/proc/sys/fs/inotify/max_queued_events"
        before = self.guest.check(f"cat {settings}").strip()
        self.addCleanup(self.guest.check, f"echo {before} >{settings}; rm -f /dev/input/other-*")
        keyboards = self.virtual_keyboards()
        beside = {
            "listen": {"socket": "/run/plugging.sock"}, "catalog": {"sources": []},
            "journal": {"file": "/run/plugging.sqlite"}}
        self.guest.check(f"rm -f /run/plugging.*; echo 8 >{settings}")
        late = {"name": "late", "match": {"phys": "late/1"}}
        program = self.run_daemon(K1, late, wait=1, **beside)
        program.signal("STOP")
        self.guest.check(
            "for i in $(seq 100); do touch /dev/input/other-$i; rm /dev/input/other-$i; done")
        keyboards.create("late", phys="late/1")
        program.signal("CONT")
        events = program.wait_for_type("scanner.connected")
        self.guest.type("k1", "111")
        events += program.wait_for_type("scan")
        configuration = json.loads((self.guest.exchange / "daemon.yaml").read_text())
        configuration["scanners"].append({"name": "other", "match": {"uniq": "none"}})
        (self.guest.exchange / "daemon.yaml").write_text(json.dumps(configuration))
        self.guest.check(f"{PROGRAM} reload --config daemon.yaml")
        self.guest.type("k1", "222")
        keyboards.type("late", "333")
        events += program.wait_for_type("scan", 2)
        self.assertEqual(sorted(texts(events)), ["111", "222", "333"])
        self.assertEqual(of_type(events, "scanner.disconnected"), [])

    def test_a_hundred_scanners_come_and_go_and_leave_nothing(self):
        keyboards = self.virtual_keyboards()
        program = self.run_daemon(wait=0)
        program.wait_for_log("name one under scanners: match:")
        before = self.resources(program)
        for start in range(0, 100, 25):
            names = [f"v{number}" for number in range(start, start + 25)]
            keyboards.all_at_once(*(
                {"do": "create", "name": name, "label": "Virtual", "vendor": keyboards.HONEYWELL,
                 "product": 1, "phys": f"{name}/1"} for name in names))
            events = program.wait_for_type("scanner.connected", 25)
            keyboards.all_at_once(*(
                {"do": "type", "name": name, "texts": [name[1:]], "gap": 0} for name in names))
            events += program.wait_for_type("scan", 25)
            keyboards.all_at_once(*({"do": "remove", "name": name} for name in names))
            events += program.wait_for_type("scanner.disconnected", 25)
            for name in names:
                own = [event for event in events if event["data"]["scanner"]["name"].endswith(
                    f"-{name}-1")]
                self.assertEqual(
                    kinds(own), ["scanner.connected", "scan", "scanner.disconnected"], name)
                self.assertEqual(texts(own), [name[1:]])
        # A separate thread closes descriptors, so this may take a while.
        deadline = time.monotonic() + 60
        while (after := self.resources(program)) != before:
            self.assertLess(time.monotonic(), deadline, f"before: {before}, after: {after}")
            time.sleep(0.1)

    def resources(self, program):
        """Returns how many threads and descriptors a program has."""
        process = f"/proc/{program.pid}"
        return self.guest.check(f"ls {process}/task | wc -l; ls {process}/fd | wc -l").split()

    def test_plugged_in_again_and_again_while_it_types_its_events_are_in_order(self):
        keyboards = self.virtual_keyboards()
        program = self.run_daemon({"name": "v", "match": {"phys": "v/1"}}, wait=0)
        events = []

        def create(number):
            # The product number identifies each time that the scanner is plugged in.
            return {"do": "create", "name": "v", "label": "Virtual",
                    "vendor": keyboards.HONEYWELL, "product": number, "phys": "v/1"}

        def plug_and_wait(number):
            keyboards.all_at_once(create(number))
            events.extend(program.wait_for(lambda found: f"{number:04x}" in [
                event["data"]["scanner"]["product"] for event in of_type(found, "scanner.connected")]))

        for number in range(20):
            code = {"do": "type", "name": "v", "texts": [f"{number:08d}"], "gap": 0.001}
            rest = [{"do": "tap", "name": "v", "keys": [2, 3, 4]}, {"do": "remove", "name": "v"}]
            # Every third time, the scanner stays long enough to be read.
            if number % 3 == 0:
                plug_and_wait(number)
                keyboards.all_at_once(code, {"do": "wait until read", "process": program.pid}, *rest)
            else:
                keyboards.all_at_once(create(number), {"do": "sleep", "seconds": 0.02 * number}, code, *rest)
        plug_and_wait(20)
        keyboards.type("v", "12345670")
        events += program.wait_for(lambda found: "12345670" in texts(found))
        is_connected = False
        for event, kind in zip(events, kinds(events)):
            if kind.startswith("scanner."):
                self.assertNotEqual(kind == "scanner.connected", is_connected, events)
                is_connected = not is_connected
            elif kind == "scan":
                self.assertTrue(is_connected, event)
        scanned = texts(events)
        self.assertEqual(scanned, sorted(set(scanned)), "in order, and none twice")
        self.assertLessEqual(
            set(scanned), {"12345670", *(f"{number:08d}" for number in range(20))})
        self.assertGreater(len(scanned), 3)

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
        # No events came before these.
        self.assertEqual(kinds(events), ["scanner.connected", "scan"])
        self.assertEqual(texts(events), ["12345670"])

    def test_folder_removed_and_made_again(self):
        # The kernel does not manage these nodes, so a keyboard that is unplugged later could not come back.
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
        # The kernel neither removes nor replaces a node that it did not create.
        self.guest.check(f"rm -f {node}")
        self.plug("k1")
        program.wait_for_type("scanner.connected")
        self.guest.type("k1", "222")
        self.assertEqual(texts(program.wait_for_type("scan")), ["222"])
