import Keystrokes

/// The report that a scanner in IBM's hand-held or table-top mode sends (usage page 0xFF45).
///
/// No public standard describes it. According to makers' guides, a report with a code consists of the message length,
/// `10 03 00`, the data, and a symbology identifier: one byte for retail codes, `00 xx 0B` for others. All other
/// reports are answers to commands.
struct IBMReport: Hashable, Sendable {
    private static let page: UInt32 = 0xFF45
    private static let heading: [UInt8] = [0x10, 0x03, 0x00]
    /// The AIM identifiers for IBM's one-byte identifiers, except the one for UPC-E.
    private static let short: [UInt8: String] = [0x0C: "]E4", 0x0D: "]E0", 0x16: "]E0"]
    /// IBM's identifier for UPC-E, which has no AIM identifier of its own.
    private static let upcE: UInt8 = 0x0A
    /// The AIM identifiers for IBM's three-byte identifiers, keyed by the middle byte.
    private static let long: [UInt8: String] = [
        0x0A: "]A0", 0x0D: "]I0", 0x0E: "]F0", 0x18: "]C0", 0x19: "]G0", 0x25: "]C1",
    ]

    /// The report number; 0 for a device that does not number its reports.
    let number: UInt8

    /// Finds IBM's report in a descriptor; nil if the device is not in one of IBM's modes.
    init?(_ descriptor: HIDReportDescriptor) {
        let field = descriptor.fields.first {
            $0.kind == .input && $0.application.rawValue >> 16 == Self.page
        }
        guard let field else { return nil }
        number = field.report
    }

    /// Returns the code in `payload`, which is a report without its number; nil if there is no code.
    ///
    /// A code with an unknown one-byte identifier counts as damaged, because the end of its data is unknown.
    func part(of payload: [UInt8]) -> CodePart? {
        guard payload.count > 4, Array(payload[1...3]) == Self.heading else { return nil }
        let length = Int(payload[0])
        guard (5...payload.count).contains(length) else {
            return CodePart(data: [], isDamaged: true)
        }
        let message = payload[4..<length]
        let end = Array(message.suffix(3))
        if end.count == 3, end[0] == 0x00, end[2] == 0x0B {
            return CodePart(aim: Self.long[end[1]], data: Self.text(message.dropLast(3)))
        }
        let aim = message.last.flatMap { Self.short[$0] }
        guard aim != nil || message.last == Self.upcE else {
            return CodePart(data: Self.text(message), isDamaged: true)
        }
        return CodePart(aim: aim, data: Self.text(message.dropLast()))
    }

    /// Converts the data to ASCII, because some scanners send digits as the bytes 0 to 9.
    private static func text(_ data: ArraySlice<UInt8>) -> [UInt8] {
        data.allSatisfy { $0 < 10 } ? data.map { $0 + UInt8(ascii: "0") } : Array(data)
    }
}
