"""Report descriptors and reports of scanners in HID POS mode."""

# Report 2 with 64 bytes, whose fields are in the order that the makers publish.
START = "058c0902a1018502"
CONTINUED = "25017501950109ff810295078103"
HONEYWELL = (START + "150026ff007508" "0501093b95018102" "058c09fb95038102" "09fe9538820201"
             "09fc95018102" "09fd8102" + CONTINUED
             + "8504" "75019503" "19852987" "9102" "95059103" "c0")
ZEBRA = (START + "150027ffff0000" "0501093b751095018102" "26ff00058c7508950309fb09fc09fd8102"
         "953909fe820201" + CONTINUED + "c0")
NEWLAND = START + "150026ff0075089501" "0501093b8102" "058c953d09fe820201" + CONTINUED + "c0"


def report(start, text="", continued=0):
    """Returns a report of 64 bytes in hexadecimal."""
    return (start + text.encode()).ljust(63, b"\0").hex() + f"{continued:02x}"


class Layout:
    """A layout that no maker uses: a descriptor, the report length, and a function that packs a part of a code."""

    def __init__(self, descriptor, length, aim, pack):
        self.descriptor, self.length, self.aim, self._pack = descriptor, length, aim, pack

    def reports(self, *parts):
        """Returns the reports, in hexadecimal, of a code that is sent in parts."""
        return [self._pack(part.encode(), int(number < len(parts))).hex() for number, part in enumerate(parts, 1)]


LAYOUTS = {
    # Without a report number or an identifier.
    "plain": Layout(
        "058c0902a101" "150026ff007508" "0501093b95018102" "058c09fe951e820201" + CONTINUED + "c0", 32, None,
        lambda text, continued: bytes([len(text)]) + text.ljust(30, b"\0") + bytes([continued])),
    # Reports of 128 bytes, with the length in two bytes.
    "long": Layout(
        "058c0902a1018505" "150027ffff0000" "0501093b751095018102" "26ff00058c7508950309fb8102"
        "957909fe820201" + CONTINUED + "c0", 128, "]E0",
        lambda text, continued: (b"\5" + len(text).to_bytes(2, "little") + b"]E0" + text.ljust(121, b"\0")
                                 + bytes([continued]))),
    # The data precede the length and the identifier.
    "turned": Layout(
        "058c0902a1018502" "150026ff007508" "09fe9520820201" "0501093b95018102" "058c09fb95038102" + CONTINUED
        + "c0", 38, "]E0",
        lambda text, continued: b"\2" + text.ljust(32, b"\0") + bytes([len(text)]) + b"]E0" + bytes([continued])),
    # No field starts at a byte boundary.
    "shifted": Layout(
        "058c0902a101" "15002501" "75019501" "09ff8102" "26ff007508" "0501093b8102" "058c09fe951e820201"
        "750795018103c0", 32, None,
        lambda text, continued: (continued | len(text) << 1 | int.from_bytes(text, "little") << 9).to_bytes(32, "little")),
}
