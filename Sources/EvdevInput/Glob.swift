/// A pattern for names: `*` stands for any characters, `?` for one, everything else for itself.
public struct Glob: Hashable, Sendable {
    /// The pattern.
    public let pattern: String
    private let parts: [Unicode.Scalar]

    /// Makes a pattern.
    ///
    /// - Parameter pattern: The pattern; without `*` and `?`, it matches itself alone.
    public init(_ pattern: String) {
        self.pattern = pattern
        parts = Array(pattern.unicodeScalars)
    }

    /// Whether the whole of a text matches.
    ///
    /// The time is at the most the product of the two lengths, whatever the pattern: names come
    /// from devices.
    ///
    /// - Parameter text: The text.
    /// - Returns: Whether it matches; upper and lower case differ.
    public func matches(_ text: String) -> Bool {
        let text = Array(text.unicodeScalars)
        var (at, inPattern) = (0, 0)
        var star: (inPattern: Int, at: Int)?
        while at < text.count {
            if inPattern < parts.count, parts[inPattern] == "*" {
                star = (inPattern, at)
                inPattern += 1
            } else if inPattern < parts.count, stands(parts[inPattern], for: text[at]) {
                (at, inPattern) = (at + 1, inPattern + 1)
            } else if let last = star {
                star = (last.inPattern, last.at + 1)
                (at, inPattern) = (last.at + 1, last.inPattern + 1)
            } else {
                return false
            }
        }
        return parts[inPattern...].allSatisfy { $0 == "*" }
    }

    private func stands(_ part: Unicode.Scalar, for scalar: Unicode.Scalar) -> Bool {
        part == "?" || part == scalar
    }
}
