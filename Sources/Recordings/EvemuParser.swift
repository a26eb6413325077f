internal import Keystrokes

/// A parser for the output of `evemu-record`.
///
/// Rule: evemu's README, "Device Description Format" and "Event Data Format", formats 1.0 to 1.2; format 1.3 adds the
/// lines `L:` and `S:`. Types and codes are hexadecimal, values are decimal. The parser skips text from a terminal or a
/// mail program: the device menu, shell prompts, `>` marks, and the echo of typed characters before an event.
struct EvemuParser: LineParser {
    static let eventForm = "\"E: SECONDS.MICROSECONDS TYPE CODE VALUE\""

    /// The device whose section has started but has no events yet.
    private var device: DeviceIdentity?
    /// Whether the recording has started; until then, lines such as `P:` may be other text.
    private var hasBegun = false
    /// Whether any value so far had fewer than four characters, as in evemu's old format.
    private var hasShortValues = false

    mutating func read(_ line: Line, into items: inout Items) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        guard Self.skipToEvent(&cursor) else { return try readOther(line, into: &items) }
        let (event, isShort) = try Self.event(&cursor)
        // A last line "… 0" may be the beginning of "… 0001".
        guard !isShort || hasShortValues || line.isTerminated || !cursor.isAtEnd else {
            throw LineFault(expected: "a value of four digits or a line end")
        }
        hasShortValues = hasShortValues || isShort
        hasBegun = true
        items.append(&device)
        items.append(.event(event))
    }

    mutating func finish(into items: inout Items) { items.append(&device) }

    static func holdsEvent(_ line: LineCursor) -> Bool {
        var cursor = line
        return skipToEvent(&cursor) && (try? event(&cursor)) != nil
    }

    static func heading(_ line: LineCursor, isFirst: Bool) -> Certainty {
        if line.starts(with: "# EVEMU ") { return .certain }
        var cursor = line
        guard isFirst, let letter = cursor.byte, skipLetter(&cursor, of: "NEIPBALS"),
            cursor.skipBlanks()
        else { return .none }
        // The device listings of udev and the kernel use the same letters.
        let isOwn =
            switch letter {
            case UInt8(ascii: "N"): !line.starts(with: "N: Name=")
            case UInt8(ascii: "E"): cursor.decimal() != nil
            default: cursor.hexadecimal(longest: 4) != nil && cursor.skipBlanks()
            }
        return isOwn ? .likely : .none
    }

    /// Skips the `E:` of an event and any text before it; returns false if the line has no event.
    private static func skipToEvent(_ cursor: inout LineCursor) -> Bool {
        if cursor.skip("E:") { return true }
        var search = cursor
        search.skipQuoting()
        // A device's name may look like an event.
        if search.starts(with: "N:") || search.starts(with: "# Input device name:") { return false }
        while search.skip(through: "E:") {
            var time = search
            if time.skipBlanks(), time.isAtDigit {
                cursor = search
                return true
            }
        }
        return false
    }

    /// Reads an event's fields after `E:`; `isShort` means a value of fewer than four characters.
    private static func event(
        _ cursor: inout LineCursor
    ) throws(LineFault) -> (event: KeyEvent, isShort: Bool) {
        guard cursor.skipBlanks(), let time = cursor.time(),
            cursor.skipBlanks(), let type = cursor.smallHexadecimal(),
            cursor.skipBlanks(), let code = cursor.smallHexadecimal(),
            cursor.skipBlanks()
        else { throw LineFault(expected: eventForm) }
        let valueStart = cursor.index
        guard let value = cursor.signedDecimal() else { throw LineFault(expected: eventForm) }
        let isShort = cursor.index - valueStart < 4
        guard cursor.endsOrComments() else { throw LineFault(expected: eventForm) }
        let event = KeyEvent(type: type, code: code, value: value, microseconds: time)
        return (try event.checked(), isShort)
    }

    private mutating func readOther(_ line: Line, into items: inout Items) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        cursor.skipQuoting()
        let isHeading = Self.heading(cursor, isFirst: true) != .none
        var letter = cursor
        let isHeader = isHeading || (hasBegun && Self.skipLetter(&letter, of: "IPBALS"))
        if isHeader || cursor.byte == UInt8(ascii: "#") {
            hasBegun = hasBegun || isHeading
            return try readHeader(&cursor, into: &items)
        }
        guard !Self.isTorn(line), !FormatRecogniser.holdsEvent(line) else {
            throw LineFault(
                expected: "\(Self.eventForm) or one of \"N: I: P: B: A: L: S: #\"")
        }
    }

    /// Skips a letter from `letters` and the colon after it; returns false if they are missing.
    private static func skipLetter(_ cursor: inout LineCursor, of letters: String) -> Bool {
        guard let letter = cursor.byte, letters.utf8.contains(letter) else { return false }
        cursor.skipByte()
        return cursor.skip(":")
    }

    /// Whether a line contains only part of an event: two neighbouring fields of four hexadecimal digits, or a final
    /// `E` at the end of the file.
    private static func isTorn(_ line: Line) -> Bool {
        if !line.isTerminated, line.ends(with: ["E"]) { return true }
        let fields = line.bytes.split { $0 == 0x20 || $0 == 0x09 }.map { field in
            var cursor = LineCursor(UnsafeRawBufferPointer(rebasing: field))
            return field.count == 4 && cursor.hexadecimal(longest: 4) != nil && cursor.isAtEnd
        }
        return zip(fields, fields.dropFirst()).contains { $0 && $1 }
    }

    private mutating func readHeader(
        _ cursor: inout LineCursor, into items: inout Items
    ) throws(LineFault) {
        if cursor.skip("# EVEMU ") {
            guard cursor.skip("1.") else { throw LineFault(expected: "\"# EVEMU 1.0\" to 1.3") }
        } else if cursor.skip("N:") {
            // A name extends to the end of the line; `#` is part of it.
            items.append(&device)
            device = DeviceIdentity(name: cursor.restText())
        } else if cursor.skip("I:") {
            guard let numbers = cursor.smallHexadecimals(4) else {
                throw LineFault(expected: "\"I: BUS VENDOR PRODUCT VERSION\" in hexadecimal")
            }
            device.setNumbers(numbers)
        } else if let form = Self.unusedLines.first(where: { cursor.skip($0.start) }) {
            try check(&cursor, hex: form.hex, decimals: form.decimals)
        }
    }

    private static let unusedLines: [(start: StaticString, hex: Int, decimals: ClosedRange<Int>)] =
        [
            ("P:", 8, 0...0), ("B:", 9, 0...0), ("A:", 1, 4...5), ("L:", 1, 1...1),
            ("S:", 1, 1...1),
        ]

    /// Checks that the rest of the line, up to any comment, is `hex` hexadecimal and then `decimals` decimal numbers.
    private func check(
        _ cursor: inout LineCursor, hex: Int, decimals: ClosedRange<Int>
    ) throws(LineFault) {
        var isComplete = true
        for _ in 0..<hex {
            isComplete = isComplete && cursor.skipBlanks() && cursor.hexadecimal(longest: 2) != nil
        }
        var count = 0
        while count < decimals.upperBound, cursor.skipBlanks(),
            cursor.byte != UInt8(ascii: "#"), cursor.signedDecimal() != nil
        {
            count += 1
        }
        guard isComplete, decimals.contains(count),
            cursor.endsOrComments() || cursor.byte == UInt8(ascii: "#")
        else {
            let numbers = decimals.upperBound == 0 ? "" : ", then \(decimals.upperBound) decimal"
            throw LineFault(expected: "\(hex) hexadecimal numbers of two digits\(numbers)")
        }
    }
}
