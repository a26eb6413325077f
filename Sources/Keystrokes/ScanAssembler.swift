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
/// - What comes after lost keys is no scan until a terminator or an idle gap has passed; in ALT mode
///   after an idle gap only where Alt comes first, for digits may be the rest of a number.
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
    let idleMicroseconds: Int64
    let pauseMicroseconds: Int64

    var modifiers = ModifierState()
    var scan = ScanInProgress()
    /// The character that takes several keys and is being typed.
    var entry = CharacterEntry.none
    /// The one that a pause has come into, until what follows it is over.
    var cutOff: CutOffCharacter?
    /// Whether Alt's last change, in ALT mode, may be among keys that were lost: then a digit may
    /// be part of a number that began before.
    var mayHaveLostAlt = false
    /// The modifier key that was pressed last.
    var modifierKey: UInt16 = 0
    /// The terminator that ends the scan unless a key follows at once.
    var heldBack: HeldTerminator?
    /// Whether what begins a scan has come, or need not.
    var hasStarted: Bool
    @usableFromInline var skipsUntilReport = false
    /// Whether a character is just that: the usual case, kept ready so that one look decides.
    var typesPlainly: Bool
    /// The pause that ends the scan in progress.
    var quietMicroseconds: Int64
    /// When the last terminator came; nil once a key has followed that is none.
    var terminatorMicroseconds: Int64?

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
    @inlinable
    public mutating func feed(_ event: KeyEvent) -> Outcome {
        // Four of a key's six events are no key's: they must not cost the caller a call. Nor must a
        // plain key cost it an outcome, which would have to be released though there is nothing in it.
        if event.type == EventType.key { return feedPlainly(event) ? .nothing : feedRarely(event) }
        guard event.type == EventType.syn, event.code != SynCode.report || skipsUntilReport else {
            return .nothing
        }
        return synchronise(event)
    }

    /// Tells the time, so that an idle scan ends although no key comes.
    ///
    /// - Parameter microseconds: The time now, on the clock of the events; one ahead of the last
    ///   key, as of somebody who looked at the clock before taking it, says nothing.
    /// - Returns: What the idle time completes, or nothing.
    public mutating func advance(to microseconds: Int64) -> Outcome {
        guard let deadlineMicroseconds, deadlineMicroseconds <= microseconds else {
            return .nothing
        }
        return endByIdleTime()
    }

    /// How many characters were typed so far, those included that are taken off at the end.
    public var characterCount: Int { scan.characterCount }

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

extension Int64 {
    /// The sum, or the nearest number there is.
    func addingClamped(_ other: Int64) -> Int64 {
        let sum = addingReportingOverflow(other)
        return sum.overflow ? (other < 0 ? .min : .max) : sum.partialValue
    }
}
