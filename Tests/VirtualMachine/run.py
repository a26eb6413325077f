"""Runs the scenarios: `run.py PROGRAM [unittest arguments]`.

PROGRAM is the built binary; the guest sees it at the same path. Ends with 0 also where no machine
can be had, saying why. `run.py --possible` only asks for that, and ends with 77 where none can.

All scenarios are run in several processes, each with a guest of its own. A process takes a class of
scenarios from a line whenever it has run one: the first process takes those with a systemd in the guest
from the front, the others take those without from the back, until they meet.
"""

import contextlib
import fcntl
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 45 * 60 + int(60 * float(os.environ.get("KEYWEDGE_SOAK_MINUTES", "0")))
IMPOSSIBLE = 77
# From which end of the line each process takes its scenarios.
ENDS = (0, -1, -1)
# The scenarios at the ends of the line: those that take longest, or boot a guest for themselves alone.
FRONT = ("test_package", "test_register_page", "test_doctor", "test_handover")
BACK = ("test_interfaces", "test_neighbours")


class TimedResult(unittest.TextTestResult):
    """Says of each scenario how long it took, the boot of a guest included."""

    def startTest(self, test):
        """Writes what begins."""
        super().startTest(test)
        self._start = time.monotonic()

    def stopTest(self, test):
        """Writes how long it was."""
        super().stopTest(test)
        self.stream.writeln(f"    {time.monotonic() - self._start:.1f} s")


def main():
    """Runs them."""
    sys.path.insert(0, str(HERE))
    import machine
    reason = machine.why_not()
    is_question = sys.argv[1] == "--possible"
    if reason:
        print(f"skipped: {reason}")
        return IMPOSSIBLE if is_question else 0
    if is_question:
        return 0
    os.environ["KEYWEDGE_PROGRAM"] = str(pathlib.Path(sys.argv[1]).resolve())
    arguments = sys.argv[2:]
    if not arguments:
        return run_all()
    import scenario
    signal.signal(signal.SIGALRM, out_of_time)
    signal.signal(signal.SIGTERM, out_of_time)
    signal.alarm(LONGEST)
    try:
        return run_line(*arguments[1:]) if arguments[0] == "--line" else run(arguments)
    finally:
        scenario.Shared.stop()


def run(arguments, stream=None):
    """Runs those that the arguments name; the exit code."""
    runner = unittest.TextTestRunner(stream, verbosity=2, resultclass=TimedResult)
    program = unittest.main(
        module=None, argv=["run.py", *arguments], exit=False, testRunner=runner)
    return 0 if program.result.wasSuccessful() else 1


def run_line(path, end):
    """Runs classes from one end of the line until it is empty; the worst exit code."""
    code = 0
    while name := take(path, int(end)):
        # What a class says is shown as a whole.
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                code = max(code, run([name], output))
        finally:
            print(output.getvalue(), file=sys.stderr, flush=True)
    return code


def take(path, end):
    """Removes a class from one end of the line; None if there is none."""
    with open(path, "r+", encoding="ascii") as line:
        fcntl.flock(line, fcntl.LOCK_EX)
        names = line.read().split()
        name = names.pop(end) if names else None
        line.seek(0)
        line.truncate()
        line.write("\n".join(names))
    return name


def classes():
    """The names of all classes, in the order of the line."""
    def place(test):
        module, has_systemd = type(test).__module__, getattr(test, "SYSTEMD", False)
        if module in FRONT:
            return FRONT.index(module) - len(FRONT)
        return BACK.index(module) + 2 if module in BACK else int(not has_systemd)
    loader = unittest.TestLoader()
    everything = loader.discover(str(HERE), pattern="test_*.py")
    if loader.errors:
        raise ImportError("\n".join(loader.errors))
    tests = sorted(flattened(everything), key=place)
    return list(dict.fromkeys(f"{type(test).__module__}.{type(test).__qualname__}" for test in tests))


def flattened(suite):
    """The tests of a suite of suites."""
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from flattened(each)
        else:
            yield each


def run_all():
    """Runs all in processes of their own; the worst exit code."""
    import machine
    start = time.monotonic()
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as line:
        line.write("\n".join(classes()))
        line.flush()
        processes = [
            subprocess.Popen(
                [sys.executable, __file__, sys.argv[1], "--line", line.name, str(end)],
                preexec_fn=machine.die_with_parent) for end in ENDS]
        try:
            code = max(process.wait() for process in processes)
        finally:
            for process in processes:
                process.terminate()
                process.wait()
    print(f"all scenarios took {time.monotonic() - start:.0f} s:", "passed" if code == 0 else "FAILED",
          file=sys.stderr, flush=True)
    return code


def out_of_time(*_):
    """Ends everything, cleaning up. An exception would only be counted as one failed test."""
    import scenario
    scenario.Shared.stop()
    if isinstance(sys.stdout, io.StringIO):
        print(sys.stdout.getvalue(), file=sys.stderr)
    print("the scenarios took too long, or were ended", file=sys.stderr, flush=True)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
