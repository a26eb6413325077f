"""An idle daemon never wakes up."""

import json

from scenario import K1, PROGRAM, Scenario


class Idle(Scenario):

    def test_no_wake_ups_while_nothing_comes(self):
        self.assert_no_wake_ups(self.run_daemon(K1).pid)

    def test_no_wake_ups_with_a_journal(self):
        program = self.run_daemon(
            K1, journal={"file": "/run/journal.sqlite"},
            events=[{"stdout": {"format": "json", "after": "journal"}}])
        self.assert_no_wake_ups(program.pid)

    def test_no_wake_ups_after_a_reload(self):
        program = self.run_daemon(
            K1, journal={"file": "/run/idle.sqlite"}, listen={"socket": "/run/idle.sock"})
        configuration = json.loads((self.guest.exchange / "daemon.yaml").read_text())
        configuration["scanners"][0]["prefix"] = "40"
        (self.guest.exchange / "daemon.yaml").write_text(json.dumps(configuration))
        said = self.guest.check(f"{PROGRAM} reload --config daemon.yaml")
        self.assertEqual(said, "scanners k1 changed\n")
        program.wait_for_type("scanner.connected")
        self.assert_no_wake_ups(program.pid)
