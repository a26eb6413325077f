internal import Keystrokes

/// A parser for the output of `evtest`, including what people paste into bug reports.
///
/// The parser reads events and device headers. It skips all other text: prose, the list of supported events, `>`
/// marks, and the terminal's echo of typed characters before an event. Values of `MSC_SCAN` and `MSC_RAW` are
/// hexadecimal, all others decimal, as evtest prints them. A name beside a number is ignored, because older releases
/// print other names, such as `Report Sync` for `SYN_REPORT`. Events may lack a time, because some builds of evtest
/// print none, and some people delete it.
struct EvtestParser: LineParser {
    static let eventForm =
        "\"Event: time SECONDS.MICROSECONDS, type N (NAME), "
        + "code N (NAME), value N\""
    private static let syncForm =
        "a synchronisation as \"-------------- SYN_REPORT ------------\""

    private var device: DeviceIdentity?
    private var times = EventTimes()

    mutating func read(_ line: Line, into items: inout Items) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        guard Self.skipToEvent(&cursor) else { return try readOther(line, into: &items) }
        let event = try readEvent(&cursor)
        items.append(&device)
        items.append(.event(event))
    }

    mutating func finish(into items: inout Items) { items.append(&device) }

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

    /// Lines of evtest's device menu, which the evemu and libinput tools print too.
    private static let likelyHeadings: [StaticString] = [
        "No device specified, trying to scan", "Available devices:",
    ]

    /// Moves the cursor to the event in a line; returns false if the line contains no event.
    private static func skipToEvent(_ cursor: inout LineCursor) -> Bool {
        var search = cursor
        search.skipQuoting()
        // A device's name may look like an event.
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
            if isStroke, !wasStroke, beginsSync(cursor) { return true }
            wasStroke = isStroke
            cursor.skipByte()
        }
        return false
    }

    /// Whether text like `type 1 (EV_KEY)` begins an event, that is, a code follows; nil for text of another form.
    private static func isBareEvent(_ cursor: LineCursor) -> Bool? {
        var cursor = cursor
        guard cursor.skip("type "), cursor.smallDecimal() != nil, cursor.skip(" (") else {
            return nil
        }
        return cursor.skip(through: "), code ")
    }

    private mutating func readEvent(_ cursor: inout LineCursor) throws(LineFault) -> KeyEvent {
        let fault = LineFault(expected: Self.eventForm)
        cursor.skipBlanks()
        var recorded: Int64?
        if cursor.skip("time ") {
            recorded = cursor.time()
            guard recorded != nil, cursor.skip(", ") else { throw fault }
        }
        var (type, code, value) = (InputEventType.syn, SynCode.report, Int32(0))
        if cursor.skip("type ") {
            guard let fields = cursor.typeAndCode() else { throw fault }
            (type, code) = fields
            let isHexadecimal = type == InputEventType.msc && (code == 3 || code == 4)
            let number =
                isHexadecimal
                ? cursor.hexadecimal(longest: 8).map { Int32(bitPattern: $0) }
                : cursor.signedDecimal()
            guard let number, Self.endsOrRemarks(&cursor) else { throw fault }
            value = number
        } else {
            guard recorded != nil || Self.beginsSync(cursor) else { throw fault }
            code = try Self.sync(&cursor)
        }
        guard let time = times.time(recorded, ofType: type, code: code) else { throw fault }
        return try KeyEvent(type: type, code: code, value: value, microseconds: time).checked()
    }

    /// Whether the rest of the line is empty, blank, or a remark that follows a blank and does not contain `Event:`.
    private static func endsOrRemarks(_ cursor: inout LineCursor) -> Bool {
        let wasBlank = cursor.skipBlanks()
        if cursor.isAtEnd { return true }
        return wasBlank && !cursor.skip(through: "Event:")
    }

    private static func sync(_ cursor: inout LineCursor) throws(LineFault) -> UInt16 {
        guard cursor.skipStrokes(), cursor.skipBlanks(), let code = syncCode(&cursor),
            cursor.skipBlanks(), cursor.skipStrokes(), endsOrRemarks(&cursor)
        else { throw LineFault(expected: syncForm) }
        return code
    }

    /// Whether punctuation and the name of an `EV_SYN` event follow, as in `---- SYN_REPORT`.
    private static func beginsSync(_ cursor: LineCursor) -> Bool {
        var cursor = cursor
        return cursor.skipStrokes() && cursor.skipBlanks() && syncCode(&cursor) != nil
    }

    /// Reads the name of an `EV_SYN` event and returns the code; nil if there is no name.
    private static func syncCode(_ cursor: inout LineCursor) -> UInt16? {
        if let code = cursor.synName() { return code }
        if cursor.skip("Report Sync") || cursor.skip("EV_SYN") { return SynCode.report }
        if cursor.skip("Config Sync") { return 1 }
        return cursor.skip("MT Report Sync") ? 2 : nil
    }

    private mutating func readOther(_ line: Line, into items: inout Items) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        cursor.skipQuoting()
        if cursor.skip("Input driver version") { return items.append(&device) }
        if cursor.skip("Input device ID:") { return try readNumbers(&cursor) }
        if cursor.skip("Input device name:") {
            device = device ?? DeviceIdentity()
            device?.name = cursor.nameInMarks()
            return
        }
        if cursor.skip("::::"), cursor.skip(through: "dropped") {
            items.append(&device)
            return items.append(.event(.dropped(at: times.last)))
        }
        // A last line may end in the middle of the word that starts an event.
        let isCut = !line.isTerminated && line.ends(with: ["Ev", "Eve", "Even", "Event"])
        guard !isCut, !Self.isTorn(line), !FormatRecogniser.holdsEvent(line) else {
            throw LineFault(expected: Self.eventForm)
        }
    }

    private mutating func readNumbers(_ cursor: inout LineCursor) throws(LineFault) {
        let labels: [StaticString] = [" bus 0x", " vendor 0x", " product 0x", " version 0x"]
        var numbers: [UInt16] = []
        for label in labels {
            guard cursor.skip(label), let number = cursor.smallHexadecimal() else {
                throw LineFault(
                    expected: "\"Input device ID: bus 0xN vendor 0xN product 0xN version 0xN\"")
            }
            numbers.append(number)
        }
        device.setNumbers(numbers)
    }

    private static func isTorn(_ line: Line) -> Bool {
        let marks: [StaticString] = ["), code ", "), value ", "SYN_REPORT -"]
        return marks.contains { mark in
            var cursor = LineCursor(line.bytes)
            return cursor.skip(through: mark)
        }
    }
}
