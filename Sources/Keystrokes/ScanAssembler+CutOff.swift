/// A character of several keys that a pause has come into.
struct CutOffCharacter: Hashable, Sendable {
    /// One of its keys, by which rejections name it.
    let key: UnmappedKey
    /// Whether the last of its keys has come.
    var isComplete = false
    /// Whether it is not known but feared, keys having been lost.
    var isFeared = false
}

/// Pauses in the middle of a character.
///
/// The pause ends the scan, but not the character: its other keys are still to come, and alone they
/// would be characters that nobody has scanned, as would a key without the modifiers held for it. So
/// the character is read to its end and thrown away, and what comes behind it, up to the next
/// terminator or idle gap, is no scan either.
extension ScanAssembler {
    /// Whether the character being typed is one that a pause has come into.
    private var isRest: Bool { cutOff?.isComplete == false }

    /// Whether no key has come since the pause but what ends the character.
    var isRestAlone: Bool { cutOff != nil && scan.countsNoKey }

    mutating func endByIdleTime() -> Outcome {
        let key = isRest ? cutOff?.key : unfinishedKey
        let (entry, held) = (entry, modifiers.held)
        let goesOn = mayTypeOn
        let modified = modifiedKey ?? lostNumber
        // Without terminators the pause alone would make a scan of what was not typed to its end.
        if let modified, !modified.isFeared, !rules.hasTerminators {
            scan.breakOff(atKey: modified.key)
        }
        let outcome = end(by: heldBack == nil ? .idleTime : .terminator)
        cutOff = modified
        if goesOn {
            self.entry = entry
            if let key { cutOff = CutOffCharacter(key: key) }
            modifiers.hold(held)
        }
        updateReadiness()
        return outcome
    }

    /// The key that is still to come for the modifiers that are down, if any: without them it would
    /// be another character.
    private var modifiedKey: CutOffCharacter? {
        guard !hasBegun, heldBack == nil, modifiers.held != 0 else { return nil }
        let key = UnmappedKey(key: KeyCode(rawValue: modifierKey), modifiers: [])
        return CutOffCharacter(key: key, isComplete: true)
    }

    /// The number that the keys to come may be the rest of, where its Alt was lost.
    private var lostNumber: CutOffCharacter? {
        guard mayHaveLostAlt else { return nil }
        let alt = UnmappedKey(key: .leftalt, modifiers: [])
        return CutOffCharacter(key: alt, isComplete: true, isFeared: true)
    }

    /// Alt comes down: what was cut off before, unseen, is over, and what follows is whole.
    mutating func beginAlt() {
        if !scan.isInProgress, cutOff?.isFeared == true { cutOff = nil }
        mayHaveLostAlt = false
        entry = .alt(AltNumber())
    }

    /// Whether a key of a character has come, and not only the modifier that begins it.
    private var hasBegun: Bool {
        if case .alt(let number) = entry { return number.digits > 0 }
        return entry != .none
    }

    /// Whether keys are down, or a character is begun, that make the next keys part of a number.
    private var mayTypeOn: Bool {
        if entry != .none { return true }
        if rules.hasAltNumpad, modifiers.holds(.alt) { return true }
        return rules.hasUnicodeEntry && !modifiers.level.isDisjoint(with: [.control, .shift])
    }

    /// What follows the pause begins no scan.
    mutating func openRest(at microseconds: Int64) {
        guard let cutOff, !scan.isInProgress else { return }
        scan.open(at: microseconds)
        scan.breakOff(atKey: cutOff.key)
    }

    /// Counts the first key of a character, which is not counted before the character is complete;
    /// that of a character cut off was counted at the pause.
    mutating func countFirstKey(at microseconds: Int64) {
        guard isRest else { return scan.countKey(at: microseconds) }
        cutOff?.isComplete = true
    }

    /// A character that took several keys is complete.
    ///
    /// - Parameters:
    ///   - meaning: What it means.
    ///   - event: The last of its keys.
    ///   - character: The character, though it may mean an end.
    /// - Returns: What it completes, or nothing.
    mutating func complete(
        _ meaning: KeyMeaning.Packed, _ event: KeyEvent, giving character: UInt32? = nil
    ) -> Outcome {
        entry = .none
        if isRest, meaning.kind != KeyMeaning.Packed.terminatorKind {
            cutOff?.isComplete = true
            updateReadiness()
            return .nothing
        }
        return meet(meaning, event, giving: character)
    }
}
