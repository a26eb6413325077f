"""Runs tests of pages one after another, and prints which of them failed."""

import argparse
import pathlib
import sys
import time
import traceback


class Skipped(Exception):
    """This machine lacks something that the test needs."""


def run_tests(about, tests, pictures=None):
    """Runs the tests whose names contain a word of the command line; all of them if it has no words."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("keywedge")
    parser.add_argument("names", nargs="*")
    if pictures:
        parser.add_argument("--pictures", metavar="FOLDER")
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.keywedge).resolve())
    if pictures and arguments.pictures:
        return pictures(program, arguments.pictures)
    failed = 0
    for test in tests:
        if arguments.names and not any(name in test.__name__ for name in arguments.names):
            continue
        begin = time.monotonic()
        try:
            test(program)
            print(f"ok {test.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
        except Skipped as reason:
            print(f"skipped {test.__name__}: {reason}", flush=True)
        except Exception:
            failed += 1
            traceback.print_exc()
            print(f"FAILED {test.__name__}", flush=True)
    sys.exit(1 if failed else 0)
