package import WireText

/// A difference between the events expected and those produced.
///
/// Lines are counted from 1. `event` says which event it is, in words and escaped.
package enum EventDifference: Equatable, Sendable {
    /// The events differ in these fields.
    case changed(expectedLine: Int, producedLine: Int, event: String, fields: [FieldDifference])

    /// The fields are the same but the bytes are not: another order of members, spaces or escapes.
    case spelling(expectedLine: Int, producedLine: Int, event: String, firstByte: Int)

    /// An expected event did not come.
    case missing(expectedLine: Int, event: String)

    /// An event came that was not expected.
    case surplus(producedLine: Int, event: String)

    /// An expected line is no JSON.
    case invalidExpected(expectedLine: Int, problem: JSONSyntaxError)
}

extension EventDifference: CustomStringConvertible {
    /// One line, and one more, indented, for each field; all of it escaped.
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
            "line \(line): the expected line is no event: \(problem.problem), "
                + "at byte \(problem.offset)"
        }
    }

    private static func place(_ expected: Int, _ produced: Int) -> String {
        expected == produced
            ? "line \(expected)" : "line \(expected) (line \(produced) of the output)"
    }
}
