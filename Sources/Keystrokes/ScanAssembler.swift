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
/// - So does a character of several keys (a dead key, a number on the keypad) that is cut off; after
///   a pause in the middle of one, neither its rest nor what follows at once is a scan.
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
    public var settings: ScanSettings { rules.settings }

    let rules: ScanRules

    let table: KeyTable
    /// What terminators type, where they may turn out to be data or the start of a scan.
    let innerTable: KeyTable?
    let longestTypedText: Int
    private let idleMicroseconds: Int64
    let pauseMicroseconds: Int64

    var modifiers = ModifierState()
    var scan = ScanInProgress()
    /// The character that takes several keys and is being typed.
    var entry = CharacterEntry.none
    /// The one that a pause has come into, until what follows it is over.
    var cutOff: CutOffCharacter?
    /// The terminator that ends the scan unless a key follows at once.
    var heldBack: HeldTerminator?
    /// Whether what begins a scan has come, or need not.
    var hasStarted: Bool
    private(set) var skipsUntilReport = false
    /// Whether a character is just that: the usual case, kept ready so that one look decides.
    private var typesPlainly: Bool
    /// The pause that ends the scan in progress.
    private var quietMicroseconds: Int64
    /// When the last terminator came; nil once a key has followed that is none.
    private var terminatorMicroseconds: Int64?

    /// Makes an assembler for one scanner.
    ///
    /// - Parameter settings: How the scanner is set up to type.
    public init(settings: ScanSettings) {
        rules = ScanRules(settings)
        table = settings.scanTable
        pauseMicroseconds = settings.terminatorPause.wholeMicroseconds
        let isStartAndEnd = !settings.start.characters.isDisjoint(with: settings.marks.characters)
        innerTable = pauseMicroseconds > 0 || isStartAndEnd ? settings.typingTable : nil
        idleMicroseconds = settings.idleTimeout.wholeMicroseconds
        quietMicroseconds = idleMicroseconds
        longestTypedText = settings.longestTypedText
        hasStarted = !rules.needsStart
        typesPlainly = hasStarted
    }

    /// When ``advance(to:)`` has something to do, in microseconds; nil while no scan is in progress.
    public var deadlineMicroseconds: Int64? {
        guard scan.isInProgress else { return nil }
        return scan.lastKeyMicroseconds.addingClamped(quietMicroseconds)
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
        case 0: return release(event)
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
            forgetKeysHeld()
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
    func isIdle(at microseconds: Int64) -> Bool {
        let gap = microseconds.subtractingReportingOverflow(scan.lastKeyMicroseconds)
        return gap.overflow || gap.partialValue < 0 || gap.partialValue >= quietMicroseconds
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

    @inline(__always)
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

    @inline(__always)
    private mutating func release(_ event: KeyEvent) -> Outcome {
        let meaning = table.packed(event.code, [])
        guard meaning.kind == KeyMeaning.Packed.modifierKind,
            let key = ModifierKey(rawValue: UInt8(meaning.payload))
        else { return .nothing }
        return release(key, event)
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
            forgetKeysHeld()
            return outcome
        default:
            return .nothing
        }
    }
}

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
            hasStarted && heldBack == nil && entry == .none && !modifiers.typesNoText
        quietMicroseconds = heldBack == nil ? idleMicroseconds : pauseMicroseconds
    }

    private mutating func forgetKeysHeld() {
        modifiers = ModifierState()
        entry = .none
        cutOff = nil
        updateReadiness()
    }

    private mutating func prepareForNext() {
        scan.clear()
        entry = .none
        cutOff = nil
        heldBack = nil
        hasStarted = !rules.needsStart
        updateReadiness()
    }
}

extension Int64 {
    /// The sum, or the nearest number there is.
    func addingClamped(_ other: Int64) -> Int64 {
        let sum = addingReportingOverflow(other)
        return sum.overflow ? (other < 0 ? .min : .max) : sum.partialValue
    }
}
