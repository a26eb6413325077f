"""How the tests in Python wait: for a condition, never for a time."""

import http.client
import time


class Failure(Exception):
    """Something was not as expected."""


def wait_until(what, limit, is_true):
    """Returns what is_true returns once that is true; it may fail until then."""
    end = time.monotonic() + limit
    reason = ""
    while time.monotonic() < end:
        try:
            if answer := is_true():
                return answer
        # Errors of urllib are errors of the system, too.
        except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
            reason = f" ({error})"
        time.sleep(0.1)
    raise Failure(f"{what}: not within {limit} s{reason}")
