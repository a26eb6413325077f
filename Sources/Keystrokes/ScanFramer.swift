/// Turns characters and time into scans: decides where a scan starts, where it ends, and what breaks it.
///
/// All it knows about keys is whether one is down. Whatever broke the scan, one rule applies: **a broken
/// scan stays broken until its terminator arrives, or until the scanner has been quiet for the
/// recovery time; nothing in between is a scan.** Quiet means that no key comes and none is down.
struct ScanFramer: Sendable {
    /// The effect of a key, or of time, on the scan.
    enum Action: Hashable {
        /// Nothing ended; a scan in progress continues.
        case nothing
        case ended(ScanAssembler.Outcome)
        /// The scan is over because the scanner has been quiet.
        case endedByQuiet(ScanAssembler.Outcome)
    }

    /// The key or unfinished character that keeps a pause from ending a scan.
    enum KeyActivity {
        case none
        /// A character that takes several keys is not complete.
        case characterUnfinished
        case keyDown
    }

    private let rules: ScanRules
    private var buffer = ScanBuffer()
    /// Whether a key has arrived since the last scan ended.
    private(set) var isInProgress = false
    private var broken: ScanBreak?
    /// Whether a claim broke the scan and no key has arrived since.
    private var awaitsKeyAfterClaim = false
    /// The terminator that ends the scan unless a key follows within the terminator pause.
    private var held: HeldTerminator?
    /// When the last key was pressed.
    private var keyMicroseconds: Int64 = 0
    /// When the last key was pressed or released.
    private(set) var changeMicroseconds: Int64 = 0
    /// When the last terminator came, in microseconds; nil once another key has followed.
    private(set) var terminatorMicroseconds: Int64?
    /// The longest pause since a terminator ended the last scan, in microseconds; nil if none ended it.
    private(set) var pauseAfterScan: Int64?
    /// The codes scanned within the last repeat window, and the time when each last came.
    private var recent: [(text: String, aim: String?, end: Int64)] = []

    init(_ rules: ScanRules) {
        self.rules = rules
    }

    /// Resumes between two scans, from the state in which another framer stopped.
    mutating func resume(from rest: ScanAssembler.Rest) {
        changeMicroseconds = rest.changeMicroseconds
        terminatorMicroseconds = rest.terminatorMicroseconds
        pauseAfterScan = rest.pauseAfterScan
    }
}

/// The passing of time, which ends or breaks scans.
extension ScanFramer {
    /// The time when ``pass(to:_:)`` has work to do; nil while no scan is in progress.
    func deadline(_ keys: KeyActivity) -> Int64? {
        guard isInProgress else { return nil }
        if let pause = endingPause, keys == .none { return changeMicroseconds.addingClamped(pause) }
        return changeMicroseconds.addingClamped(recovery(keys))
    }

    /// Lets time pass after the last change of a key.
    mutating func pass(to microseconds: Int64, _ keys: KeyActivity) -> Action {
        guard isInProgress else { return .nothing }
        let gap = microseconds.subtractingReportingOverflow(changeMicroseconds)
        guard !gap.overflow, gap.partialValue >= 0 else {
            // The clock went back, so what came in between is unknown.
            breakScan(.idle, at: changeMicroseconds)
            return .nothing
        }
        if let endingPause, keys == .none, gap.partialValue >= endingPause {
            return .ended(end())
        }
        if gap.partialValue >= max(rules.idleMicroseconds, endingPause ?? 0) {
            breakScan(.idle, at: changeMicroseconds)
        }
        guard broken != nil, gap.partialValue >= recovery(keys) else { return .nothing }
        return .endedByQuiet(end())
    }

    /// Ends the stream of events: the scan ends as if the scanner were quiet from now on.
    mutating func finish(_ keys: KeyActivity) -> Action {
        guard isInProgress else { return .nothing }
        if endingPause == nil || keys != .none { breakScan(.idle, at: changeMicroseconds) }
        return .endedByQuiet(end())
    }

    /// Whether the scan in progress is broken.
    var isBroken: Bool { broken != nil }

    /// Whether some, but not all, keys of a scan have arrived.
    var isInMidScan: Bool { isInProgress && !awaitsKeyAfterClaim }

    /// Whether the scanner has been quiet for the recovery time.
    func isQuiet(at microseconds: Int64, _ keys: KeyActivity) -> Bool {
        let gap = microseconds.subtractingReportingOverflow(changeMicroseconds)
        return !gap.overflow && gap.partialValue >= recovery(keys)
    }

    /// The length of the pause that ends a scan, in microseconds; nil if pauses do not end it.
    private var endingPause: Int64? {
        if held != nil { return rules.terminatorPauseMicroseconds }
        return broken == nil && !rules.hasTerminators ? rules.idleMicroseconds : nil
    }

    /// The number of recovery times that a key may stay down before its release counts as lost.
    private static let longestHold: Int64 = 10

    /// How long the scanner must be quiet, in microseconds.
    ///
    /// After a claim, a short time without keys shows that no scan is in progress. A key that is down needs
    /// the full time, because its release may still come.
    private func recovery(_ keys: KeyActivity) -> Int64 {
        if keys == .keyDown {
            return rules.recoveryMicroseconds.multipliedClamped(by: Self.longestHold)
        }
        return awaitsKeyAfterClaim ? rules.claimMicroseconds : rules.recoveryMicroseconds
    }
}

/// Keys and characters.
extension ScanFramer {
    /// Records that a key was pressed or released.
    mutating func recordChange(at microseconds: Int64) {
        if let pause = pauseAfterScan {
            let gap = microseconds.subtractingReportingOverflow(changeMicroseconds)
            pauseAfterScan = gap.overflow ? nil : max(pause, gap.partialValue)
        }
        changeMicroseconds = microseconds
        awaitsKeyAfterClaim = false
    }

    /// Records a key without data.
    mutating func recordKey(_ feature: ScanFeatures = [], at microseconds: Int64) {
        guard isInProgress else { return }
        keyMicroseconds = microseconds
        buffer.features.formUnion(feature)
    }

    /// Counts a key that belongs to a scan; `counts` is false for a release.
    mutating func countKey(counts: Bool = true, at microseconds: Int64) {
        begin(at: microseconds)
        keyMicroseconds = microseconds
        if counts { buffer.countKey() }
    }

    /// Records the AIM identifier that comes with a part of a code.
    ///
    /// - Returns: Whether the part can belong to the previous ones; if not, the end of their code was lost.
    mutating func accepts(aim: String?) -> Bool {
        if !isInProgress { buffer.aim = aim }
        return broken != nil || aim == nil || buffer.aim == aim
    }

    /// Rejects a key without a character, unless it represents a separator here.
    ///
    /// Between two scans, a key that never types anything is ignored: some scanners send the LF of
    /// a CR+LF as the Down key.
    mutating func reject(_ key: PressedKey, at microseconds: Int64) {
        if broken == nil, held == nil, key.modifiers.heldKeys.isEmpty,
            let separator = buffer.separator(of: key.key)
        {
            countKey(at: microseconds)
            return append(separator, key.key)
        }
        if key.key.typesNothing {
            if !isInProgress { return }
            if held != nil, held?.silentKey == nil {
                held?.silentKey = key
                return
            }
        }
        breakScan(.unmappedKey, key, at: microseconds)
        countKey(at: microseconds)
    }

    /// Adds a character, or a key that starts or ends scans; `countsKey` is false if releasing a key
    /// completed it.
    mutating func add(_ typed: TypedKey, countsKey: Bool, at microseconds: Int64) -> Action {
        if let key = typed.cutOff { breakScan(.unmappedKey, key, at: microseconds) }
        if typed.isSuspect { breakScan(.altNumberSuspect, at: microseconds) }
        if typed.isEnd, !rules.hasTerminators {
            // The start of a scan ends the previous one.
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
        if awaitsStart { breakScan(.noStart, at: microseconds) }
        countKey(counts: countsKey, at: microseconds)
        buffer.features.formUnion(typed.features)
        if let held, joins(typed, held) { return .nothing }
        appendHeldTerminator()
        if typed.isEnd { return terminate(by: typed, at: microseconds) }
        append(typed.character, typed.key)
        return .nothing
    }

    private mutating func append(_ character: Unicode.Scalar?, _ key: KeyCode) {
        guard broken == nil else { return }
        guard let character else {
            return breakScan(.unmappedKey, PressedKey(key: key), at: keyMicroseconds)
        }
        guard buffer.characterCount < rules.longestTypedText else {
            return breakScan(.tooLong, at: keyMicroseconds)
        }
        buffer.append(character)
    }

    private mutating func begin(at microseconds: Int64) {
        guard !isInProgress else { return }
        isInProgress = true
        buffer.startMicroseconds = microseconds
        if let pauseAfterScan, pauseAfterScan <= ScanRules.longestLinePause {
            buffer.features.insert(.rapidLine)
        }
        pauseAfterScan = nil
    }
}

/// The events that break a scan.
extension ScanFramer {
    /// Breaks the scan, which also rejects the keys that follow; the first reason counts.
    mutating func breakScan(
        _ reason: Rejection.Reason, _ key: PressedKey? = nil, at microseconds: Int64
    ) {
        begin(at: microseconds)
        appendHeldTerminator()
        guard broken == nil else { return }
        broken = ScanBreak(reason: reason, position: buffer.characterCount, key: key)
    }

    /// Breaks the scan because keys were lost, which takes precedence over every other reason.
    ///
    /// The time since the last key does not count as a pause: `SYN_DROPPED` carries the time of the newest key,
    /// and the lost keys came in between.
    mutating func tear(at microseconds: Int64) {
        if broken?.reason != .torn { broken = nil }
        breakScan(.torn, at: microseconds)
        recordChange(at: microseconds)
        keyMicroseconds = microseconds
        terminatorMicroseconds = nil
        pauseAfterScan = nil
    }

    /// Breaks the scan because of a claim: the next keys may be the rest of a scan.
    mutating func claimed(at microseconds: Int64, inMidScan: Bool) {
        let wasQuiet = (!isInProgress || awaitsKeyAfterClaim) && !inMidScan
        breakScan(.startedBeforeGrab, at: microseconds)
        changeMicroseconds = microseconds
        awaitsKeyAfterClaim = wasQuiet
    }

    /// Tears the scan in progress, because the scanner was disconnected.
    mutating func disconnect(at microseconds: Int64) -> Action {
        defer { terminatorMicroseconds = nil }
        guard isInProgress else { return .nothing }
        tear(at: microseconds)
        return .endedByQuiet(end())
    }
}

/// Starts and terminators.
extension ScanFramer {
    /// Whether no character is complete yet, although keys of the first may have arrived.
    private var isBlank: Bool { buffer.isBlank && broken == nil }

    private var awaitsStart: Bool { rules.needsStart && !buffer.hasStart && broken == nil }

    private mutating func start(countsKey: Bool, at microseconds: Int64) {
        countKey(counts: countsKey, at: microseconds)
        // If the start replaces a terminator, a CR or LF may be the rest of it.
        terminatorMicroseconds = rules.hasTerminators ? nil : microseconds
        buffer.recordStart()
    }

    private mutating func terminate(by typed: TypedKey, at microseconds: Int64) -> Action {
        terminatorMicroseconds = microseconds
        guard rules.terminatorPauseMicroseconds > 0 else {
            // If the scanner marks the ends of codes, a line is never part of another code.
            pauseAfterScan = rules.settings.terminators == .endOfCode ? nil : 0
            return .ended(end())
        }
        held = HeldTerminator(character: typed.character, key: typed.key)
        return .nothing
    }

    /// Whether a CR or LF completes the CR+LF that ended the previous scan, and so is not data.
    private mutating func continuesTerminator(
        _ typed: TypedKey, at microseconds: Int64
    ) -> Bool {
        guard let last = terminatorMicroseconds else { return false }
        terminatorMicroseconds = nil
        guard rules.endIncludesEnter, typed.character == "\n" || typed.character == "\r" else {
            return false
        }
        // If the clock went back in between, the character still is not data.
        let gap = microseconds.subtractingReportingOverflow(last)
        guard gap.overflow || gap.partialValue < rules.recoveryMicroseconds else { return false }
        terminatorMicroseconds = microseconds
        return true
    }

    /// Whether a key is the second half of a CR+LF whose first half is held back.
    private mutating func joins(_ typed: TypedKey, _ held: HeldTerminator) -> Bool {
        guard rules.endIncludesEnter, held.second == nil else { return false }
        switch (held.character, typed.character) {
        case ("\r", "\n"), ("\n", "\r"): self.held?.second = typed.character
        default: return false
        }
        return true
    }

    /// Appends the terminator held back, if any, because it turned out to be data.
    private mutating func appendHeldTerminator() {
        guard let held else { return }
        self.held = nil
        guard broken == nil else { return }
        buffer.features.insert(.innerTerminator)
        append(held.character, held.key)
        if let second = held.second { append(second, held.key) }
        if let key = held.silentKey { breakScan(.unmappedKey, key, at: keyMicroseconds) }
    }

    private mutating func end() -> ScanAssembler.Outcome {
        defer { clear() }
        if buffer.isStartAlone, broken.map({ $0.reason == .idle }) ?? true { return .nothing }
        if let broken { return .rejection(buffer.rejection(broken, at: keyMicroseconds)) }
        let outcome = buffer.complete(rules, at: keyMicroseconds)
        guard case .scan(let scan) = outcome, isRepeat(scan) else { return outcome }
        let broken = ScanBreak(reason: .repeated, position: buffer.characterCount)
        return .rejection(buffer.rejection(broken, at: keyMicroseconds))
    }

    /// Whether the same code came within the repeat window; records the time.
    private mutating func isRepeat(_ scan: Scan) -> Bool {
        guard let window = rules.repeatMicroseconds else { return false }
        recent.removeAll {
            let gap = scan.endMicroseconds.subtractingReportingOverflow($0.end)
            return gap.overflow || gap.partialValue < 0 || gap.partialValue > window
        }
        let index = recent.firstIndex { $0.text == scan.text && $0.aim == scan.aim }
        if let index { recent.remove(at: index) }
        recent.append((scan.text, scan.aim, scan.endMicroseconds))
        return index != nil
    }

    private mutating func clear() {
        buffer.clear()
        isInProgress = false
        broken = nil
        held = nil
        awaitsKeyAfterClaim = false
    }
}

/// A terminator that ends the scan, or becomes data if a key follows at once.
private struct HeldTerminator: Sendable {
    /// Nil for a key that types nothing.
    let character: Unicode.Scalar?
    /// The other half of a CR+LF.
    var second: Unicode.Scalar?
    /// A key that followed the terminator and types nothing.
    var silentKey: PressedKey?
    let key: KeyCode
}
