"""Generates the codes of a soak test, and compares the received events with them."""

import dataclasses

from daemon import of_type
from hid_reports import report

CAPS, SHIFT, ENTER = 58, 42, 28
# The kernel's key codes of a US keyboard.
PLAIN = {
    **dict(zip("1234567890-=", range(2, 14))), **dict(zip("qwertyuiop[]", range(16, 28))),
    **dict(zip("asdfghjkl;", range(30, 40))), **dict(zip("zxcvbnm,./", range(44, 54))),
}
SHIFTED = {"+": 13, "_": 12, "#": 4, "$": 5, ":": 39, "?": 53}
CHARACTERS = "".join(sorted(set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-/.;+_#$:?")))


@dataclasses.dataclass
class Sent:
    """A code that was sent; if `is_whole` is false, its end was never sent."""

    text: str
    is_whole: bool = True


class Codes:
    """Generates codes that never repeat, from all kinds of characters."""

    def __init__(self, chance):
        self._chance = chance
        self._number = 0

    def next(self):
        """Returns a new code, with its number in the middle: the head or tail alone does not identify it."""
        self._number += 1
        head, tail = ("".join(self._chance.choices(CHARACTERS, k=self._chance.randrange(3, 9)))
                      for _ in range(2))
        return f"x{head}{self._number}{tail}"


def keystrokes(text, caps):
    """Yields the (key, value) pairs that type a text and Enter; `caps` switches Caps Lock on for the text."""
    if caps:
        yield from ((CAPS, 1), (CAPS, 0))
    for character in text:
        shifted = character in SHIFTED or character.isalpha() and character.isupper() != caps
        key = SHIFTED.get(character) or PLAIN[character.lower()]
        if shifted:
            yield SHIFT, 1
        yield from ((key, 1), (key, 0))
        if shifted:
            yield SHIFT, 0
    yield from ((ENTER, 1), (ENTER, 0))
    if caps:
        yield from ((CAPS, 1), (CAPS, 0))


def messages(kind, text, chance):
    """Returns, in hexadecimal, what a scanner sends for a text: a HID report for each part, or bytes."""
    if kind == "port":
        place = chance.randrange(1, len(text))
        return [part.encode().hex() for part in (text[:place], text[place:] + "\r")]
    size = chance.randrange(4, len(text))
    starts = range(0, len(text), size)
    return [report(bytes([2, len(text[start:start + size])]) + b"]C0", text[start:start + size],
                   int(start != starts[-1])) for start in starts]


def complaints(sent, events):
    """Describes what is wrong with the events of one scanner, in a list of sentences.

    A code may be missing if an event between the codes before and after it reports the loss: a rejection, or
    the scanner's disconnection.
    """
    found = []
    places = {one.text: place for place, one in enumerate(sent)}
    last, is_told = -1, False
    for event in events:
        if event["type"] in ("keywedge.scan.rejected", "keywedge.scanner.disconnected"):
            is_told = True
        if event["type"] != "keywedge.scan":
            continue
        text = event["data"]["text"]
        place = places.get(text)
        if place is None:
            found.append(f"{text!r} was never sent")
        elif not sent[place].is_whole:
            found.append(f"{text!r} was never sent whole")
        elif place <= last:
            found.append(f"{text!r} arrived twice or late")
        elif place > last + 1 and not is_told:
            missing = [one.text for one in sent[last + 1:place]]
            found.append(f"{missing} are missing, and no event reports it")
        if place is not None:
            last = max(last, place)
        is_told = False
    if last + 1 < len(sent):
        found.append(f"{[one.text for one in sent[last + 1:]]} are missing at the end")
    return found


def damaged(events):
    """Yields copies of one scanner's events, each with one fault, which ``complaints`` must find."""
    scans = of_type(events, "scan")
    first, second, third = (events.index(scan) for scan in scans[:3])
    text = events[second]["data"]["text"]

    def with_text(wrong):
        return {**events[second], "data": {**events[second]["data"], "text": wrong}}

    yield events[:second] + [with_text(text[1:])] + events[second + 1:]
    yield events[:second] + [with_text(text.swapcase())] + events[second + 1:]
    yield events[:second + 1] + [events[second]] + events[second + 1:]
    yield [*events[:first], events[second], events[first], *events[third:]]
    # A loss that no event reports.
    silent = [event for event in events[:third + 1] if event in scans]
    yield [silent[0], silent[2], *events[third + 1:]]
