internal import Keystrokes
internal import WireText

/// A parser for the output of Android's `getevent`, with or without `-l` and `-t`, even if mixed with other text.
///
/// Format: Android's documentation of getevent, and its output. With `-l`, types, codes and key values are names;
/// without it, they are hexadecimal numbers. Every line names its device, unless getevent watched only one. Events of
/// several devices are interleaved. A list before the events describes each device. If a device has no location, the
/// path of its node becomes its `phys`, which distinguishes it from other devices of the same kind.
struct GeteventParser: LineParser {
    static let eventForm = "\"[TIME] DEVICE: TYPE CODE VALUE\" as getevent prints it"

    /// The devices described so far, by the names of their nodes in `/dev/input`.
    private var devices: [String: DeviceIdentity] = [:]
    /// The node whose description is being read; nil outside a description.
    private var described: String?
    private var current: String?
    private var times = EventTimes()

    mutating func read(_ line: Line, into items: inout Items) throws(LineFault) {
        guard let fields = GeteventLine.find(in: LineCursor(line.bytes)) else {
            guard !GeteventLine.isTorn(line.bytes), !FormatRecogniser.holdsEvent(line) else {
                throw LineFault(expected: Self.eventForm)
            }
            return describe(line)
        }
        guard fields.isAlone else { throw LineFault(expected: "one event on the line") }
        guard let (type, code, value) = try fields.numbers() else { return }
        guard let time = times.time(fields.time, ofType: type, code: code) else {
            throw LineFault(expected: Self.eventForm)
        }
        let event = try KeyEvent(type: type, code: code, value: value, microseconds: time)
            .checked()
        described = nil
        if let node = fields.node, node != current {
            current = node
            items.append(.device(devices[node] ?? Self.unknown(node)))
        }
        items.append(.event(event))
    }

    static func holdsEvent(_ line: LineCursor) -> Bool {
        GeteventLine.find(in: line) != nil
    }

    static func heading(_ line: LineCursor, isFirst: Bool) -> Certainty {
        var cursor = line
        return skipToNode(&cursor) ? .certain : .none
    }

    /// Skips text such as `add device 1: /dev/input/`; returns whether the text was found.
    private static func skipToNode(_ cursor: inout LineCursor) -> Bool {
        cursor.skip("add device ") && cursor.decimal() != nil && cursor.skip(": /dev/input/")
    }

    private static func unknown(_ node: String) -> DeviceIdentity {
        DeviceIdentity(phys: "/dev/input/" + node)
    }

    private mutating func describe(_ line: Line) {
        var cursor = LineCursor(line.bytes)
        cursor.skipQuoting()
        if Self.skipToNode(&cursor) {
            let node = String(decoding: cursor.rest, as: UTF8.self)
            devices[node] = Self.unknown(node)
            described = node
        } else if let described {
            devices[described]?.describe(&cursor)
        }
    }
}

extension DeviceIdentity {
    fileprivate mutating func describe(_ line: inout LineCursor) {
        if line.skip("name:") { name = line.nameInMarks() }
        if line.skip("location:") { phys = line.nameInMarks() ?? phys }
        if line.skip("id:") { uniq = line.nameInMarks() }
        let numbers: [(StaticString, WritableKeyPath<DeviceIdentity, UInt16>)] = [
            ("bus:", \.bus), ("vendor ", \.vendor), ("product ", \.product),
            ("version ", \.version),
        ]
        for (label, field) in numbers where line.skip(label) {
            line.skipBlanks()
            if let number = line.smallHexadecimal() { self[keyPath: field] = number }
        }
    }
}

/// An event line of `getevent`, split into its parts.
struct GeteventLine {
    /// The time in microseconds; nil if the line has none.
    let time: Int64?
    /// The device's name in `/dev/input`; nil if the line does not name it.
    let node: String?
    private let type: String
    private let code: String
    private let value: String
    /// Whether the line contains only this event, and no part of another one.
    private(set) var isAlone = true

    /// Finds the first event on a line; nil if the line has no complete event.
    static func find(in line: LineCursor) -> GeteventLine? {
        var cursor = line
        cursor.skipQuoting()
        // A device's name may look like an event.
        guard !cursor.starts(with: "name:"), var found = next(in: &cursor) else { return nil }
        let rest = cursor.rest
        found.isAlone = next(in: &cursor) == nil && !isTorn(rest)
        return found
    }

    private static func next(in cursor: inout LineCursor) -> GeteventLine? {
        var isFirst = true
        while let byte = cursor.byte {
            if isFirst || "[/E".utf8.contains(byte) {
                var attempt = cursor
                if let found = GeteventLine(&attempt) {
                    cursor = attempt
                    return found
                }
            }
            isFirst = false
            cursor.skipByte()
        }
        return nil
    }

    private init?(_ cursor: inout LineCursor) {
        if cursor.skip("[") {
            // As in `[    1234.567890] `.
            cursor.skipBlanks()
            guard let time = cursor.time(), cursor.skip("]"), cursor.skipBlanks() else {
                return nil
            }
            self.time = time
        } else {
            time = Self.dashedTime(&cursor)
        }
        if cursor.skip("/dev/input/") {
            node = Self.word(&cursor) {
                $0 > 0x20 && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/")
            }
            guard cursor.skip(":"), cursor.skipBlanks() else { return nil }
        } else {
            node = nil
        }
        var words: [String] = []
        for _ in 0..<3 {
            words.append(Self.word(&cursor, of: Self.isNamePart))
            guard cursor.isAtEnd || cursor.skipBlanks() else { return nil }
        }
        (type, code, value) = (words[0], words[1], words[2])
        if !isWhole { return nil }
    }

    private var isWhole: Bool {
        let isValue = value.isHexadecimal(digits: 8)
        if type.isHexadecimal(digits: 4), code.isHexadecimal(digits: 4) { return isValue }
        guard type.hasPrefix("EV_"), !code.isEmpty else { return false }
        return isValue || (type == "EV_KEY" && Self.keyValues[value] != nil)
    }

    /// Reads a time such as `1234-567890: ` from an older getevent, or leaves the cursor in place.
    private static func dashedTime(_ cursor: inout LineCursor) -> Int64? {
        var attempt = cursor
        guard let time = attempt.time(separator: "-"), attempt.skip(": ") else { return nil }
        cursor = attempt
        return time
    }

    /// Reads a word, but at most its first 32 bytes.
    private static func word(_ cursor: inout LineCursor, of isPart: (UInt8) -> Bool) -> String {
        let word = cursor.rest.prefix(32).prefix(while: isPart)
        for _ in word { cursor.skipByte() }
        return String(decoding: word, as: UTF8.self)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether a line that contains no complete event contains part of one: it starts with a time or part of a time,
    /// contains the names of a type and a code, or ends like an event.
    static func isTorn(_ line: UnsafeRawBufferPointer) -> Bool {
        var cursor = LineCursor(line)
        cursor.skipQuoting()
        if cursor.skip("[") {
            cursor.skipBlanks()
            let isNumber = cursor.skip(while: LineCursor.isDigit)
            if isNumber, cursor.isAtEnd || cursor.byte == UInt8(ascii: ".") { return true }
        }
        let words = String(decoding: line, as: UTF8.self)
            .split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
        guard let last = words.last, let before = words.dropLast().last else { return false }
        if keyValues[last] != nil { return true }
        if last.isHexadecimal(digits: 8), before.isHexadecimal(digits: 4) { return true }
        return zip(words, words.dropFirst()).contains { type, code in
            type.hasPrefix("EV_") && code.utf8.contains(UInt8(ascii: "_"))
                && code.utf8.allSatisfy(isNamePart)
        }
    }
}

extension GeteventLine {
    /// Returns the type, code and value as numbers; nil if the event must be skipped, such as one of type `EV_LED`.
    func numbers() throws(LineFault) -> (type: UInt16, code: UInt16, value: Int32)? {
        let number = Self.keyValues[value] ?? Int32(bitPattern: UInt32(value, radix: 16) ?? 0)
        // For a code without a name, getevent prints a number.
        let unnamed = code.isHexadecimal(digits: 4) ? UInt16(code, radix: 16) : nil
        switch type {
        case "EV_SYN":
            let named = LineCursor.synNames.first { "\($0.name)" == code }?.code
            guard let code = named ?? unnamed else {
                throw LineFault(expected: "SYN_REPORT or another EV_SYN", found: "\(quoted: code)")
            }
            return (InputEventType.syn, code, number)
        case "EV_KEY":
            guard let code = KeyCode(name: code)?.rawValue ?? unnamed else {
                throw LineFault(
                    expected: "the kernel's name of a key as KEY_ENTER", found: "\(quoted: code)")
            }
            return (InputEventType.key, code, number)
        case "EV_MSC" where code == "MSC_SCAN": return (InputEventType.msc, 4, number)
        case _ where type.hasPrefix("EV_"): return nil
        default: return (UInt16(type, radix: 16) ?? 0, unnamed ?? 0, number)
        }
    }

    private static let keyValues: [String: Int32] = ["UP": 0, "DOWN": 1, "REPEAT": 2]
}

extension String {
    fileprivate func isHexadecimal(digits: Int) -> Bool {
        utf8.count == digits && unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
    }
}
