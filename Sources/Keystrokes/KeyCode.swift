/// A key of a keyboard, by the kernel's number (`linux/input-event-codes.h`).
///
/// The number names a place on the keyboard, not a character: `KEY_Q` is the key to the right of
/// Tab, whatever is printed on it.
public struct KeyCode: RawRepresentable, Hashable, Sendable {
    /// The kernel's number, 0…767.
    public var rawValue: UInt16

    /// The key with this number.
    ///
    /// - Parameter rawValue: The kernel's number.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The highest number a key can have (`KEY_MAX`).
    public static let highest: UInt16 = 0x2FF
}

extension KeyCode {
    /// The key with a kernel name, or nil where the kernel has no such key.
    ///
    /// - Parameter name: The name as in `linux/input-event-codes.h`, for instance `KEY_ENTER`.
    public init?(name: String) {
        guard let entry = Self.names.first(where: { $0.name == name }) else { return nil }
        self.init(rawValue: entry.code)
    }

    /// The kernel's name, for instance `KEY_ENTER`; `KEY_0x2f0` for a number without one.
    public var name: String {
        if let entry = Self.names.first(where: { $0.code == rawValue }) { return entry.name }
        return "KEY_0x" + String(rawValue, radix: 16)
    }
}

extension KeyCode: CustomStringConvertible {
    /// The kernel's name.
    public var description: String { name }
}
