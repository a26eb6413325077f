/// An assembler that turns the key events of one scanner into scans.
///
/// Each event completes a scan, a rejection or nothing. The assembler reads no clock: it learns the time from events
/// and ``advance(to:)``, so the same calls always produce the same result.
///
/// ```swift
/// var assembler = ScanAssembler(settings: ScanSettings())
/// for event in events {
///     if case .scan(let scan) = assembler.feed(event) { print(scan.text) }
/// }
/// ```
///
/// A scan is reported completely or not at all. It breaks if keys are lost, if it contains a pause or a key without a
/// known meaning, if a character that takes several keys is cut off, or if the scanner is claimed in the middle of it.
/// **A broken scan stays broken until its terminator arrives, or until the scanner has been quiet for
/// ``ScanSettings/recovery``; nothing in between is ever a scan.** A single rejection then reports the broken scan.
///
/// Quiet means that no key is pressed or released, and that no key is down. A key that stays down for ten times the
/// recovery time counts as released.
///
/// Modifiers and Caps Lock carry over to the next scan, but a quiet period releases the modifiers. After keys have
/// been lost, a key counts as held only once it is pressed or repeats.
public struct ScanAssembler: Sendable {
    /// The scan or rejection, if any, that an event or a pause completes.
    public enum Outcome: Hashable, Sendable {
        /// Neither a scan nor a rejection is complete.
        case nothing
        indirect case scan(Scan)
        indirect case rejection(Rejection)
    }

    /// The scanner's settings, fixed for the lifetime of the assembler.
    public let settings: ScanSettings

    let rules: ScanRules
    private var keys: KeyTranslator
    var framer: ScanFramer
    /// Whether keys are ignored: true from `SYN_DROPPED` to the next `SYN_REPORT`.
    private var skipsUntilReport = false

    /// Creates an assembler for one scanner; if the scanner's settings change, create a new one.
    public init(settings: ScanSettings) {
        self.settings = settings
        rules = ScanRules(settings)
        keys = KeyTranslator(rules)
        framer = ScanFramer(rules)
    }

    /// When to call ``advance(to:)`` if no event arrives, in microseconds; nil between scans.
    public var deadlineMicroseconds: Int64? { framer.deadline(keys.activity) }

    /// Whether a scan has begun but not ended.
    package var isInMidScan: Bool { framer.isInMidScan }

    /// Processes an input event.
    ///
    /// After a loss of keys (`SYN_DROPPED`, then `SYN_REPORT`), feed an auto-repeat of each key that the kernel still
    /// reports as down. It marks the key as held and types nothing.
    ///
    /// - Parameter event: The event; types other than `EV_KEY` and `EV_SYN` are ignored.
    /// - Returns: The scan or rejection that this event, or the pause before it, completes; otherwise
    ///   ``Outcome/nothing``.
    public mutating func feed(_ event: KeyEvent) -> Outcome {
        switch event.type {
        case InputEventType.syn: synchronise(event)
        case InputEventType.key where !skipsUntilReport && (0...2).contains(event.value):
            // If the pause completes a scan or rejection, the key cannot complete another one.
            let before = pass(to: event.microseconds)
            let after = outcome(of: change(event))
            if case .nothing = before { return after }
            return before
        default: break
        }
        return .nothing
    }

    /// Advances the time; a long enough pause completes a scan or makes it invalid.
    ///
    /// - Parameter microseconds: The time on the key events' clock; before ``deadlineMicroseconds``, it has no effect.
    /// - Returns: The scan or rejection that the pause completes; otherwise ``Outcome/nothing``.
    public mutating func advance(to microseconds: Int64) -> Outcome {
        guard let deadlineMicroseconds, deadlineMicroseconds <= microseconds else {
            return .nothing
        }
        return pass(to: microseconds)
    }

    /// Ends the stream of events; a scan in progress ends as if a long pause followed.
    public mutating func finish() -> Outcome {
        outcome(of: framer.finish(keys.activity))
    }

    /// Rejects a scan in progress and resets modifiers and locks, because the scanner was disconnected.
    public mutating func disconnect(at microseconds: Int64) -> Outcome {
        skipsUntilReport = false
        keys.loseTrack()
        defer { keys.settle() }
        return outcome(of: framer.disconnect(at: microseconds))
    }

    /// Rejects the next keys: the scanner was just claimed for exclusive use, so they may be the rest of a scan.
    ///
    /// Keys are accepted again after the next terminator or a quiet period. The period is ``ScanSettings/recovery`` if
    /// a scan may be in progress or if a key is pressed or released after the claim; otherwise, it is at most
    /// ``ScanSettings/quietAfterClaim``. After this call, feed an auto-repeat of each key that is down.
    ///
    /// - Parameters:
    ///   - microseconds: The current time, on the clock of the key events.
    ///   - inMidScan: Whether keys arrived just before the claim, so a scan may be in progress.
    public mutating func claimed(at microseconds: Int64, inMidScan: Bool = false) {
        keys.loseTrack()
        framer.claimed(at: microseconds, inMidScan: inMidScan)
    }
}

extension ScanAssembler {
    /// Advances the time like ``advance(to:)``, but takes effect even if ``deadlineMicroseconds`` is later or nil.
    mutating func pass(to microseconds: Int64) -> Outcome {
        guard framer.isInProgress else {
            if framer.isQuiet(at: microseconds, keys.activity) { keys.settle() }
            return .nothing
        }
        return outcome(of: framer.pass(to: microseconds, keys.activity))
    }

    private mutating func change(_ event: KeyEvent) -> ScanFramer.Action {
        let key = KeyCode(rawValue: event.code)
        if keys.isContradiction(key, event.value, isInScan: framer.isInProgress) {
            keys.doubt(key)
            if !framer.isBroken { framer.tear(at: event.microseconds) }
        }
        switch event.value {
        case 0:
            framer.recordChange(at: event.microseconds)
            return apply(keys.release(key), of: event)
        case 1:
            framer.recordChange(at: event.microseconds)
            return apply(keys.press(key), of: event)
        default:
            keys.hold(key)
            return .nothing
        }
    }

    private mutating func apply(
        _ action: KeyTranslator.Action, of event: KeyEvent
    ) -> ScanFramer.Action {
        let isPress = event.value == 1
        switch action {
        case .nothing: if isPress { framer.recordKey(at: event.microseconds) }
        case .capsLock: framer.recordKey(.capsLock, at: event.microseconds)
        case .part: framer.countKey(at: event.microseconds)
        case .typed(let typed):
            return framer.add(typed, countsKey: isPress, at: event.microseconds)
        case .unmapped(let key): framer.reject(key, at: event.microseconds)
        case .cutOff(let key): framer.breakScan(.unmappedKey, key, at: event.microseconds)
        case .uncertain: framer.breakScan(.torn, at: event.microseconds)
        }
        return .nothing
    }

    mutating func outcome(of action: ScanFramer.Action) -> Outcome {
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

    private mutating func synchronise(_ event: KeyEvent) {
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

extension ScanAssembler {
    /// The state of an assembler between two scans, while no key is down and Caps Lock is off.
    package struct Rest: Codable, Hashable, Sendable {
        private enum CodingKeys: String, CodingKey {
            case usesCapsLock = "uses_caps_lock"
            case isCapsLockInDoubt = "caps_lock_in_doubt"
            case changeMicroseconds = "changed_us"
            case terminatorMicroseconds = "terminator_us"
            case pauseAfterScan = "pause_us"
        }

        /// Whether the scanner has ever switched Caps Lock on or off.
        package var usesCapsLock: Bool
        /// Whether the state of Caps Lock is unknown, because keys were lost.
        package var isCapsLockInDoubt: Bool
        /// When a key was last pressed or released, in microseconds.
        package var changeMicroseconds: Int64
        /// When the last terminator arrived, in microseconds; nil if another key followed.
        package var terminatorMicroseconds: Int64?
        /// The longest pause between events since a terminator immediately ended the last scan, in microseconds;
        /// nil if that scan ended in another way, or if its terminator was `endOfCode`.
        package var pauseAfterScan: Int64?

        package init(
            usesCapsLock: Bool = false, isCapsLockInDoubt: Bool = false,
            changeMicroseconds: Int64 = 0,
            terminatorMicroseconds: Int64? = nil, pauseAfterScan: Int64? = nil
        ) {
            self.usesCapsLock = usesCapsLock
            self.isCapsLockInDoubt = isCapsLockInDoubt
            self.changeMicroseconds = changeMicroseconds
            self.terminatorMicroseconds = terminatorMicroseconds
            self.pauseAfterScan = pauseAfterScan
        }
    }

    /// The state from which another assembler can resume; nil during a scan and while a key is down.
    ///
    /// It is also nil while Caps Lock is on, because the other assembler's settings may treat Caps Lock differently.
    package var rest: Rest? {
        guard !framer.isInProgress, keys.activity == .none, !keys.hasCapsLock, !skipsUntilReport
        else { return nil }
        return Rest(
            usesCapsLock: keys.usesCapsLock,
            isCapsLockInDoubt: keys.capsIsInDoubt,
            changeMicroseconds: framer.changeMicroseconds,
            terminatorMicroseconds: framer.terminatorMicroseconds,
            pauseAfterScan: framer.pauseAfterScan)
    }

    /// Takes over the state of another assembler, which read the scanner's keys until now.
    package mutating func resume(from rest: Rest) {
        keys.resume(from: rest)
        framer.resume(from: rest)
    }
}

/// The effect that a key would have if it were pressed now, for display.
public struct KeyReading: Hashable, Sendable {
    /// The key's meaning with the current modifiers and locks.
    ///
    /// While Alt or Meta is held, a character key is ``KeyMeaning/unknown``, except for a digit in ALT mode.
    public var meaning: KeyMeaning
    /// The modifiers that are held, in the order of ``ModifierKey``.
    public var modifiers: [ModifierKey]
    /// The locks that are on: Caps Lock, Num Lock, both or neither.
    public var locks: KeyLevel

    /// Creates a reading; by default, no modifiers are held and no locks are on.
    public init(meaning: KeyMeaning, modifiers: [ModifierKey] = [], locks: KeyLevel = []) {
        self.meaning = meaning
        self.modifiers = modifiers
        self.locks = locks
    }
}

extension ScanAssembler {
    /// Looks up what a key would do if it were pressed now; nil from `SYN_DROPPED` to the next `SYN_REPORT`.
    ///
    /// A pause during a scan can release modifiers, so call ``advance(to:)`` first.
    public func reading(of key: KeyCode) -> KeyReading? {
        skipsUntilReport ? nil : keys.reading(of: key)
    }
}
