package import WireText

/// A field that differs between an expected and a produced event.
package struct FieldDifference: Equatable, Sendable {
    /// The way to it: `data.problems[0].code`.
    package let path: String

    /// What was expected; `nil` where the field must not be there.
    package let expected: JSONValue?

    /// What was found; `nil` where the field is not there.
    package let found: JSONValue?

    package init(path: String, expected: JSONValue?, found: JSONValue?) {
        self.path = path
        self.expected = expected
        self.found = found
    }

    /// Finds every field that differs, however deep; the order of members does not count.
    ///
    /// - Parameters:
    ///   - expected: The value as it should be.
    ///   - found: The value as it is.
    /// - Returns: The fields in the order expected, then those that are too many.
    package static func all(expected: JSONValue, found: JSONValue) -> [FieldDifference] {
        var differences: [FieldDifference] = []
        compare(expected, found, at: "", into: &differences)
        return differences
    }

    private static func compare(
        _ expected: JSONValue?, _ found: JSONValue?, at path: String,
        into differences: inout [FieldDifference]
    ) {
        switch (expected, found) {
        case (.object(let expected), .object(let found)):
            for member in expected.members {
                let path = path.isEmpty ? step(member.key) : path + "." + step(member.key)
                compare(member.value, found[member.key], at: path, into: &differences)
            }
            for member in found.members where expected[member.key] == nil {
                let path = path.isEmpty ? step(member.key) : path + "." + step(member.key)
                compare(nil, member.value, at: path, into: &differences)
            }
        case (.array(let expected), .array(let found)):
            for index in 0..<max(expected.count, found.count) {
                compare(
                    index < expected.count ? expected[index] : nil,
                    index < found.count ? found[index] : nil,
                    at: "\(path)[\(index)]", into: &differences)
            }
        default:
            guard expected != found else { return }
            differences.append(FieldDifference(path: path, expected: expected, found: found))
        }
    }

    /// A key as a step of a path: as it is, or as a JSON text where it is no plain word.
    private static func step(_ key: String) -> String {
        let isWord = !key.isEmpty && key.utf8.allSatisfy { $0.isWordCharacter }
        return isWord ? key : JSONWriter.text(of: .string(key))
    }
}

extension FieldDifference: CustomStringConvertible {
    /// One line, all of it escaped: `data.gtin: expected "04006381333931", found null`.
    ///
    /// Of long values only the part around the first difference is shown.
    package var description: String {
        let expected = Self.text(of: self.expected)
        let found = Self.text(of: self.found)
        let common = zip(expected, found).prefix { $0 == $1 }.count
        let start = max(expected.count, found.count) > Self.shown ? max(0, common - 20) : 0
        let place = path.isEmpty ? "the line" : path
        return "\(place): expected \(Self.excerpt(expected, from: start)), "
            + "found \(Self.excerpt(found, from: start))"
    }

    /// How many characters of a value are shown.
    private static let shown = 100

    private static func text(of value: JSONValue?) -> [Character] {
        guard let value else { return Array("nothing") }
        return Array(JSONWriter.text(of: value))
    }

    private static func excerpt(_ text: [Character], from start: Int) -> String {
        let part = text.dropFirst(start).prefix(shown)
        let isCut = text.count > start + shown
        return (start > 0 ? "…" : "") + String(part) + (isCut ? "…" : "")
    }
}

extension UInt8 {
    /// True for ASCII letters, digits, `_` and `-`.
    fileprivate var isWordCharacter: Bool {
        switch Unicode.Scalar(self) {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
