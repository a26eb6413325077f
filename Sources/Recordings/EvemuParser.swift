internal import Keystrokes

/// Reads what `evemu-record` writes.
///
/// Rule: evemu's README, "Device Description Format" and "Event Data Format", formats 1.0 to 1.2;
/// format 1.3 adds the lines `L:` and `S:`. Type and code are hexadecimal, the value is decimal.
/// What a terminal or a mail puts around it is passed over: the menu, the shell's lines, marks of
/// quoting, the echo of typed characters ahead of an event.
struct EvemuParser: LineParser {
    static let eventForm = "\"E: SECONDS.MICROSECONDS TYPE CODE VALUE\""

    /// A device whose section has begun and which was not delivered yet.
    private var device: DeviceIdentity?
    /// Whether a line of a recording has come; ahead of it, the device's description may be another
    /// program's.
    private var hasBegun = false
    /// Whether some value had fewer than four characters, as only the old form writes them.
    private var hasShortValues = false

    @inline(__always)
    mutating func read(_ line: Line, into items: inout ItemQueue) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        guard cursor.skip("E:") || (!Self.tellsName(cursor) && Self.skipToEvent(&cursor)) else {
            return try readOther(line, into: &items)
        }
        let event = try readEvent(&cursor, isTerminated: line.isTerminated)
        hasBegun = true
        if device != nil { finish(into: &items) }
        items.append(event)
    }

    mutating func finish(into items: inout ItemQueue) {
        if let device { items.append(.device(device)) }
        device = nil
    }

    @inline(__always)
    private mutating func readEvent(
        _ cursor: inout LineCursor, isTerminated: Bool
    ) throws(LineFault) -> KeyEvent {
        let (event, isShort) = try Self.event(&cursor)
        if isShort {
            // A last line "… 0" may be what is left of "… 0001".
            guard isTerminated || !cursor.isAtEnd || hasShortValues else {
                throw LineFault(expected: "a value of four digits or a line end")
            }
            hasShortValues = true
        }
        return event
    }

    /// Reads what follows `E:`.
    ///
    /// - Returns: The event, and whether its value has fewer than four characters.
    @inline(__always)
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
        guard cursor.isAtEnd || cursor.endsOrComments() else {
            throw LineFault(expected: eventForm)
        }
        let event = KeyEvent(type: type, code: code, value: value, microseconds: time)
        if let expected = event.impossibility { throw LineFault(expected: expected) }
        return (event, isShort)
    }

    static func holdsEvent(_ line: LineCursor) -> Bool {
        var cursor = line
        guard cursor.skip("E:") || (!tellsName(cursor) && skipToEvent(&cursor)) else {
            return false
        }
        return (try? event(&cursor)) != nil
    }

    static func heading(_ line: LineCursor, isFirst: Bool) -> Certainty {
        if line.starts(with: "# EVEMU ") { return .certain }
        var cursor = line
        guard isFirst, let letter = cursor.byte, "NEIPBALS".utf8.contains(letter) else {
            return .none
        }
        cursor.skipByte()
        guard cursor.skip(":"), cursor.skipBlanks() else { return .none }
        // udev's listings and the kernel's have the same letters.
        let isOwn =
            switch letter {
            case UInt8(ascii: "N"): !line.starts(with: "N: Name=")
            case UInt8(ascii: "E"): cursor.decimal() != nil
            default: cursor.hexadecimal(longest: 4) != nil && cursor.skipBlanks()
            }
        return isOwn ? .likely : .none
    }

    /// Whether a line holds the device's name, which may look like anything.
    private static func tellsName(_ line: LineCursor) -> Bool {
        var cursor = line
        cursor.skipQuoting()
        return cursor.skip("N:") || cursor.skip("# Input device name:")
    }

    /// Goes behind the `E:` of an event that other text stands ahead of.
    private static func skipToEvent(_ cursor: inout LineCursor) -> Bool {
        var search = cursor
        while search.skip(through: "E:") {
            var time = search
            if time.skipBlanks(), time.decimal() != nil {
                cursor = search
                return true
            }
        }
        return false
    }

    private mutating func readOther(_ line: Line, into items: inout ItemQueue) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        cursor.skipQuoting()
        let isHeading = Self.heading(cursor, isFirst: true) != .none
        if cursor.byte == UInt8(ascii: "#") || isHeading || (hasBegun && Self.isHeader(cursor)) {
            hasBegun = hasBegun || isHeading
            return try readHeader(&cursor, into: &items)
        }
        guard !Self.isTorn(line), !FormatRecogniser.holdsEvent(line) else {
            throw LineFault(
                expected: "\(Self.eventForm) or one of \"N: I: P: B: A: L: S: #\"")
        }
    }

    /// Whether a line begins as those of a device's description do.
    private static func isHeader(_ cursor: LineCursor) -> Bool {
        var cursor = cursor
        guard let letter = cursor.byte, "IPBALS".utf8.contains(letter) else { return false }
        cursor.skipByte()
        return cursor.skip(":")
    }

    /// Whether a line holds a part of an event: two neighbouring fields of four hexadecimal digits,
    /// or the first letter of one that was cut.
    private static func isTorn(_ line: Line) -> Bool {
        if !line.isTerminated, line.bytes.last == UInt8(ascii: "E") { return true }
        let fields = line.bytes.split { $0 == 0x20 || $0 == 0x09 }.map { field in
            var cursor = LineCursor(UnsafeRawBufferPointer(rebasing: field))
            return field.count == 4 && cursor.hexadecimal(longest: 4) != nil && cursor.isAtEnd
        }
        return zip(fields, fields.dropFirst()).contains { $0 && $1 }
    }

    private mutating func readHeader(
        _ cursor: inout LineCursor, into items: inout ItemQueue
    ) throws(LineFault) {
        if cursor.skip("#") { return try readComment(&cursor) }
        if cursor.skip("N:") { return readName(&cursor, into: &items) }
        if cursor.skip("I:") { return try readNumbers(&cursor) }
        if cursor.skip("P:") { return try check(&cursor, hex: 8, decimals: 0...0) }
        if cursor.skip("B:") { return try check(&cursor, hex: 9, decimals: 0...0) }
        if cursor.skip("A:") { return try check(&cursor, hex: 1, decimals: 4...5) }
        if cursor.skip("L:") || cursor.skip("S:") {
            return try check(&cursor, hex: 1, decimals: 1...1)
        }
    }

    private func readComment(_ cursor: inout LineCursor) throws(LineFault) {
        guard cursor.skip(" EVEMU ") else { return }
        guard cursor.skip("1.") else { throw LineFault(expected: "\"# EVEMU 1.0\" to 1.3") }
    }

    /// A name goes to the end of the line; `#` is part of it.
    private mutating func readName(_ cursor: inout LineCursor, into items: inout ItemQueue) {
        finish(into: &items)
        cursor.skipBlanks()
        let name = String(decoding: cursor.rest, as: UTF8.self)
        device = DeviceIdentity(name: name.isEmpty ? nil : name)
    }

    private mutating func readNumbers(_ cursor: inout LineCursor) throws(LineFault) {
        var numbers: [UInt16] = []
        while cursor.skipBlanks(), let number = cursor.smallHexadecimal() {
            numbers.append(number)
        }
        guard numbers.count == 4, cursor.isAtEnd || cursor.byte == UInt8(ascii: "#") else {
            throw LineFault(expected: "\"I: BUS VENDOR PRODUCT VERSION\" in hexadecimal")
        }
        var identity = device ?? DeviceIdentity()
        (identity.bus, identity.vendor) = (numbers[0], numbers[1])
        (identity.product, identity.version) = (numbers[2], numbers[3])
        device = identity
    }

    /// Checks a line whose content is of no use here, so that damage is noticed.
    private func check(
        _ cursor: inout LineCursor, hex: Int, decimals: ClosedRange<Int>
    ) throws(LineFault) {
        var hexCount = 0
        while hexCount < hex, cursor.skipBlanks(), cursor.hexadecimal(longest: 2) != nil {
            hexCount += 1
        }
        var decimalCount = 0
        while decimalCount < decimals.upperBound, cursor.skipBlanks(),
            cursor.byte != UInt8(ascii: "#"), cursor.signedDecimal() != nil
        {
            decimalCount += 1
        }
        let isComplete = hexCount == hex && decimals.contains(decimalCount)
        guard isComplete, cursor.endsOrComments() || cursor.byte == UInt8(ascii: "#") else {
            let numbers = decimals.upperBound == 0 ? "" : ", then \(decimals.upperBound) decimal"
            throw LineFault(expected: "\(hex) hexadecimal numbers of two digits\(numbers)")
        }
    }
}

/// A text value on a line of YAML.
enum YAMLScalar {
    /// Reads a plain, single-quoted or double-quoted value.
    ///
    /// libinput puts a device's name between double quotation marks as it is, with no escaping.
    /// Hence a backslash counts as an escape only ahead of another or of a quotation mark, and only
    /// the last quotation mark ends the text.
    ///
    /// - Parameter line: What follows the key and its colon.
    /// - Returns: The text; nil where it is empty.
    static func text(_ line: String) -> String? {
        let text: String
        if line.hasPrefix("\""), let inner = inner(of: line, "\"") {
            text = unescaped(inner)
        } else if line.hasPrefix("'"), let inner = inner(of: line, "'") {
            text = String(inner)
        } else {
            text = String(line)
        }
        return text.isEmpty ? nil : text
    }

    private static func inner(of line: String, _ mark: Character) -> Substring? {
        let inner = line.dropFirst()
        return inner.lastIndex(of: mark).map { inner[..<$0] }
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.popFirst() {
            if character == "\\", let escape = rest.first, let meant = meaning[escape] {
                result.append(meant)
                rest.removeFirst()
            } else {
                result.append(character)
            }
        }
        return result
    }

    private static let meaning: [Character: Character] = ["\\": "\\", "\"": "\""]
}
