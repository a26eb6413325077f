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
