"""A Python script that runs in the guest and executes commands, one per line."""

import pathlib
import shutil

from machine import GuestError

HERE = pathlib.Path(__file__).resolve().parent


class Script:
    """A running script: it prints `ready`, reads commands, and answers each command with a line.

    It starts only once for all scenarios of a guest, because Python takes a second to start there.
    """

    @classmethod
    def of(cls, machine, name, *modules):
        """Returns the script with this name; starts it if it is not running."""
        if name not in machine.scripts:
            machine.scripts[name] = cls(machine, name, *modules)
        return machine.scripts[name]

    def __init__(self, machine, name, *modules):
        self._machine = machine
        self._name = name
        self._waiting = 0
        for module in (name, *modules):
            shutil.copy(HERE / f"{module}.py", machine.exchange)
        # The sleeping process keeps both pipes open between two commands.
        machine.check(
            f"cd /run; rm -f {name}.in {name}.out; mkfifo {name}.in {name}.out\n"
            f"sleep 100000 <>{name}.in 3<>{name}.out & echo $! >{name}.pid\n"
            f"cd /run/exchange; python3 {name}.py </run/{name}.in >/run/{name}.out 2>{name}.log &\n"
            f"head -n 1 /run/{name}.out")

    def begin(self, *commands):
        """Starts commands, which the script runs without waiting for the host in between."""
        self.finish()
        self._waiting = len(commands)
        lines = "\n".join(commands)
        self._machine.check(f"cat >/run/{self._name}.in <<'END'\n{lines}\nEND")

    def finish(self, seconds=240):
        """Waits for the commands of the last `begin`, and returns their answers."""
        count, self._waiting = self._waiting, 0
        if count == 0:
            return []
        result = self._machine.run(f"head -n {count} /run/{self._name}.out", seconds)
        if result.code == 0 and "failed" not in result.output:
            return result.output.splitlines()
        # Makes the next scenario start a new script.
        self._machine.run(f"kill $(cat /run/{self._name}.pid)")
        del self._machine.scripts[self._name]
        log = (self._machine.exchange / f"{self._name}.log").read_text(errors="replace")
        raise GuestError(f"{self._name}: {result.output}\n{log}")

    def obey(self, *commands, seconds=240):
        """Runs commands and returns their answers."""
        self.begin(*commands)
        return self.finish(seconds)
