/// What the press of a key means to a ``ScanAssembler`` at a moment, for those who look on.
public struct KeyReading: Hashable, Sendable {
    /// What it means; ``KeyMeaning/unknown`` also for a character while Alt or Meta is held.
    public var meaning: KeyMeaning
    /// The modifiers that are held with it.
    public var modifiers: [ModifierKey]
    /// The locks that are on: of the levels, only Caps Lock and Num Lock.
    public var locks: KeyLevel

    /// Makes a reading.
    ///
    /// - Parameters:
    ///   - meaning: What the key means.
    ///   - modifiers: The modifiers that are held with it.
    ///   - locks: The locks that are on.
    public init(meaning: KeyMeaning, modifiers: [ModifierKey] = [], locks: KeyLevel = []) {
        self.meaning = meaning
        self.modifiers = modifiers
        self.locks = locks
    }
}

extension ScanAssembler {
    /// What the press of a key would mean now, without pressing it.
    ///
    /// Time releases modifiers: tell it with ``advance(to:)`` before asking.
    ///
    /// - Parameter key: The key.
    /// - Returns: Its meaning; nil between lost keys and the report that ends the loss, when keys
    ///   mean nothing.
    public func reading(of key: KeyCode) -> KeyReading? {
        guard !skipsUntilReport else { return nil }
        return keys.reading(of: key)
    }
}

extension KeyTranslator {
    fileprivate func reading(of key: KeyCode) -> KeyReading {
        var meaning = table[key, modifiers.level]
        if case .character = meaning, modifiers.typesNoText { meaning = altDigit(key) }
        return KeyReading(
            meaning: meaning, modifiers: modifiers.heldKeys, locks: modifiers.locks)
    }

    /// A digit of a number that is typed while Alt is held, or nothing known.
    private func altDigit(_ key: KeyCode) -> KeyMeaning {
        guard case .alt = entry, let digit = AltNumber.digit(of: key.rawValue),
            let character = Unicode.Scalar(0x30 + digit)
        else { return .unknown }
        return .character(character)
    }
}
