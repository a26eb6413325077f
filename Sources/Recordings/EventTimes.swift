internal import Keystrokes

/// The times of a recording's events: as recorded, or given to them.
///
/// Where a recording has no times, the first key comes at 0 and each other one
/// ``KeysParser/defaultPace`` behind the one before, as in a `.keys` file; whatever is no key comes at
/// the time of the key ahead of it. Either all events have a time or none: a line without one among
/// others has lost it, and with it perhaps more.
struct EventTimes {
    private var areRecorded: Bool?
    private var hasKey = false
    /// The time of the event before.
    private(set) var last: Int64 = 0

    /// Tells the time of the next event.
    ///
    /// - Parameters:
    ///   - recorded: Its time in microseconds; nil where its line has none.
    ///   - type: Its type.
    /// - Returns: The time in microseconds; nil where the events before differ from it in having one.
    mutating func time(_ recorded: Int64?, ofType type: UInt16) -> Int64? {
        guard (areRecorded ?? (recorded != nil)) == (recorded != nil) else { return nil }
        areRecorded = recorded != nil
        if let recorded {
            last = recorded
        } else if type == InputEventType.key {
            if hasKey { last += KeysParser.defaultPace }
            hasKey = true
        }
        return last
    }
}
