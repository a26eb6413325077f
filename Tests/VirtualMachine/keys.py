"""Converts text to key events of a US keyboard, with QEMU's key names."""

_PLAIN = {
    "\n": "ret", "\t": "tab", " ": "spc", "-": "minus", "=": "equal", "[": "bracket_left",
    "]": "bracket_right", "\\": "backslash", ";": "semicolon", "'": "apostrophe",
    "`": "grave_accent", ",": "comma", ".": "dot", "/": "slash",
}
_SHIFTED = {
    "!": "1", "@": "2", "#": "3", "$": "4", "%": "5", "^": "6", "&": "7", "*": "8", "(": "9",
    ")": "0", "_": "minus", "+": "equal", "{": "bracket_left", "}": "bracket_right",
    "|": "backslash", ":": "semicolon", '"': "apostrophe", "~": "grave_accent", "<": "comma",
    ">": "dot", "?": "slash",
}


def key(character):
    """Returns the key for a character, as (QEMU's name, whether Shift is held)."""
    if character in _PLAIN:
        return _PLAIN[character], False
    if character in _SHIFTED:
        return _SHIFTED[character], True
    if character.isascii() and character.isalnum():
        return character.lower(), character.isupper()
    raise ValueError(f"no key for {character!r}")


def events(text):
    """Returns the (name, is down) pairs that type `text`; each key is released before the next is pressed."""
    for character in text:
        name, shifted = key(character)
        if shifted:
            yield "shift", True
        yield name, True
        yield name, False
        if shifted:
            yield "shift", False
