internal import Keystrokes

/// Reads what `libinput record` writes, line by line.
///
/// Rule: libinput-record(1), section FILE FORMAT, `version: 1`. It is YAML, but of a fixed layout:
/// every event is a list in brackets on a line of its own. Reading lines rather than YAML documents
/// keeps memory flat. Keys that are not needed are passed over, as the manual demands.
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
        cursor.skipBlanks()
        guard let first = cursor.byte, first != UInt8(ascii: "#") else { return }
        if first == UInt8(ascii: "-"), section == .evdevEvents {
            var event = cursor
            if event.skip("- [") { return items.append(try readEvent(&event, line)) }
        }
        if cursor.skip("- node:") { return begin(into: &items) }
        switch section {
        case .preamble: try readPreamble(&cursor)
        case .device: try readDevice(&cursor, into: &items)
        case .events, .evdevEvents, .otherEvents: try readEventList(&cursor)
        }
    }

    mutating func finish(into items: inout ItemQueue) {
        if let device { items.append(.device(device)) }
        device = nil
    }

    private mutating func begin(into items: inout ItemQueue) {
        finish(into: &items)
        device = DeviceIdentity()
        section = .device
    }

    private func readPreamble(_ cursor: inout LineCursor) throws(LineFault) {
        if cursor.index == 0, cursor.skip("version:") {
            cursor.skipBlanks()
            guard cursor.decimal() == 1, cursor.endsOrComments() else {
                throw LineFault(expected: "\"version: 1\"")
            }
        }
        guard !cursor.skip("- [") else { throw LineFault(expected: "\"- node: DEVICE\" before it") }
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

    private mutating func readEventList(_ cursor: inout LineCursor) throws(LineFault) {
        if cursor.skip("- evdev:") {
            section = .evdevEvents
            guard cursor.endsOrComments() else {
                throw LineFault(expected: "\"- evdev:\" and the events on lines of their own")
            }
        } else if Self.isKey(cursor) {
            section = .otherEvents
        } else if section == .evdevEvents {
            throw LineFault(expected: Self.eventForm)
        } else if section == .events {
            throw LineFault(expected: "\"- evdev:\" before it")
        }
    }

    /// Whether a line opens something with a name, as `- hid:` or `time: [0, 0]`.
    ///
    /// All names are lowercase, which tells them from the lines of other formats.
    private static func isKey(_ cursor: LineCursor) -> Bool {
        var cursor = cursor
        _ = cursor.skip("- ")
        let first = cursor.index
        while let byte = cursor.byte, isNamePart(byte) { _ = cursor.skip(byte) }
        return cursor.index > first && cursor.byte == UInt8(ascii: ":")
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
    }

    private func readEvent(_ cursor: inout LineCursor, _ line: Line) throws(LineFault) -> KeyEvent {
        guard let seconds = Self.field(&cursor, { $0.decimal() }), cursor.skip(","),
            let micros = Self.field(&cursor, { $0.decimal() }), cursor.skip(","),
            let type = Self.field(&cursor, { $0.smallDecimal() }), cursor.skip(","),
            let code = Self.field(&cursor, { $0.smallDecimal() }), cursor.skip(","),
            let value = Self.field(&cursor, { $0.signedDecimal() }), cursor.skip("]"),
            let time = LineCursor.time(seconds: seconds, microseconds: micros),
            cursor.endsOrComments()
        else { throw LineFault(expected: Self.eventForm) }
        let event = KeyEvent(type: type, code: code, value: value, microseconds: time)
        if let expected = event.impossibility { throw LineFault(expected: expected) }
        if cursor.skip(through: "(obfuscated)") {
            throw LineFault(expected: "keys as typed, recorded with --show-keycodes")
        }
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
