/// A state machine that groups typed characters into scans and detects broken scans.
///
/// See ``ScanAssembler`` for what happens to broken scans.
struct ScanFramer: Sendable {
    enum Action: Hashable {
        case nothing
        case ended(ScanAssembler.Outcome)
        /// The input or connection ended during the scan, or a quiet period ended an invalid scan.
        case endedByQuiet(ScanAssembler.Outcome)
    }

    /// The state of the keys; a pause can complete a scan only if no key is down and no character is unfinished.
    enum KeyActivity {
        case none
        case characterUnfinished
        case keyDown
    }

    private let rules: ScanRules
    private var buffer = ScanBuffer()
    /// Whether a scan is in progress, even if it is broken.
    private(set) var isInProgress = false
    private var broken: ScanBreak?
    /// Whether the scanner was claimed while it was quiet, and no key has been pressed or released since.
    private var awaitsKeyAfterClaim = false
    /// A terminator that ends the scan unless a key follows within the terminator pause.
    private var held: HeldTerminator?
    /// When the last key was pressed, in microseconds.
    private var keyMicroseconds: Int64 = 0
    /// When the last key was pressed or released, in microseconds.
    private(set) var changeMicroseconds: Int64 = 0
    /// When the last terminator arrived, in microseconds; nil if another key followed.
    private(set) var terminatorMicroseconds: Int64?
    /// The longest pause between key events since the last scan ended, in microseconds; nil if it is not measured.
    ///
    /// It is measured only between scans, if a terminator other than `endOfCode` ended the last one immediately.
    private(set) var pauseAfterScan: Int64?
    /// The codes scanned within the repeat window, each with the time of its last scan in microseconds.
    private var recent: [(text: String, aim: String?, end: Int64)] = []

    init(_ rules: ScanRules) {
        self.rules = rules
    }

    mutating func resume(from rest: ScanAssembler.Rest) {
        changeMicroseconds = rest.changeMicroseconds
        terminatorMicroseconds = rest.terminatorMicroseconds
        pauseAfterScan = rest.pauseAfterScan
    }
}

/// The part of the framer that ends scans, or marks them as broken, after a pause.
extension ScanFramer {
    /// Returns when to call ``pass(to:_:)`` if no key event arrives, in microseconds; nil between scans.
    func deadline(_ keys: KeyActivity) -> Int64? {
        guard isInProgress else { return nil }
        if let pause = endingPause, keys == .none { return changeMicroseconds.addingClamped(pause) }
        return changeMicroseconds.addingClamped(recovery(keys))
    }

    /// Ends the scan, or marks it as broken, if no key was pressed or released for long enough or the clock went back.
    mutating func pass(to microseconds: Int64, _ keys: KeyActivity) -> Action {
        guard isInProgress else { return .nothing }
        let gap = microseconds.subtractingReportingOverflow(changeMicroseconds)
        guard !gap.overflow, gap.partialValue >= 0 else {
            // The clock went back, so the length of the pause is unknown.
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

    mutating func finish(_ keys: KeyActivity) -> Action {
        guard isInProgress else { return .nothing }
        if endingPause == nil || keys != .none { breakScan(.idle, at: changeMicroseconds) }
        return .endedByQuiet(end())
    }

    var isBroken: Bool { broken != nil }

    var isInMidScan: Bool { isInProgress && !awaitsKeyAfterClaim }

    func isQuiet(at microseconds: Int64, _ keys: KeyActivity) -> Bool {
        let gap = microseconds.subtractingReportingOverflow(changeMicroseconds)
        return !gap.overflow && gap.partialValue >= recovery(keys)
    }

    /// How long a pause must be to complete the scan, in microseconds; nil if no pause completes it.
    private var endingPause: Int64? {
        if held != nil { return rules.terminatorPauseMicroseconds }
        return broken == nil && !rules.hasTerminators ? rules.idleMicroseconds : nil
    }

    /// How long a key counts as down if no key is pressed or released, as a multiple of the recovery time.
    private static let longestHold: Int64 = 10

    /// Returns how long the scanner must be quiet before a broken scan ends, in microseconds.
    ///
    /// If the scanner was quiet when it was claimed, a shorter time is enough until a key is pressed or released,
    /// because a scan is unlikely to be in progress. While a key is down, the time is ten times as long, because the
    /// key may still be released.
    private func recovery(_ keys: KeyActivity) -> Int64 {
        if keys == .keyDown {
            return rules.recoveryMicroseconds.multipliedClamped(by: Self.longestHold)
        }
        return awaitsKeyAfterClaim ? rules.claimMicroseconds : rules.recoveryMicroseconds
    }
}

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

    /// Records a key that types no data, such as a modifier.
    mutating func recordKey(_ feature: ScanFeatures = [], at microseconds: Int64) {
        guard isInProgress else { return }
        keyMicroseconds = microseconds
        buffer.features.formUnion(feature)
    }

    /// Records a key's time, begins a scan if none is in progress, and adds 1 to the key count if `counts` is true.
    mutating func countKey(counts: Bool = true, at microseconds: Int64) {
        begin(at: microseconds)
        keyMicroseconds = microseconds
        if counts { buffer.countKey() }
    }

    /// Whether a part with this AIM identifier can belong to the code in progress, which may arrive in several parts.
    ///
    /// If not, the end of the code in progress was lost. The first part of a code sets the code's AIM identifier.
    mutating func accepts(aim: String?) -> Bool {
        if !isInProgress { buffer.aim = aim }
        return broken != nil || aim == nil || buffer.aim == aim
    }

    /// Marks the scan as broken by a key that types no character, or adds the separator that the key stands for.
    ///
    /// Between scans, a key that types no character on any layout is ignored, because some scanners send the LF of a
    /// CR+LF as the Down key. For separators, see ``SeparatorKeys``.
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

    /// Processes a typed key, which may end the scan; `countsKey` is false if a release typed the character.
    mutating func add(_ typed: TypedKey, countsKey: Bool, at microseconds: Int64) -> Action {
        if let key = typed.cutOff { breakScan(.unmappedKey, key, at: microseconds) }
        if typed.isSuspect { breakScan(.altNumberSuspect, at: microseconds) }
        if typed.isEnd, !rules.hasTerminators {
            // Without terminators, the start of a scan ends the previous one.
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

extension ScanFramer {
    /// Marks the scan as broken; only the first reason counts.
    mutating func breakScan(
        _ reason: Rejection.Reason, _ key: PressedKey? = nil, at microseconds: Int64
    ) {
        begin(at: microseconds)
        appendHeldTerminator()
        guard broken == nil else { return }
        broken = ScanBreak(reason: reason, position: buffer.characterCount, key: key)
    }

    /// Marks the scan as broken because keys were lost; this reason replaces any earlier one.
    ///
    /// The time since the last known key does not count as a pause, because the lost keys arrived in between.
    mutating func tear(at microseconds: Int64) {
        if broken?.reason != .torn { broken = nil }
        breakScan(.torn, at: microseconds)
        recordChange(at: microseconds)
        keyMicroseconds = microseconds
        terminatorMicroseconds = nil
        pauseAfterScan = nil
    }

    /// Treats the next keys as a broken scan, because the claim may have come during a scan.
    mutating func claimed(at microseconds: Int64, inMidScan: Bool) {
        let wasQuiet = (!isInProgress || awaitsKeyAfterClaim) && !inMidScan
        breakScan(.startedBeforeGrab, at: microseconds)
        changeMicroseconds = microseconds
        awaitsKeyAfterClaim = wasQuiet
    }

    mutating func disconnect(at microseconds: Int64) -> Action {
        defer { terminatorMicroseconds = nil }
        guard isInProgress else { return .nothing }
        tear(at: microseconds)
        return .endedByQuiet(end())
    }
}

extension ScanFramer {
    private var isBlank: Bool { buffer.isBlank && broken == nil }

    private var awaitsStart: Bool { rules.needsStart && !buffer.hasStart && broken == nil }

    private mutating func start(countsKey: Bool, at microseconds: Int64) {
        countKey(counts: countsKey, at: microseconds)
        // Without terminators, a start also ends scans, so a CR or LF after the start may belong to it.
        terminatorMicroseconds = rules.hasTerminators ? nil : microseconds
        buffer.recordStart()
    }

    private mutating func terminate(by typed: TypedKey, at microseconds: Int64) -> Action {
        terminatorMicroseconds = microseconds
        guard rules.terminatorPauseMicroseconds > 0 else {
            // A scanner that marks the ends of its codes sends all lines of a symbol as one code.
            pauseAfterScan = rules.settings.terminators == .endOfCode ? nil : 0
            return .ended(end())
        }
        held = HeldTerminator(character: typed.character, key: typed.key)
        return .nothing
    }

    /// Whether a key belongs to the line break (CR+LF) that ended the previous scan, and so is not data.
    private mutating func continuesTerminator(
        _ typed: TypedKey, at microseconds: Int64
    ) -> Bool {
        guard let last = terminatorMicroseconds else { return false }
        terminatorMicroseconds = nil
        guard rules.endIncludesEnter, typed.character == "\n" || typed.character == "\r" else {
            return false
        }
        // If the clock went back (a negative gap), the character is still not data.
        let gap = microseconds.subtractingReportingOverflow(last)
        guard gap.overflow || gap.partialValue < rules.recoveryMicroseconds else { return false }
        terminatorMicroseconds = microseconds
        return true
    }

    /// Completes a held CR with LF, or a held LF with CR, if Enter ends scans; returns whether it did.
    private mutating func joins(_ typed: TypedKey, _ held: HeldTerminator) -> Bool {
        guard rules.endIncludesEnter, held.second == nil else { return false }
        switch (held.character, typed.character) {
        case ("\r", "\n"), ("\n", "\r"): self.held?.second = typed.character
        default: return false
        }
        return true
    }

    /// Appends the terminator that was held back, if any, because it turned out to be data.
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

    /// Records a scan, and returns whether the same code was already scanned within the repeat window.
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

/// A terminator that ends the scan unless a key follows within the terminator pause.
private struct HeldTerminator: Sendable {
    let character: Unicode.Scalar?
    /// The second character of the line break CR+LF or LF+CR; nil if it has not arrived.
    var second: Unicode.Scalar?
    /// A key that followed the terminator and types no character; nil if there was none.
    var silentKey: PressedKey?
    let key: KeyCode
}
