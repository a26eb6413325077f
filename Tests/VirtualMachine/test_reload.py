"""Reloads while a scanner types: no scan is lost, and only what has changed is restarted."""

import json

from daemon import of_type, reasons, texts
from scenario import IDLE, K1, K2, PROGRAM, Scenario

CODES = [f"{number:08d}" for number in range(400)]
# Alternates between two configurations as fast as possible, until the file `reload.on` is removed.
LOOP = """
touch reload.on
while [ -e reload.on ]; do
    for file in other.yaml first.yaml; do
        cp $file daemon.yaml
        PROGRAM reload --config daemon.yaml >>reload.out 2>&1 || echo failed >>reload.out
    done
done
touch reload.done
"""


class Reload(Scenario):

    BESIDE = {
        "listen": {"socket": "/run/reload.sock"}, "catalog": {"sources": []},
        "journal": {"file": "/run/reload.sqlite"},
    }

    def setUp(self):
        super().setUp()
        self.guest.run("rm -f reload.on reload.out reload.done /run/reload.*")

    def write(self, name, *scanners, **more):
        """Writes a configuration; JSON is YAML."""
        (self.guest.exchange / name).write_text(json.dumps({
            "events": [{"stdout": {"format": "json"}}],
            "scanners": [{"idle_timeout": IDLE, **scanner} for scanner in scanners],
            **self.BESIDE, **more}))

    def reload(self):
        """Runs `keywedge reload`, and returns its output."""
        return self.guest.check(f"{PROGRAM} reload --config daemon.yaml")

    def test_hundreds_of_scans_are_all_there(self):
        keyboards = self.virtual_keyboards()
        keyboards.create("v", phys="v/1")
        scanner = {"name": "v", "match": {"phys": "v/1"}}
        program = self.run_daemon(scanner, K2, **self.BESIDE)
        self.write("first.yaml", scanner, K2)
        self.write(
            "other.yaml", scanner, {**K2, "layout": "de"}, catalog={"sources": [], "deadline": "1s"},
            events=[{"stdout": {"format": "json"}}, {"exec": {"command": ["/bin/true"]}}])
        (self.guest.exchange / "reload.sh").write_text(LOOP.replace("PROGRAM", PROGRAM))
        self.guest.check("sh reload.sh &\nwhile [ ! -e reload.on ]; do sleep 0.1; done")
        for start in range(0, len(CODES), 50):
            # Spreads the reloads over the scans, however slow they are.
            self.guest.check(
                f"until [ $(grep -c 'scanners k2 changed' reload.out) -ge {start // 50} ]\n"
                "do sleep 0.1; done")
            keyboards.type("v", *CODES[start:start + 50], gap=0.004, reader=program.pid)
        self.guest.check(
            "rm reload.on; while [ ! -e reload.done ]; do sleep 0.1; done")
        events = program.wait_for(lambda found: texts(found)[-1:] == CODES[-1:])
        self.assertEqual(
            (reasons(events), [code for code in CODES if code not in texts(events)]), ([], []))
        self.assertEqual(texts(events), CODES)
        # Only the scanner whose settings change is reconnected, not the one that types.
        self.assertEqual(
            {event["data"]["scanner"]["name"] for event in of_type(events, "scanner.disconnected")},
            {"k2"})
        said = (self.guest.exchange / "reload.out").read_text()
        self.assertNotIn("failed", said)
        self.assertGreater(said.count("catalog changed"), 5)
        self.assertGreater(said.count("scanners k2 changed"), 5)
        print(f"{said.count('catalog changed')} reloads in {len(CODES)} scans", flush=True)

    def test_other_settings_hold_from_the_next_scan_and_nobody_else_gets_a_key(self):
        program = self.run_daemon(K1, **self.BESIDE)
        self.guest.type("k1", "400", enter=False)
        self.virtual_keyboards().wait_until_read(program.pid)
        self.write("daemon.yaml", {**K1, "prefix": "40"}, K2)
        self.assertEqual(self.reload(), "scanners k1 changed\nscanners k2 added\n")
        self.guest.type("k1", "638")
        events = program.wait_for_type("scanner.connected", 2)
        # Both parts of the scan in progress are rejected.
        self.assertEqual(
            (texts(events), reasons(events)), ([], ["torn", "started-before-grab"]))
        gone = of_type(events, "scanner.disconnected")
        self.assertEqual([event["data"]["reason"] for event in gone], ["reconfigured"])
        self.guest.type("k1", "4012345670")
        self.guest.type("k2", "999")
        self.assertEqual(sorted(texts(program.wait_for_type("scan", 2))), ["12345670", "999"])

    def test_what_leaves_the_configuration_is_a_keyboard_again(self):
        program = self.run_daemon(K1, K2, **self.BESIDE)
        self.write("daemon.yaml", K2)
        self.assertEqual(self.reload(), "scanners k1 removed\n")
        gone = program.wait_for_type("scanner.disconnected")
        self.assertEqual([event["data"]["reason"] for event in of_type(gone, "scanner.disconnected")],
                         ["reconfigured"])
        self.guest.check(
            "python3 -c 'import fcntl, sys; fcntl.ioctl(open(sys.argv[1], \"rb\"), 0x40044590, 1)' "
            + self.node("k1"))
        self.guest.type("k2", "999")
        self.assertEqual(texts(program.wait_for_type("scan")), ["999"])
