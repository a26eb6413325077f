package import Keystrokes

/// The layout of the reports that a HID POS scanner sends, read from its report descriptor.
///
/// Makers differ: Honeywell sends the length in one byte and then the AIM identifier, Zebra sends the length in two
/// bytes, and Newland sends no identifier. A device is a HID POS scanner if it has an application collection for a
/// barcode scanner (usage page 0x8C, usage 2) that contains decoded data. A collection for a barcode badge reader
/// (usage 1) is ignored, because some ordinary keyboards have one.
///
/// Rule: HID Point of Sale Usage Tables 1.02, section 3.
package struct HIDPOSLayout: Hashable, Sendable {
    private struct Report: Hashable, Sendable {
        var count: Range<Int>?
        /// The bit ranges of the identifier fields; the first three bytes in them form the AIM identifier.
        var identifiers: [Range<Int>] = []
        var data: [Range<Int>] = []
        var continued: Range<Int>?
    }

    private enum Usage {
        static let scanner = HIDUsage(page: 0x8C, 0x02)
        static let byteCount = HIDUsage(page: 0x01, 0x3B)
        static let identifiers = (0xFB...0xFD as ClosedRange<UInt16>).map {
            HIDUsage(page: 0x8C, $0)
        }
        static let data = HIDUsage(page: 0x8C, 0xFE)
        static let continued = HIDUsage(page: 0x8C, 0xFF)
    }

    private var reports: [UInt8: Report] = [:]
    private var ibm: IBMReport?
    package private(set) var descriptor: [UInt8] = []
    private var hasReportNumbers = false
    /// Whether the device uses HID POS, as only barcode scanners do; false if it uses one of IBM's modes.
    package var isStandard: Bool { ibm == nil }
    package private(set) var signals: [ScannerSignal: [UInt8]] = [:]
    package static let empty = HIDPOSLayout()

    private init() {}

    /// Reads a report descriptor; nil if it is damaged or does not describe a scanner.
    package init?(descriptor bytes: [UInt8]) {
        guard let descriptor = try? HIDReportDescriptor(bytes) else { return nil }
        self.descriptor = bytes
        hasReportNumbers = descriptor.hasReportNumbers
        for field in descriptor.fields where field.application == Usage.scanner {
            if field.kind == .input { add(field) }
            if field.kind == .output { add(field, of: descriptor) }
        }
        reports = reports.filter { !$0.value.data.isEmpty }
        ibm = reports.isEmpty ? IBMReport(descriptor) : nil
        guard !reports.isEmpty || ibm != nil else { return nil }
    }

    private mutating func add(_ field: HIDField) {
        let bits = field.bitOffset..<(field.bitOffset + field.bitCount)
        var report = reports[field.report] ?? Report()
        switch field.usage {
        case Usage.byteCount: report.count = bits
        // An array that lists a usage twice contains its bytes once.
        case Usage.data where !report.data.contains(bits): report.data.append(bits)
        case Usage.continued: report.continued = bits
        case let usage where Usage.identifiers.contains(usage):
            if !report.identifiers.contains(bits) { report.identifiers.append(bits) }
        default: return
        }
        reports[field.report] = report
    }

    private mutating func add(_ field: HIDField, of descriptor: HIDReportDescriptor) {
        guard let signal = ScannerSignal.allCases.first(where: { field.usage == $0.usage }),
            signals[signal] == nil
        else { return }
        var bytes = [UInt8](repeating: 0, count: descriptor.byteCount(of: field.report, .output))
        if hasReportNumbers { bytes[0] = field.report }
        let value = field.choice ?? 1
        let start = field.bitOffset + (hasReportNumbers ? 8 : 0)
        for bit in 0..<min(field.bitCount, 32) where value >> UInt32(bit) & 1 == 1 {
            bytes[(start + bit) / 8] |= 1 << UInt8((start + bit) % 8)
        }
        // The kernel takes the first byte for the report's number, which is 0 if reports have no numbers.
        signals[signal] = hasReportNumbers ? bytes : [0] + bytes
    }

    /// Returns the part of a code that a report contains; nil if the report contains no scanned data.
    package func part(of report: [UInt8]) -> CodePart? {
        let payload = hasReportNumbers ? report.dropFirst() : report[...]
        let number = hasReportNumbers ? report.first ?? 0 : 0
        if let ibm { return ibm.number == number ? ibm.part(of: Array(payload)) : nil }
        return reports[number].map { Self.part(of: Array(payload), $0) }
    }

    /// Reads the part of a code that a report contains.
    ///
    /// The part counts as damaged if the report contains fewer data bytes than it should. If the report ends before its
    /// continuation flag, the part is damaged too, and another part is assumed to follow.
    private static func part(of payload: [UInt8], _ report: Report) -> CodePart {
        let (isLast, isCutOff) =
            report.continued.map { bits in
                let continued = payload.number(at: bits)
                return (continued == 0, continued == nil)
            } ?? (true, false)
        var data = report.data.flatMap { payload.bytes(at: $0) }
        let capacity = report.data.reduce(0) { $0 + $1.count / 8 }
        var isDamaged = isCutOff
        if let bits = report.count {
            let count = payload.number(at: bits)
            isDamaged = isDamaged || (count ?? .max) > data.count
            data = Array(data.prefix(Int(count ?? 0)))
        } else {
            isDamaged = isDamaged || data.count < capacity
            while data.last == 0 { data.removeLast() }
        }
        if isLast { data.dropLineEnd() }
        return CodePart(
            aim: aimIdentifier(report.identifiers.flatMap { payload.bytes(at: $0) }), data: data,
            isLast: isLast, isDamaged: isDamaged)
    }

    /// Returns the AIM identifier at the start of these bytes; nil if they do not start with one.
    ///
    /// Rule: ISO/IEC 15424, section 4. A scanner that sends no identifier sends zeros instead.
    package static func aimIdentifier(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 3, bytes[0] == UInt8(ascii: "]") else { return nil }
        // Setting bit 0x20 turns an upper-case letter into a lower-case one.
        let letters = bytes[1...2].map { (0x61...0x7A).contains($0 | 0x20) }
        guard letters[0], letters[1] || (0x30...0x39).contains(bytes[2]) else { return nil }
        return String(decoding: bytes[..<3], as: UTF8.self)
    }
}

/// A signal, such as a beep, that a scanner can give to its user.
package enum ScannerSignal: String, Hashable, Sendable, CaseIterable {
    case error
    case good
    /// The code was read, but no product has this code.
    case notOnFile = "not-on-file"

    fileprivate var usage: HIDUsage {
        switch self {
        case .error: HIDUsage(page: 0x8C, 0x85)
        case .good: HIDUsage(page: 0x8C, 0x86)
        case .notOnFile: HIDUsage(page: 0x8C, 0x87)
        }
    }
}

extension [UInt8] {
    /// Returns the number in a range of bits, least significant bit first; nil if the report is too short.
    fileprivate func number(at bits: Range<Int>) -> UInt32? {
        guard bits.upperBound <= count * 8 else { return nil }
        var number: UInt32 = 0
        for (place, bit) in bits.prefix(32).enumerated() {
            number |= UInt32(self[bit / 8] >> UInt8(bit % 8) & 1) << UInt32(place)
        }
        return number
    }

    /// Returns the complete bytes in a range of bits; bytes beyond the end of the report are left out.
    fileprivate func bytes(at bits: Range<Int>) -> [UInt8] {
        stride(from: bits.lowerBound, through: bits.upperBound - 8, by: 8)
            .prefix { $0 + 8 <= count * 8 }
            .map { start in
                start % 8 == 0
                    ? self[start / 8]
                    : UInt8(truncatingIfNeeded: number(at: start..<(start + 8)) ?? 0)
            }
    }

    /// Removes a CR, LF or CR+LF at the end, because some scanners are configured to add one.
    fileprivate mutating func dropLineEnd() {
        if last == UInt8(ascii: "\n") { removeLast() }
        if last == UInt8(ascii: "\r") { removeLast() }
    }
}
