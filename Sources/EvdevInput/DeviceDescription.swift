public import Keystrokes

/// All that a recording says of a device before its events: who it is and what it can send.
public struct DeviceDescription: Hashable, Sendable {
    /// What the device says of itself.
    public var identity: DeviceIdentity
    /// The input properties it has (`INPUT_PROP_*`), ascending.
    public var properties: [UInt16]
    /// The codes it can send, ascending, by event type (`EV_*`).
    public var codes: [UInt16: [UInt16]]

    /// Makes a description.
    ///
    /// - Parameters:
    ///   - identity: What the device says of itself.
    ///   - properties: The input properties it has.
    ///   - codes: The codes it can send, by event type.
    public init(
        identity: DeviceIdentity, properties: [UInt16] = [], codes: [UInt16: [UInt16]] = [:]
    ) {
        self.identity = identity
        self.properties = properties
        self.codes = codes
    }
}
