/// Turns text into key events: a ``KeyTable`` turned round.
///
/// What a typist types, an assembler with the same table and terminators reads back as it was.
public struct Typist: Sendable {
    /// A key and the level it is pressed at.
    public struct Keystroke: Hashable, Sendable {
        /// The key.
        public var key: KeyCode
        /// What must be held; of the levels only Shift, Caps Lock, Control, AltGr and the fifth are
        /// typed.
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

    private let keystrokes: [Unicode.Scalar: [Keystroke]]
    let modifierKeys: [ModifierKey: KeyCode]
    /// What switches Caps Lock on and off, where it may be used and there is such a key.
    let capsLock: Keystroke?
    /// What begins a character that is typed as its number, where there is such a key.
    let unicodeEntry: Keystroke?

    /// Makes a typist for a layout.
    ///
    /// - Parameters:
    ///   - table: The layout.
    ///   - terminators: What ends a scan; a terminator key is never used to type a character.
    ///   - usesCapsLock: Whether Caps Lock is switched on and off again for the characters that
    ///     cannot be typed otherwise; not for a scanner whose Caps Lock means nothing.
    public init(
        table: KeyTable = .us, terminators: ScanSettings.Terminators = .enter,
        usesCapsLock: Bool = true
    ) {
        let finder = KeystrokeFinder(
            table: table, terminators: terminators, usesCapsLock: usesCapsLock)
        modifierKeys = finder.modifierKeys
        capsLock = finder.capsLock
        unicodeEntry = finder.unicodeEntry
        keystrokes = finder.keystrokes()
    }

    /// The one keystroke that types `character`, or nil where it takes none or several.
    ///
    /// - Parameter character: The character.
    /// - Returns: The keystroke; of several the one a keyboard of that layout is engraved with.
    public func keystroke(for character: Unicode.Scalar) -> Keystroke? {
        guard let all = keystrokes[character], all.count == 1 else { return nil }
        return all.first
    }

    /// The keystrokes that type `character`, or nil where the layout has none.
    ///
    /// A key of its own comes first, then dead keys with the key they change, then Caps Lock.
    ///
    /// - Parameter character: The character.
    /// - Returns: The keystrokes in order: one, or the dead keys and the key after them.
    public func keystrokes(for character: Unicode.Scalar) -> [Keystroke]? {
        keystrokes[character]
    }
}

extension Typist {
    /// The key events of one scan.
    ///
    /// Each key is pressed and released `pace` apart, with its modifiers around it, each change in a
    /// group of its own (`SYN_REPORT`), as a USB scanner sends them. Caps Lock counts as off at the
    /// start, and is off at the end.
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
        var tape = KeyEventSequence(pace: pace.wholeMicroseconds, now: start)
        for (offset, character) in text.unicodeScalars.enumerated() {
            guard let keystrokes = keystrokes(for: character) else {
                throw .noKey(character: character, offset: offset)
            }
            for keystroke in keystrokes { type(keystroke, on: &tape) }
        }
        if let last { type(last, on: &tape) }
        switchCapsLock(on: false, on: &tape)
        return tape.events
    }

    func type(_ keystroke: Keystroke, on tape: inout KeyEventSequence) {
        switchCapsLock(on: keystroke.level.contains(.caps), on: &tape)
        press(keystroke, on: &tape)
    }

    func switchCapsLock(on wanted: Bool, on tape: inout KeyEventSequence) {
        guard wanted != tape.capsLockIsOn, let capsLock else { return }
        press(capsLock, on: &tape)
        tape.capsLockIsOn = wanted
    }

    private func press(_ keystroke: Keystroke, on tape: inout KeyEventSequence) {
        let held = heldKeys(for: keystroke.level)
        for key in held { tape.change(key, 1) }
        tape.change(keystroke.key, 1)
        tape.change(keystroke.key, 0)
        for key in held.reversed() { tape.change(key, 0) }
    }

    private func heldKeys(for level: KeyLevel) -> [KeyCode] {
        KeystrokeFinder.modifiers(of: level).compactMap { modifierKeys[$0] }
    }
}

/// Key events being laid out in time.
struct KeyEventSequence {
    let pace: Int64
    var now: Int64
    var capsLockIsOn = false
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
