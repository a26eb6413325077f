extension LayoutSuspicion {
    /// Whether a text could be misread at all: a look that needs no other layout, for every scan.
    ///
    /// The others bear no ``Evidence-swift.enum`` on any layout: an AIM identifier begins with a
    /// sign or an accented letter, as a number of digits does, and in a web address the second
    /// letter comes twice.
    ///
    /// - Parameter text: The characters typed.
    /// - Returns: Whether ``finding(in:)`` can find something.
    package static func isWorthALook(_ text: String) -> Bool {
        var start: [Unicode.Scalar] = []
        start.reserveCapacity(8)
        for scalar in text.unicodeScalars {
            start.append(scalar)
            if start.count == 8 { break }
        }
        guard let first = start.first, start.count > 3 else { return false }
        if first != "]", !isPlain(first) { return true }
        return hasTwins(start)
    }

    /// `h`, `t`, `t`, under whatever keys they are; digits never are.
    private static func hasTwins(_ start: [Unicode.Scalar]) -> Bool {
        guard start.count == 8, start[1] == start[2], start[0] != start[1],
            !("0"..."9").contains(start[1])
        else { return false }
        return start.prefix(7) != Self.http && start[...] != Self.https
    }

    private static let http = Array("http://".unicodeScalars)[...]
    private static let https = Array("https://".unicodeScalars)[...]

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "a"..."z", "A"..."Z": true
        default: false
        }
    }
}
