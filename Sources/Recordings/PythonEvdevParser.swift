internal import Keystrokes

/// Reads what programs with python-evdev print, line by line and amid other text.
///
/// Rule: the texts of python-evdev's `KeyEvent`, `SynEvent` and `InputEvent`, the representation of
/// the last, and the lines of `python3 -m evdev.evtest`. Several events may share a line, as in a
/// printed list. The numbers count, not the names. Events of axes have no value and are passed over.
struct PythonEvdevParser: LineParser {
    static let eventForm =
        "\"key event at SECONDS.FRACTION, NUMBER (NAME), down\", up or hold"

    mutating func read(_ line: Line, into items: inout ItemQueue) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        var events: [KeyEvent] = []
        while let shape = PythonEvdevShape.next(in: &cursor) {
            guard let event = shape.read(&cursor), !cursor.isInWord else {
                throw LineFault(expected: Self.eventForm)
            }
            if let expected = event.impossibility { throw LineFault(expected: expected) }
            events.append(event)
        }
        if events.isEmpty, Self.isTorn(line) || FormatRecogniser.holdsEvent(line) {
            throw LineFault(expected: Self.eventForm)
        }
        for event in events { items.append(event) }
    }

    static func holdsEvent(_ line: LineCursor) -> Bool {
        var cursor = line
        return PythonEvdevShape.next(in: &cursor)?.read(&cursor) != nil
    }

    static func heading(_ line: LineCursor, isFirst: Bool) -> Certainty {
        var cursor = line
        return cursor.skip("Listening for events (press ctrl-c") ? .certain : .none
    }

    /// Whether a line ends as a key event does whose beginning was lost.
    private static func isTorn(_ line: Line) -> Bool {
        let text = String(decoding: line.bytes.suffix(16), as: UTF8.self)
        return ["), down", "), up", "), hold"].contains { text.hasSuffix($0) }
    }
}
