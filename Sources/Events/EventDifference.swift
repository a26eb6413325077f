package import WireText

/// A difference between an expected and a produced event.
///
/// Line numbers are 1-based. `event` describes the event, escaped.
package enum EventDifference: Equatable, Sendable {
    /// The events differ in these fields.
    case changed(expectedLine: Int, producedLine: Int, event: String, fields: [FieldDifference])

    /// The fields are the same, but the bytes differ: in the order of members, in spaces or in escapes.
    case spelling(expectedLine: Int, producedLine: Int, event: String, firstByte: Int)

    /// An expected event is missing.
    case missing(expectedLine: Int, event: String)

    /// There is an event that was not expected.
    case surplus(producedLine: Int, event: String)

    /// An expected line is not JSON.
    case invalidExpected(expectedLine: Int, problem: JSONSyntaxError)
}

extension EventDifference: CustomStringConvertible {
    /// One line, followed by an indented line for each field; everything is escaped.
    package var description: String {
        switch self {
        case .changed(let expected, let produced, let event, let fields):
            "\(Self.place(expected, produced)): \(event) differs"
                + fields.map { "\n  \($0)" }.joined()
        case .spelling(let expected, let produced, let event, let firstByte):
            "\(Self.place(expected, produced)): \(event) has the same fields, written differently "
                + "from byte \(firstByte) on"
        case .missing(let line, let event): "line \(line): missing: \(event)"
        case .surplus(let line, let event): "surplus: \(event) (line \(line) of the output)"
        case .invalidExpected(let line, let problem):
            "line \(line): the expected line is not an event: \(problem.problem), "
                + "at byte \(problem.offset)"
        }
    }

    private static func place(_ expected: Int, _ produced: Int) -> String {
        expected == produced
            ? "line \(expected)" : "line \(expected) (line \(produced) of the output)"
    }
}

/// A field that differs between an expected and a produced event.
package struct FieldDifference: Equatable, Sendable {
    /// The path of the field: `data.problems[0].code`.
    package let path: String

    /// The expected value; nil if the field should be missing.
    package let expected: JSONValue?

    /// The value found; nil if the field is missing.
    package let found: JSONValue?

    /// Finds all fields that differ, at any depth: the expected ones in their order, then the surplus ones.
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
            differences.append(FieldDifference(path: path, expected: expected, found: found))
        }
    }

    /// A key as part of a path: unchanged if it is a plain word, otherwise as a JSON string.
    private static func step(_ key: String) -> String {
        key.wholeMatch(of: /[A-Za-z0-9_-]+/) == nil ? JSONWriter.text(of: .string(key)) : key
    }
}

extension FieldDifference: CustomStringConvertible {
    /// One escaped line: `data.gtin: expected "04006381333931", found null`.
    ///
    /// Long values are shortened to the part around the first difference.
    package var description: String {
        let expected = Self.text(of: self.expected)
        let found = Self.text(of: self.found)
        let common = zip(expected, found).prefix { $0 == $1 }.count
        let start = max(expected.count, found.count) > Self.shown ? max(0, common - 20) : 0
        let place = path.isEmpty ? "the line" : path
        return "\(place): expected \(Self.excerpt(expected, from: start)), "
            + "found \(Self.excerpt(found, from: start))"
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
