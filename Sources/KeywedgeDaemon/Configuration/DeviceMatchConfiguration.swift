/// Which devices are a scanner: every property that is given must agree.
public struct DeviceMatchConfiguration: Equatable, Sendable {
    /// The vendor's number as the device states it (`EVIOCGID`).
    public var vendor: UInt16?
    /// The product's number as the device states it (`EVIOCGID`).
    public var product: UInt16?
    /// The device's name (`EVIOCGNAME`).
    public var name: String?
    /// The device file, or a link to it such as those in `/dev/input/by-id`; absolute.
    public var path: String?
    /// Where the device is plugged in (`EVIOCGPHYS`).
    public var phys: String?
    /// The device's serial number or Bluetooth address (`EVIOCGUNIQ`).
    public var uniq: String?

    /// Makes a match; a property that is nil is not looked at.
    ///
    /// - Parameters:
    ///   - vendor: The vendor's number.
    ///   - product: The product's number.
    ///   - name: The device's name.
    ///   - path: The device file.
    ///   - phys: Where the device is plugged in.
    ///   - uniq: The serial number or Bluetooth address.
    public init(
        vendor: UInt16? = nil, product: UInt16? = nil, name: String? = nil, path: String? = nil,
        phys: String? = nil, uniq: String? = nil
    ) {
        self.vendor = vendor
        self.product = product
        self.name = name
        self.path = path
        self.phys = phys
        self.uniq = uniq
    }

    /// Whether no property is given, so that the match says nothing about any device.
    public var isEmpty: Bool { self == Self() }
}
