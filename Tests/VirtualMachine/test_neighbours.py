"""Other devices are plugged in, unplugged and changed while the scanner is read."""

from daemon import reasons, texts
from scenario import Scenario

OTHERS = 12
SCANNER = {"name": "v", "match": {"phys": "v/1"}, "idle_timeout": "30s"}


class Neighbours(Scenario):
    # With several processors, closing a node takes the kernel longer, because it waits for the others.
    PROCESSORS = 2

    def test_no_scan_is_lost_while_other_devices_come_and_change(self):
        keyboards = self.virtual_keyboards()
        for number in range(OTHERS):
            keyboards.create(f"k{number}", vendor=0x1234, phys=f"k{number}/1")
        keyboards.create("v", phys="v/1")
        program = self.run_daemon(SCANNER)
        codes = [str(4_000_000_000_000 + number) for number in range(30)]
        commands = []
        for number, code in enumerate(codes):
            commands.append({"do": "type", "name": "v", "texts": [code], "gap": 0.001})
            # Changes the permissions of all nodes, as udev does after a device is plugged in.
            commands.append({"do": "run", "command": ["sh", "-c", "chmod 600 /dev/input/event*"]})
            if number % 8 == 0:
                commands += [self.create(f"n{number}-{node}") for node in range(4)]
        keyboards.all_at_once(*commands)
        events = program.wait_for(
            lambda found: len(texts(found)) + len(reasons(found)) >= len(codes))
        self.assertEqual((texts(events), reasons(events)), (codes, []))
        # Only the scanner's node is open.
        nodes = self.guest.check(f"ls -l /proc/{program.pid}/fd | grep -c /dev/input/event")
        self.assertEqual(nodes.strip(), "1")

    @staticmethod
    def create(name):
        """Returns a command that plugs in a keyboard that is not a scanner."""
        return {"do": "create", "name": name, "label": "Other", "vendor": 0x1234, "product": 2,
                "phys": name}
