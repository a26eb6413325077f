"""Builds, runs, queries, reloads and stops keywedge in a container, as docs/containers.md says.

usage: python3 Tests/Container/container.py PACKAGE COMPOSE BASE

PACKAGE is the Debian package, COMPOSE is podman-compose, and BASE is an archive of Debian 12, on which the image is
based; if it does not exist, debootstrap creates it. Root's podman uses its own storage, so the test sees no image or
container of this machine, and leaves none. The compose file is the one in examples, but with nodes of input devices
that do not exist, so that the test does not touch this machine's scanners and keyboards.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from parts import LIMIT, Box, Failure, Podman, USER, wait_until

SETTINGS = """
journal: {file: /var/lib/keywedge/journal.sqlite}
catalog: {sources: []}
listen: {socket: /run/keywedge/keywedge.sock}
events:
  - stdout: {format: json}
"""
PRODUCTS = "ean,name,price\n4006381333931,Pencil,0.89\n"
RULE = '- "c 13:* r"'


def reason_to_skip():
    """Returns why containers cannot run here; None if they can."""
    if os.geteuid() != 0:
        return "it needs root"
    missing = [name for name in ["podman", "debootstrap"] if shutil.which(name) is None]
    return f"{missing[0]} is not installed" if missing else None


def make_base(file):
    """Creates an archive of a minimal Debian 12, unless it exists."""
    if file.exists():
        return
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        tree = pathlib.Path(folder) / "tree"
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", tree, "http://deb.debian.org/debian"],
                       check=True, stdout=subprocess.DEVNULL, timeout=900)
        part = pathlib.Path(folder) / "base.tar"
        subprocess.run(["tar", "-C", tree, "-cf", part, "."], check=True)
        part.rename(file)


class ContainerTests(unittest.TestCase):
    package = compose = base = None

    @classmethod
    def setUpClass(cls):
        if reason := reason_to_skip():
            raise unittest.SkipTest(reason)
        make_base(cls.base)
        cls.folder = pathlib.Path(tempfile.mkdtemp(dir=cls.base.parent))
        # podman rejects a path of more than 50 characters for this.
        runtime = tempfile.mkdtemp(dir="/run")
        cls.podman = Podman(cls.folder, runtime)
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.addClassCleanup(shutil.rmtree, runtime)
        cls.addClassCleanup(cls.podman.remove_all)
        cls.podman.build(cls.base, cls.package)

    def box(self, settings=SETTINGS):
        box = Box(self.podman, self.compose, self.folder / self.id().rsplit(".", 1)[-1], settings)
        self.addCleanup(box.remove)
        return box

    def wait_for_log(self, box, *parts):
        try:
            wait_until(f"the log has {parts}", LIMIT, lambda: all(part in box.log() for part in parts))
        except Failure as failure:
            self.fail(f"{failure}\n{box.log()}")

    def wait_for_scans(self, box, *texts):
        wait_until(f"the scans {texts}", LIMIT,
                   lambda: [event["data"]["text"] for event in box.events()] == list(texts))

    def test_scans_status_reload_and_stop(self):
        settings = SETTINGS.replace("sources: []", "sources: [{embedded: /var/lib/keywedge/catalog.sqlite}]")
        box = self.box(settings)
        box.start()
        wait_until("the daemon answers", LIMIT, lambda: box.ask("GET", "/v1/status")[0] == 200)
        box.command("catalog", "import", "-", "--currency", "EUR", input=PRODUCTS)
        wait_until("the catalog is open", LIMIT,
                   lambda: "ready" in box.command("status").stdout)
        box.scan("4006381333931")
        self.wait_for_scans(box, "4006381333931")
        event = box.events()[0]
        self.assertEqual(event["data"]["product"]["name"], "Pencil")
        self.assertEqual(self.podman.run("healthcheck", "run", "keywedge").returncode, 0)

        box.configuration.write_text(settings + "barcodes: {region: DE}\n")
        status, answer = box.ask("POST", "/v1/reload")
        self.assertEqual((status, [change["section"] for change in answer["changes"]]), (200, ["barcodes"]))

        # `podman exec` runs the command beside the daemon, with the same files.
        self.assertIn("4006381333931", box.command("journal", "list").stdout)
        self.assertEqual(box.stop(), 0)
        self.assertEqual(len(box.events("keywedge.stopping")), 1)

        self.podman.run("start", "keywedge")
        box.open_keys()
        box.scan("96385074")
        self.wait_for_scans(box, "4006381333931", "96385074")
        first, second = (int(event["sequence"]) for event in box.events())
        self.assertGreater(second, first)

    def test_it_has_no_rights_but_those_it_needs(self):
        box = self.box()
        box.start()
        wait_until("the daemon answers", LIMIT, lambda: box.ask("GET", "/v1/status")[0] == 200)
        facts = box.process_facts()
        self.assertEqual(facts["Uid"].split(), [str(USER)] * 4)
        self.assertEqual([int(facts[name], 16) for name in ["CapEff", "CapPrm", "CapBnd"]], [0] * 3)
        self.assertEqual((facts["NoNewPrivs"], facts["Seccomp"]), ("1", "2"))
        self.assertLess(int(facts["VmHWM"].split()[0]), 128 * 1024)
        write = ["exec", "--user", "0", "keywedge", "touch", "/usr/bin/x"]
        self.assertIn("Read-only file system", self.podman.run(*write, check=False).stdout)
        self.assertEqual(box.inspect("HostConfig")["Memory"], 256 * 2**20)

    def start_without(self, *changes, settings=SETTINGS):
        """Starts a daemon that looks for scanners, with changes to the compose file."""
        box = self.box(settings)
        box.start(*changes, reads_keys=False)
        return box

    def assert_doctor_fails_only_with(self, box, *parts):
        """Asserts that each text is part of a failure, and that there are no other failures."""
        report = json.loads(box.command("doctor", "--json", "--offline", check=False).stdout)
        failures = [finding["message"] + " " + json.dumps(finding["remedies"])
                    for finding in report["findings"] if finding["verdict"] == "failed"]
        self.assertEqual(len(failures), len(parts), failures)
        for part, failure in zip(parts, failures):
            self.assertIn(part, failure)
        self.assertNotIn("systemctl", json.dumps(report))

    def test_the_device_rule_is_missing(self):
        box = self.start_without((f"device_cgroup_rules:\n      {RULE}", "device_cgroup_rules: []"))
        self.wait_for_log(box, "event0 may not be opened: the device cgroup", "--device-cgroup-rule='c 13:* r'")
        self.assert_doctor_fails_only_with(box, "--device-cgroup-rule='c 13:* r'")

    def test_the_group_is_missing_and_then_added(self):
        box = self.box()
        box.make_node(994)
        box.start(reads_keys=False)
        self.wait_for_log(box, "event0 may not be opened: it belongs to group 994", "--group-add=994")
        self.assert_doctor_fails_only_with(box, "--group-add=994")
        box.remove()
        box.start(('# group_add: ["104"]', 'group_add: ["994"]'), reads_keys=False)
        self.wait_for_log(box, "no device known as a scanner is attached")
        # The daemon has both rights now, so the kernel looks for the node's device and finds none.
        self.assertIn("No such device", box.command("devices", check=False).stdout)
        self.assertNotIn("may not be opened", box.log())

    def test_the_devices_and_the_database_are_not_mounted(self):
        box = self.start_without(("      - ./input:/dev/input:ro\n", ""), ("      - ./udev:/run/udev/data:ro\n", ""))
        self.wait_for_log(box, '"/dev/input" does not exist', '"/run/udev/data" does not exist')
        self.assert_doctor_fails_only_with(box, "--volume=/dev/input:/dev/input")
        self.assertIn("udev database", box.command("doctor", "--offline", check=False).stdout)

    def test_the_folders_of_state_and_socket_are_not_mounted(self):
        box = self.start_without(("      - ./state:/var/lib/keywedge\n", ""), ("      - ./run:/run/keywedge\n", ""),
                                 ("tmpfs: [/tmp]", "tmpfs: [/tmp, \"/run:notmpcopyup\"]"))
        self.wait_for_log(box, "/run/keywedge/keywedge.sock", "/var/lib/keywedge/journal.sqlite")
        self.assert_doctor_fails_only_with(
            box, "Plug the scanner in", "--volume=/var/lib/keywedge", "--volume=/run/keywedge")

    def test_an_image_that_does_not_answer_is_unhealthy(self):
        box = self.box(SETTINGS.replace("listen:", "# listen:"))
        box.start()
        wait_until("the daemon runs", LIMIT, lambda: box.events("keywedge.started"))
        self.assertNotEqual(self.podman.run("healthcheck", "run", "keywedge", check=False).returncode, 0)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    ContainerTests.package, ContainerTests.compose, ContainerTests.base = (
        pathlib.Path(argument).absolute() for argument in sys.argv[1:])
    ContainerTests.base.parent.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1], verbosity=2)


if __name__ == "__main__":
    main()
