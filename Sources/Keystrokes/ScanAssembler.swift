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
/// It promises that a scan comes out whole or not at all. A scan is broken by keys that were lost, by
/// a pause in it, by a key that the table does not know, by a character of several keys that was cut
/// off, and by a grab in the middle of it. One rule holds for all: **a broken scan stays broken until
/// its terminator comes, or until the scanner has been quiet for the recovery time; nothing of it,
/// and nothing in between, is a scan.** It is told of by one rejection, when it is over. Quiet means
/// that no key comes and none is down; a key that stays down for ten times the recovery time was lost.
///
/// What is held at the end of a scan is held in the next, until the scanner has been quiet for the
/// recovery time: a key that is down by then was lost. Caps Lock stays as it was. Behind lost keys
/// nothing counts as held, and Caps Lock as off.
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

    var keys: KeyTranslator
    var framer: ScanFramer
    /// Between the kernel's word that keys were lost and the end of its report nothing is believed.
    @usableFromInline var skipsUntilReport = false

    /// Makes an assembler for one scanner.
    ///
    /// - Parameter settings: How the scanner is set up to type.
    public init(settings: ScanSettings) {
        self.settings = settings
        let rules = ScanRules(settings)
        keys = KeyTranslator(rules, table: settings.scanTable)
        framer = ScanFramer(rules)
    }

    /// When ``advance(to:)`` has something to do, in microseconds; nil while no scan is in progress.
    public var deadlineMicroseconds: Int64? { framer.deadline(keyState) }

    /// Takes one input event.
    ///
    /// - Parameter event: The event; other types than `EV_KEY` and `EV_SYN` mean nothing here.
    /// - Returns: A scan or a rejection where this event, or the pause before it, completes one.
    @inlinable
    public mutating func feed(_ event: KeyEvent) -> Outcome {
        // Four of a key's six events are no key's: they must not cost the caller a call. Nor must a
        // plain key cost it an outcome, which would have to be released though there is nothing in it.
        if event.type == InputEventType.key {
            return feedPlainly(event) ? .nothing : feedRarely(event)
        }
        guard event.type == InputEventType.syn, event.code != SynCode.report || skipsUntilReport
        else {
            return .nothing
        }
        synchronise(event)
        return .nothing
    }

    /// Tells the time, so that a scan ends although no key comes.
    ///
    /// - Parameter microseconds: The time now, on the clock of the events; one ahead of the last
    ///   key, as of somebody who looked at the clock before taking it, says nothing.
    /// - Returns: What the time completes, or nothing.
    public mutating func advance(to microseconds: Int64) -> Outcome {
        guard let deadlineMicroseconds, deadlineMicroseconds <= microseconds else {
            return .nothing
        }
        return pass(to: microseconds)
    }

    /// The events are over: what is in progress ends as if the scanner was quiet from now on.
    ///
    /// - Returns: What that completes, or nothing.
    public mutating func finish() -> Outcome {
        outcome(of: framer.finish(keyState))
    }

    /// The scanner went away: what is in progress is torn, and no modifier or lock is kept.
    ///
    /// - Parameter microseconds: The time now, on the clock of the events.
    /// - Returns: A rejection where a scan was in progress, or nothing.
    public mutating func disconnect(at microseconds: Int64) -> Outcome {
        skipsUntilReport = false
        keys.loseTrack()
        defer { keys.settle() }
        return outcome(of: framer.disconnect(at: microseconds))
    }

    /// The scanner may have been typing when it was grabbed: the keys that come may be the rest of a
    /// scan whose beginning nobody read.
    ///
    /// - Parameter microseconds: The time now, on the clock of the events.
    public mutating func claimed(at microseconds: Int64) {
        keys.loseTrack()
        framer.breakOff(.startedBeforeGrab, at: microseconds)
        framer.noteChange(at: microseconds)
    }
}

extension ScanAssembler {
    private var keyState: ScanFramer.Keys {
        ScanFramer.Keys(areDown: keys.hasKeyDown, areTyping: keys.isTyping)
    }

    /// Takes a key event that completes nothing and is one of the usual: a character inside a scan,
    /// the release of its key, or a repetition.
    ///
    /// - Parameter event: The event.
    /// - Returns: Whether it was taken.
    @usableFromInline
    mutating func feedPlainly(_ event: KeyEvent) -> Bool {
        // A scan that lost keys does not go on plainly, so that nobody skips to a report here.
        guard framer.goesOnPlainly(at: event.microseconds) else { return false }
        if event.value == 1 {
            guard let character = keys.pressPlainly(event.code) else { return false }
            framer.append(character, at: event.microseconds)
        } else if event.value == 0 {
            guard keys.releasePlainly(event.code) else { return false }
            framer.noteChange(at: event.microseconds)
        }
        return true
    }

    /// Takes any key event: first the pause before it, then the key.
    ///
    /// - Parameter event: The event.
    /// - Returns: What they complete, or nothing; a pause that completes something leaves the key
    ///   nothing to complete.
    @usableFromInline
    mutating func feedRarely(_ event: KeyEvent) -> Outcome {
        guard !skipsUntilReport, (0...2).contains(event.value) else { return .nothing }
        guard !framer.isWithinPauses(at: event.microseconds) else {
            return outcome(of: change(event))
        }
        let before = pass(to: event.microseconds)
        let after = outcome(of: change(event))
        return before == .nothing ? after : before
    }

    /// Takes the time since the last key, be a scan in progress or not.
    private mutating func pass(to microseconds: Int64) -> Outcome {
        guard framer.isInProgress else {
            if framer.isQuiet(at: microseconds) { keys.settle() }
            return .nothing
        }
        return outcome(of: framer.pass(to: microseconds, keyState))
    }

    private mutating func change(_ event: KeyEvent) -> ScanFramer.Action {
        guard event.value < 2 else {
            if framer.isInProgress { keys.holdDown(event.code) }
            return .nothing
        }
        framer.noteChange(at: event.microseconds)
        return take(event.value == 1 ? keys.press(event.code) : keys.release(event.code), event)
    }

    private mutating func take(
        _ action: KeyTranslator.Action, _ event: KeyEvent
    ) -> ScanFramer.Action {
        switch action {
        case .nothing: if event.value == 1 { framer.takeOther(at: event.microseconds) }
        case .capsLock: framer.takeOther(.capsLock, at: event.microseconds)
        case .part: framer.takePart(at: event.microseconds)
        case .typed(let typed):
            return framer.take(typed, countsKey: event.value == 1, at: event.microseconds)
        case .unmapped(let key): framer.takeUnmapped(key, at: event.microseconds)
        case .cutOff(let key): framer.breakOff(.unmappedKey, key, at: event.microseconds)
        case .uncertain: framer.breakOff(.torn, at: event.microseconds)
        }
        return .nothing
    }

    private mutating func outcome(of action: ScanFramer.Action) -> Outcome {
        switch action {
        case .nothing: return .nothing
        case .ended(let outcome):
            keys.endScan()
            return outcome
        case .endedByQuiet(let outcome):
            keys.settle()
            return outcome
        }
    }

    @usableFromInline
    mutating func synchronise(_ event: KeyEvent) {
        switch event.code {
        case SynCode.report: skipsUntilReport = false
        case SynCode.dropped:
            skipsUntilReport = true
            framer.tear(at: event.microseconds)
            keys.loseTrack()
        default: break
        }
    }
}
