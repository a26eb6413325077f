/// Characters that take several keys: dead keys, ALT mode, Unicode entry.
extension ScanAssembler {
    mutating func press(_ key: ModifierKey, _ event: KeyEvent) {
        scan.keepAlive(at: event.microseconds)
        if key == .alt, rules.hasAltNumpad {
            breakOffEntry(at: event.microseconds)
            beginAlt()
        }
        modifiers.press(key)
        modifierKey = event.code
        updateReadiness()
    }

    mutating func release(_ key: ModifierKey, _ event: KeyEvent) -> Outcome {
        guard scan.isInProgress, isIdle(at: event.microseconds) else {
            return releaseInTime(key, event)
        }
        let outcome = endByIdleTime()
        // After the pause it can complete nothing but the rest of a character.
        _ = releaseInTime(key, event)
        return outcome
    }

    private mutating func releaseInTime(_ key: ModifierKey, _ event: KeyEvent) -> Outcome {
        if key == .alt, case .alt(let number) = entry { return endAlt(number, event) }
        modifiers.release(key)
        // What the modifier was held for comes soon or not at all.
        if entry == .none { openRest(at: event.microseconds) }
        updateReadiness()
        guard case .unicode(var number) = entry else { return .nothing }
        guard modifiers.level.isDisjoint(with: [.shift, .control]) else { return .nothing }
        if number.isHeld, number.digits > 0 { return endUnicode(number, event) }
        number.isHeld = false
        entry = .unicode(number)
        return .nothing
    }

    /// The end of a scan, or Alt, comes into the middle of a character.
    mutating func breakOffEntry(at microseconds: Int64? = nil) {
        defer { entry = .none }
        guard let key = unfinishedKey else { return }
        let microseconds = microseconds ?? scan.lastKeyMicroseconds
        openRest(at: microseconds)
        countFirstKey(at: microseconds)
        scan.breakOff(atKey: key)
    }

    /// A key of the character that is being typed.
    var unfinishedKey: UnmappedKey? {
        let key: UInt16
        switch entry {
        case .none: return nil
        case .dead(_, let dead): key = dead
        case .alt(let number):
            guard number.digits > 0 else { return nil }
            key = number.key
        case .unicode: key = KeyCode.u.rawValue
        }
        return UnmappedKey(key: KeyCode(rawValue: key), modifiers: modifiers.heldKeys)
    }
}

/// Dead keys.
extension ScanAssembler {
    mutating func compose(
        _ dead: UInt32, with meaning: KeyMeaning.Packed, _ event: KeyEvent
    ) -> Outcome {
        entry = .none
        let isText = !modifiers.typesNoText
        let result = isText ? table.composed(dead, with: meaning) : KeyMeaning.unknown.packed
        switch result.kind {
        case KeyMeaning.Packed.deadKind:
            scan.countKey(at: event.microseconds)
            entry = .dead(result.payload, key: event.code)
            updateReadiness()
            return .nothing
        case KeyMeaning.Packed.unknownKind:
            countFirstKey(at: event.microseconds)
            meetUnmapped(event.code, at: event.microseconds)
            updateReadiness()
            return .nothing
        default:
            scan.countKey(at: event.microseconds)
            scan.note(.deadKey)
            return complete(result, event)
        }
    }
}

/// ALT mode.
extension ScanAssembler {
    mutating func continueAlt(_ number: AltNumber, _ event: KeyEvent) -> Outcome {
        guard let digit = AltNumber.digit(of: event.code) else {
            breakOffEntry(at: event.microseconds)
            meetUnmapped(event.code, at: event.microseconds)
            updateReadiness()
            return .nothing
        }
        // The character will be counted for the first digit.
        if number.digits == 0 {
            scan.open(at: event.microseconds)
        } else {
            scan.countKey(at: event.microseconds)
        }
        var number = number
        number.append(digit, key: event.code)
        entry = .alt(number)
        return .nothing
    }

    private mutating func endAlt(_ number: AltNumber, _ event: KeyEvent) -> Outcome {
        defer { updateReadiness() }
        guard number.digits > 0 else {
            entry = .none
            modifiers.release(.alt)
            return .nothing
        }
        guard let character = number.character(isByte: rules.encoding != .characters) else {
            breakOffEntry(at: event.microseconds)
            modifiers.release(.alt)
            return .nothing
        }
        modifiers.release(.alt)
        openRest(at: event.microseconds)
        scan.note(.altNumpad)
        return complete(meaning(of: character), event, giving: character.value)
    }

    /// What a character means that no single key has typed.
    private func meaning(of character: Unicode.Scalar) -> KeyMeaning.Packed {
        let isEnd = rules.endCharacters.contains(character)
        return (isEnd ? KeyMeaning.terminator : .character(character)).packed
    }
}

/// Unicode entry.
extension ScanAssembler {
    mutating func continueUnicode(
        _ number: UnicodeNumber, _ meaning: KeyMeaning.Packed, _ event: KeyEvent
    ) -> Outcome {
        if endsUnicode(event) {
            scan.countKey(at: event.microseconds)
            return endUnicode(number, event)
        }
        if meaning.kind == KeyMeaning.Packed.terminatorKind {
            breakOffEntry(at: event.microseconds)
            return meet(meaning, event)
        }
        guard let digit = hexadecimalDigit(event), !modifiers.typesNoText else {
            breakOffEntry(at: event.microseconds)
            meetUnmapped(event.code, at: event.microseconds)
            updateReadiness()
            return .nothing
        }
        scan.countKey(at: event.microseconds)
        var number = number
        number.append(digit)
        entry = .unicode(number)
        return .nothing
    }

    private mutating func endUnicode(_ number: UnicodeNumber, _ event: KeyEvent) -> Outcome {
        guard let character = number.character else {
            breakOffEntry(at: event.microseconds)
            updateReadiness()
            return .nothing
        }
        openRest(at: event.microseconds)
        scan.note(.unicodeEntry)
        return complete(meaning(of: character), event, giving: character.value)
    }

    private func endsUnicode(_ event: KeyEvent) -> Bool {
        [.space, .enter, .kpenter].contains(KeyCode(rawValue: event.code))
    }

    /// The digit a key types, with or without the Control and Shift that are still held.
    private func hexadecimalDigit(_ event: KeyEvent) -> UInt64? {
        let shifted = modifiers.level.subtracting(.control)
        for level in [shifted, shifted.subtracting(.shift)] {
            let meaning = table.packed(event.code, level)
            guard meaning.kind == KeyMeaning.Packed.characterKind else { continue }
            if let digit = UnicodeNumber.digit(of: meaning.payload) { return digit }
        }
        return nil
    }
}
