/// Characters that take several keys: dead keys, ALT mode, Unicode entry.
extension ScanAssembler {
    mutating func press(_ key: ModifierKey, _ event: KeyEvent) {
        scan.keepAlive(at: event.microseconds)
        if key == .alt, rules.hasAltNumpad {
            breakOffEntry(at: event.microseconds)
            entry = .alt(AltNumber())
        }
        modifiers.press(key)
        updateReadiness()
    }

    mutating func release(_ key: ModifierKey, _ event: KeyEvent) -> Outcome {
        if entry != .none, scan.isInProgress, isIdle(at: event.microseconds) {
            return endByIdleTime()
        }
        if key == .alt, case .alt(let number) = entry { return endAlt(number, event) }
        modifiers.release(key)
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
        let key: UInt16
        switch entry {
        case .none: return
        case .dead(_, let dead): key = dead
        case .alt(let number):
            guard number.digits > 0 else { return }
            key = number.key
        case .unicode: key = KeyCode.u.rawValue
        }
        // The first key of a character is not counted before the character is.
        scan.countKey(at: microseconds ?? scan.lastKeyMicroseconds)
        scan.breakOff(
            atKey: UnmappedKey(key: KeyCode(rawValue: key), modifiers: modifiers.heldKeys))
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
            scan.countKey(at: event.microseconds)
            meetUnmapped(event.code, at: event.microseconds)
            updateReadiness()
            return .nothing
        default:
            scan.countKey(at: event.microseconds)
            scan.note(.deadKey)
            return meet(result, event)
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
        entry = .none
        modifiers.release(.alt)
        scan.note(.altNumpad)
        return meet(meaning(of: character), event, giving: character.value)
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
        entry = .none
        scan.note(.unicodeEntry)
        return meet(meaning(of: character), event, giving: character.value)
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
