internal import Keystrokes

/// Reads what `evtest` prints, also as people paste it into bug reports.
///
/// Everything that is no event and no device header is passed over: prose, the list of supported
/// events, blank lines, marks of quoted mail. Ahead of an event, on its line, the terminal's echo
/// of the typed characters is passed over. Values of `MSC_SCAN` and `MSC_RAW` are hexadecimal, all
/// others decimal, as evtest prints them. Older releases say `Report Sync` and `Key` for
/// `SYN_REPORT` and `EV_KEY`; the numbers count, not the names. Some builds print no time, and some
/// people cut it off.
struct EvtestParser: LineParser {
    static let eventForm =
        "\"Event: time SECONDS.MICROSECONDS, type N (NAME), "
        + "code N (NAME), value N\""

    private var device: DeviceIdentity?
    private var times = EventTimes()

    mutating func read(_ line: Line, into items: inout ItemQueue) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        guard Self.skipToEvent(&cursor) else {
            return try readOther(line, into: &items)
        }
        let event = try readEvent(&cursor)
        finish(into: &items)
        items.append(event)
    }

    static func holdsEvent(_ line: LineCursor) -> Bool {
        var cursor = line
        var parser = EvtestParser()
        return skipToEvent(&cursor) && (try? parser.readEvent(&cursor)) != nil
    }

    static func heading(_ line: LineCursor, isFirst: Bool) -> Certainty {
        if certainHeadings.contains(where: { line.starts(with: $0) }) { return .certain }
        var cursor = line
        if cursor.skip(through: "Event: time ") { return .certain }
        return likelyHeadings.contains { line.starts(with: $0) } ? .likely : .none
    }

    private static let certainHeadings: [StaticString] = [
        "Input driver version is", "Input device ID:", "Input device name:", "Testing ...",
    ]

    /// evemu's and libinput's tools print a menu as well.
    private static let likelyHeadings: [StaticString] = [
        "No device specified, trying to scan", "Available devices:",
    ]

    mutating func finish(into items: inout ItemQueue) {
        if let device { items.append(.device(device)) }
        device = nil
    }

    private mutating func readEvent(_ cursor: inout LineCursor) throws(LineFault) -> KeyEvent {
        let fault = LineFault(expected: Self.eventForm)
        cursor.skipBlanks()
        var recorded: Int64?
        if cursor.skip("time ") {
            recorded = cursor.time()
            guard recorded != nil, cursor.skip(", ") else { throw fault }
        }
        var fields = (type: InputEventType.syn, code: SynCode.report, value: Int32(0))
        if cursor.skip("type ") {
            guard let read = Self.fields(&cursor) else { throw fault }
            fields = read
        } else {
            guard recorded != nil || EvtestSync.begins(cursor) else { throw fault }
            fields.code = try EvtestSync.read(&cursor)
        }
        guard let time = times.time(recorded, ofType: fields.type) else { throw fault }
        let event = KeyEvent(
            type: fields.type, code: fields.code, value: fields.value, microseconds: time)
        if let expected = event.impossibility { throw LineFault(expected: expected) }
        return event
    }

    private static func fields(
        _ cursor: inout LineCursor
    ) -> (type: UInt16, code: UInt16, value: Int32)? {
        guard let type = cursor.smallDecimal(), cursor.skip(" ("),
            cursor.skip(through: "), code "), let code = cursor.smallDecimal(), cursor.skip(" ("),
            cursor.skip(through: "), value "), let value = value(&cursor, type, code),
            endsOrRemarks(&cursor)
        else { return nil }
        return (type, code, value)
    }

    /// Goes behind the word `Event:`, or to an event that lost it, and perhaps its time.
    ///
    /// - Returns: Whether there is one.
    private static func skipToEvent(_ cursor: inout LineCursor) -> Bool {
        var search = cursor
        search.skipQuoting()
        // A device's name may look like anything.
        if search.starts(with: "Input device name:") { return false }
        if search.skip(through: "Event:") {
            cursor = search
            return true
        }
        var wasStroke = false
        while let byte = cursor.byte {
            if cursor.starts(with: "type ") {
                if let isEvent = isBareEvent(cursor) { return isEvent }
            } else if cursor.starts(with: "time ") {
                var attempt = cursor
                if attempt.skip("time "), attempt.time() != nil, attempt.skip(", ") { return true }
            }
            let isStroke = "-+<>".utf8.contains(byte)
            if isStroke, !wasStroke, EvtestSync.begins(cursor) { return true }
            wasStroke = isStroke
            cursor.skipByte()
        }
        return false
    }

    /// The list of supported events says `type 1 (EV_KEY)` as well; nil where there is no number.
    private static func isBareEvent(_ cursor: LineCursor) -> Bool? {
        var cursor = cursor
        guard cursor.skip("type "), cursor.smallDecimal() != nil, cursor.skip(" (") else {
            return nil
        }
        return cursor.skip(through: "), code ")
    }

    private static func value(
        _ cursor: inout LineCursor, _ type: UInt16, _ code: UInt16
    ) -> Int32? {
        let isRawOrScan = code == 3 || code == 4
        guard type == InputEventType.msc, isRawOrScan else { return cursor.signedDecimal() }
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
            return items.append(.dropped(at: times.last))
        }
        guard !Self.isTorn(line), !FormatRecogniser.holdsEvent(line),
            line.isTerminated || !Self.isCut(line)
        else {
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
        var identity = device ?? DeviceIdentity()
        identity.name = cursor.nameInMarks()
        device = identity
    }

    /// Whether a line holds a part of an event.
    private static func isTorn(_ line: Line) -> Bool {
        let marks: [StaticString] = ["), code ", "), value ", "SYN_REPORT -"]
        return marks.contains { mark in
            var cursor = LineCursor(line.bytes)
            return cursor.skip(through: mark)
        }
    }

    /// Whether a last line ends in the midst of the words that begin an event.
    private static func isCut(_ line: Line) -> Bool {
        let text = String(decoding: line.bytes.suffix(8), as: UTF8.self)
        return ["Ev", "Eve", "Even", "Event"].contains { text.hasSuffix($0) }
    }
}
