"""Runs the scenarios: `run.py PROGRAM [unittest arguments]`.

PROGRAM is the built binary; the guest sees it at the same path. Without other arguments all scenarios
are run, in two guests side by side. Ends with 0 also where no machine can be had, saying why.
`run.py --possible` only asks for that, and ends with 77 where none can.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 35 * 60
IMPOSSIBLE = 77
# What the first of two guests is for; it takes about as long as all others together.
FIRST = ["test_hostile", "test_lost_keys", "test_udev", "test_unit"]


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
    program = str(pathlib.Path(sys.argv[1]).resolve())
    return run(program, sys.argv[2:]) if sys.argv[2:] else run_all(program)


def run_all(program):
    """Runs all scenarios in two processes; the second's words follow when both are through."""
    others = sorted(path.stem for path in HERE.glob("test_*.py") if path.stem not in FIRST)
    command = [sys.executable, str(HERE / "run.py"), program]
    with tempfile.TemporaryFile() as words:
        runs = [
            subprocess.Popen([*command, *FIRST]),
            subprocess.Popen([*command, *others], stdout=words, stderr=words),
        ]
        signal.signal(signal.SIGTERM, lambda *_: [run.terminate() for run in runs])
        codes = [run.wait() for run in runs]
        words.seek(0)
        shutil.copyfileobj(words, sys.stderr.buffer)
    return 1 if any(codes) else 0


def run(program, arguments):
    """Runs the scenarios that the arguments name."""
    os.environ["KEYWEDGE_PROGRAM"] = program
    import scenario
    signal.signal(signal.SIGALRM, out_of_time)
    signal.signal(signal.SIGTERM, out_of_time)
    signal.alarm(LONGEST)
    try:
        runner = unittest.TextTestRunner(verbosity=2, resultclass=TimedResult)
        tests = unittest.main(
            module=None, argv=["run.py", *arguments], exit=False, testRunner=runner)
        return 0 if tests.result.wasSuccessful() else 1
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
