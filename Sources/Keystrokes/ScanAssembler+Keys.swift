/// What key events and the words of the kernel between them do.
extension ScanAssembler {
    @inline(__always)
    func isIdle(at microseconds: Int64) -> Bool {
        let gap = microseconds.subtractingReportingOverflow(scan.lastKeyMicroseconds)
        return gap.overflow || gap.partialValue < 0 || gap.partialValue >= quietMicroseconds
    }

    /// Takes a key event that completes nothing and is one of the usual: a character inside a scan,
    /// the release of its key, or a repetition.
    ///
    /// - Parameter event: The event.
    /// - Returns: Whether it was taken.
    @usableFromInline
    mutating func feedPlainly(_ event: KeyEvent) -> Bool {
        if event.value == 0 {
            return table.packed(event.code, []).kind != KeyMeaning.Packed.modifierKind
        }
        guard event.value == 1 else { return true }
        guard typesPlainly, scan.isInProgress, !skipsUntilReport else { return false }
        guard !isIdle(at: event.microseconds) else { return false }
        let meaning = table.packed(event.code, modifiers.level)
        guard meaning.kind == KeyMeaning.Packed.characterKind else { return false }
        scan.append(meaning.payload, limit: longestTypedText, at: event.microseconds)
        return true
    }

    /// Takes any key event.
    ///
    /// - Parameter event: The event.
    /// - Returns: What it completes, or nothing.
    @usableFromInline
    mutating func feedRarely(_ event: KeyEvent) -> Outcome {
        if skipsUntilReport { return .nothing }
        switch event.value {
        case 1: return press(event)
        case 0: return release(event)
        default: return .nothing
        }
    }

    private mutating func press(_ event: KeyEvent) -> Outcome {
        if scan.isInProgress, isIdle(at: event.microseconds) { return pressAfterPause(event) }
        let meaning = table.packed(event.code, modifiers.level)
        guard meaning.kind == KeyMeaning.Packed.characterKind, typesPlainly else {
            return pressSpecially(event, meaning)
        }
        type(meaning.payload, at: event.microseconds)
        return .nothing
    }

    /// Ends the scan that the pause ends, and begins another, which the key cannot complete at once.
    @inline(never)
    private mutating func pressAfterPause(_ event: KeyEvent) -> Outcome {
        let outcome = endByIdleTime()
        _ = press(event)
        return outcome
    }

    private mutating func type(_ character: UInt32, at microseconds: Int64) {
        if !scan.isInProgress, belongsToTerminator(character, at: microseconds) { return }
        scan.append(character, limit: longestTypedText, at: microseconds)
    }

    /// A CR or LF right behind an Enter is the rest of a CR+LF, not the start of a text.
    mutating func belongsToTerminator(_ character: UInt32, at microseconds: Int64) -> Bool {
        guard let last = terminatorMicroseconds else { return false }
        terminatorMicroseconds = nil
        guard rules.endIncludesEnter, character == 0x0A || character == 0x0D else {
            return false
        }
        let gap = microseconds.subtractingReportingOverflow(last)
        guard !gap.overflow, (0..<idleMicroseconds).contains(gap.partialValue) else { return false }
        terminatorMicroseconds = microseconds
        return true
    }

    private mutating func release(_ event: KeyEvent) -> Outcome {
        let meaning = table.packed(event.code, [])
        guard meaning.kind == KeyMeaning.Packed.modifierKind,
            let key = ModifierKey(rawValue: UInt8(meaning.payload))
        else { return .nothing }
        return release(key, event)
    }

    @usableFromInline
    mutating func synchronise(_ event: KeyEvent) -> Outcome {
        switch event.code {
        case SynCode.report:
            skipsUntilReport = false
            return .nothing
        case SynCode.dropped:
            // The time since the last key is no pause: the kernel gives the event the time of the
            // newest, and the lost ones came in between.
            skipsUntilReport = true
            scan.tear(at: event.microseconds)
            forgetKeysHeld()
            mayHaveLostAlt = rules.hasAltNumpad
            return .nothing
        default:
            return .nothing
        }
    }
}
