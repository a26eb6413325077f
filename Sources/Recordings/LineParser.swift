internal import Keystrokes
internal import WireText

enum Certainty {
    /// Nothing suggests that the line belongs to the format.
    case none
    /// The line belongs to the format unless another line shows a different format.
    case likely
    /// No other format can contain the line.
    case certain
}

/// A parser for the lines of one recording format.
///
/// To add a format, write a type that conforms to this protocol, and add a case with an example to ``RecordingFormat``.
protocol LineParser: SendableMetatype {
    init()

    /// Whether a line contains a complete event in a form unique to this format, perhaps after other text.
    static func holdsEvent(_ line: LineCursor) -> Bool

    /// Returns how certain it is that a line without an event belongs to this format.
    ///
    /// The cursor is already past indentation and `>` marks. `isFirst` is true for the first line that is neither
    /// blank nor a comment, and for the comments before it.
    static func heading(_ line: LineCursor, isFirst: Bool) -> Certainty

    /// Reads a line, and appends the devices and events that it completes; a faulty line appends nothing.
    mutating func read(_ line: Line, into items: inout Items) throws(LineFault)

    /// Ends the recording, and appends the device that ``read(_:into:)`` has held back, if any.
    mutating func finish(into items: inout Items)
}

extension LineParser {
    mutating func finish(into items: inout Items) {}
}

/// Why a line is wrong; ``RecordingError`` adds the file's name and the line's number.
struct LineFault: Error, Equatable {
    var expected: String
    /// The part of the line that is wrong; nil for the whole line.
    var found: Phrase?
}

/// A queue of parsed items to return.
struct Items {
    private var event: KeyEvent?
    private var others: [RecordingItem] = []
    private var returned = 0

    @inline(__always)
    mutating func append(_ item: RecordingItem) {
        if event == nil, others.isEmpty, case .event(let first) = item {
            event = first
        } else {
            others.append(item)
        }
    }

    /// Appends `device` unless it is nil, and then sets it to nil.
    mutating func append(_ device: inout DeviceIdentity?) {
        if let device { others.append(.device(device)) }
        device = nil
    }

    @inline(__always)
    mutating func removeFirst() -> RecordingItem? {
        if let first = event {
            event = nil
            return .event(first)
        }
        guard returned < others.count else {
            if returned > 0 { (others, returned) = ([], 0) }
            return nil
        }
        returned += 1
        return others[returned - 1]
    }
}

extension DeviceIdentity? {
    /// Sets the bus, vendor, product and version to the four `numbers`, in this order.
    mutating func setNumbers(_ numbers: [UInt16]) {
        var identity = self ?? DeviceIdentity()
        (identity.bus, identity.vendor) = (numbers[0], numbers[1])
        (identity.product, identity.version) = (numbers[2], numbers[3])
        self = identity
    }
}

extension KeyEvent {
    /// Returns the event, or throws an error if no kernel sends such an event.
    ///
    /// The code of a key is at most `KEY_MAX`, and its value is 0, 1 or 2 (Documentation/input/event-codes.rst).
    func checked() throws(LineFault) -> KeyEvent {
        guard type == InputEventType.key else { return self }
        if code > KeyCode.highest {
            throw LineFault(expected: "a key code up to \(KeyCode.highest)")
        }
        guard (0...2).contains(value) else {
            throw LineFault(expected: "a key value of 0, 1 or 2")
        }
        return self
    }
}

/// The times of a recording's events: those in the recording or, if it has none, assigned ones.
///
/// Without recorded times, the first key comes at 0. Each further key comes ``KeysParser/defaultPace`` later, as in a
/// `.keys` file. If the previous key was Enter and this one is not, it comes ``pauseAfterEnter`` later instead. All
/// other events have the time of the key before them.
///
/// A recording must have a time for all events or for none, because a line that lost its time may have lost more parts.
struct EventTimes {
    /// The assumed pause after Enter, in microseconds; it is too short to end a scan.
    static let pauseAfterEnter: Int64 = 30_000

    private var areRecorded: Bool?
    /// The code of the previous key; nil before the first key.
    private var lastKey: UInt16?
    /// The time of the last event, in microseconds.
    private(set) var last: Int64 = 0

    /// Returns the time of the next event in microseconds; nil if only some events have a recorded time, or if the
    /// time is later than ``LineCursor/latest``.
    mutating func time(_ recorded: Int64?, ofType type: UInt16, code: UInt16) -> Int64? {
        guard (areRecorded ?? (recorded != nil)) == (recorded != nil) else { return nil }
        areRecorded = recorded != nil
        if let recorded {
            last = recorded
        } else if type == InputEventType.key {
            let isAfterEnter = lastKey == KeyCode.enter.rawValue && code != lastKey
            let pace = isAfterEnter ? Self.pauseAfterEnter : KeysParser.defaultPace
            if lastKey != nil { last += pace }
            lastKey = code
        }
        return last <= LineCursor.latest ? last : nil
    }
}
