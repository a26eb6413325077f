/// Turns text into key events: a ``KeyTable`` turned round.
///
/// What a typist types, an assembler with the same table and terminators reads back as it was.
public struct Typist: Sendable {
    /// A key and the level it is pressed at.
    public struct Keystroke: Hashable, Sendable {
        /// The key.
        public var key: KeyCode
        /// What must be held; of the levels only Shift, Control, AltGr and the fifth are typed.
        public var level: KeyLevel

        /// Makes a keystroke.
        ///
        /// - Parameters:
        ///   - key: The key.
        ///   - level: What must be held.
        public init(key: KeyCode, level: KeyLevel = []) {
            self.key = key
            self.level = level
        }
    }

    private let keystrokes: [Unicode.Scalar: Keystroke]
    private let modifierKeys: [ModifierKey: KeyCode]

    /// Makes a typist for a layout.
    ///
    /// - Parameters:
    ///   - table: The layout.
    ///   - terminators: What ends a scan; a terminator key is never used to type a character.
    public init(table: KeyTable = .us, terminators: ScanSettings.Terminators = .enter) {
        let keys = table.keys.filter { !terminators.keys.contains($0) }
        modifierKeys = Self.modifierKeys(of: table, among: keys)
        keystrokes = Self.keystrokes(of: table, among: keys)
            .filter { !terminators.characters.contains($0.key) }
    }

    /// The keystroke that types `character`, or nil where the layout has none.
    ///
    /// - Parameter character: The character.
    /// - Returns: The keystroke; of several the one a keyboard of that layout is engraved with.
    public func keystroke(for character: Unicode.Scalar) -> Keystroke? {
        keystrokes[character]
    }

    /// The levels in the order of preference: what needs fewer keys held comes first.
    private static let typedLevels: [KeyLevel] = [
        [], .shift, .altGr, [.shift, .altGr], .level5, [.shift, .level5], .control,
        [.shift, .control],
    ]

    private static func keystrokes(
        of table: KeyTable, among keys: [KeyCode]
    ) -> [Unicode.Scalar: Keystroke] {
        var found: [Unicode.Scalar: Keystroke] = [:]
        let all = typedLevels.flatMap { level in
            keys.map { Keystroke(key: $0, level: level) }
        }
        let usual = all.filter { !isUnusual($0, in: table) }
        let unusual = all.filter { isUnusual($0, in: table) }
        for keystroke in usual + unusual {
            guard case .character(let scalar) = table[keystroke.key, keystroke.level],
                found[scalar] == nil
            else { continue }
            found[scalar] = keystroke
        }
        return found
    }

    private static func modifierKeys(
        of table: KeyTable, among keys: [KeyCode]
    ) -> [ModifierKey: KeyCode] {
        var found: [ModifierKey: KeyCode] = [:]
        for key in keys {
            guard case .modifier(let modifier) = table[key, []], found[modifier] == nil
            else { continue }
            found[modifier] = key
        }
        return found
    }

    /// Whether a keystroke is used only where nothing else serves.
    ///
    /// Those are keys that many keyboards lack or that Num Lock changes, and Control with a digit
    /// or sign, which only X11 understands.
    private static func isUnusual(_ keystroke: Keystroke, in table: KeyTable) -> Bool {
        let key = keystroke.key
        if (KeyCode.kp7.rawValue...KeyCode.kpdot.rawValue).contains(key.rawValue)
            || unusualKeys.contains(key)
        {
            return true
        }
        guard keystroke.level.contains(.control) else { return false }
        let plain = table[key, keystroke.level.subtracting(.control)]
        guard case .character(let character) = plain else { return true }
        return character < "@"
    }

    private static let unusualKeys: Set<KeyCode> = [
        .iso102nd, .kpasterisk, .kpslash, .kpenter, .kpequal, .kpcomma, .linefeed,
    ]
}

/// Why a text cannot be typed.
public enum TypingError: Error, Hashable, Sendable {
    /// The layout has no key for `character`, the 0-based `offset` in the text.
    case noKey(character: Unicode.Scalar, offset: Int)
}

extension TypingError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .noKey(let character, let offset):
            let number = String(character.value, radix: 16, uppercase: true)
            let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
            let name = character.properties.name.map { " \($0)" } ?? ""
            return "the layout has no key for U+\(padded)\(name), character \(offset) of the text"
        }
    }
}

extension Typist {
    /// The key events of one scan.
    ///
    /// Each key is pressed and released `pace` apart, with its modifiers around it, each change in a
    /// group of its own (`SYN_REPORT`), as a USB scanner sends them.
    ///
    /// - Parameters:
    ///   - text: What to type.
    ///   - last: The keystroke at the end, or nil for none.
    ///   - pace: The time between two changes.
    ///   - start: The time of the first event, in microseconds.
    /// - Returns: The events in order.
    /// - Throws: ``TypingError/noKey(character:offset:)``; nothing is typed then.
    public func events(
        for text: String, endingWith last: Keystroke? = Keystroke(key: .enter),
        pace: Duration = .milliseconds(2),
        startingAt start: Int64 = 0
    ) throws(TypingError) -> [KeyEvent] {
        var tape = KeyEventTape(pace: pace.wholeMicroseconds, now: start)
        for (offset, character) in text.unicodeScalars.enumerated() {
            guard let keystroke = keystrokes[character] else {
                throw .noKey(character: character, offset: offset)
            }
            type(keystroke, on: &tape)
        }
        if let last { type(last, on: &tape) }
        return tape.events
    }

    private func type(_ keystroke: Keystroke, on tape: inout KeyEventTape) {
        let held = heldKeys(for: keystroke.level)
        for key in held { tape.change(key, 1) }
        tape.change(keystroke.key, 1)
        tape.change(keystroke.key, 0)
        for key in held.reversed() { tape.change(key, 0) }
    }

    private func heldKeys(for level: KeyLevel) -> [KeyCode] {
        let wanted: [(KeyLevel, ModifierKey)] = [
            (.shift, .leftShift), (.control, .leftControl), (.altGr, .altGr), (.level5, .level5),
        ]
        return wanted.compactMap { level.contains($0.0) ? modifierKeys[$0.1] : nil }
    }
}

/// Key events being laid out in time.
private struct KeyEventTape {
    let pace: Int64
    var now: Int64
    private(set) var events: [KeyEvent] = []

    init(pace: Int64, now: Int64) {
        self.pace = pace
        self.now = now
    }

    mutating func change(_ key: KeyCode, _ value: Int32) {
        events.append(.key(key, value, at: now))
        events.append(.report(at: now))
        now = now.addingClamped(pace)
    }
}
