/// What an input device says of itself: the facts a scanner is told apart by.
///
/// The numbers and texts are those of the kernel's `EVIOCGID`, `EVIOCGNAME`, `EVIOCGPHYS` and
/// `EVIOCGUNIQ`. Texts come from the device and are as trustworthy as it is: escape before printing.
public struct DeviceIdentity: Hashable, Sendable {
    /// The device's name; nil where it has none.
    public var name: String?
    /// The bus, for instance 3 for USB and 5 for Bluetooth (`linux/input.h`, `BUS_*`).
    public var bus: UInt16
    /// The vendor's number on that bus.
    public var vendor: UInt16
    /// The vendor's number for the product.
    public var product: UInt16
    /// The version of the product.
    public var version: UInt16
    /// Where it is plugged in, for instance `usb-0000:00:14.0-2/input0`; nil where unknown.
    public var phys: String?
    /// A serial number or a Bluetooth address; nil where it has none.
    public var uniq: String?

    /// Makes an identity from what is known.
    ///
    /// - Parameters:
    ///   - name: The device's name.
    ///   - bus: The bus.
    ///   - vendor: The vendor's number.
    ///   - product: The product's number.
    ///   - version: The version.
    ///   - phys: Where it is plugged in.
    ///   - uniq: A serial number or a Bluetooth address.
    public init(
        name: String? = nil, bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0,
        version: UInt16 = 0, phys: String? = nil, uniq: String? = nil
    ) {
        self.name = name
        self.bus = bus
        self.vendor = vendor
        self.product = product
        self.version = version
        self.phys = phys
        self.uniq = uniq
    }
}

extension UInt16 {
    /// The number as USB ids are written, for instance `0c2e`.
    public var fourHexDigits: String {
        String(unsafeUninitializedCapacity: 4) { buffer in
            for index in 0..<4 {
                let digit = UInt8(truncatingIfNeeded: self >> (12 - 4 * index) & 0xF)
                buffer[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return 4
        }
    }
}
