/// What is rare: everything but a character that is just that.
extension ScanAssembler {
    mutating func pressSpecially(_ event: KeyEvent, _ meaning: KeyMeaning.Packed) -> Outcome {
        switch KeyMeaning(meaning) {
        case .modifier(let key): press(key, event)
        case .capsLock:
            modifiers.toggle(.caps)
            scan.keepAlive(at: event.microseconds)
            if scan.isInProgress { scan.note(.capsLock) }
        case .ignored: scan.keepAlive(at: event.microseconds)
        case .unknown, .character, .terminator, .dead, .unicodeEntry:
            return meetInEntry(meaning, event)
        }
        return .nothing
    }

    /// A key came that may be part of a character that takes several.
    private mutating func meetInEntry(_ meaning: KeyMeaning.Packed, _ event: KeyEvent) -> Outcome {
        openRest(at: event.microseconds)
        switch entry {
        case .none: return meet(meaning, event)
        case .dead where meaning.kind == KeyMeaning.Packed.terminatorKind:
            breakOffEntry(at: event.microseconds)
            return meet(meaning, event)
        case .dead(let dead, _): return compose(dead, with: meaning, event)
        case .alt(let number): return continueAlt(number, event)
        case .unicode(let number): return continueUnicode(number, meaning, event)
        }
    }

    /// A key came, or a character that several keys gave.
    ///
    /// - Parameters:
    ///   - meaning: What it means.
    ///   - event: The key, or the last of them.
    ///   - character: What several keys gave, though it may mean an end.
    /// - Returns: What the key completes, or nothing.
    mutating func meet(
        _ meaning: KeyMeaning.Packed, _ event: KeyEvent, giving character: UInt32? = nil
    ) -> Outcome {
        let isEnd = meaning.kind == KeyMeaning.Packed.terminatorKind
        if !hasStarted {
            if isEnd, !rules.hasTerminators { return endAndBegin(event) }
            if begins(with: meaning, event, giving: character) { return .nothing }
            if isEnd, !scan.isInProgress { return terminate(event, typing: nil) }
            if endsTerminator(meaning, event) { return .nothing }
            if !(rules.opensWithEntry && meaning.opensEntry) {
                scan.breakOff(.noStart, at: event.microseconds)
                hasStarted = true
            }
        }
        if let held = heldBack {
            if joins(meaning, held, event) { return .nothing }
            giveBack(held)
        }
        defer { updateReadiness() }
        return isEnd ? terminate(event, typing: character) : take(meaning, event)
    }

    private mutating func take(_ meaning: KeyMeaning.Packed, _ event: KeyEvent) -> Outcome {
        switch KeyMeaning(meaning) {
        case _ where modifiers.typesNoText: meetUnmapped(event.code, at: event.microseconds)
        case .character(let scalar):
            if endsTerminator(meaning, event) { return .nothing }
            scan.append(scalar.value, limit: longestTypedText, at: event.microseconds)
        case .dead(let dead):
            // The character will be counted for the dead key.
            scan.open(at: event.microseconds)
            entry = .dead(UInt32(dead.rawValue), key: event.code)
        case .unicodeEntry:
            scan.open(at: event.microseconds)
            entry = .unicode(UnicodeNumber())
        default: meetUnmapped(event.code, at: event.microseconds)
        }
        return .nothing
    }

    /// Whether a key is the rest of the terminator before it, and nothing of a scan.
    private mutating func endsTerminator(
        _ meaning: KeyMeaning.Packed, _ event: KeyEvent
    ) -> Bool {
        guard meaning.kind == KeyMeaning.Packed.characterKind, scan.isBlank,
            belongsToTerminator(meaning.payload, at: event.microseconds)
        else { return false }
        scan.clear()
        return true
    }

    mutating func meetUnmapped(_ key: UInt16, at microseconds: Int64) {
        scan.meetUnmappedKey(
            UnmappedKey(key: KeyCode(rawValue: key), modifiers: modifiers.heldKeys),
            at: microseconds)
    }
}

/// Starts and terminators.
extension ScanAssembler {
    private mutating func begins(
        with meaning: KeyMeaning.Packed, _ event: KeyEvent, giving character: UInt32?
    ) -> Bool {
        var isStart = rules.start.keys.contains(KeyCode(rawValue: event.code))
        if !modifiers.typesNoText, let scalar = self.character(of: meaning, event, character) {
            isStart = isStart || rules.start.characters.contains(scalar)
        }
        if isStart { begin(at: event.microseconds) }
        return isStart
    }

    /// The character that came, be it one that also ends scans.
    private func character(
        of meaning: KeyMeaning.Packed, _ event: KeyEvent, _ character: UInt32?
    ) -> Unicode.Scalar? {
        switch KeyMeaning(meaning) {
        case .character(let scalar): return scalar
        case .terminator:
            let typed = innerTable?.packed(event.code, modifiers.level)
            let isTyped = typed?.kind == KeyMeaning.Packed.characterKind
            return (character ?? (isTyped ? typed?.payload : nil)).flatMap(Unicode.Scalar.init)
        default: return nil
        }
    }

    private mutating func begin(at microseconds: Int64) {
        scan.countStart(at: microseconds)
        hasStarted = true
        updateReadiness()
    }

    /// `character` is what the key types, where several gave it.
    private mutating func terminate(_ event: KeyEvent, typing character: UInt32?) -> Outcome {
        if !rules.hasTerminators { return endAndBegin(event) }
        noteTerminator(at: event.microseconds)
        guard scan.isInProgress, !scan.isBlank, !isRestAlone else {
            modifiers.releaseAll()
            prepareForNext()
            return .nothing
        }
        countFirstKey(at: event.microseconds)
        guard pauseMicroseconds > 0, let innerTable else { return end(by: .terminator) }
        let inner = innerTable.packed(event.code, modifiers.level)
        let typed = inner.kind == KeyMeaning.Packed.characterKind ? inner.payload : nil
        heldBack = HeldTerminator(character: character ?? typed, key: event.code)
        updateReadiness()
        return .nothing
    }

    /// Without terminators it is the start of a scan that ends the one before.
    private mutating func endAndBegin(_ event: KeyEvent) -> Outcome {
        let outcome = scan.isInProgress ? end(by: .terminator) : .nothing
        begin(at: event.microseconds)
        return outcome
    }

    /// Whether a key is the rest of the CR+LF whose first half is held back.
    private mutating func joins(
        _ meaning: KeyMeaning.Packed, _ held: HeldTerminator, _ event: KeyEvent
    ) -> Bool {
        guard rules.endIncludesEnter,
            meaning.kind == KeyMeaning.Packed.characterKind, held.isContinued(by: meaning.payload)
        else { return false }
        scan.countKey(at: event.microseconds)
        heldBack?.second = meaning.payload
        return true
    }

    /// A terminator turns out to be data.
    private mutating func giveBack(_ held: HeldTerminator) {
        heldBack = nil
        guard let character = held.character else {
            scan.breakOff(atKey: UnmappedKey(key: KeyCode(rawValue: held.key)))
            return
        }
        scan.note(.innerTerminator)
        scan.append(character, limit: longestTypedText)
        if let second = held.second { scan.append(second, limit: longestTypedText) }
    }
}
