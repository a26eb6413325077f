"""Controls the guest's HID POS and serial scanners from the host."""

from script import Script


class Gadgets:
    """HID POS and serial scanners, identified by name; the serial number of each is `SN-` and its name."""

    def __init__(self, machine):
        self._script = Script.of(machine, "guest_interfaces", "guest_gadget")
        self._names = []

    def tool(self, *words, seconds=240):
        """Runs a command of guest_interfaces.py and returns its answer."""
        (answer,) = self._script.obey(line(*words), seconds=seconds)
        return answer

    def begin(self, *commands):
        """Starts commands, each a list of words, without waiting for them."""
        self._script.begin(*(line(*words) for words in commands))

    def finish(self):
        """Waits until the commands of the last `begin` have run."""
        self._script.finish()

    def plug(self, name, *what, vendor="0x0c2e", product="0x0b61"):
        """Plugs in a scanner."""
        self._names.append(name)
        self.tool("plug", name, vendor, product, *what)

    def unplug(self, name):
        """Unplugs a scanner."""
        self._names.remove(name)
        self.tool("unplug", name)

    def close(self):
        """Unplugs all scanners."""
        for name in list(self._names):
            self.unplug(name)


def line(*words):
    """Joins the words of a command into a line for guest_interfaces.py."""
    return " ".join(map(str, words))
