internal import Keystrokes

/// Reads what `evtest` prints, also as people paste it into bug reports.
///
/// Everything that is no event and no device header is passed over: prose, the list of supported
/// events, blank lines, marks of quoted mail. Ahead of an event, on its line, the terminal's echo
/// of the typed characters is passed over. Values of `MSC_SCAN` and `MSC_RAW` are hexadecimal, all
/// others decimal, as evtest prints them. Older releases say `Report Sync` and `Key` for
/// `SYN_REPORT` and `EV_KEY`; the numbers count, not the names.
struct EvtestParser: LineParser {
    static let eventForm =
        "\"Event: time SECONDS.MICROSECONDS, type N (NAME), "
        + "code N (NAME), value N\""

    private var device: DeviceIdentity?
    private var lastTime: Int64 = 0

    mutating func read(_ line: Line, into items: inout ItemQueue) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        if cursor.skip(through: "Event:") {
            let event = try readEvent(&cursor)
            finish(into: &items)
            lastTime = event.microseconds
            return items.append(event)
        }
        try readOther(line, into: &items)
    }

    mutating func finish(into items: inout ItemQueue) {
        if let device { items.append(.device(device)) }
        device = nil
    }

    private func readEvent(_ cursor: inout LineCursor) throws(LineFault) -> KeyEvent {
        guard cursor.skip(" time "), let time = cursor.time(), cursor.skip(", ") else {
            throw LineFault(expected: Self.eventForm)
        }
        guard cursor.skip("type ") else {
            return try EvtestSync.read(&cursor, at: time)
        }
        guard let type = cursor.smallDecimal(), cursor.skip(" ("),
            cursor.skip(through: "), code "), let code = cursor.smallDecimal(), cursor.skip(" ("),
            cursor.skip(through: "), value "), let value = Self.value(&cursor, type, code),
            Self.endsOrRemarks(&cursor)
        else { throw LineFault(expected: Self.eventForm) }
        let event = KeyEvent(type: type, code: code, value: value, microseconds: time)
        if let expected = event.impossibility { throw LineFault(expected: expected) }
        return event
    }

    private static func value(
        _ cursor: inout LineCursor, _ type: UInt16, _ code: UInt16
    ) -> Int32? {
        let isRawOrScan = code == 3 || code == 4
        guard type == EventType.msc, isRawOrScan else { return cursor.signedDecimal() }
        return cursor.hexadecimal(longest: 8).map { Int32(bitPattern: $0) }
    }

    /// People write remarks behind an event, but two events on a line were torn from their places.
    static func endsOrRemarks(_ cursor: inout LineCursor) -> Bool {
        let wasBlank = cursor.skipBlanks()
        if cursor.isAtEnd { return true }
        return wasBlank && !cursor.skip(through: "Event:")
    }

    private mutating func readOther(
        _ line: Line, into items: inout ItemQueue
    ) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        cursor.skipQuoting()
        if cursor.skip("Input driver version") { return finish(into: &items) }
        if cursor.skip("Input device ID:") { return try readNumbers(&cursor) }
        if cursor.skip("Input device name:") { return readName(&cursor) }
        if cursor.skip("::::"), cursor.skip(through: "dropped") {
            finish(into: &items)
            return items.append(.dropped(at: lastTime))
        }
        guard !Self.isOfAnotherFormat(line), line.isTerminated || !Self.isCut(line) else {
            throw LineFault(expected: Self.eventForm)
        }
    }

    private mutating func readNumbers(_ cursor: inout LineCursor) throws(LineFault) {
        let fault = LineFault(
            expected: "\"Input device ID: bus 0xN vendor 0xN product 0xN version 0xN\"")
        guard cursor.skip(" bus 0x"), let bus = cursor.smallHexadecimal(),
            cursor.skip(" vendor 0x"), let vendor = cursor.smallHexadecimal(),
            cursor.skip(" product 0x"), let product = cursor.smallHexadecimal(),
            cursor.skip(" version 0x"), let version = cursor.smallHexadecimal()
        else { throw fault }
        var identity = device ?? DeviceIdentity()
        (identity.bus, identity.vendor) = (bus, vendor)
        (identity.product, identity.version) = (product, version)
        device = identity
    }

    private mutating func readName(_ cursor: inout LineCursor) {
        guard cursor.skip(through: "\"") else { return }
        let text = String(decoding: cursor.rest, as: UTF8.self)
        let name = text.lastIndex(of: "\"").map { String(text[..<$0]) } ?? text
        var identity = device ?? DeviceIdentity()
        identity.name = name.isEmpty ? nil : name
        device = identity
    }

    /// Whether a line holds an event in another format: two recordings were mixed.
    private static func isOfAnotherFormat(_ line: Line) -> Bool {
        var cursor = LineCursor(line.bytes)
        cursor.skipQuoting()
        var other = cursor
        return (cursor.skip("E: ") && cursor.time() != nil)
            || (other.skip("- [") && other.skip(through: "]"))
    }

    /// Whether a last line ends in the midst of the words that begin an event.
    private static func isCut(_ line: Line) -> Bool {
        let text = String(decoding: line.bytes.suffix(8), as: UTF8.self)
        return ["Ev", "Eve", "Even", "Event"].contains { text.hasSuffix($0) }
    }
}
