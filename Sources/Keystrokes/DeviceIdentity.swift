/// The names and numbers by which an input device identifies itself.
///
/// The kernel reports them (`EVIOCGID`, `EVIOCGNAME`, `EVIOCGPHYS`, `EVIOCGUNIQ`). The strings come from the device and
/// cannot be trusted: escape them before printing.
public struct DeviceIdentity: Hashable, Sendable {
    /// The device's name; nil if it reports none.
    public var name: String?
    /// The bus, for instance 3 for USB and 5 for Bluetooth (`linux/input.h`, `BUS_*`).
    public var bus: UInt16
    /// The vendor id, for instance 0x0C2E for Honeywell.
    public var vendor: UInt16
    /// The product id, which the vendor assigns.
    public var product: UInt16
    /// The version number; for USB keyboards, the HID version, such as 0x0111 for 1.11.
    public var version: UInt16
    /// The physical path of the device, for instance `usb-0000:00:14.0-2/input0`; nil if unknown.
    public var phys: String?
    /// The device's serial number or Bluetooth address; nil if it reports none.
    public var uniq: String?

    /// Creates an identity; numbers default to 0, and strings to nil.
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
    /// The number as four lower-case hexadecimal digits, the usual notation of USB IDs: `0c2e`.
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
