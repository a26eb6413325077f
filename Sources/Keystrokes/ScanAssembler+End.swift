/// How a scan ends, and what is ready for the next.
extension ScanAssembler {
    enum End {
        case terminator
        case idleTime
    }

    mutating func end(by end: End) -> Outcome {
        breakOffEntry()
        if scan.isTorn { modifiers = ModifierState() } else { modifiers.releaseAll() }
        defer { prepareForNext() }
        if scan.isStartAlone || isRestAlone { return .nothing }
        if end == .idleTime, rules.hasTerminators { scan.missTerminator() }
        if let rejection = scan.rejection() { return .rejection(rejection) }
        return scan.complete(rules)
    }

    mutating func noteTerminator(at microseconds: Int64?) {
        terminatorMicroseconds = microseconds
    }

    /// Puts the cases together in which a character is more than a character.
    mutating func updateReadiness() {
        typesPlainly =
            hasStarted && heldBack == nil && entry == .none && cutOff == nil
            && !modifiers.typesNoText
        quietMicroseconds = heldBack == nil ? idleMicroseconds : pauseMicroseconds
    }

    mutating func forgetKeysHeld() {
        modifiers = ModifierState()
        entry = .none
        cutOff = nil
        mayHaveLostAlt = false
        updateReadiness()
    }

    mutating func prepareForNext() {
        scan.clear()
        entry = .none
        cutOff = nil
        mayHaveLostAlt = false
        heldBack = nil
        hasStarted = !rules.needsStart
        updateReadiness()
    }
}
