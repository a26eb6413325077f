"""Runs the scenarios: `run.py PROGRAM [unittest arguments]`.

PROGRAM is the built binary; the guest sees it at the same path. Ends with 0 also where no machine
can be had, saying why. `run.py --possible` only asks for that, and ends with 77 where none can.
"""

import os
import pathlib
import signal
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 35 * 60 + int(60 * float(os.environ.get("KEYWEDGE_SOAK_MINUTES", "0")))
IMPOSSIBLE = 77


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
    import scenario
    signal.signal(signal.SIGALRM, out_of_time)
    signal.signal(signal.SIGTERM, out_of_time)
    signal.alarm(LONGEST)
    arguments = sys.argv[2:] or ["discover", "-s", str(HERE), "-p", "test_*.py"]
    try:
        runner = unittest.TextTestRunner(verbosity=2, resultclass=TimedResult)
        program = unittest.main(
            module=None, argv=["run.py", *arguments], exit=False, testRunner=runner)
        return 0 if program.result.wasSuccessful() else 1
    finally:
        scenario.Shared.stop()


def out_of_time(*_):
    """Ends everything, cleaning up. An exception would only be counted as one failed test."""
    import scenario
    scenario.Shared.stop()
    print("the scenarios took too long, or were ended", file=sys.stderr, flush=True)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
