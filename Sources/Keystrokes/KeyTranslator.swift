/// A translator of key presses and releases into characters.
///
/// It handles modifiers, Caps Lock, dead keys, ALT mode and Unicode entry. It does not deal with scans or timing:
/// ``ScanFramer`` assembles scans from the actions that a translator returns.
///
/// After ``loseTrack()``, because keys were lost or not read, it trusts only what it has seen since then:
///
/// - A key counts as held only if its press or auto-repeat follows the loss. Right after a loss, the caller feeds an
///   auto-repeat of each key that the kernel still reports as down.
/// - Until the scan ends, a key starts or ends scans only if it does so at every ``KeyLevel``, because the press of a
///   held Shift may have been lost.
/// - Caps Lock is assumed to be off. This may be wrong, so pressing Caps Lock makes the scan invalid. After a quiet
///   period, Caps Lock is certainly off, because scanners that use it switch it off after each scan.
/// - An unfinished character is dropped, and a held Alt does not start a number.
struct KeyTranslator: Sendable {
    enum Action: Hashable {
        /// Nothing was typed: the key was released, is a modifier, or is ignored.
        case nothing
        case capsLock
        /// The key belongs to a character that takes several keys, and more of them must follow.
        case part
        case typed(TypedKey)
        /// A key that types no character, and the modifiers held with it.
        case unmapped(PressedKey)
        /// A sequence of keys was cut off or typed no character; the value is one of its keys.
        case cutOff(PressedKey)
        /// Caps Lock was switched while its state was unknown, so the case of letters is unknown, too.
        case uncertain
    }

    private struct Press {
        var key: KeyCode
        var meaning: KeyMeaning
        var isEnd: Bool
    }

    private let table: KeyTable
    private let rules: ScanRules
    private var modifiers = ModifierState()
    private var entry: CharacterEntry?
    private var altWidths = AltNumberWidths()
    /// The keys that are down, in no particular order; they are few, so a linear search is fast.
    private var down: [KeyCode] = []
    /// Whether the level of pressed keys is uncertain, because keys were lost or not read.
    private var isInDoubt = false
    /// Whether the state of Caps Lock is unknown, because keys were lost.
    private(set) var capsIsInDoubt = false
    /// Whether keys that are missing from ``down`` may be held; true after the scanner was claimed, after keys were
    /// lost, and after a long pause during which a key was down.
    private var mayHoldOthers = false
    /// Whether any key was ever released; false for a recording that contains only presses.
    private var seesReleases = false
    /// Whether the scanner has ever switched Caps Lock.
    private(set) var usesCapsLock = false

    init(_ rules: ScanRules) {
        self.rules = rules
        table = rules.settings.typingTable
    }

    /// The state of the keys; a pause can complete the scan only in the state `.none`.
    var activity: ScanFramer.KeyActivity {
        if !down.isEmpty { return .keyDown }
        return unfinishedKey == nil ? .none : .characterUnfinished
    }

    var hasCapsLock: Bool { modifiers.locks.contains(.caps) }

    mutating func resume(from rest: ScanAssembler.Rest) {
        usesCapsLock = rest.usesCapsLock
        capsIsInDoubt = rest.isCapsLockInDoubt
    }

    mutating func press(_ key: KeyCode) -> Action {
        insertDown(key)
        let press = meaning(of: key, at: modifiers.level)
        if !press.isEnd {
            switch press.meaning {
            case .modifier(let modifier): return self.press(modifier)
            case .capsLock: return switchCapsLock()
            case .ignored: return .nothing
            case .unknown, .character, .terminator, .dead, .unicodeEntry: break
            }
        }
        switch entry {
        case nil: return begin(press)
        case .dead(let dead, _): return compose(dead, with: press)
        case .alt(let number): return add(press, to: number)
        case .unicode(let number): return add(press, to: number)
        }
    }

    mutating func release(_ key: KeyCode) -> Action {
        if let index = down.firstIndex(of: key) {
            down.swapAt(index, down.count - 1)
            down.removeLast()
        }
        return modifier(of: key).map { release($0) } ?? .nothing
    }

    /// Whether an event contradicts the earlier ones, which shows that an event was lost.
    ///
    /// A key that is down cannot be pressed again, and a key that is up cannot be released or repeated. Between scans,
    /// however, a key may repeat without a press, and a key that types no data may be released without a press. Such a
    /// key may have been held before the first event.
    mutating func isContradiction(_ key: KeyCode, _ value: Int32, isInScan: Bool) -> Bool {
        let isDown = down.contains(key)
        if value == 1 { return isDown && (seesReleases || down.count == 1) }
        if value == 0 { seesReleases = true }
        guard !isDown, key.rawValue <= KeyCode.highest else { return false }
        if isInScan { return value == 0 || !mayHoldOthers }
        return value == 0 && !mayHoldOthers && typesText(key)
    }

    private func typesText(_ key: KeyCode) -> Bool {
        let plain = meaning(of: key, at: [])
        switch plain.meaning {
        case .character, .dead: return !plain.isEnd
        default: return false
        }
    }

    /// Records that an event of `key` was lost, so the modifiers are uncertain.
    mutating func doubt(_ key: KeyCode) {
        (entry, isInDoubt) = (nil, true)
        if meaning(of: key, at: []).meaning == .capsLock { capsIsInDoubt = true }
    }

    /// Records an auto-repeat of a key; the key counts as down from now on, but types nothing.
    mutating func hold(_ key: KeyCode) {
        guard !down.contains(key) else { return }
        insertDown(key)
        if let modifier = modifier(of: key) { modifiers.press(modifier) }
    }

    /// Forgets all held keys and the state of Caps Lock, because keys were lost or not read.
    mutating func loseTrack() {
        modifiers = ModifierState()
        releaseAll()
        isInDoubt = true
        capsIsInDoubt = true
        mayHoldOthers = true
    }

    /// Prepares for the next scan: drops an unfinished character, and ends any doubt about which modifiers are held.
    mutating func endScan() {
        entry = nil
        altWidths = AltNumberWidths()
        isInDoubt = false
    }

    /// Treats all keys as released; if the state of Caps Lock is unknown, treats Caps Lock as off.
    mutating func settle() {
        mayHoldOthers = mayHoldOthers || !down.isEmpty
        releaseAll()
        if capsIsInDoubt { modifiers = ModifierState() }
        capsIsInDoubt = false
    }

    private mutating func releaseAll() {
        modifiers.releaseAll()
        down.removeAll()
        endScan()
    }

    private mutating func insertDown(_ key: KeyCode) {
        guard key.rawValue <= KeyCode.highest, !down.contains(key) else { return }
        down.append(key)
    }

    private func meaning(of key: KeyCode, at level: KeyLevel) -> Press {
        let meaning = table[key, level]
        let isEnd = meaning == .terminator || rules.end.include(key, meaning.character)
        return Press(key: key, meaning: meaning, isEnd: isEnd)
    }

    /// Returns the modifier that a key sets; nil if the key is not a modifier, or if it ends scans.
    private func modifier(of key: KeyCode) -> ModifierKey? {
        let plain = meaning(of: key, at: [])
        guard !plain.isEnd, case .modifier(let modifier) = plain.meaning else { return nil }
        return modifier
    }
}

/// The handling of keys that are not part of an unfinished character.
extension KeyTranslator {
    private mutating func begin(_ press: Press) -> Action {
        if press.isEnd { return .typed(typed(press)) }
        guard !modifiers.typesNoText else { return .unmapped(pressedWithAlt(press.key)) }
        switch press.meaning {
        case .character: return .typed(typed(press))
        case .dead(let dead): entry = .dead(dead, key: press.key)
        case .unicodeEntry: entry = .unicode(UnicodeNumber())
        default:
            let isStart = rules.start.include(press.key, nil)
            return isStart ? .typed(typed(press)) : .unmapped(pressed(press.key))
        }
        return .part
    }

    private func typed(
        _ press: Press, _ features: ScanFeatures = [], after cutOff: PressedKey? = nil
    ) -> TypedKey {
        let isStart = rules.start.include(press.key, press.meaning.character)
        let isCertain = !isInDoubt || isTheSameAtEveryLevel(press, isStart: isStart)
        return TypedKey(
            character: press.meaning.character, key: press.key, isStart: isStart && isCertain,
            isEnd: press.isEnd && isCertain, features: features, cutOff: cutOff)
    }

    /// Whether the key's role (start, end or neither) is independent of modifiers and locks.
    private func isTheSameAtEveryLevel(_ press: Press, isStart: Bool) -> Bool {
        if usesCapsLock { return false }
        if rules.settings.hasUnicodeEntry, UnicodeNumber.isEnded(by: press.key) { return false }
        return KeyLevel.all.allSatisfy {
            let other = meaning(of: press.key, at: $0)
            return other.isEnd == press.isEnd
                && rules.start.include(press.key, other.meaning.character) == isStart
        }
    }

    private func pressed(_ key: KeyCode) -> PressedKey {
        PressedKey(key: key, modifiers: modifiers)
    }

    private func pressedWithAlt(_ key: KeyCode) -> PressedKey {
        var pressed = pressed(key)
        let isNumber = pressed.unmapped.modifiers == [.alt] && AltNumber.digit(of: key) != nil
        pressed.altNumber = isNumber && !rules.settings.hasAltNumpad ? .unexpected : nil
        return pressed
    }
}

extension KeyTranslator {
    private mutating func press(_ modifier: ModifierKey) -> Action {
        guard modifier == .alt, rules.settings.hasAltNumpad else {
            modifiers.press(modifier)
            return .nothing
        }
        let cutOff = unfinishedKey
        modifiers.press(.alt)
        entry = .alt(AltNumber())
        return cutOff.map(Action.cutOff) ?? .nothing
    }

    private mutating func release(_ modifier: ModifierKey) -> Action {
        if modifier == .alt, case .alt(let number) = entry { return end(number) }
        modifiers.release(modifier)
        guard case .unicode(var number) = entry,
            modifiers.level.isDisjoint(with: [.shift, .control])
        else { return .nothing }
        if number.isHeld, number.digits > 0 { return end(number, .u) }
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

extension KeyTranslator {
    /// A key of a character typed only in part (dead key, Alt or Unicode number); nil if no character is unfinished.
    private var unfinishedKey: PressedKey? {
        switch entry {
        case nil: nil
        case .dead(_, let key): pressed(key)
        case .alt(let number): number.digits > 0 ? pressed(number.key) : nil
        case .unicode: pressed(.u)
        }
    }

    private mutating func dropEntry() -> PressedKey? {
        defer { entry = nil }
        return unfinishedKey
    }

    private mutating func compose(_ dead: DeadKey, with press: Press) -> Action {
        let cutOff = dropEntry()
        if press.isEnd { return .typed(typed(press, after: cutOff)) }
        guard !modifiers.typesNoText else { return .unmapped(pressed(press.key)) }
        let result = table.composed(dead, with: press.meaning)
        switch result {
        case .character(let character):
            let isEnd = rules.end.include(character)
            let composed = Press(key: press.key, meaning: result, isEnd: isEnd)
            return .typed(typed(composed, .deadKey))
        case .dead(let both):
            entry = .dead(both, key: press.key)
            return .part
        default: return .unmapped(pressed(press.key))
        }
    }

    private mutating func add(_ press: Press, to number: AltNumber) -> Action {
        guard let digit = AltNumber.digit(of: press.key) else {
            return .unmapped(dropEntry() ?? pressed(press.key))
        }
        var number = number
        number.append(digit, key: press.key)
        entry = .alt(number)
        return .part
    }

    private mutating func end(_ number: AltNumber) -> Action {
        var cutOff = dropEntry()
        modifiers.release(.alt)
        let isByte = rules.settings.encoding != .characters
        guard let character = number.character(isByte: isByte) else {
            cutOff?.altNumber = .noCharacter(number.text)
            return cutOff.map(Action.cutOff) ?? .nothing
        }
        var typed = typed(character, number.key, .altNumpad)
        if rules.settings.checksAltNumbers {
            typed.isSuspect = altWidths.showLoss(with: number) || rules.isUnexpected(character)
        }
        return .typed(typed)
    }

    private mutating func add(_ press: Press, to number: UnicodeNumber) -> Action {
        if UnicodeNumber.isEnded(by: press.key) {
            let action = end(number, press.key)
            if case .cutOff(let key) = action { return .unmapped(key) }
            return action
        }
        if press.isEnd { return .typed(typed(press, after: dropEntry())) }
        guard let digit = hexadecimalDigit(press.key), !modifiers.typesNoText else {
            return .unmapped(dropEntry() ?? pressed(press.key))
        }
        var number = number
        number.append(digit)
        entry = .unicode(number)
        return .part
    }

    private mutating func end(_ number: UnicodeNumber, _ last: KeyCode) -> Action {
        let cutOff = dropEntry()
        guard let character = number.character else {
            return cutOff.map(Action.cutOff) ?? .nothing
        }
        return .typed(typed(character, last, .unicodeEntry))
    }

    /// Returns the typed key for a character that was entered as a number, in ALT mode or Unicode entry.
    ///
    /// Even if keys were lost before the number, it is certain whether the character starts or ends a scan, because all
    /// keys of the number were seen.
    private func typed(
        _ character: Unicode.Scalar, _ last: KeyCode, _ features: ScanFeatures
    ) -> TypedKey {
        TypedKey(
            character: character, key: last, isStart: rules.start.include(character),
            isEnd: rules.end.include(character), features: features)
    }

    /// Returns the hexadecimal digit of a key in Unicode entry; nil if the key has none.
    private func hexadecimalDigit(_ key: KeyCode) -> UInt64? {
        let shifted = modifiers.level.subtracting(.control)
        return [shifted, shifted.subtracting(.shift)].lazy
            .compactMap { table[key, $0].character.flatMap(UnicodeNumber.digit) }.first
    }
}

extension KeyTranslator {
    func reading(of key: KeyCode) -> KeyReading {
        let press = meaning(of: key, at: modifiers.level)
        var reading = KeyReading(
            meaning: press.isEnd ? .terminator : press.meaning, modifiers: modifiers.heldKeys,
            locks: modifiers.locks)
        if case .character = reading.meaning, modifiers.typesNoText {
            reading.meaning = altDigit(key).map(KeyMeaning.character) ?? .unknown
        }
        return reading
    }

    /// Returns the digit that a key adds to an unfinished number in ALT mode; nil if it adds none.
    private func altDigit(_ key: KeyCode) -> Unicode.Scalar? {
        guard case .alt = entry else { return nil }
        return AltNumber.digit(of: key).flatMap { Unicode.Scalar(0x30 + $0) }
    }
}
