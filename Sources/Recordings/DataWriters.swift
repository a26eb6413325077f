package import Keystrokes
internal import WireText

/// A writer that records the reports of a HID device in the format of `hid-recorder`.
package struct HIDRecorderWriter: Sendable {
    private let device: DeviceIdentity
    private let descriptor: [UInt8]
    private var start: Int64?

    package init(device: DeviceIdentity, descriptor: [UInt8]) {
        self.device = device
        self.descriptor = descriptor
    }

    package func appendHeader(to output: inout [UInt8]) {
        let numbers = [device.vendor, device.product].map(\.fourHexDigits).joined(separator: " ")
        let lines = [
            "D: 0", "R: \(descriptor.counted)",
            "N: \(device.name.map(Escaping.line.escaped) ?? "")",
            "P: \(device.phys.map(Escaping.line.escaped) ?? "")",
            "I: \(String(device.bus, radix: 16)) \(numbers)",
        ]
        for line in lines { output.append(contentsOf: "\(line)\n".utf8) }
    }

    /// Appends a report with its time since the first report.
    package mutating func append(
        report bytes: [UInt8], at microseconds: Int64, to output: inout [UInt8]
    ) {
        let begin = start ?? microseconds
        start = begin
        let time = max(0, microseconds.subtractingReportingOverflow(begin).partialValue)
        let parts = [time / 1_000_000, time % 1_000_000].map { $0.padded(to: 6) }
        output.append(contentsOf: "E: \(parts.joined(separator: ".")) \(bytes.counted)\n".utf8)
    }
}

/// A writer that records the bytes from a serial scanner in the `.keys` format.
package struct SentBytesWriter: Sendable {
    private let device: DeviceIdentity
    private var end: Int64?

    package init(device: DeviceIdentity) {
        self.device = device
    }

    package func appendHeader(to output: inout [UInt8]) {
        let name = device.name.map { "name=\($0.quoted(upTo: .max)) " } ?? ""
        let lines = [
            "device \(name)bus=\(device.bus.fourHexDigits) vendor=\(device.vendor.fourHexDigits)"
                + " product=\(device.product.fourHexDigits)", "pace 0us",
        ]
        for line in lines { output.append(contentsOf: "\(line)\n".utf8) }
    }

    /// Records that bytes may have been lost.
    package func appendLoss(to output: inout [UInt8]) {
        output.append(contentsOf: "dropped\n".utf8)
    }

    /// Appends bytes that arrived together, and the pause before them.
    package mutating func append(
        bytes: [UInt8], at microseconds: Int64, to output: inout [UInt8]
    ) {
        let pause = end.map { microseconds.subtractingReportingOverflow($0).partialValue } ?? 0
        end = microseconds
        if pause > 0 { output.append(contentsOf: "wait \(pause)us\n".utf8) }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        output.append(contentsOf: "send \(String(text).quoted(upTo: .max))\n".utf8)
    }
}

extension [UInt8] {
    /// The number of bytes and then each byte in hexadecimal, as hid-recorder writes them: `2 01 ff`.
    fileprivate var counted: String {
        ([String(count)] + map { $0.padded(to: 2, radix: 16) }).joined(separator: " ")
    }
}
