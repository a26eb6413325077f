public import WireText

/// Why a recording cannot be read on.
///
/// The texts in it are raw; ``description`` quotes and escapes them.
public enum RecordingError: Error, Hashable, Sendable {
    /// A system call failed.
    case systemCall(SystemCallError)
    /// There is nothing in the file but blank lines.
    case empty(name: String)
    /// There is nothing in the file but comments, and perhaps blank lines.
    case commentsAlone(name: String)
    /// The file holds a NUL byte at this 0-based offset: it is no text.
    case binary(name: String, offset: Int)
    /// The file's text is none of the known formats; the line is its first that says something.
    case unrecognised(name: String, line: Int, found: Phrase)
    /// One line is wrong; everything before it has been delivered.
    case badLine(name: String, line: Int, expected: String, found: Phrase)
}

extension RecordingError: CustomStringConvertible {
    /// One sentence: where, what was expected, and what was found.
    public var description: String {
        switch self {
        case .systemCall(let error): error.description
        case .empty(let name):
            "\(Escaping.line.escaped(name)): empty: expected a recording: \(Self.formats)"
        case .commentsAlone(let name):
            "\(Escaping.line.escaped(name)): nothing but comments: expected a recording: "
                + Self.formats
        case .binary(let name, let offset):
            "\(Escaping.line.escaped(name)): binary: found a NUL byte at offset \(offset), "
                + "expected a recording as text: \(Self.formats)"
        case .unrecognised(let name, let line, let found):
            "\(Escaping.line.escaped(name)):\(line): expected a recording: \(Self.formats); "
                + "found \(found)"
        case .badLine(let name, let line, let expected, let found):
            "\(Escaping.line.escaped(name)):\(line): expected \(expected), found \(found)"
        }
    }

    private static var formats: String {
        RecordingFormat.allCases.map { "\($0.rawValue) ('\($0.example)')" }
            .joined(separator: ", ")
    }
}

/// What is wrong with a line, before the line's place is known.
struct LineFault: Error, Equatable {
    /// What should be there.
    var expected: String
    /// What is there; nil for the line itself.
    var found: Phrase?
}
