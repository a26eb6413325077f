"""Functions that the scripts in this folder share: building keywedge, and running and timing a program."""

import os
import subprocess
import sys
import time

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The environment can name another folder to build in, in case another build uses this one.
BUILT = os.environ.get("SCRATCH_PATH", os.path.join(PACKAGE, "Benchmarks/.build"))


def build_keywedge():
    """Builds the command as it is released; returns its path."""
    scratch = os.path.join(PACKAGE, "Benchmarks/.build/keywedge")
    subprocess.run(
        [
            "swift", "build", "-c", "release", "--product", "keywedge",
            "--package-path", PACKAGE, "--scratch-path", scratch,
        ],
        check=True, stdout=sys.stderr,
    )
    return os.path.join(scratch, "release", "keywedge")


def build_benchmark(product):
    """Builds one of the programs in this folder; returns its path."""
    subprocess.run(
        [
            "swift", "build", "-c", "release", "--product", product,
            "--package-path", PACKAGE, "--scratch-path", BUILT,
        ],
        check=True, stdout=sys.stderr, env={**os.environ, "KEYWEDGE_BENCHMARKS": "1"},
    )
    return os.path.join(BUILT, "release", product)


def run(command, text="", output=os.devnull):
    """Runs a command with a text as its standard input; its standard output goes to a file.

    Returns the seconds, the seconds of processor time, and the peak resident memory in megabytes.
    """
    with open(output, "wb") as file:
        start = time.monotonic()
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=file, stderr=subprocess.PIPE)
        child.stdin.write(text.encode())
        child.stdin.close()
        message = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)}: exit code {child.returncode}: {message}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def ean13(digits):
    """Returns twelve digits with their check digit (GS1 General Specifications, section 7.9.1)."""
    total = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(digits))
    return digits + str(-total % 10)
