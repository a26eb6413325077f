"""HID POS and serial scanners, as real USB devices of the guest's kernel."""

import json
import os

from daemon import Daemon, kinds, of_type, reasons, texts
from gadgets import Gadgets
from hid_reports import HONEYWELL, LAYOUTS, NEWLAND, ZEBRA, report
from scenario import PROGRAM, Scenario

# How many scans of the HID POS and serial scanners must arrive without a loss.
SCANS = int(os.environ.get("KEYWEDGE_SCANS", "2000"))
# The parts of a code remain one code, however long a busy host suspends the guest.
PATIENT = {"idle_timeout": "30s"}


class Interfaces(Scenario):

    def setUp(self):
        super().setUp()
        self.gadgets = Gadgets(self.guest)
        self.addCleanup(self.gadgets.close)
        self.tool, self.put, self.pull = self.gadgets.tool, self.gadgets.plug, self.gadgets.unplug

    def scan(self, program):
        """Waits for the next scan; returns its interface, AIM identifier and text."""
        data = of_type(program.wait_for_type("scan"), "scan")[-1]["data"]
        return data["scanner"]["interface"], data["aim"], data["text"]

    def test_the_fields_are_those_of_the_descriptor(self):
        for name, descriptor, start, aim in (
                ("honeywell", HONEYWELL, b"\x02\x0d]E0", "]E0"),
                ("zebra", ZEBRA, b"\x02\x0d\0]E0", "]E0"), ("newland", NEWLAND, b"\x02\x0d", None)):
            with self.subTest(name):
                self.put(name, "hid", descriptor)
                program = self.run_daemon({"name": name, "match": {"uniq": f"SN-{name}"}})
                self.tool("send", name, 0, report(start, "4006381333931"))
                self.assertEqual(self.scan(program), ("hid-pos", aim, "4006381333931"))
                program.stop()
                self.pull(name)

    def test_layouts_that_no_maker_has(self):
        for name, layout in LAYOUTS.items():
            with self.subTest(name):
                self.put(name, "hid", layout.descriptor, layout.length)
                program = self.run_daemon({"name": name, "match": {"uniq": f"SN-{name}"}, **PATIENT})
                for parts in (["4006381333931"], ["0123456789" * 3, "abcdefghij", "!"]):
                    self.tool("send", name, 0.01, *layout.reports(*parts))
                    self.assertEqual(self.scan(program), ("hid-pos", layout.aim, "".join(parts)))
                self.tool("send", name, 0.01, *layout.reports("123", "456", "789", "0")[:3])
                self.pull(name)
                events = program.wait_for_type("scanner.disconnected")
                self.assertEqual(texts(events), [])
                self.assertIn(reasons(events), (["torn"], ["idle"]))
                program.stop()

    def test_nothing_needs_to_be_configured_for_hid_pos(self):
        self.put("other", "hid", HONEYWELL, vendor="0x1234")
        program = self.run_daemon({"name": "default"}, wait=1)
        self.tool("send", "other", 0, report(b"\x02\x03]E0", "111"))
        self.assertEqual(self.scan(program), ("hid-pos", "]E0", "111"))
        devices = [device for device in self.devices().values() if device["interface"] == "hid-pos"]
        self.assertEqual([device["rule"] for device in devices], ["described-as-scanner"])

    def test_a_badge_reader_is_no_scanner_and_is_not_opened(self):
        self.put("badge", "hid", HONEYWELL.replace("058c0902", "058c0901"))
        program = self.run_daemon({"name": "badge", "match": {"vendor": "0c2e"}}, wait=0)
        program.wait_for_log("no configured scanner is attached")
        opened = self.guest.check(f"ls -l /proc/{program.pid}/fd")
        self.assertNotIn("hidraw", opened)

    def test_a_code_in_eight_reports(self):
        self.put("long", "hid", HONEYWELL)
        # With this recovery, the second half arrives before the broken scan ends, however slow the host is.
        program = self.run_daemon(
            {"name": "long", "match": {"uniq": "SN-long"}, "idle_timeout": "5s", "recovery": "60s"})
        text = "".join(f"part{number:04d}" for number in range(56))
        parts = [report(b"\x02\x38]Q1", text[start:start + 56], int(start + 56 < len(text)))
                 for start in range(0, len(text), 56)]
        self.assertEqual(len(parts), 8)
        self.tool("send", "long", 0.01, *parts)
        self.assertEqual(self.scan(program), ("hid-pos", "]Q1", text))
        # A pause between two parts breaks the code, and the remaining parts are never read as a shorter code.
        self.tool("send", "long", 0, *parts[:3])
        # The pause begins after the daemon has read the earlier parts.
        self.virtual_keyboards().all_at_once(
            {"do": "wait until read", "process": program.pid}, {"do": "sleep", "seconds": 5.1})
        self.tool("send", "long", 0, *parts[3:])
        events = program.wait_for_type("scan.rejected")
        self.assertEqual((reasons(events), texts(events)), (["idle"], []))
        self.tool("send", "long", 0, *parts)
        self.assertEqual(self.scan(program)[2], text)

    def test_unplugged_between_two_parts(self):
        self.put("h", "hid", HONEYWELL)
        program = self.run_daemon({"name": "h", "match": {"uniq": "SN-h"}})
        part = report(b"\x02\x38]Q1", "7" * 56, 1)
        self.tool("send", "h", 0, part)
        self.pull("h")
        events = program.wait_for_type("scanner.disconnected")
        self.assertEqual(texts(events), [])
        self.assertIn(reasons(events), (["torn"], ["idle"]))
        self.put("h", "hid", HONEYWELL)
        program.wait_for_type("scanner.connected")
        self.tool("send", "h", 0, report(b"\x02\x02]E0", "11"))
        self.assertEqual(self.scan(program)[2], "11")

    def test_reports_that_the_kernel_dropped_give_no_shorter_code(self):
        self.put("h", "hid", HONEYWELL)
        program = self.run_daemon({"name": "h", "match": {"uniq": "SN-h"}})
        program.signal("STOP")
        self.tool("codes", "h", 0, 1, 100)
        program.signal("CONT")
        events = program.wait_for_type("scan", 62)
        self.tool("codes", "h", 0.1, 1000, 3)
        events += program.wait_for(lambda found: f"{1002:013d}" in texts(found))
        sent = [f"{number:013d}" for number in (*range(1, 101), *range(1000, 1003))]
        self.assertEqual(texts(events), [text for text in sent if text in texts(events)])
        self.assertIn("torn", reasons(events))

    def test_a_scanner_beeps_if_no_product_has_the_code(self):
        self.put("h", "hid", HONEYWELL)
        self.guest.check(
            "printf 'ean,name\\n4006381333931,Pencil\\n' >beeps.csv\n"
            f"{PROGRAM} catalog import beeps.csv --catalog /run/beeps.sqlite")
        program = self.run_daemon(
            {"name": "h", "match": {"uniq": "SN-h"},
             "feedback": {"not_found": "not-on-file", "found": "good", "rejected": "error"}},
            catalog={"sources": [{"embedded": "/run/beeps.sqlite"}]})
        for text, expected in (("96385074", "0404"), ("4006381333931", "0402")):
            # The scanner's answer must not be read as a scan.
            received = self.tool(
                "exchange", "h", report(bytes([2, len(text)]) + b"]E0", text),
                report(b"\x02\x02]X0", "OK"))
            self.assertEqual(received, expected)
            self.assertEqual(self.scan(program)[2], text)
        self.tool("send", "h", 0, report(b"\x02\x01]E0", "1"))
        self.assertEqual(texts(program.wait_for_type("scan")), ["1"])

    def test_a_virtual_scanner_reaches_the_daemon(self):
        self.guest.check("modprobe uhid; echo '{}' >none.yaml")
        program = self.run_daemon(wait=0)
        program.wait_for_log("no device known as a scanner is attached")
        for text in ("]E04006381333931", "]Q1" + "in parts " * 20 + "."):
            self.guest.check(
                f"{PROGRAM} type '{text}' --device --interface hid-pos --wait 10s --config none.yaml")
            events = program.wait_for_type("scanner.disconnected")
            (data,) = [event["data"] for event in of_type(events, "scan")]
            self.assertEqual((data["scanner"]["interface"], data["aim"] + data["text"]), ("hid-pos", text))

    def test_what_is_recorded_replays_to_what_was_sent(self):
        self.put("h", "hid", HONEYWELL)
        self.put("port", "acm", product="0x0002")
        (self.guest.exchange / "tools.yaml").write_text(json.dumps({"scanners": [
            {"name": "h", "match": {"uniq": "SN-h", "interface": "hid-pos"}},
            {"name": "port", "match": {"uniq": "SN-port", "interface": "serial"}}]}))
        for name, message, mark in (
                ("h", report(b"\x02\x03]E0", "111"), "^E:"), ("port", b"111\r".hex(), "^send")):
            file = f"{name}.recording"
            for command, end in ((f"record {name} -o {file}", f"grep -q {mark} {file}"),
                                 (f"monitor {name}", "grep -q '=> scan \"111\"' tool.events")):
                tool = Daemon(self.guest, f"{PROGRAM} {command} --config tools.yaml", "tool").start()
                self.addCleanup(self.guest.run, f"kill -KILL {tool.pid}")
                tool.wait_for_log("Ctrl-C ends it")
                self.tool("send", name, 0, message)
                self.guest.check(f"until {end}; do sleep 0.1; done")
                tool.signal("INT")
                tool.wait_for_end()
            self.assertEqual(self.guest.check(
                f"{PROGRAM} replay {file} --scanner {name} --config tools.yaml --format text 2>replay.log"), "111\n")

    def test_a_port_is_opened_only_if_it_is_configured(self):
        self.put("port", "acm")
        program = self.run_daemon({"name": "port", "match": {"vendor": "0c2e"}}, wait=0)
        program.wait_for_log("no configured scanner is attached")
        self.assertNotIn("ttyACM", self.guest.check(f"ls -l /proc/{program.pid}/fd"))

    def test_serial_ports(self):
        self.put("port", "acm")
        for match in ({"serial": "/dev/ttyACM0"}, {"uniq": "SN-port", "interface": "serial"}):
            program = self.run_daemon({"name": "port", "match": match, **PATIENT})
            self.tool("send", "port", 0.01, b"40063".hex(), b"81333931\r]C1 1\r".hex())
            events = program.wait_for_type("scan", 2)
            self.assertEqual(texts(events), ["4006381333931", " 1"])
            self.assertEqual(events[-1]["data"]["aim"], "]C1")
            self.assertEqual(events[-1]["data"]["scanner"]["interface"], "serial")
            self.pull("port")
            program.wait_for_type("scanner.disconnected")
            self.put("port", "acm")
            program.wait_for_type("scanner.connected")
            self.tool("send", "port", 0, b"12345670\r".hex())
            self.assertEqual(self.scan(program), ("serial", None, "12345670"))
            program.stop()

    def test_a_serial_scanner_gets_the_command_of_its_maker(self):
        self.put("port", "acm")
        program = self.run_daemon(
            {"name": "port", "match": {"serial": "/dev/ttyACM0"}, "length": {"min": 3},
             "feedback": {"rejected": "error"}, "feedback_commands": "honeywell"})
        received = self.tool("exchange", "port", b"1\r".hex(), b"\x06".hex())
        self.assertEqual(received, b"\x1b8,".hex())
        self.assertEqual(reasons(program.wait_for_type("scan.rejected")), ["too-short"])
        self.tool("send", "port", 0, b"123\r".hex())
        self.assertEqual(texts(program.wait_for_type("scan")), ["123"])

    def test_thousands_of_scans_none_lost(self):
        self.put("h", "hid", HONEYWELL)
        self.put("port", "acm", product="0x0002")
        program = self.run_daemon(
            {"name": "h", "match": {"uniq": "SN-h"}},
            {"name": "port", "match": {"uniq": "SN-port", "interface": "serial"}, **PATIENT})
        # The kernel stores only 63 reports, and a busy host may suspend the guest for seconds. Therefore, fewer
        # than 63 reports are sent at a time.
        step = 50
        for first in range(0, SCANS // 2, step):
            self.tool("codes", "h,port", 0, first, step)
            events = program.wait_for_type("scan", 2 * step)
            self.assertEqual(kinds(events), ["scan"] * 2 * step)
            for name in ("h", "port"):
                self.assertEqual(
                    texts(events, name), [f"{number:013d}" for number in range(first, first + step)])

    def test_the_rs_232_port_of_the_box(self):
        line = self.guest.open_port()
        self.addCleanup(line.close)
        program = self.run_daemon(
            {"name": "port", "match": {"serial": "/dev/ttyS2"}, "length": {"min": 3}, **PATIENT,
             "feedback": {"rejected": "error"}, "feedback_commands": "honeywell"})
        line.sendall(b"4006381333931\r]C1" + b"1234567890" * 40 + b"\r")
        events = program.wait_for_type("scan", 2)
        self.assertEqual(texts(events), ["4006381333931", "1234567890" * 40])
        self.assertEqual(events[-1]["data"]["scanner"]["interface"], "serial")
        line.sendall(b"1\r")
        self.assertEqual(reasons(program.wait_for_type("scan.rejected")), ["too-short"])
        # The bytes may arrive one by one.
        self.assertEqual(b"".join(line.recv(1) for _ in range(3)), b"\x1b8,")

    def test_a_port_of_an_adapter_that_is_pulled_out_and_put_in(self):
        self.guest.check("modprobe ftdi_sio")
        program = self.run_daemon(
            {"name": "adapter", "match": {"serial": "/dev/ttyUSB0"}, "terminators": ["none"],
             "idle_timeout": "2s"}, wait=0)
        program.wait_for_log("no configured scanner is attached")
        for number in range(2):
            line = self.guest.plug_adapter()
            program.wait_for_type("scanner.connected")
            for text in ("a\rb", f"c{number}"):
                line.sendall(text.encode())
                events = program.wait_for_type("scan")
                self.assertEqual(texts(events), [text])
                self.assertEqual(events[-1]["data"]["scanner"]["vendor"], "0403")
            line.close()
            self.guest.unplug_adapter()
            program.wait_for_type("scanner.disconnected")

    def test_three_interfaces_at_once(self):
        self.put("h", "hid", HONEYWELL)
        self.put("port", "acm", product="0x0002")
        program = self.run_daemon(
            {"name": "h", "match": {"uniq": "SN-h"}},
            {"name": "k1", "match": {"uniq": "SN-k1"}, **PATIENT},
            {"name": "port", "match": {"uniq": "SN-port", "interface": "serial"}, **PATIENT})
        self.gadgets.begin(("codes", "h,port", 0.02, 1_000_000_000_000, 100))
        for number in range(20):
            self.guest.type("k1", f"{number:08d}")
        self.gadgets.finish()
        events = program.wait_for_type("scan", 220)
        self.assertEqual(kinds(events), ["scan"] * 220)
        sent = [f"{1_000_000_000_000 + number}" for number in range(100)]
        for name, expected in (("h", sent), ("port", sent), ("k1", [f"{n:08d}" for n in range(20)])):
            self.assertEqual(texts(events, name), expected)
