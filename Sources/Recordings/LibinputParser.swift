internal import Keystrokes

/// Reads what `libinput record` writes, line by line.
///
/// Rule: libinput-record(1), section FILE FORMAT, `version: 1`. It is YAML, but of a fixed layout:
/// every event is a list in brackets on a line of its own. Reading lines rather than YAML documents
/// keeps memory flat. Keys that are not needed are passed over, as the manual demands, and so is
/// what a terminal or a mail puts around it: the menu, the shell's lines, marks of quoting, the echo
/// of typed characters ahead of an event.
///
/// Unless told `--show-keycodes`, libinput replaces the keys of letters and digits by `KEY_A` and
/// marks the lines as obfuscated. Those are an error: they would give a wrong code.
struct LibinputParser: LineParser {
    static let eventForm = "\"- [SECONDS, MICROSECONDS, TYPE, CODE, VALUE]\""

    /// Which part of the document the last line belongs to.
    private enum Section {
        case preamble, device, events, evdevEvents, otherEvents
    }

    private var section = Section.preamble
    private var device: DeviceIdentity?

    mutating func read(_ line: Line, into items: inout ItemQueue) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        cursor.skipMailMarks()
        let start = cursor
        if section == .evdevEvents, cursor.skipToEvent() {
            let event = try Self.event(&cursor)
            guard !Self.holdsEvent(cursor) else {
                throw LineFault(expected: "one event on the line")
            }
            guard !cursor.skip(through: "(obfuscated)") else {
                throw LineFault(expected: "keys as typed, recorded with --show-keycodes")
            }
            return items.append(event)
        }
        cursor = start
        cursor.skipBlanks()
        guard let first = cursor.byte, first != UInt8(ascii: "#") else { return }
        if cursor.skip("- node:") { return begin(into: &items) }
        switch section {
        case .preamble: try readPreamble(&cursor, isIndented: cursor.index > start.index)
        case .device: try readDevice(&cursor, into: &items)
        case .events, .evdevEvents, .otherEvents: try readEventList(&cursor, line)
        }
    }

    static func holdsEvent(_ line: LineCursor) -> Bool {
        var cursor = line
        return cursor.skipToEvent() && (try? event(&cursor)) != nil
    }

    static func heading(_ line: LineCursor, isFirst: Bool) -> Certainty {
        if line.starts(with: "# libinput record") || line.starts(with: "- node: /dev/input/") {
            return .certain
        }
        guard isFirst, line.index == 0 else { return .none }
        return headings.contains { line.starts(with: $0) } ? .likely : .none
    }

    private static let headings: [StaticString] = [
        "version:", "ndevices:", "libinput:", "system:", "devices:", "---",
    ]

    mutating func finish(into items: inout ItemQueue) {
        if let device { items.append(.device(device)) }
        device = nil
    }

    private mutating func begin(into items: inout ItemQueue) {
        finish(into: &items)
        device = DeviceIdentity()
        section = .device
    }

    private mutating func readPreamble(
        _ cursor: inout LineCursor, isIndented: Bool
    ) throws(LineFault) {
        if !isIndented, cursor.skip("version:") {
            cursor.skipBlanks()
            guard cursor.decimal() == 1, cursor.endsOrComments() else {
                throw LineFault(expected: "\"version: 1\"")
            }
        }
        // Of a long recording people paste the events alone.
        var list = cursor
        if list.skip(through: "- evdev:"), list.endsOrComments() { section = .evdevEvents }
        guard !cursor.skipToEvent() else {
            throw LineFault(expected: "\"- node: DEVICE\" before it")
        }
    }

    private mutating func readDevice(
        _ cursor: inout LineCursor, into items: inout ItemQueue
    ) throws(LineFault) {
        if cursor.skip("events:") {
            finish(into: &items)
            section = .events
        } else if cursor.skip("name:"), device?.name == nil {
            cursor.skipBlanks()
            device?.name = YAMLScalar.text(String(decoding: cursor.rest, as: UTF8.self))
        } else if cursor.skip("id:") {
            try readNumbers(&cursor)
        } else if cursor.skip("- [") {
            throw LineFault(expected: "\"events:\" before it")
        }
    }

    private mutating func readNumbers(_ cursor: inout LineCursor) throws(LineFault) {
        let fault = LineFault(expected: "\"id: [BUS, VENDOR, PRODUCT, VERSION]\" in decimal")
        cursor.skipBlanks()
        guard cursor.skip("[") else { throw fault }
        var numbers: [UInt16] = []
        repeat {
            cursor.skipBlanks()
            guard let number = cursor.smallDecimal() else { throw fault }
            numbers.append(number)
            cursor.skipBlanks()
        } while cursor.skip(",")
        guard numbers.count == 4, cursor.skip("]"), cursor.endsOrComments() else { throw fault }
        device?.bus = numbers[0]
        device?.vendor = numbers[1]
        device?.product = numbers[2]
        device?.version = numbers[3]
    }

    private mutating func readEventList(
        _ cursor: inout LineCursor, _ line: Line
    ) throws(LineFault) {
        var list = cursor
        if list.skip(through: "- evdev:") {
            cursor = list
            section = .evdevEvents
            guard cursor.endsOrComments() else {
                throw LineFault(expected: "\"- evdev:\" and the events on lines of their own")
            }
        } else if Self.opensList(cursor) {
            section = .otherEvents
        } else if section == .evdevEvents {
            guard !cursor.starts(with: "- -"), !Self.isTorn(cursor),
                !FormatRecogniser.holdsEvent(line)
            else { throw LineFault(expected: Self.eventForm) }
        } else if section == .events, cursor.skipToEvent() {
            throw LineFault(expected: "\"- evdev:\" before it")
        }
    }

    /// Whether a line opens a list of another source, as `- hid:`.
    private static func opensList(_ cursor: LineCursor) -> Bool {
        var cursor = cursor
        guard cursor.skip("- ") else { return false }
        let first = cursor.index
        while let byte = cursor.byte, isNamePart(byte) { cursor.skipByte() }
        return cursor.index > first && cursor.skip(":") && cursor.endsOrComments()
    }

    /// Whether a line holds two numbers with a comma between, as a part of an event does.
    private static func isTorn(_ cursor: LineCursor) -> Bool {
        var cursor = cursor
        while !cursor.isAtEnd {
            if cursor.decimal() == nil { cursor.skipByte() }
            guard cursor.skip(",") else { continue }
            cursor.skipBlanks()
            if cursor.decimal() != nil { return true }
        }
        return false
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
    }

    /// Reads what follows the bracket.
    private static func event(_ cursor: inout LineCursor) throws(LineFault) -> KeyEvent {
        guard let seconds = field(&cursor, { $0.decimal() }), cursor.skip(","),
            let micros = field(&cursor, { $0.decimal() }), cursor.skip(","),
            let type = field(&cursor, { $0.smallDecimal() }), cursor.skip(","),
            let code = field(&cursor, { $0.smallDecimal() }), cursor.skip(","),
            let value = field(&cursor, { $0.signedDecimal() }), cursor.skip("]"),
            let time = LineCursor.time(seconds: seconds, microseconds: micros),
            cursor.endsOrComments()
        else { throw LineFault(expected: eventForm) }
        let event = KeyEvent(type: type, code: code, value: value, microseconds: time)
        if let expected = event.impossibility { throw LineFault(expected: expected) }
        return event
    }

    @inline(__always)
    private static func field<Number>(
        _ cursor: inout LineCursor, _ read: (inout LineCursor) -> Number?
    ) -> Number? {
        cursor.skipBlanks()
        guard let number = read(&cursor) else { return nil }
        cursor.skipBlanks()
        return number
    }
}

extension LineCursor {
    /// Goes behind the dash and the bracket that begin an event, whatever stands ahead of them.
    ///
    /// - Returns: Whether there are any, with a number behind.
    fileprivate mutating func skipToEvent() -> Bool {
        while skip(through: "- [") {
            var number = self
            number.skipBlanks()
            if number.isAtEnd || number.signedDecimal() != nil { return true }
        }
        return false
    }

    /// Passes over the `>` marks of quoted mail, each with the blank behind it; what follows keeps its
    /// indentation.
    fileprivate mutating func skipMailMarks() {
        while skip(">") { _ = skip(" ") }
    }
}
