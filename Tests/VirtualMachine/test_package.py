"""dpkg installs, upgrades, removes and purges the Debian package on a box with a real systemd."""

import atexit
import functools
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import scenario
import test_unit
from daemon import of_type, texts

SOURCES = pathlib.Path(__file__).resolve().parents[2]
CONFIGURATION = "/etc/keywedge/keywedge.yaml"
UNITS = "keywedge.service keywedge.socket keywedge-fifo.service keywedge-fifo.socket"
CATALOG = "id,name,price,code\n1,Kohlwerk pencil,0.89,4006381333931\n"
# A host that is a container forbids packages to start units; the guest is not a container.
REFUSAL = "/usr/sbin/policy-rc.d"


@functools.cache
def the_package():
    """Returns the path of the program's package, which is built once for all scenarios of this process."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="keywedge-package-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    options = [f"BINARY={scenario.PROGRAM}", f"DESTINATION={folder}", "COMPRESSION=-Znone"]
    for target in ("clean", "binary", "clean"):
        subprocess.run(
            ["debian/rules", target, *options], cwd=SOURCES, check=True, stdout=subprocess.DEVNULL)
    (package,) = folder.glob("keywedge_*.deb")
    return package


def make_version_before(target):
    """Writes the same package with a lower version and another example configuration to `target`."""
    with tempfile.TemporaryDirectory(prefix="keywedge-package-") as tree:
        subprocess.run(["dpkg-deb", "-R", the_package(), tree], check=True)
        control = pathlib.Path(tree, "DEBIAN", "control")
        control.write_text(re.sub("(?m)^Version: .*$", "Version: 0.0.1", control.read_text()))
        with open(tree + CONFIGURATION, "a") as configuration:
            configuration.write("# As it was in the version before.\n")
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Znone", "-b", tree, target], check=True,
            stdout=subprocess.DEVNULL)


def make_database(package, folder):
    """Creates a dpkg database in `folder`, with only those of this host's packages that `package` needs.

    The host's own database has thousands of files, which the guest would need minutes to read.
    """
    depends = subprocess.run(
        ["dpkg-deb", "-f", package, "Depends"], check=True, capture_output=True, text=True).stdout
    names = set(re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]+)", depends))
    for part in ("info", "updates", "triggers"):
        (folder / part).mkdir(parents=True)
    (folder / "info" / "format").write_text("1\n")
    stanzas = pathlib.Path("/var/lib/dpkg/status").read_text().split("\n\n")
    kept = [stanza for stanza in stanzas if stanza and re.match(r"Package: (.*)", stanza)[1] in names]
    (folder / "status").write_text("".join(f"{stanza}\n\n" for stanza in kept))
    for stanza in kept:
        name = re.match(r"Package: (.*)", stanza)[1]
        if "\nMulti-Arch: same" in stanza:
            name += ":" + re.search(r"(?m)^Architecture: (.*)$", stanza)[1]
        (folder / "info" / f"{name}.list").write_text("")


@unittest.skipIf(shutil.which("dh") is None, "debhelper, which makes the package, is not installed")
class InstalledBox(test_unit.UnitScenario):
    """A box on which keywedge was never installed, with the package and dpkg available."""

    PREFIX = "/usr"

    def setUp(self):
        # The scenario needs a guest on which keywedge was never installed, and leaves it unusable for others.
        scenario.Shared.stop()
        self.addCleanup(scenario.Shared.stop)
        scenario.Scenario.setUp(self)
        self.followed = []
        shutil.copy(the_package(), self.guest.exchange / "this.deb")
        make_database(the_package(), self.guest.exchange / "dpkg")
        (self.guest.exchange / "local.rules").write_text(test_unit.RULE)
        (self.guest.exchange / "products.csv").write_text(CATALOG)
        self.guest.check(
            f"rm -f {REFUSAL}; cp local.rules /etc/udev/rules.d/71-keywedge-local.rules\n"
            "udevadm control --reload; cp -r dpkg /run/dpkg; mount --bind /run/dpkg /var/lib/dpkg")


class Package(InstalledBox):
    """The whole life of the package, from its installation to its purge."""

    def dpkg(self, arguments):
        """Runs dpkg, which fails if it asks a question, and returns its output."""
        return self.guest.check(f"dpkg {arguments}")

    def states(self, question):
        """Returns each unit's answer to `systemctl is-active` or `is-enabled`; `question` is the part after `is-`."""
        return self.guest.run(f"systemctl is-{question} {UNITS}").output.split()

    def group(self, keyboard):
        """Waits until udev is idle, and returns the group of a keyboard's node."""
        return self.guest.check(f"udevadm settle; stat -c %G {self.node(keyboard)}").strip()

    def scan(self, code):
        """Scans a code, and returns its event from the current run of the unit."""
        run = self.invocation()
        self.wait_for("scanner.connected", run)
        count = len(of_type(self.events(run), "scan"))
        self.guest.type("k1", code)
        event = of_type(self.wait_for("scan", run, count + 1), "scan")[-1]
        self.assertEqual(texts([event]), [code])
        return event

    def test_it_is_installed_upgraded_removed_and_purged(self):
        self.install_the_version_before()
        self.configure_and_start()
        self.upgrade()
        self.remove()
        self.purge()

    def install_the_version_before(self):
        self.assertEqual(self.group("k1"), "input")
        make_version_before(self.guest.exchange / "before.deb")
        self.dpkg("-i before.deb")
        self.assertEqual(self.states("active"), ["inactive"] * 4)
        self.assertEqual(self.states("enabled"), ["disabled"] * 4)
        self.assertEqual((self.group("k1"), self.group("k2")), ("keywedge", "input"))
        self.assertEqual(
            self.guest.check("getent passwd keywedge").split(":")[5], "/var/lib/keywedge")
        self.guest.check(f"keywedge config check {CONFIGURATION}")

    def configure_and_start(self):
        self.guest.check(
            f"sed -i 's/# match: {{vendor.*/match: {{uniq: SN-k1}}/' {CONFIGURATION}\n"
            f"{test_unit.BE_PATIENT} {CONFIGURATION}\n"
            f"cp {CONFIGURATION} mine.yaml; keywedge config check\n"
            "keywedge catalog import products.csv --currency EUR\n"
            f"systemctl enable --now keywedge.socket {test_unit.UNIT}")
        event = self.scan("4006381333931")
        self.assertEqual(event["data"]["scanner"]["name"], "counter")
        self.assertEqual(event["data"]["product"]["name"], "Kohlwerk pencil")

    def upgrade(self):
        before = self.invocation()
        socket = self.guest.check("systemctl show --value -p InvocationID keywedge.socket")
        # Without the option, dpkg would ask, because both the shop and the package have changed the file.
        self.assertIn("keywedge.yaml", self.dpkg("--force-confold -i this.deb"))
        self.guest.check(f"cmp {CONFIGURATION} mine.yaml; [ -e {CONFIGURATION}.dpkg-dist ]")
        self.assertNotEqual(self.invocation(), before)
        self.assertEqual(len(of_type(self.wait_for("stopping", before), "stopping")), 1)
        self.assertEqual(
            self.guest.check(f"readlink /proc/{self.show('MainPID')}/exe"), "/usr/bin/keywedge\n")
        self.assertEqual(
            self.guest.check("systemctl show --value -p InvocationID keywedge.socket"), socket)
        self.assertEqual(self.states("enabled"), ["enabled"] * 2 + ["disabled"] * 2)
        event = self.scan("4006381333931")
        self.assertEqual(event["data"]["scanner"]["name"], "counter")
        self.assertEqual(event["data"]["product"]["name"], "Kohlwerk pencil")

    def remove(self):
        process = self.show("MainPID")
        files = self.guest.check("dpkg -L keywedge").splitlines()
        self.assertIn("/usr/bin/keywedge", files)
        (self.guest.exchange / "files").write_text("".join(f"{file}\n" for file in files))
        self.dpkg("-r keywedge")
        self.guest.check(f"[ ! -e /proc/{process} ] && [ ! -e /run/keywedge ]")
        self.assertEqual(self.left_files(), [CONFIGURATION])
        self.assertEqual(self.group("k1"), "input")
        self.guest.check(f"cmp {CONFIGURATION} mine.yaml; [ -s /var/lib/keywedge/catalog.sqlite ]")

    def purge(self):
        self.dpkg("-P keywedge")
        self.assertEqual(self.guest.run("dpkg -s keywedge >/dev/null 2>&1").code, 1)
        self.assertEqual(self.left_files(), [])
        # Apart from the package's own files, only the shop's data is left. The search skips the host's containers,
        # because they may contain entire systems.
        self.assertEqual(self.guest.check(
            "find /etc /run /var/lib -xdev -path /var/lib/containers -prune"
            " -o -name '*keywedge*' ! -name 71-keywedge-local.rules -print"),
            "/var/lib/keywedge\n")
        self.guest.check("cd /var/lib/keywedge && [ -s catalog.sqlite ] && [ -s journal.sqlite ]")

    def left_files(self):
        """Returns those of the package's former files that still exist."""
        return self.guest.check(
            "while read -r file; do [ ! -f \"$file\" ] || echo \"$file\"; done <files").splitlines()
