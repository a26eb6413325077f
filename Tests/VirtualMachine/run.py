"""Runs the scenarios: `run.py PROGRAM [unittest arguments]`.

PROGRAM is the built binary; the guest sees it at the same path. Ends with 0 also where no machine
can be had, saying why. `run.py --possible` only asks for that, and ends with 77 where none can.

All scenarios are run in two processes, each with a guest of its own: those with a systemd in the guest,
and those without.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 35 * 60 + int(60 * float(os.environ.get("KEYWEDGE_SOAK_MINUTES", "0")))
IMPOSSIBLE = 77
# Which of all scenarios a process runs.
SHARES = ("--with-systemd", "--without-systemd")


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
    return run(arguments) if arguments else run_shares()


def run(arguments):
    """Runs those that the arguments name, or a share of all; the exit code."""
    import scenario
    signal.signal(signal.SIGALRM, out_of_time)
    signal.signal(signal.SIGTERM, out_of_time)
    signal.alarm(LONGEST)
    runner = unittest.TextTestRunner(verbosity=2, resultclass=TimedResult)
    try:
        if arguments[0] in SHARES:
            result = runner.run(share(has_systemd=arguments[0] == SHARES[0]))
        else:
            result = unittest.main(
                module=None, argv=["run.py", *arguments], exit=False, testRunner=runner).result
        return 0 if result.wasSuccessful() else 1
    finally:
        scenario.Shared.stop()


def share(has_systemd):
    """The scenarios whose guest has a systemd, or those whose guest has none."""
    everything = unittest.defaultTestLoader.discover(str(HERE), pattern="test_*.py")
    return unittest.TestSuite(
        test for test in flattened(everything) if getattr(test, "SYSTEMD", False) == has_systemd)


def flattened(suite):
    """The tests of a suite of suites."""
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from flattened(each)
        else:
            yield each


def run_shares():
    """Runs both shares at once, and shows what each said as a whole; the worse exit code."""
    import machine
    with tempfile.TemporaryFile() as later:
        others = subprocess.Popen(
            [sys.executable, __file__, sys.argv[1], SHARES[1]], stdout=later,
            stderr=subprocess.STDOUT, preexec_fn=machine.die_with_parent)
        try:
            code = run([SHARES[0]])
            return max(code, others.wait())
        finally:
            others.terminate()
            others.wait()
            later.seek(0)
            sys.stderr.buffer.write(later.read())
            sys.stderr.flush()


def out_of_time(*_):
    """Ends everything, cleaning up. An exception would only be counted as one failed test."""
    import scenario
    scenario.Shared.stop()
    print("the scenarios took too long, or were ended", file=sys.stderr, flush=True)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
