/// Keys to characters: modifiers, Caps Lock, dead keys, numbers in ALT mode, Unicode entry.
///
/// It knows nothing of scans and nothing of time. Each key gives an ``Action``, which says what the
/// key is worth to whoever puts scans together.
struct KeyTranslator: Sendable {
    /// What a change of a key gives.
    enum Action: Hashable {
        /// No data: a modifier, a key that is passed over, a key let go.
        case nothing
        /// No data: Caps Lock was switched.
        case capsLock
        /// A key of a character that takes several and is not complete.
        case part
        /// A character, or a key that begins or ends scans.
        case typed(TypedKey)
        /// A key that gives no character.
        case unmapped(PressedKey)
        /// No further key, but those of a character before it give none.
        case cutOff(PressedKey)
        /// Nobody knows what the keys that follow give: Caps Lock may be on or off.
        case uncertain
    }

    let table: KeyTable
    private let rules: ScanRules

    private(set) var modifiers = ModifierState()
    /// The character that takes several keys and is being typed.
    private(set) var entry: CharacterEntry?
    private var altWidths = AltNumberWidths()
    private var down = KeySet()
    /// Whether keys were lost, and no scan has ended since: what is held is not known.
    private var isInDoubt = false
    /// Whether keys were lost, and the scanner has not been quiet since: Caps Lock may be on or off.
    private(set) var capsIsInDoubt = false
    /// Whether the scanner was seen to use Caps Lock, which it switches off again behind a scan's end.
    private(set) var usesCapsLock = false

    init(_ rules: ScanRules, table: KeyTable) {
        self.rules = rules
        self.table = table
    }

    /// Whether a key is down, or a character is begun that takes several: then nothing is over.
    var isTyping: Bool { !down.isEmpty || unfinishedKey != nil }

    /// Whether a key is down.
    var hasKeyDown: Bool { !down.isEmpty }

    /// Whether Caps Lock is on.
    var hasCapsLock: Bool { modifiers.locks.contains(.caps) }

    /// Goes on between two scans, where another stopped.
    mutating func goOn(from rest: ScanAssembler.Rest) {
        usesCapsLock = rest.usesCapsLock
        capsIsInDoubt = rest.isCapsLockInDoubt
    }

    /// Takes the press of a key where it gives a character and nothing else: the usual case.
    ///
    /// - Returns: The character; nil where the key was not taken and ``press(_:)`` is to take it.
    @inline(__always)
    mutating func pressPlainly(_ code: UInt16) -> UInt32? {
        guard entry == nil, !modifiers.typesNoText else { return nil }
        let meaning = table.packed(code, modifiers.level)
        guard meaning.kind == KeyMeaning.Packed.characterKind else { return nil }
        down.insert(code)
        return meaning.payload
    }

    /// Takes the release of a key that changes no other's meaning: the usual case.
    ///
    /// - Returns: Whether it was taken; else ``release(_:)`` is to take it.
    @inline(__always)
    mutating func releasePlainly(_ code: UInt16) -> Bool {
        guard table.packed(code, []).kind != KeyMeaning.Packed.modifierKind else { return false }
        down.remove(code)
        return true
    }

    mutating func press(_ code: UInt16) -> Action {
        down.insert(code)
        let meaning = table.packed(code, modifiers.level)
        switch KeyMeaning(meaning) {
        case .modifier(let key): return press(key)
        case .capsLock: return switchCapsLock()
        case .ignored: return .nothing
        case .unknown, .character, .terminator, .dead, .unicodeEntry: break
        }
        switch entry {
        case nil: return begin(meaning, code)
        case .dead(let dead, _): return compose(dead, with: meaning, code)
        case .alt(let number): return goOn(number, code)
        case .unicode(let number): return goOn(number, meaning, code)
        }
    }

    mutating func release(_ code: UInt16) -> Action {
        down.remove(code)
        guard case .modifier(let key) = KeyMeaning(table.packed(code, [])) else { return .nothing }
        return release(key)
    }

    /// A key repeats: whoever missed its press knows now that it is down.
    mutating func holdDown(_ code: UInt16) {
        down.insert(code)
    }

    /// Keys were lost, or nobody read them: what is held, and what is locked, is not known.
    mutating func loseTrack() {
        modifiers = ModifierState()
        releaseAll()
        isInDoubt = true
        capsIsInDoubt = true
    }

    /// A scan is over: the next begins with a character of its own.
    ///
    /// A key that is held, is held in the next as well, unless keys were lost: then nobody may have
    /// seen it come up.
    mutating func endScan() {
        if isInDoubt { releaseAll() }
        entry = nil
        altWidths = AltNumberWidths()
    }

    private mutating func releaseAll() {
        modifiers.releaseAll()
        entry = nil
        altWidths = AltNumberWidths()
        down.removeAll()
        isInDoubt = false
    }

    /// The scanner has been quiet: nothing is held, and a Caps Lock in doubt is off.
    mutating func settle() {
        releaseAll()
        if capsIsInDoubt { modifiers = ModifierState() }
        capsIsInDoubt = false
    }
}

/// Keys that are characters by themselves.
extension KeyTranslator {
    private mutating func begin(_ meaning: KeyMeaning.Packed, _ code: UInt16) -> Action {
        if meaning.isEnd { return .typed(typed(meaning, code)) }
        guard !modifiers.typesNoText else { return .unmapped(pressed(code)) }
        switch meaning.kind {
        case KeyMeaning.Packed.characterKind: return .typed(typed(meaning, code))
        case KeyMeaning.Packed.deadKind: entry = .dead(meaning.payload, key: code)
        case KeyMeaning.Packed.unicodeEntryKind: entry = .unicode(UnicodeNumber())
        default: return meaning.isStart ? .typed(typed(meaning, code)) : .unmapped(pressed(code))
        }
        return .part
    }

    private func typed(
        _ meaning: KeyMeaning.Packed, _ code: UInt16, _ features: ScanFeatures = [],
        after cutOff: PressedKey? = nil
    ) -> TypedKey {
        let isCertain = isCertain(meaning, code)
        return TypedKey(
            character: meaning.character, code: code,
            isStart: meaning.isStart && isCertain, isEnd: meaning.isEnd && isCertain,
            features: features, cutOff: cutOff)
    }

    /// Whether a key that begins or ends scans would do so whatever is held and locked.
    ///
    /// In doubt it is believed only then: with a Shift that was lost it may be another character.
    private func isCertain(_ meaning: KeyMeaning.Packed, _ code: UInt16) -> Bool {
        guard isInDoubt else { return true }
        if usesCapsLock || rules.hasUnicodeEntry && UnicodeNumber.isEnded(by: code) { return false }
        return KeyLevel.all.allSatisfy {
            let other = table.packed(code, $0)
            return other.isEnd == meaning.isEnd && other.isStart == meaning.isStart
        }
    }

    private func pressed(_ code: UInt16) -> PressedKey {
        PressedKey(code: code, held: modifiers.held)
    }
}

/// Modifiers and locks.
extension KeyTranslator {
    private mutating func press(_ key: ModifierKey) -> Action {
        guard key == .alt, rules.hasAltNumpad else {
            modifiers.press(key)
            return .nothing
        }
        let cutOff = unfinishedKey
        modifiers.press(key)
        entry = .alt(AltNumber())
        return cutOff.map(Action.cutOff) ?? .nothing
    }

    private mutating func release(_ key: ModifierKey) -> Action {
        if key == .alt, case .alt(let number) = entry { return end(number) }
        modifiers.release(key)
        guard case .unicode(var number) = entry,
            modifiers.level.isDisjoint(with: [.shift, .control])
        else { return .nothing }
        if number.isHeld, number.digits > 0 { return end(number, KeyCode.u.rawValue) }
        number.isHeld = false
        entry = .unicode(number)
        return .nothing
    }

    private mutating func switchCapsLock() -> Action {
        usesCapsLock = true
        modifiers.toggle(.caps)
        guard capsIsInDoubt else { return .capsLock }
        isInDoubt = true
        return .uncertain
    }
}

/// Characters that take several keys.
extension KeyTranslator {
    /// A key of the character that is being typed; nil where none has come.
    private var unfinishedKey: PressedKey? {
        switch entry {
        case nil: nil
        case .dead(_, let key): pressed(key)
        case .alt(let number): number.digits > 0 ? pressed(number.key) : nil
        case .unicode: pressed(KeyCode.u.rawValue)
        }
    }

    private mutating func cutOff() -> PressedKey? {
        defer { entry = nil }
        return unfinishedKey
    }

    private mutating func compose(
        _ dead: UInt32, with meaning: KeyMeaning.Packed, _ code: UInt16
    ) -> Action {
        let cutOff = cutOff()
        if meaning.isEnd { return .typed(typed(meaning, code, after: cutOff)) }
        guard !modifiers.typesNoText else { return .unmapped(pressed(code)) }
        let result = table.composed(dead, with: meaning.unmarked)
        switch result.kind {
        case KeyMeaning.Packed.unknownKind: return .unmapped(pressed(code))
        case KeyMeaning.Packed.deadKind:
            entry = .dead(result.payload, key: code)
            return .part
        default: return .typed(typed(result, code, .deadKey))
        }
    }

    private mutating func goOn(_ number: AltNumber, _ code: UInt16) -> Action {
        guard let digit = AltNumber.digit(of: code) else {
            return .unmapped(cutOff() ?? pressed(code))
        }
        var number = number
        number.append(digit, key: code)
        entry = .alt(number)
        return .part
    }

    private mutating func end(_ number: AltNumber) -> Action {
        let cutOff = cutOff()
        modifiers.release(.alt)
        guard let character = number.character(isByte: rules.encoding != .characters) else {
            return cutOff.map(Action.cutOff) ?? .nothing
        }
        var typed = typed(character, number.key, .altNumpad)
        if rules.checksAltNumbers {
            typed.isSuspect = altWidths.showLoss(with: number) || rules.isUnexpected(character)
        }
        return .typed(typed)
    }

    private mutating func goOn(
        _ number: UnicodeNumber, _ meaning: KeyMeaning.Packed, _ code: UInt16
    ) -> Action {
        if UnicodeNumber.isEnded(by: code) {
            let action = end(number, code)
            if case .cutOff(let key) = action { return .unmapped(key) }
            return action
        }
        if meaning.isEnd { return .typed(typed(meaning, code, after: cutOff())) }
        guard let digit = hexadecimalDigit(code), !modifiers.typesNoText else {
            return .unmapped(cutOff() ?? pressed(code))
        }
        var number = number
        number.append(digit)
        entry = .unicode(number)
        return .part
    }

    private mutating func end(_ number: UnicodeNumber, _ last: UInt16) -> Action {
        let cutOff = cutOff()
        guard let character = number.character else {
            return cutOff.map(Action.cutOff) ?? .nothing
        }
        return .typed(typed(character, last, .unicodeEntry))
    }

    /// What a character means that no single key has typed; its keys were all seen.
    private func typed(
        _ character: Unicode.Scalar, _ last: UInt16, _ features: ScanFeatures
    ) -> TypedKey {
        TypedKey(
            character: character.value, code: last,
            isStart: rules.start.characters.contains(character),
            isEnd: rules.endCharacters.contains(character), features: features)
    }

    /// The digit a key types, with or without the Control and Shift that are still held.
    private func hexadecimalDigit(_ code: UInt16) -> UInt64? {
        let shifted = modifiers.level.subtracting(.control)
        for level in [shifted, shifted.subtracting(.shift)] {
            let meaning = table.packed(code, level)
            guard meaning.kind == KeyMeaning.Packed.characterKind else { continue }
            if let digit = UnicodeNumber.digit(of: meaning.payload) { return digit }
        }
        return nil
    }
}
