/// An input event as the kernel reports it.
///
/// The fields match the kernel's `struct input_event` (Documentation/input/event-codes.rst).
/// `linux/input-event-codes.h` lists the numbers of `type` and `code`.
public struct KeyEvent: Hashable, Sendable {
    /// The event type, for instance `EV_KEY` (1) or `EV_SYN` (0).
    public var type: UInt16

    /// The event code; for `EV_KEY`, the key's ``KeyCode/rawValue``.
    public var code: UInt16

    /// The event value; for `EV_KEY`, 0 for a release, 1 for a press, 2 for an auto-repeat.
    public var value: Int32

    /// The time of the event, in microseconds on a monotonic clock.
    public var microseconds: Int64

    /// Creates an event from the kernel's numbers and a time in microseconds.
    public init(type: UInt16, code: UInt16, value: Int32, microseconds: Int64) {
        self.type = type
        self.code = code
        self.value = value
        self.microseconds = microseconds
    }
}

extension KeyEvent {
    /// Makes an `EV_KEY` event; `value` is 0 for a release, 1 for a press, 2 for an auto-repeat.
    public static func key(_ key: KeyCode, _ value: Int32, at microseconds: Int64) -> KeyEvent {
        KeyEvent(
            type: InputEventType.key, code: key.rawValue, value: value, microseconds: microseconds)
    }

    /// Makes a `SYN_REPORT` event, which ends a group of simultaneous events.
    public static func report(at microseconds: Int64) -> KeyEvent {
        KeyEvent(
            type: InputEventType.syn, code: SynCode.report, value: 0, microseconds: microseconds)
    }

    /// Makes a `SYN_DROPPED` event, which reports that events were lost.
    public static func dropped(at microseconds: Int64) -> KeyEvent {
        KeyEvent(
            type: InputEventType.syn, code: SynCode.dropped, value: 0, microseconds: microseconds)
    }
}

/// The types of input events that occur on a scanner's device (`linux/input-event-codes.h`).
public enum InputEventType {
    /// `EV_SYN`: separates groups of events.
    public static let syn: UInt16 = 0x00
    /// `EV_KEY`: a key was pressed, released or repeated.
    public static let key: UInt16 = 0x01
    /// `EV_MSC`: other data, such as the hardware scan code of a key (`MSC_SCAN`).
    public static let msc: UInt16 = 0x04
    /// `EV_LED`: a keyboard LED was switched on or off.
    public static let led: UInt16 = 0x11
    /// `EV_REP`: an auto-repeat setting (delay or interval) changed.
    public static let rep: UInt16 = 0x14
}

/// The codes of `EV_SYN` events.
public enum SynCode {
    /// `SYN_REPORT`: a group of events is complete.
    public static let report: UInt16 = 0
    /// `SYN_DROPPED`: the kernel's buffer overflowed, and events were lost.
    public static let dropped: UInt16 = 3
}

extension Duration {
    /// The duration in whole microseconds, rounded towards zero and clamped to the range of `Int64`.
    public var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !whole.overflow else { return seconds < 0 ? .min : .max }
        return whole.partialValue.addingClamped(attoseconds / 1_000_000_000_000)
    }
}

extension FixedWidthInteger {
    func addingClamped(_ other: Self) -> Self {
        let sum = addingReportingOverflow(other)
        return sum.overflow ? (other < 0 ? .min : .max) : sum.partialValue
    }

    /// Returns the product of two non-negative numbers, or the type's maximum if the product overflows.
    func multipliedClamped(by factor: Self) -> Self {
        let product = multipliedReportingOverflow(by: factor)
        return product.overflow ? .max : product.partialValue
    }
}
