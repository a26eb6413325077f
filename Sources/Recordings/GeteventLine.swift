internal import Keystrokes
internal import WireText

/// The parts of a line that tells of an event, as `getevent` prints it.
struct GeteventLine {
    /// In microseconds; nil where none is told.
    let time: Int64?
    /// The device's name in `/dev/input`; nil where it is not told.
    let node: String?
    private let type: String
    private let code: String
    private let value: String
    /// Whether no other event, nor a part of one, stands behind it.
    private(set) var isAlone = true

    /// Finds the event on a line, behind whatever stands ahead of it.
    ///
    /// - Parameter line: Stands at the beginning of the line.
    /// - Returns: The parts; nil where none or not all of them are there.
    static func find(in line: LineCursor) -> GeteventLine? {
        var cursor = line
        cursor.skipQuoting()
        // A device's name may look like anything.
        if cursor.starts(with: "name:") { return nil }
        var isFirst = true
        while let byte = cursor.byte {
            if isFirst || "[/E".utf8.contains(byte) {
                var attempt = cursor
                if var found = GeteventLine(&attempt) {
                    found.isAlone = find(in: attempt) == nil && !isTorn(attempt.rest)
                    return found
                }
            }
            isFirst = false
            cursor.skipByte()
        }
        return nil
    }

    private init?(_ cursor: inout LineCursor) {
        if cursor.byte == UInt8(ascii: "[") {
            guard let time = Self.bracketedTime(&cursor) else { return nil }
            self.time = time
        } else {
            time = Self.dashedTime(&cursor)
        }
        if cursor.skip("/dev/input/") {
            node = Self.word(&cursor, where: Self.isNodePart)
            guard cursor.skip(":"), cursor.skipBlanks() else { return nil }
        } else {
            node = nil
        }
        type = Self.word(&cursor, where: Self.isNamePart)
        guard cursor.skipBlanks() else { return nil }
        code = Self.word(&cursor, where: Self.isNamePart)
        guard cursor.skipBlanks() else { return nil }
        value = Self.word(&cursor, where: Self.isNamePart)
        guard cursor.isAtEnd || cursor.skipBlanks(), isWhole else { return nil }
    }

    private var isWhole: Bool {
        let isValue = Self.isHexadecimal(value, digits: 8)
        if Self.isHexadecimal(type, digits: 4), Self.isHexadecimal(code, digits: 4) {
            return isValue
        }
        guard type.hasPrefix("EV_"), !code.isEmpty else { return false }
        return isValue || (type == "EV_KEY" && Self.keyValues[value] != nil)
    }

    /// The time in `[    1234.567890] `.
    private static func bracketedTime(_ cursor: inout LineCursor) -> Int64? {
        guard cursor.skip("[") else { return nil }
        cursor.skipBlanks()
        guard let time = cursor.time(), cursor.skip("]"), cursor.skipBlanks() else { return nil }
        return time
    }

    /// `1234-567890: `, as older releases print it; the cursor stays where it was if it is none.
    private static func dashedTime(_ cursor: inout LineCursor) -> Int64? {
        var attempt = cursor
        guard let seconds = attempt.decimal(), attempt.skip("-") else { return nil }
        let first = attempt.index
        guard let micros = attempt.decimal(), attempt.index - first == 6, attempt.skip(": "),
            let time = LineCursor.time(seconds: seconds, microseconds: micros)
        else { return nil }
        cursor = attempt
        return time
    }

    /// No word is longer; a line of nothing but beginnings is not read again from each of them.
    private static let longestWord = 32

    private static func word(
        _ cursor: inout LineCursor, where isPart: (UInt8) -> Bool
    ) -> String {
        let start = cursor.rest
        let first = cursor.index
        while let byte = cursor.byte, isPart(byte), cursor.index - first < longestWord {
            cursor.skipByte()
        }
        return String(decoding: start.prefix(cursor.index - first), as: UTF8.self)
    }

    private static func isNodePart(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: ":") && byte != UInt8(ascii: "/") && byte > 0x20
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isHexadecimal(_ word: String, digits: Int) -> Bool {
        word.utf8.count == digits && word.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
    }

    /// Whether a line holds a part of an event.
    ///
    /// - Parameter line: A line on which no whole one was found.
    /// - Returns: Whether it begins with a time, or has a type's name and another, or ends as an
    ///   event does.
    static func isTorn(_ line: UnsafeRawBufferPointer) -> Bool {
        var cursor = LineCursor(line)
        cursor.skipQuoting()
        if cursor.skip("[") {
            cursor.skipBlanks()
            if cursor.decimal() != nil, cursor.isAtEnd || cursor.byte == UInt8(ascii: ".") {
                return true
            }
        }
        let words = String(decoding: line, as: UTF8.self)
            .split { $0 == " " || $0 == "\t" || $0 == "\r" }
        guard let last = words.last, let before = words.dropLast().last else { return false }
        if keyValues[String(last)] != nil { return true }
        if isHexadecimal(String(last), digits: 8), isHexadecimal(String(before), digits: 4) {
            return true
        }
        return zip(words, words.dropFirst()).contains { type, code in
            type.hasPrefix("EV_") && code.utf8.contains(UInt8(ascii: "_"))
                && code.utf8.allSatisfy(isNamePart)
        }
    }
}

extension GeteventLine {
    /// The numbers that the names stand for.
    ///
    /// - Returns: Type, code and value; nil for a type that says nothing of keys, as `EV_ABS`.
    /// - Throws: A fault for a name of a key or of a synchronisation that is unknown.
    func numbers() throws(LineFault) -> (type: UInt16, code: UInt16, value: Int32)? {
        let number =
            Self.keyValues[value] ?? Int32(truncatingIfNeeded: Int64(value, radix: 16) ?? 0)
        switch type {
        case "EV_SYN": return (InputEventType.syn, try synchronisation(), number)
        case "EV_KEY": return (InputEventType.key, try key(), number)
        case _ where type.hasPrefix("EV_"):
            let scan: UInt16 = 4
            return type == "EV_MSC" && code == "MSC_SCAN" ? (InputEventType.msc, scan, number) : nil
        default: return (UInt16(type, radix: 16) ?? 0, UInt16(code, radix: 16) ?? 0, number)
        }
    }

    private static let keyValues: [String: Int32] = ["UP": 0, "DOWN": 1, "REPEAT": 2]

    private func synchronisation() throws(LineFault) -> UInt16 {
        let known = code.withCString { name in
            var cursor = LineCursor(UnsafeRawBufferPointer(start: name, count: code.utf8.count))
            return cursor.synName().flatMap { cursor.isAtEnd ? $0 : nil }
        }
        guard let known = known ?? number else {
            throw LineFault(
                expected: "SYN_REPORT or another EV_SYN", found: "\(quoted: code)")
        }
        return known
    }

    private func key() throws(LineFault) -> UInt16 {
        guard let key = KeyCode(name: code)?.rawValue ?? number else {
            throw LineFault(
                expected: "the kernel's name of a key as KEY_ENTER", found: "\(quoted: code)")
        }
        return key
    }

    /// A code without a name, as getevent prints it.
    private var number: UInt16? {
        Self.isHexadecimal(code, digits: 4) ? UInt16(code, radix: 16) : nil
    }
}
