"""Runs the scenarios: `run.py PROGRAM [unittest arguments]`.

PROGRAM is the built binary, which the guest sees at the same path. If this host cannot run a machine,
prints the reason and exits with 0.

Without arguments, all scenarios run in several processes, each with its own guest. The processes take
classes of scenarios from a queue until it is empty. The first process starts at the front, where the scenarios
build packages, which only one process can do at a time; the others start at the back.
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
# The end of the queue from which each process takes its scenarios: 0 is the front, -1 the back.
ENDS = (0, -1, -1)
# The modules at the two ends of the queue, which take longest or boot a guest for themselves alone.
FRONT = ("test_package", "test_register_page", "test_doctor")
BACK = ("test_unit", "test_watchdog", "test_plugging", "test_handover", "test_interfaces", "test_neighbours")


class TimedResult(unittest.TextTestResult):
    """Prints how long each scenario took, including the boot of its guest."""

    def startTest(self, test):
        """Prints the name of the test that starts."""
        super().startTest(test)
        self._start = time.monotonic()

    def stopTest(self, test):
        """Prints how long the test took."""
        super().stopTest(test)
        self.stream.writeln(f"    {time.monotonic() - self._start:.1f} s")


def main():
    """Runs the scenarios, and returns the exit code."""
    sys.path.insert(0, str(HERE))
    import machine
    reason = machine.why_not()
    if reason:
        print(f"skipped: {reason}")
        return 0
    os.environ["KEYWEDGE_PROGRAM"] = str(pathlib.Path(sys.argv[1]).resolve())
    if not os.access(sys.argv[1], os.X_OK):
        sys.exit(f"{sys.argv[1]} is not there: run make release first")
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
    """Runs the scenarios that the arguments name, and returns the exit code."""
    runner = unittest.TextTestRunner(stream, verbosity=2, resultclass=TimedResult)
    program = unittest.main(
        module=None, argv=["run.py", *arguments], exit=False, testRunner=runner)
    return 0 if program.result.wasSuccessful() else 1


def run_line(path, end):
    """Runs classes from one end of the queue until it is empty, and returns the worst exit code."""
    code = 0
    while name := take(path, int(end)):
        # The output of a class is printed as a whole, because the processes share the terminal.
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                code = max(code, run([name], output))
        finally:
            print(output.getvalue(), file=sys.stderr, flush=True)
    return code


def take(path, end):
    """Removes a class from one end of the queue and returns it; None if the queue is empty."""
    with open(path, "r+", encoding="ascii") as line:
        fcntl.flock(line, fcntl.LOCK_EX)
        names = line.read().split()
        name = names.pop(end) if names else None
        line.seek(0)
        line.truncate()
        line.write("\n".join(names))
    return name


def classes():
    """Returns the names of all classes, in the order of the queue."""
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
    """Yields the tests of nested suites."""
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from flattened(each)
        else:
            yield each


def run_all():
    """Runs all scenarios in several processes, and returns the worst exit code."""
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
            code = max(abs(process.wait()) for process in processes)
        finally:
            for process in processes:
                process.terminate()
                process.wait()
    print(f"all scenarios took {time.monotonic() - start:.0f} s:", "passed" if code == 0 else "FAILED",
          file=sys.stderr, flush=True)
    return code


def out_of_time(*_):
    """Cleans up and ends the process, because an exception would only count as one failed test."""
    import scenario
    scenario.Shared.stop()
    if isinstance(sys.stdout, io.StringIO):
        print(sys.stdout.getvalue(), file=sys.stderr)
    print("the scenarios took too long, or were ended", file=sys.stderr, flush=True)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
