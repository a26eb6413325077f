public import Keystrokes
public import WireText

/// Who an event is about: a scanner's configured name, and its identity where that is known.
public struct ScannerLabel: Hashable, Sendable {
    /// The name in the configuration; unique.
    public var name: String
    /// What the device says of itself; nil where a recording does not tell.
    public var identity: DeviceIdentity?

    /// Makes a label.
    ///
    /// - Parameters:
    ///   - name: The name in the configuration.
    ///   - identity: What the device says of itself.
    public init(name: String, identity: DeviceIdentity? = nil) {
        self.name = name
        self.identity = identity
    }

    /// The label as the `scanner` field of an event.
    public var data: JSONObject {
        var data = JSONObject(capacity: 3)
        data.appendNew("name", .string(name))
        if let identity {
            data.appendNew("vendor", .string(identity.vendor.fourHexDigits))
            data.appendNew("product", .string(identity.product.fourHexDigits))
        }
        return data
    }
}
