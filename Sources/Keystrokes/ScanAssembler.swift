/// Puts keystrokes together to scans: the state machine at the heart of keywedge.
///
/// Raw input events go in; a scan, a rejection or nothing comes out. Time comes in with the events
/// and through ``advance(to:)``, so that the same events always give the same result.
///
/// ```swift
/// var assembler = ScanAssembler(settings: ScanSettings())
/// for event in events {
///     if case .scan(let scan) = assembler.feed(event) { print(scan.text) }
/// }
/// ```
///
/// What it promises:
/// - Keys that were lost, or that the table does not know, give a rejection, never a shorter text.
/// - What comes after lost keys is no scan until a terminator or an idle gap has passed.
/// - No modifier held at the end of a scan has a say in the next; Caps Lock stays as it was, except
///   after lost keys, when it counts as off.
/// - A clock that steps back ends a scan as an idle time does: nobody knows what came between.
public struct ScanAssembler: Sendable {
    /// What became of an event.
    ///
    /// Nearly every event gives nothing, so the rare cases are boxed and the common one is a word.
    public enum Outcome: Hashable, Sendable {
        /// Nothing yet.
        case nothing
        /// A scan is complete.
        indirect case scan(Scan)
        /// Keys came that are no scan.
        indirect case rejection(Rejection)
    }

    /// The settings it was made with.
    public let settings: ScanSettings

    let table: KeyTable
    private let idleMicroseconds: Int64
    private let longestTypedText: Int

    private(set) var modifiers = ModifierState()
    private(set) var skipsUntilReport = false
    private var scan = ScanInProgress()
    /// When the last terminator came; nil once a key has followed that is none.
    private var terminatorMicroseconds: Int64?

    /// Makes an assembler for one scanner.
    ///
    /// - Parameter settings: How the scanner is set up to type.
    public init(settings: ScanSettings) {
        self.settings = settings
        table = settings.tableWithTerminators
        idleMicroseconds = settings.idleTimeout.wholeMicroseconds
        longestTypedText = settings.longestTypedText
    }

    /// When ``advance(to:)`` has something to do, in microseconds; nil while no scan is in progress.
    public var deadlineMicroseconds: Int64? {
        guard scan.isInProgress else { return nil }
        return scan.lastKeyMicroseconds.addingClamped(idleMicroseconds)
    }

    /// Takes one input event.
    ///
    /// - Parameter event: The event; other types than `EV_KEY` and `EV_SYN` mean nothing here.
    /// - Returns: A scan or a rejection where this event, or the pause before it, completes one.
    public mutating func feed(_ event: KeyEvent) -> Outcome {
        guard event.type == EventType.key else {
            return event.type == EventType.syn ? synchronise(event) : .nothing
        }
        if skipsUntilReport { return .nothing }
        switch event.value {
        case 1: return press(event)
        case 0:
            release(event)
            return .nothing
        default: return .nothing
        }
    }

    /// Tells the time, so that an idle scan ends although no key comes.
    ///
    /// - Parameter microseconds: The time now, on the clock of the events.
    /// - Returns: What the idle time completes, or nothing.
    public mutating func advance(to microseconds: Int64) -> Outcome {
        guard scan.isInProgress, isIdle(at: microseconds) else { return .nothing }
        return endByIdleTime()
    }

    /// The events are over: what is in progress ends as after an idle time.
    ///
    /// - Returns: What that completes, or nothing.
    public mutating func finish() -> Outcome {
        scan.isInProgress ? endByIdleTime() : .nothing
    }

    /// The scanner went away: what is in progress is torn, and no modifier or lock is kept.
    ///
    /// - Parameter microseconds: The time now, on the clock of the events.
    /// - Returns: A rejection where a scan was in progress, or nothing.
    public mutating func disconnect(at microseconds: Int64) -> Outcome {
        defer {
            modifiers = ModifierState()
            skipsUntilReport = false
            terminatorMicroseconds = nil
        }
        guard scan.isInProgress else { return .nothing }
        scan.tear(at: microseconds)
        return end(by: .idleTime)
    }

    /// The scanner may have been typing when it was grabbed: the keys up to the next terminator or
    /// idle gap are no scan.
    ///
    /// - Parameter microseconds: The time now, on the clock of the events.
    public mutating func startedBeforeGrab(at microseconds: Int64) {
        scan.breakOff(.startedBeforeGrab, at: microseconds)
    }
}

extension ScanAssembler {
    private enum End {
        case terminator
        case idleTime
    }

    private func isIdle(at microseconds: Int64) -> Bool {
        let gap = microseconds.subtractingReportingOverflow(scan.lastKeyMicroseconds)
        return gap.overflow || gap.partialValue < 0 || gap.partialValue >= idleMicroseconds
    }

    private mutating func press(_ event: KeyEvent) -> Outcome {
        var outcome = Outcome.nothing
        if scan.isInProgress, isIdle(at: event.microseconds) { outcome = endByIdleTime() }
        let meaning = table.packed(event.code, modifiers.level)
        switch meaning.kind {
        case KeyMeaning.Packed.characterKind where !modifiers.typesNoText:
            type(meaning.payload, at: event.microseconds)
        case KeyMeaning.Packed.terminatorKind:
            return terminate(event, after: outcome)
        case KeyMeaning.Packed.unknownKind, KeyMeaning.Packed.characterKind:
            scan.meetUnmappedKey(
                UnmappedKey(key: KeyCode(rawValue: event.code), modifiers: modifiers.heldKeys),
                at: event.microseconds)
        default:
            change(meaning, at: event.microseconds)
        }
        return outcome
    }

    @inline(__always)
    private mutating func type(_ character: UInt32, at microseconds: Int64) {
        if !scan.isInProgress, belongsToTerminator(character, at: microseconds) { return }
        scan.append(character, limit: longestTypedText, at: microseconds)
    }

    /// A CR or LF right behind an Enter is the rest of a CR+LF, not the start of a text.
    private mutating func belongsToTerminator(_ character: UInt32, at microseconds: Int64) -> Bool {
        guard let last = terminatorMicroseconds else { return false }
        terminatorMicroseconds = nil
        guard settings.terminators.includesEnter, character == 0x0A || character == 0x0D else {
            return false
        }
        let gap = microseconds.subtractingReportingOverflow(last)
        guard !gap.overflow, (0..<idleMicroseconds).contains(gap.partialValue) else { return false }
        terminatorMicroseconds = microseconds
        return true
    }

    private mutating func terminate(_ event: KeyEvent, after outcome: Outcome) -> Outcome {
        terminatorMicroseconds = event.microseconds
        guard scan.isInProgress else {
            modifiers.releaseAll()
            return outcome
        }
        scan.countKey(at: event.microseconds)
        return end(by: .terminator)
    }

    private mutating func change(_ meaning: KeyMeaning.Packed, at microseconds: Int64) {
        switch KeyMeaning(meaning) {
        case .modifier(let key): modifiers.press(key)
        case .capsLock: modifiers.toggle(.caps)
        case .unknown, .ignored, .character, .terminator: break
        }
        scan.keepAlive(at: microseconds)
    }

    @inline(__always)
    private mutating func release(_ event: KeyEvent) {
        let meaning = table.packed(event.code, [])
        guard meaning.kind == KeyMeaning.Packed.modifierKind,
            let key = ModifierKey(rawValue: UInt8(meaning.payload))
        else { return }
        modifiers.release(key)
    }

    private mutating func synchronise(_ event: KeyEvent) -> Outcome {
        switch event.code {
        case SynCode.report:
            skipsUntilReport = false
            return .nothing
        case SynCode.dropped:
            var outcome = Outcome.nothing
            if scan.isInProgress, isIdle(at: event.microseconds) { outcome = endByIdleTime() }
            skipsUntilReport = true
            scan.tear(at: event.microseconds)
            modifiers = ModifierState()
            return outcome
        default:
            return .nothing
        }
    }

    private mutating func endByIdleTime() -> Outcome {
        end(by: .idleTime)
    }

    private mutating func end(by end: End) -> Outcome {
        if scan.isTorn { modifiers = ModifierState() } else { modifiers.releaseAll() }
        defer { scan.clear() }
        if end == .idleTime, !settings.terminators.isEmpty { scan.missTerminator() }
        if let rejection = scan.rejection() { return .rejection(rejection) }
        return scan.complete(settings: settings)
    }
}

extension Int64 {
    /// The sum, or the nearest number there is.
    func addingClamped(_ other: Int64) -> Int64 {
        let sum = addingReportingOverflow(other)
        return sum.overflow ? (other < 0 ? .min : .max) : sum.partialValue
    }
}
