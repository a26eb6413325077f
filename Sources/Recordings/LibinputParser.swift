internal import Keystrokes

/// A line-by-line parser for the output of `libinput record`.
///
/// Rule: libinput-record(1), section FILE FORMAT, `version: 1`. The format is YAML with a fixed layout: every event
/// is a list in brackets on a separate line. Reading lines rather than YAML documents keeps memory constant.
///
/// The parser skips unused YAML keys, as the manual demands. It also skips text that a terminal or a mail program
/// added: the device menu, shell prompts, the `>` marks of quotes, and the echo of typed characters before an event.
///
/// Without `--show-keycodes`, libinput records `KEY_A` instead of each letter or digit key, and marks the line as
/// obfuscated. The parser treats such a line as an error, because it would yield wrong codes.
struct LibinputParser: LineParser {
    static let eventForm = "\"- [SECONDS, MICROSECONDS, TYPE, CODE, VALUE]\""

    private enum Section {
        case preamble, device, events, evdevEvents, otherEvents
    }

    private var section = Section.preamble
    private var device: DeviceIdentity?

    mutating func read(_ line: Line, into items: inout Items) throws(LineFault) {
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
            return items.append(.event(event))
        }
        cursor = start
        cursor.skipBlanks()
        guard let first = cursor.byte, first != UInt8(ascii: "#") else { return }
        if cursor.skip("- node:") {
            items.append(&device)
            device = DeviceIdentity()
            section = .device
            return
        }
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

    mutating func finish(into items: inout Items) { items.append(&device) }

    private mutating func readPreamble(
        _ cursor: inout LineCursor, isIndented: Bool
    ) throws(LineFault) {
        if !isIndented, cursor.skip("version:") {
            cursor.skipBlanks()
            guard cursor.decimal() == 1, cursor.endsOrComments() else {
                throw LineFault(expected: "\"version: 1\"")
            }
        }
        // Some people paste only the events from a long recording.
        var list = cursor
        if list.skip(through: "- evdev:"), list.endsOrComments() { section = .evdevEvents }
        guard !cursor.skipToEvent() else {
            throw LineFault(expected: "\"- node: DEVICE\" before it")
        }
    }

    private mutating func readDevice(
        _ cursor: inout LineCursor, into items: inout Items
    ) throws(LineFault) {
        if cursor.skip("events:") {
            items.append(&device)
            section = .events
        } else if cursor.skip("name:"), device?.name == nil {
            device?.name = cursor.restText()?.yamlText
        } else if cursor.skip("id:") {
            try readNumbers(&cursor)
        } else if cursor.skip("- [") {
            throw LineFault(expected: "\"events:\" before it")
        }
    }

    private mutating func readNumbers(_ cursor: inout LineCursor) throws(LineFault) {
        cursor.skipBlanks()
        let list = cursor.skip("[") ? cursor.numbers() : nil
        let numbers = list?.compactMap { UInt16(exactly: $0) }
        guard let numbers, numbers.count == 4, list?.count == 4 else {
            throw LineFault(expected: "\"id: [BUS, VENDOR, PRODUCT, VERSION]\" in decimal")
        }
        device.setNumbers(numbers)
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

    /// Whether a line starts a list from a source other than evdev, such as `- hid:`.
    private static func opensList(_ cursor: LineCursor) -> Bool {
        var cursor = cursor
        let isName = cursor.skip("- ") && cursor.skip(while: isNamePart)
        return isName && cursor.skip(":") && cursor.endsOrComments()
    }

    /// Whether a line looks like part of an event: it contains text, a comma and then a number.
    private static func isTorn(_ cursor: LineCursor) -> Bool {
        var cursor = cursor
        while !cursor.isAtEnd {
            if !cursor.skip(while: LineCursor.isDigit) { cursor.skipByte() }
            guard cursor.skip(",") else { continue }
            cursor.skipBlanks()
            if cursor.isAtDigit { return true }
        }
        return false
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        LineCursor.isLowercase(byte) || LineCursor.isDigit(byte) || "_-".utf8.contains(byte)
    }

    private static func event(_ cursor: inout LineCursor) throws(LineFault) -> KeyEvent {
        guard let list = cursor.numbers(), list.count == 5,
            let time = LineCursor.time(seconds: list[0], microseconds: list[1]),
            let type = UInt16(exactly: list[2]), let code = UInt16(exactly: list[3]),
            let value = Int32(exactly: list[4])
        else { throw LineFault(expected: eventForm) }
        return try KeyEvent(type: type, code: code, value: value, microseconds: time).checked()
    }
}

extension LineCursor {
    /// Skips the `- [` of an event and any text before it; returns false if the line has no event.
    fileprivate mutating func skipToEvent() -> Bool {
        while skip(through: "- [") {
            var number = self
            number.skipBlanks()
            _ = number.skip("-")
            if number.isAtEnd || number.isAtDigit { return true }
        }
        return false
    }

    /// Reads the rest of a list, such as `1, -2]`; returns nil if the line is malformed.
    fileprivate mutating func numbers() -> [Int64]? {
        var numbers: [Int64] = []
        repeat {
            skipBlanks()
            let sign: Int64 = skip("-") ? -1 : 1
            guard let magnitude = decimal() else { return nil }
            numbers.append(sign * magnitude)
            skipBlanks()
        } while skip(",")
        return skip("]") && endsOrComments() ? numbers : nil
    }

    /// Skips the `>` marks of quoted mail, each with the blank after it.
    fileprivate mutating func skipMailMarks() {
        while skip(">") { _ = skip(" ") }
    }
}

extension String {
    /// The text of a plain, single-quoted or double-quoted value; nil if it is empty.
    ///
    /// libinput puts a device's name in double quotation marks without escaping it. Therefore a backslash is an escape
    /// only before another backslash or a quotation mark, and only the last quotation mark ends the text.
    fileprivate var yamlText: String? {
        let text = inner("\"").map(Self.unescaped) ?? inner("'").map(String.init) ?? self
        return text.isEmpty ? nil : text
    }

    private func inner(_ mark: Character) -> Substring? {
        guard first == mark else { return nil }
        return dropFirst().lastIndex(of: mark).map { dropFirst()[..<$0] }
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.popFirst() {
            let isEscape = character == "\\" && (rest.first == "\\" || rest.first == "\"")
            result.append(isEscape ? rest.removeFirst() : character)
        }
        return result
    }
}
