package import WireText

/// The text formats a recording can have.
///
/// `docs/recordings.md` says how each is made. The format is recognised from the content, never
/// from the name of the file.
package enum RecordingFormat: String, CaseIterable, Sendable {
    /// What `evemu-record` writes, from format 1.0 to 1.3.
    case evemu
    /// What `libinput record --show-keycodes` writes (YAML, `version: 1`).
    case libinput
    /// What `evtest` prints, also as pasted into bug reports.
    case evtest
    /// What programs with python-evdev print of events, also as pasted.
    case pythonEvdev = "python-evdev"
    /// What Android's `getevent` prints, also as pasted.
    case getevent
    /// The format of ours for writing keystrokes by hand.
    case keys

    /// Whether the events of several devices stand among one another: a device that follows another
    /// does not end what that one is in the midst of.
    package var takesTurns: Bool { self == .keys || self == .getevent }

    /// A line that shows what the format looks like.
    package var example: String {
        switch self {
        case .evemu: "E: 0.000001 0001 001c 0001"
        case .libinput: "version: 1"
        case .evtest: "Event: time 0.000001, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1"
        case .pythonEvdev: "key event at 1650400435.9, 28 (KEY_ENTER), down"
        case .getevent: "[ 0.000001] /dev/input/event3: EV_KEY KEY_ENTER DOWN"
        case .keys: "type \"4006381333931\""
        }
    }
}

/// Why a recording cannot be read on.
///
/// The texts in it are raw; ``description`` quotes and escapes them.
package enum RecordingError: Error, Hashable, Sendable {
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
    package var description: String {
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
