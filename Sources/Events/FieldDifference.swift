package import WireText

/// Names the fields that differ between an expected and a produced event.
package enum FieldDifference {
    /// A line for each field that differs, at any depth: the expected ones in their order, then the surplus ones.
    package static func all(expected: JSONValue, found: JSONValue) -> [String] {
        var differences: [String] = []
        compare(expected, found, at: "", into: &differences)
        return differences
    }

    private static func compare(
        _ expected: JSONValue?, _ found: JSONValue?, at path: String,
        into differences: inout [String]
    ) {
        switch (expected, found) {
        case (.object(let expected), .object(let found)):
            let surplus = found.members.map(\.key).filter { expected[$0] == nil }
            for key in expected.members.map(\.key) + surplus {
                let path = path.isEmpty ? step(key) : path + "." + step(key)
                compare(expected[key], found[key], at: path, into: &differences)
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
            differences.append(sentence(path, expected, found))
        }
    }

    /// A key as part of a path: unchanged if it is a plain word, otherwise as a JSON string.
    private static func step(_ key: String) -> String {
        key.wholeMatch(of: /[A-Za-z0-9_-]+/) == nil ? JSONWriter.text(of: .string(key)) : key
    }

    /// One escaped line: `data.gtin: expected "04006381333931", found null`.
    ///
    /// Long values are shortened to the part around the first difference.
    private static func sentence(
        _ path: String, _ expected: JSONValue?, _ found: JSONValue?
    ) -> String {
        let (expected, found) = (text(of: expected), text(of: found))
        let common = zip(expected, found).prefix { $0 == $1 }.count
        let start = max(expected.count, found.count) > shown ? max(0, common - 20) : 0
        return "\(path.isEmpty ? "the line" : path): expected \(excerpt(expected, from: start)), "
            + "found \(excerpt(found, from: start))"
    }

    /// The maximum number of characters shown of a value.
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
