internal import Keystrokes
internal import WireText

/// Reads the `.keys` format, which is described in `docs/recordings.md`.
///
/// Time starts at 0 and depends on nothing but the text: each change of a key is a report of its
/// own, and the next comes one `pace` later.
struct KeysParser: LineParser {
    /// The time between two reports unless the recording says otherwise, in microseconds.
    static let defaultPace: Int64 = 2000

    private var typist: Typist?
    private var clock: Int64 = 0
    private var pace = Self.defaultPace
    /// What is left to type, last character first.
    private var untyped: [Unicode.Scalar] = []

    /// An event is what a command makes of it; see ``heading(_:isFirst:)``.
    static func holdsEvent(_ line: LineCursor) -> Bool { false }

    /// A command says what it is by what follows its name: `key words` begins prose.
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
    /// Each command, with the beginnings of what may follow it.
    private static let commands: [(name: StaticString, arguments: [StaticString])] = [
        ("type", ["\""]), ("key", keys), ("down", keys), ("up", keys), ("repeat", keys),
        ("wait", digits), ("pace", digits), ("dropped", []),
        (
            "device",
            ["name=", "phys=", "uniq=", "bus=", "vendor=", "product=", "version="]
        ),
    ]

    /// - Parameter typist: Finds the keys for a text; nil for the US layout, made when needed.
    init(typist: Typist?) {
        self.typist = typist
    }

    mutating func read(_ line: Line, into items: inout ItemQueue) throws(LineFault) {
        guard let text = String(validating: line.bytes, as: UTF8.self) else {
            throw LineFault(expected: "UTF-8")
        }
        var scanner = KeysScanner(text)
        guard let command = scanner.word() else { return }
        switch command {
        case "type": try type(&scanner)
        case "key": try key(&scanner, into: &items)
        case "down": try change(&scanner, to: 1, into: &items)
        case "up": try change(&scanner, to: 0, into: &items)
        case "repeat": try change(&scanner, to: 2, into: &items)
        case "wait": try wait(&scanner)
        case "pace": pace = try duration(&scanner)
        case "dropped": try drop(&scanner, into: &items)
        case "device": items.append(.device(try KeysDevice.read(&scanner)))
        default:
            throw LineFault(
                expected: "one of type, key, down, up, repeat, wait, pace, dropped, device",
                found: "\(quoted: command)")
        }
    }

    mutating func resume(into items: inout ItemQueue) {
        guard let scalar = untyped.popLast() else { return }
        if Self.isNewline(scalar) {
            press([.enter], into: &items)
        } else if let events = try? typist?.events(
            for: String(scalar), endingWith: nil, pace: .microseconds(pace), startingAt: clock)
        {
            for event in events { items.append(event) }
            clock += pace * Int64(events.count / 2)
        }
    }

    private mutating func type(_ scanner: inout KeysScanner) throws(LineFault) {
        let text = try scanner.quoted()
        try Self.end(&scanner)
        let typist = typist ?? Typist()
        self.typist = typist
        for scalar in text.unicodeScalars
        where !Self.isNewline(scalar) && typist.keystroke(for: scalar) == nil {
            throw LineFault(
                expected: "characters that the keyboard layout has a key for",
                found: "\(quoted: String(scalar))")
        }
        untyped = text.unicodeScalars.reversed()
    }

    private static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r"
    }

    private mutating func key(
        _ scanner: inout KeysScanner, into items: inout ItemQueue
    ) throws(LineFault) {
        var chords: [[KeyCode]] = []
        repeat { chords.append(try Self.chord(scanner.word())) } while !scanner.isAtEnd
        for chord in chords { press(chord, into: &items) }
    }

    private mutating func change(
        _ scanner: inout KeysScanner, to value: Int32, into items: inout ItemQueue
    ) throws(LineFault) {
        var keys: [KeyCode] = []
        repeat { keys.append(try Self.key(scanner.word())) } while !scanner.isAtEnd
        for key in keys { report(key, value, into: &items) }
    }

    private mutating func wait(_ scanner: inout KeysScanner) throws(LineFault) {
        let duration = try duration(&scanner)
        let end = LineCursor.lastSecond * 1_000_000
        guard clock <= end - duration else {
            throw LineFault(expected: "times up to \(LineCursor.lastSecond) seconds")
        }
        clock += duration
    }

    private func duration(_ scanner: inout KeysScanner) throws(LineFault) -> Int64 {
        let duration = try KeysDuration.microseconds(scanner.word())
        try Self.end(&scanner)
        return duration
    }

    private mutating func drop(
        _ scanner: inout KeysScanner, into items: inout ItemQueue
    ) throws(LineFault) {
        try Self.end(&scanner)
        items.append(.dropped(at: clock))
        items.append(.report(at: clock))
        clock += pace
    }

    /// Presses `keys` in order and releases them in the opposite one.
    private mutating func press(_ keys: [KeyCode], into items: inout ItemQueue) {
        for key in keys { report(key, 1, into: &items) }
        for key in keys.reversed() { report(key, 0, into: &items) }
    }

    private mutating func report(_ key: KeyCode, _ value: Int32, into items: inout ItemQueue) {
        items.append(.key(key, value, at: clock))
        items.append(.report(at: clock))
        clock += pace
    }

    private static func end(_ scanner: inout KeysScanner) throws(LineFault) {
        guard scanner.isAtEnd else {
            throw LineFault(
                expected: "the end of the line", found: "\(quoted: scanner.remainder)")
        }
    }

    private static func chord(_ word: String?) throws(LineFault) -> [KeyCode] {
        guard let word else { return [try key(nil)] }
        var keys: [KeyCode] = []
        for name in word.split(separator: "+", omittingEmptySubsequences: false) {
            keys.append(try key(String(name)))
        }
        return keys
    }

    private static func key(_ name: String?) throws(LineFault) -> KeyCode {
        let found: Phrase = name.map { "\(quoted: $0)" } ?? "the end of the line"
        guard let key = name.flatMap({ KeyCode(name: $0) }) else {
            throw LineFault(expected: "the kernel's name of a key as KEY_ENTER", found: found)
        }
        return key
    }
}
