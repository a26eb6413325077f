internal import Keystrokes
internal import WireText

/// A parser for `.keys` files, whose format `docs/recordings.md` describes.
struct KeysParser: LineParser {
    /// The default time between two key changes or bytes, in microseconds.
    static let defaultPace: Int64 = 2000

    /// A key and its change: 1 is a press, 0 a release, 2 a repeat.
    private typealias Change = (key: KeyCode, value: Int32)

    /// The time of the next event, in microseconds.
    private var clock: Int64 = 0
    private var pace = Self.defaultPace
    private var device: DeviceIdentity?
    /// Whether the last data came from a serial port rather than from keys.
    private var isPort = false

    /// Returns false, because a `.keys` file has commands, not event lines; see ``heading(_:isFirst:)``.
    static func holdsEvent(_ line: LineCursor) -> Bool { false }

    /// Returns how certain it is that the first line is a `.keys` command.
    static func heading(_ line: LineCursor, isFirst: Bool) -> Certainty {
        guard isFirst else { return .none }
        for (command, arguments) in commands {
            var cursor = line
            guard cursor.skip(command), cursor.skipBlanks() || cursor.isAtEnd else { continue }
            let isWhole =
                arguments.isEmpty
                ? cursor.isAtEnd || cursor.byte == UInt8(ascii: "#")
                : arguments.contains { cursor.starts(with: $0) }
            return isWhole ? .certain : .likely
        }
        return .none
    }

    private static let keys: [StaticString] = ["KEY_", "BTN_"]
    private static let digits: [StaticString] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
    /// Each command, with the strings that can begin its argument; none for a command without an argument.
    private static let commands: [(name: StaticString, arguments: [StaticString])] = [
        ("type", ["\""]), ("send", ["\""]), ("key", keys), ("down", keys), ("up", keys),
        ("repeat", keys),
        ("wait", digits), ("pace", digits), ("dropped", []),
        ("device", ["name=", "phys=", "uniq=", "bus=", "vendor=", "product=", "version="]),
    ]

    mutating func read(_ line: Line, into items: inout Items) throws(LineFault) {
        guard let text = String(validating: line.bytes, as: UTF8.self) else {
            throw LineFault(expected: "UTF-8")
        }
        var scanner = KeysScanner(text)
        guard let command = scanner.word() else { return }
        switch command {
        case "send": try append(bytes: &scanner, to: &items)
        case "type": try append(Self.typed(&scanner), to: &items)
        case "key": try append(Self.chords(&scanner), to: &items)
        case "down": try append(Self.changes(&scanner, to: 1), to: &items)
        case "up": try append(Self.changes(&scanner, to: 0), to: &items)
        case "repeat": try append(Self.changes(&scanner, to: 2), to: &items)
        case "wait": clock = try time(after: try scanner.microseconds())
        case "pace": pace = try scanner.microseconds()
        case "dropped":
            try scanner.end()
            let next = try time(after: pace)
            items.append(.event(.dropped(at: clock)))
            items.append(.event(.report(at: clock)))
            clock = next
        case "device":
            let named = try scanner.device()
            (device, isPort) = (named, false)
            items.append(.device(named))
        default:
            throw LineFault(
                expected: "one of type, send, key, down, up, repeat, wait, pace, dropped, device",
                found: "\(quoted: command)")
        }
    }

    /// Appends each change, followed by a `SYN_REPORT`; throws if the clock would pass `LineCursor.lastSecond`.
    private mutating func append(
        _ changes: [Change], to items: inout Items
    ) throws(LineFault) {
        _ = try time(after: pace, times: Int64(changes.count))
        if isPort {
            items.append(.device(device ?? DeviceIdentity()))
            isPort = false
        }
        for (key, value) in changes {
            items.append(.event(.key(key, value, at: clock)))
            items.append(.event(.report(at: clock)))
            clock += pace
        }
    }

    /// Reads a string of characters up to U+00FF, and appends it as bytes from a serial scanner.
    private mutating func append(
        bytes scanner: inout KeysScanner, to items: inout Items
    ) throws(LineFault) {
        let text = try scanner.quoted()
        try scanner.end()
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else {
                throw LineFault(
                    expected: "characters up to \\xff, which stand for bytes",
                    found: "\(quoted: String(scalar))")
            }
            bytes.append(byte)
        }
        _ = try time(after: pace, times: Int64(bytes.count))
        if !isPort { items.append(.port(device)) }
        isPort = true
        for byte in bytes {
            items.append(.byte(byte, at: clock))
            clock += pace
        }
    }

    /// Returns ``clock`` plus `times` × `duration`; throws if the sum is too large.
    private func time(after duration: Int64, times: Int64 = 1) throws(LineFault) -> Int64 {
        let (all, overflows) = duration.multipliedReportingOverflow(by: times)
        guard !overflows, all <= LineCursor.lastSecond * 1_000_000 - clock else {
            throw LineFault(expected: "times up to \(LineCursor.lastSecond) seconds")
        }
        return clock + all
    }

    private static let typist = Typist()

    /// Reads a string and returns the changes that type it on the US layout; a newline types Enter.
    private static func typed(_ scanner: inout KeysScanner) throws(LineFault) -> [Change] {
        let text = try scanner.quoted()
        try scanner.end()
        var changes: [Change] = []
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\r" {
                changes += pressed([.enter])
                continue
            }
            guard let events = try? typist.events(for: String(scalar), endingWith: nil) else {
                throw LineFault(
                    expected: "characters that the keyboard layout has a key for",
                    found: "\(quoted: String(scalar))")
            }
            for event in events where event.type == InputEventType.key {
                changes.append((KeyCode(rawValue: event.code), event.value))
            }
        }
        return changes
    }

    private static func chords(_ scanner: inout KeysScanner) throws(LineFault) -> [Change] {
        var changes: [Change] = []
        repeat {
            guard let chord = scanner.word() else { throw keyFault(nil) }
            var keys: [KeyCode] = []
            for name in chord.split(separator: "+", omittingEmptySubsequences: false) {
                keys.append(try key(String(name)))
            }
            changes += pressed(keys)
        } while !scanner.isAtEnd
        return changes
    }

    private static func changes(
        _ scanner: inout KeysScanner, to value: Int32
    ) throws(LineFault) -> [Change] {
        var changes: [Change] = []
        repeat { changes.append((try key(scanner.word()), value)) } while !scanner.isAtEnd
        return changes
    }

    /// Returns the changes that press the keys in this order and then release them in reverse order.
    private static func pressed(_ keys: [KeyCode]) -> [Change] {
        keys.map { ($0, 1) } + keys.reversed().map { ($0, 0) }
    }

    private static func key(_ name: String?) throws(LineFault) -> KeyCode {
        guard let key = name.flatMap({ KeyCode(name: $0) }) else { throw keyFault(name) }
        return key
    }

    private static func keyFault(_ name: String?) -> LineFault {
        LineFault(
            expected: "the kernel's name of a key as KEY_ENTER", found: KeysScanner.found(name))
    }
}
