/// Characters and time to scans: where one begins, where it ends, and what breaks it.
///
/// It knows nothing of keys but whether one is down. The one rule about breaks, whatever broke the
/// scan: **it stays broken until its terminator comes, or until the scanner has been quiet for the
/// recovery time; nothing of it, and nothing in between, is a scan.** Quiet means that no key comes
/// and none is down.
struct ScanFramer: Sendable {
    /// What a key, or the time, does to the scan.
    enum Action: Hashable {
        /// Nothing is over.
        case nothing
        /// The scan is over.
        case ended(ScanAssembler.Outcome)
        /// The scan is over because the scanner has been quiet.
        case endedByQuiet(ScanAssembler.Outcome)
    }

    /// What the keys are at, at a moment.
    struct Keys {
        /// Whether a key is down.
        var areDown: Bool
        /// Whether one is down, or a character is begun that takes several.
        var areTyping: Bool
    }

    private let rules: ScanRules
    private let idleMicroseconds: Int64
    private let longestTypedText: Int
    private var buffer = ScanBuffer()
    /// Whether a key has come since the last scan ended.
    private(set) var isInProgress = false
    private var broken: ScanBreak?
    /// The terminator that ends the scan unless a key follows within the terminator pause.
    private var held: HeldTerminator?
    /// When the last key was pressed.
    private var keyMicroseconds: Int64 = 0
    /// When the last key was pressed or let go.
    private(set) var changeMicroseconds: Int64 = 0
    /// When the last terminator came; nil once a key has followed that is none.
    private(set) var terminatorMicroseconds: Int64?

    init(_ rules: ScanRules) {
        self.rules = rules
        idleMicroseconds = rules.idleMicroseconds
        longestTypedText = rules.longestTypedText
    }

    /// Goes on between two scans, where another stopped.
    mutating func goOn(from rest: ScanAssembler.Rest) {
        changeMicroseconds = rest.changeMicroseconds
        terminatorMicroseconds = rest.terminatorMicroseconds
    }
}

/// Time.
extension ScanFramer {
    /// When ``pass(to:_:)`` has something to end; nil while no scan is in progress.
    func deadline(_ keys: Keys) -> Int64? {
        guard isInProgress else { return nil }
        if let pause = endingPause, !keys.areTyping {
            return changeMicroseconds.addingClamped(pause)
        }
        return changeMicroseconds.addingClamped(recovery(keys))
    }

    /// Whether so little time has passed since the last change of a key that it means nothing.
    @inline(__always)
    func isWithinPauses(at microseconds: Int64) -> Bool {
        let shortest = held == nil ? idleMicroseconds : rules.terminatorPauseMicroseconds
        // Unsigned, the difference holds all there can be.
        guard microseconds >= changeMicroseconds else { return false }
        return UInt64(bitPattern: microseconds &- changeMicroseconds) < UInt64(bitPattern: shortest)
    }

    /// Time has passed since the last change of a key.
    mutating func pass(to microseconds: Int64, _ keys: Keys) -> Action {
        guard isInProgress else { return .nothing }
        let gap = microseconds.subtractingReportingOverflow(changeMicroseconds)
        guard !gap.overflow, gap.partialValue >= 0 else {
            // The clock stepped back: nobody knows what came in between.
            breakOff(.idle, at: changeMicroseconds)
            return .nothing
        }
        if let endingPause, !keys.areTyping, gap.partialValue >= endingPause {
            return .ended(end())
        }
        if gap.partialValue >= max(rules.idleMicroseconds, endingPause ?? 0) {
            breakOff(.idle, at: changeMicroseconds)
        }
        guard broken != nil, gap.partialValue >= recovery(keys) else { return .nothing }
        return .endedByQuiet(end())
    }

    /// No event follows: what is in progress ends as if the scanner was quiet from now on.
    mutating func finish(_ keys: Keys) -> Action {
        guard isInProgress else { return .nothing }
        if endingPause == nil || keys.areTyping { breakOff(.idle, at: changeMicroseconds) }
        return .endedByQuiet(end())
    }

    /// Whether no key has come for the recovery time.
    func isQuiet(at microseconds: Int64) -> Bool {
        let gap = microseconds.subtractingReportingOverflow(changeMicroseconds)
        return !gap.overflow && gap.partialValue >= rules.recoveryMicroseconds
    }

    /// The pause that ends a scan; nil where none does.
    private var endingPause: Int64? {
        if held != nil { return rules.terminatorPauseMicroseconds }
        return broken == nil && !rules.hasTerminators ? rules.idleMicroseconds : nil
    }

    private func recovery(_ keys: Keys) -> Int64 {
        keys.areDown ? rules.longestHoldMicroseconds : rules.recoveryMicroseconds
    }
}

/// Keys and characters.
extension ScanFramer {
    /// Whether a character can only be one more of a whole scan, and no pause is ahead of it.
    @inline(__always)
    func goesOnPlainly(at microseconds: Int64) -> Bool {
        guard case .none = broken, case .none = held,
            buffer.characterCount > 0, buffer.characterCount < longestTypedText
        else { return false }
        return isWithinPauses(at: microseconds)
    }

    /// Takes a character where ``goesOnPlainly(at:)``.
    @inline(__always)
    mutating func append(_ character: UInt32, at microseconds: Int64) {
        changeMicroseconds = microseconds
        keyMicroseconds = microseconds
        buffer.countKey()
        buffer.append(character)
    }

    /// A key was pressed or let go.
    @inline(__always)
    mutating func noteChange(at microseconds: Int64) {
        changeMicroseconds = microseconds
    }

    /// A key was pressed that is no data.
    mutating func takeOther(_ feature: ScanFeatures = [], at microseconds: Int64) {
        guard isInProgress else { return }
        keyMicroseconds = microseconds
        buffer.note(feature)
    }

    /// A key came of a character that takes several.
    mutating func takePart(at microseconds: Int64) {
        takeKey(counts: true, at: microseconds)
    }

    /// A key came that gives no character.
    mutating func takeUnmapped(_ key: PressedKey, at microseconds: Int64) {
        breakOff(.unmappedKey, key, at: microseconds)
        takeKey(counts: true, at: microseconds)
    }

    /// A character came, or a key that begins or ends scans.
    ///
    /// - Parameters:
    ///   - typed: What came.
    ///   - countsKey: Whether it came with a key, and not when one was let go.
    ///   - microseconds: When.
    /// - Returns: What it ends.
    mutating func take(_ typed: TypedKey, countsKey: Bool, at microseconds: Int64) -> Action {
        if let key = typed.cutOff { breakOff(.unmappedKey, key, at: microseconds) }
        if typed.isSuspect { breakOff(.altNumberSuspect, at: microseconds) }
        if typed.isEnd, !rules.hasTerminators {
            // It is the start of a scan that ends the one before.
            let outcome = isInProgress ? end() : .nothing
            start(countsKey: countsKey, at: microseconds)
            return .ended(outcome)
        }
        if awaitsStart, typed.isStart {
            start(countsKey: countsKey, at: microseconds)
            return .nothing
        }
        if isBlank, typed.isEnd || continuesTerminator(typed, at: microseconds) {
            if typed.isEnd { terminatorMicroseconds = microseconds }
            clear()
            return .ended(.nothing)
        }
        if buffer.isStartAlone, continuesTerminator(typed, at: microseconds) { return .nothing }
        if awaitsStart { breakOff(.noStart, at: microseconds) }
        takeKey(counts: countsKey, at: microseconds)
        buffer.note(typed.features)
        if let held, joins(typed, held) { return .nothing }
        giveBack()
        if typed.isEnd { return terminate(by: typed, at: microseconds) }
        append(typed)
        return .nothing
    }

    private mutating func append(_ typed: TypedKey) {
        guard broken == nil else { return }
        guard let character = typed.character else {
            return breakOff(.unmappedKey, PressedKey(code: typed.code), at: keyMicroseconds)
        }
        guard buffer.characterCount < rules.longestTypedText else {
            return breakOff(.tooLong, at: keyMicroseconds)
        }
        buffer.append(character)
    }

    private mutating func takeKey(counts: Bool, at microseconds: Int64) {
        begin(at: microseconds)
        keyMicroseconds = microseconds
        if counts { buffer.countKey() }
    }

    private mutating func begin(at microseconds: Int64) {
        guard !isInProgress else { return }
        isInProgress = true
        buffer.begin(at: microseconds)
    }
}

/// Breaks.
extension ScanFramer {
    /// The keys, and those that follow, are no scan; the first reason counts.
    mutating func breakOff(
        _ reason: Rejection.Reason, _ key: PressedKey? = nil, at microseconds: Int64
    ) {
        begin(at: microseconds)
        giveBack()
        guard broken == nil else { return }
        broken = ScanBreak(reason: reason, position: buffer.characterCount, key: key)
    }

    /// Keys were lost: that outweighs whatever else was wrong.
    ///
    /// The time since the last key is no pause: the kernel gives its word the time of the newest key,
    /// and the lost ones came in between.
    mutating func tear(at microseconds: Int64) {
        if broken?.reason != .torn { broken = nil }
        breakOff(.torn, at: microseconds)
        changeMicroseconds = microseconds
        keyMicroseconds = microseconds
        terminatorMicroseconds = nil
    }

    /// The scanner went away: what was in progress is torn.
    mutating func disconnect(at microseconds: Int64) -> Action {
        defer { terminatorMicroseconds = nil }
        guard isInProgress else { return .nothing }
        tear(at: microseconds)
        return .endedByQuiet(end())
    }
}

/// Starts and terminators.
extension ScanFramer {
    /// Whether no character has come: only keys, at most, of one that takes several.
    private var isBlank: Bool { buffer.isBlank && broken == nil }

    private var awaitsStart: Bool { rules.needsStart && !buffer.hasStart && broken == nil }

    private mutating func start(countsKey: Bool, at microseconds: Int64) {
        takeKey(counts: countsKey, at: microseconds)
        // Where it stands for a terminator, a CR or LF may be the rest of it.
        terminatorMicroseconds = rules.hasTerminators ? nil : microseconds
        buffer.noteStart()
    }

    private mutating func terminate(by typed: TypedKey, at microseconds: Int64) -> Action {
        terminatorMicroseconds = microseconds
        guard rules.terminatorPauseMicroseconds > 0 else { return .ended(end()) }
        held = HeldTerminator(character: typed.character, code: typed.code)
        return .nothing
    }

    /// Whether a CR or LF is the rest of the CR+LF that ended the scan before, not the start of a text.
    private mutating func continuesTerminator(
        _ typed: TypedKey, at microseconds: Int64
    ) -> Bool {
        guard let last = terminatorMicroseconds else { return false }
        terminatorMicroseconds = nil
        guard rules.endIncludesEnter, typed.character == 0x0A || typed.character == 0x0D else {
            return false
        }
        // A clock that stepped back in between does not make it data.
        let gap = microseconds.subtractingReportingOverflow(last)
        guard gap.overflow || gap.partialValue < rules.recoveryMicroseconds else { return false }
        terminatorMicroseconds = microseconds
        return true
    }

    /// Whether a key is the rest of the CR+LF whose first half is held back.
    private mutating func joins(_ typed: TypedKey, _ held: HeldTerminator) -> Bool {
        guard rules.endIncludesEnter, let character = typed.character,
            held.isContinued(by: character)
        else { return false }
        self.held?.second = character
        return true
    }

    /// A terminator turns out to be data.
    private mutating func giveBack() {
        guard let held else { return }
        self.held = nil
        guard broken == nil else { return }
        buffer.note(.innerTerminator)
        append(TypedKey(character: held.character, code: held.code))
        if let second = held.second { append(TypedKey(character: second, code: held.code)) }
    }

    private mutating func end() -> ScanAssembler.Outcome {
        defer { clear() }
        if buffer.isStartAlone, broken.map({ $0.reason == .idle }) ?? true { return .nothing }
        if let broken { return .rejection(buffer.rejection(broken, at: keyMicroseconds)) }
        return buffer.complete(rules, at: keyMicroseconds)
    }

    private mutating func clear() {
        buffer.clear()
        isInProgress = false
        broken = nil
        held = nil
    }
}

/// A terminator that ends the scan unless a key follows at once, and then is data.
private struct HeldTerminator: Sendable {
    /// What it types; nil for a key that types nothing.
    let character: UInt32?
    /// The other half of a CR+LF.
    var second: UInt32?
    let code: UInt16

    init(character: UInt32?, code: UInt16) {
        self.character = character
        self.code = code
    }

    /// Whether a character is the rest of the CR+LF that this began.
    func isContinued(by character: UInt32) -> Bool {
        guard second == nil else { return false }
        return (self.character == 0x0D && character == 0x0A)
            || (self.character == 0x0A && character == 0x0D)
    }
}
