internal import Glibc
package import Keystrokes
package import WireText

/// A virtual HID POS scanner, created through uhid.
///
/// Format: `struct uhid_event` (`include/uapi/linux/uhid.h`).
package final class VirtualHIDScanner {
    private static let path = "/dev/uhid"
    private static let create: UInt32 = 11
    private static let input: UInt32 = 12
    private static let capacity = 56

    /// The descriptor of a 64-byte report: the report ID, which is 2; the data length; a 3-byte AIM identifier; 56 data
    /// bytes; 2 padding bytes; and a byte that is 1 if another part follows.
    package static let reportDescriptor: [UInt8] = [
        0x05, 0x8C, 0x09, 0x02, 0xA1, 0x01, 0x85, 0x02, 0x09, 0x12, 0xA1, 0x02, 0x15, 0x00,
        0x26, 0xFF, 0x00, 0x75, 0x08, 0x95, 0x01, 0x05, 0x01, 0x09, 0x3B, 0x81, 0x02,
        0x05, 0x8C, 0x09, 0xFB, 0x09, 0xFC, 0x09, 0xFD, 0x95, 0x03, 0x81, 0x02,
        0x09, 0xFE, 0x95, 0x38, 0x82, 0x02, 0x01, 0x95, 0x02, 0x81, 0x03,
        0x25, 0x01, 0x75, 0x01, 0x95, 0x01, 0x09, 0xFF, 0x81, 0x02, 0x95, 0x07, 0x81, 0x03,
        0xC0, 0xC0,
    ]

    private let descriptor: Int32

    /// Plugs in a scanner, which is unplugged when the last reference to this object is released.
    package init(identity: DeviceIdentity) throws(SystemCallError) {
        descriptor = try SystemCallError.check(
            "open", Self.path, open(Self.path, O_RDWR | O_CLOEXEC))
        var event = Self.create.bytes
        for (text, length) in [(identity.name, 128), (identity.phys, 64), (identity.uniq, 64)] {
            let bytes = Array((text ?? "").utf8.prefix(length - 1))
            event += bytes + Array(repeating: 0, count: length - bytes.count)
        }
        event += UInt16(Self.reportDescriptor.count).bytes + identity.bus.bytes
        for number in [identity.vendor, identity.product, identity.version, 0] {
            event += UInt32(number).bytes
        }
        event +=
            Self.reportDescriptor + Array(repeating: 0, count: 4096 - Self.reportDescriptor.count)
        try send(event)
    }

    deinit {
        close(descriptor)
    }

    package func send(report: [UInt8]) throws(SystemCallError) {
        try send(Self.input.bytes + UInt16(report.count).bytes + report)
    }

    private func send(_ event: [UInt8]) throws(SystemCallError) {
        guard write(descriptor, event, event.count) == event.count else {
            throw SystemCallError(operation: "write", path: Self.path, errno: errno)
        }
    }

    package static func reports(for data: [UInt8], aim: String?) -> [[UInt8]] {
        let starts = Array(stride(from: 0, to: max(data.count, 1), by: capacity))
        return starts.map { start in
            let part = data.dropFirst(start).prefix(capacity)
            let identifier = aim.map { Array($0.utf8) } ?? [0, 0, 0]
            let padding = Array(repeating: UInt8(0), count: capacity - part.count + 2)
            return [2, UInt8(part.count)] + identifier + part + padding
                + [start == starts.last ? 0 : 1]
        }
    }
}

extension FixedWidthInteger {
    /// The bytes in this machine's byte order, as the kernel expects them.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}
