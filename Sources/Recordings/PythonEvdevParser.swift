internal import Keystrokes

/// A parser for the events that programs print with python-evdev, even among other text.
///
/// It reads the `str()` of python-evdev's `KeyEvent`, `SynEvent` and `InputEvent`, the `repr()` of `InputEvent`, and
/// lines of `python3 -m evdev.evtest`. Several events may share a line, as in a printed list. If an event is printed
/// with both a number and a name, only the number is used. Events printed as `axis event at …` are skipped, because
/// they are printed without a value.
struct PythonEvdevParser: LineParser {
    static let eventForm =
        "\"key event at SECONDS.FRACTION, NUMBER (NAME), down\", up or hold"

    /// The endings of key events, which reveal a line that lost its beginning.
    private static let endings = ["), down", "), up", "), hold"]

    mutating func read(_ line: Line, into items: inout Items) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        var events: [RecordingItem] = []
        while let shape = PythonEvdevShape.next(in: &cursor) {
            guard let event = shape.read(&cursor), !cursor.isInWord else {
                throw LineFault(expected: Self.eventForm)
            }
            events.append(.event(try event.checked()))
        }
        if events.isEmpty, line.ends(with: Self.endings) || FormatRecogniser.holdsEvent(line) {
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
}

private enum PythonEvdevShape {
    /// An event such as `key event at 1.5, 28 (KEY_ENTER), down`.
    case key
    /// An event such as `synchronization event at 1.5, SYN_REPORT`.
    case synchronisation
    /// An event such as `event at 1.5, code 28, type 01, val 01`.
    case input
    /// An event such as `InputEvent(1, 500000, 1, 28, 1)`.
    case representation
    /// An event such as `time 1.5              type 1 (EV_KEY), code 28   (KEY_ENTER), value 1`.
    case evtest

    /// Moves the cursor past the words that start the next event; returns the event's form, or nil if no event
    /// follows.
    static func next(in cursor: inout LineCursor) -> PythonEvdevShape? {
        // A device's name may look like an event.
        if cursor.starts(with: "device /dev/input/") { return nil }
        while !cursor.isAtEnd {
            if cursor.skip("axis event at ") { continue }
            if let (_, shape) = beginnings.first(where: { cursor.skip($0.words) }) {
                if shape.begins(cursor) { return shape }
            } else {
                cursor.skipByte()
            }
        }
        return nil
    }

    private static let beginnings: [(words: StaticString, shape: PythonEvdevShape)] = [
        ("key event at ", .key), ("synchronization event at ", .synchronisation),
        ("event at ", .input), ("InputEvent(", .representation), ("time ", .evtest),
    ]

    /// Whether the words before the cursor really start an event, not source code or prose.
    private func begins(_ cursor: LineCursor) -> Bool {
        var cursor = cursor
        guard self == .evtest else {
            guard cursor.isAtDigit else { return false }
            // `InputEvent(1, 2, ecodes.EV_KEY, …` is a line of source code.
            let isCode =
                self == .representation && cursor.decimal() != nil && cursor.skip(", ")
                && cursor.decimal() != nil && cursor.skip(", ") && cursor.isInWord
                && !cursor.isAtDigit
            return !isCode
        }
        return cursor.fractionalTime() != nil && cursor.skipBlanks()
            && (cursor.skip("type ") || cursor.skip("---") || cursor.skip("+++"))
    }

    /// Reads the rest of an event after its first words; nil if the event is damaged.
    func read(_ cursor: inout LineCursor) -> KeyEvent? {
        if self == .representation { return Self.representation(&cursor) }
        guard let time = cursor.fractionalTime() else { return nil }
        switch self {
        case .key: return Self.key(&cursor, at: time)
        case .synchronisation:
            guard cursor.skip(", "), let code = cursor.synName() else { return nil }
            return KeyEvent(type: InputEventType.syn, code: code, value: 0, microseconds: time)
        case .input: return Self.input(&cursor, at: time)
        case .representation, .evtest: return Self.evtest(&cursor, at: time)
        }
    }

    private static func key(_ cursor: inout LineCursor, at time: Int64) -> KeyEvent? {
        guard cursor.skip(", "), let code = cursor.smallDecimal(), cursor.skip(" ("),
            cursor.skip(through: "), "), let value = keyState(&cursor)
        else { return nil }
        return KeyEvent(type: InputEventType.key, code: code, value: value, microseconds: time)
    }

    private static func keyState(_ cursor: inout LineCursor) -> Int32? {
        if cursor.skip("down") { return 1 }
        if cursor.skip("up") { return 0 }
        return cursor.skip("hold") ? 2 : nil
    }

    /// Reads the rest of an event, such as `, code 28, type 01, val 01`; nil if it is damaged.
    private static func input(_ cursor: inout LineCursor, at time: Int64) -> KeyEvent? {
        guard cursor.skip(", code "), let code = cursor.smallDecimal(),
            cursor.skip(", type "), let type = cursor.smallDecimal(), cursor.skip(", val ")
        else { return nil }
        let start = cursor.index
        guard let value = cursor.signedDecimal(), cursor.index - start >= 2 else { return nil }
        return KeyEvent(type: type, code: code, value: value, microseconds: time)
    }

    private static func representation(_ cursor: inout LineCursor) -> KeyEvent? {
        guard let seconds = cursor.decimal(), cursor.skip(", "),
            let micros = cursor.decimal(), cursor.skip(", "),
            let type = cursor.smallDecimal(), cursor.skip(", "),
            let code = cursor.smallDecimal(), cursor.skip(", "),
            let value = cursor.signedDecimal(), cursor.skip(")"),
            let time = LineCursor.time(seconds: seconds, microseconds: micros)
        else { return nil }
        return KeyEvent(type: type, code: code, value: value, microseconds: time)
    }

    private static func evtest(_ cursor: inout LineCursor, at time: Int64) -> KeyEvent? {
        cursor.skipBlanks()
        guard cursor.skip("type ") else {
            guard cursor.skipStrokes(), cursor.skipBlanks(), let code = cursor.synName(),
                cursor.skipBlanks(), cursor.skipStrokes()
            else { return nil }
            return KeyEvent(type: InputEventType.syn, code: code, value: 0, microseconds: time)
        }
        guard let (type, code) = cursor.typeAndCode(), let value = cursor.signedDecimal() else {
            return nil
        }
        return KeyEvent(type: type, code: code, value: value, microseconds: time)
    }
}
