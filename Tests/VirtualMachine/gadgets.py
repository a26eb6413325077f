"""Scanners in the guest that are no keyboards, as the host commands them."""

from script import Script


class Gadgets:
    """Scanners in HID POS mode and serial ones, each by its name; its serial number is SN-NAME."""

    def __init__(self, machine):
        self._script = Script.of(machine, "guest_interfaces", "guest_gadget")
        self._names = []

    def tool(self, *words, seconds=180):
        """Runs a command of guest_interfaces.py; its answer."""
        (answer,) = self._script.obey(line(*words), seconds=seconds)
        return answer

    def begin(self, *commands):
        """Has commands run, each a list of words, while something else happens."""
        self._script.begin(*(line(*words) for words in commands))

    def finish(self):
        """Waits until the commands that were begun have run."""
        self._script.finish()

    def plug(self, name, *what, vendor="0x0c2e", product="0x0b61"):
        """Puts a scanner in."""
        self._names.append(name)
        self.tool("plug", name, vendor, product, *what)

    def unplug(self, name):
        """Pulls a scanner out."""
        self._names.remove(name)
        self.tool("unplug", name)

    def close(self):
        """Pulls out all of them."""
        for name in list(self._names):
            self.unplug(name)


def line(*words):
    """Words as guest_interfaces.py reads them."""
    return " ".join(map(str, words))
