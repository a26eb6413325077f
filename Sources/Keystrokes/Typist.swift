/// A typist that turns text into key events: the inverse of a ``KeyTable``.
///
/// A ``ScanAssembler`` with the same table and terminators reads the text back unchanged.
public struct Typist: Sendable {
    /// A key and the level at which it is pressed.
    public struct Keystroke: Hashable, Sendable {
        /// The key to press, besides any modifier keys that ``level`` requires.
        public var key: KeyCode
        /// The modifiers and locks in effect; a typist never uses Num Lock.
        public var level: KeyLevel

        /// Creates a keystroke; by default, no modifier key is held and no lock is on.
        public init(key: KeyCode, level: KeyLevel = []) {
            self.key = key
            self.level = level
        }
    }

    private let keystrokes: [Unicode.Scalar: [Keystroke]]
    let modifierKeys: [ModifierKey: KeyCode]
    let capsLock: Keystroke?
    let unicodeEntry: Keystroke?

    /// Creates a typist for a layout.
    ///
    /// - Parameters:
    ///   - table: The layout.
    ///   - terminators: The keys and characters that end a scan; they are never typed as data.
    ///   - usesCapsLock: Whether to switch Caps Lock on, and off again, for characters that need it;
    ///     false for a scanner that ignores Caps Lock.
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

    /// Finds the single keystroke that types `character`.
    ///
    /// - Parameter character: The character to type.
    /// - Returns: The keystroke, preferably with a key that most keyboards have; nil if the character takes several
    ///   keystrokes, ends a scan, or cannot be typed on the layout.
    public func keystroke(for character: Unicode.Scalar) -> Keystroke? {
        guard let all = keystrokes[character], all.count == 1 else { return nil }
        return all.first
    }

    /// Finds the keystrokes that type `character`.
    ///
    /// It prefers a single key to dead keys, and dead keys to Caps Lock.
    ///
    /// - Parameter character: The character to type.
    /// - Returns: One keystroke, or one or more dead keys and the key that completes the character; nil if the
    ///   character cannot be typed on the layout.
    public func keystrokes(for character: Unicode.Scalar) -> [Keystroke]? {
        keystrokes[character]
    }
}

extension Typist {
    /// Makes the key events of a scan.
    ///
    /// Each key is pressed and released while its modifiers are held. Each press or release is followed by
    /// `SYN_REPORT`, as from a USB scanner. Caps Lock must be off at the start, and is off at the end.
    ///
    /// - Parameters:
    ///   - text: The text to type.
    ///   - last: The keystroke to type after the text; nil for none.
    ///   - pace: The time from one press or release to the next.
    ///   - start: The time of the first event, in microseconds; times that overflow are clamped to `Int64.max`.
    /// - Returns: The events, earliest first.
    /// - Throws: ``TypingError/noKey(character:offset:)`` if the layout cannot type a character.
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

/// The key events typed so far; each press or release is `pace` microseconds after the previous one.
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
