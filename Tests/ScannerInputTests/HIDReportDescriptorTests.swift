import Keystrokes
import TestTexts
import Testing

@testable import ScannerInput

@Suite struct HIDReportDescriptorTests {
    private typealias Fault = HIDReportDescriptor.Fault

    private func fault(_ bytes: [UInt8]) -> Fault? {
        do throws(Fault) {
            _ = try HIDReportDescriptor(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func pushedItemsComeBack() throws {
        let fields = try HIDReportDescriptor(
            HIDDescriptors.scanner(
                [0x75, 0x08, 0x95, 0x02, 0xA4, 0x75, 0x01, 0x05, 0x01, 0xB4]
                    + [0x09, 0xFE, 0x81, 0x02])
        ).fields
        #expect(fields.map(\.bitCount) == [16])
        #expect(fields.map(\.usage) == [HIDUsage(page: 0x8C, 0xFE)])
    }

    @Test func aUsageOfFourBytesNamesItsPage() throws {
        let fields = try HIDReportDescriptor(
            HIDDescriptors.scanner(
                [0x05, 0x01, 0x75, 0x08, 0x95, 0x01, 0x0B, 0xFE, 0x00, 0x8C, 0x00, 0x81, 0x02])
        ).fields
        #expect(fields.map(\.usage) == [HIDUsage(page: 0x8C, 0xFE)])
    }

    @Test func aLongItemIsSkipped() throws {
        let long: [UInt8] = [0xFE, 0x02, 0xF0, 0x81, 0x02]
        let bytes = HIDDescriptors.scanner(long + [0x75, 0x08, 0x95, 0x01, 0x09, 0xFE, 0x81, 0x02])
        #expect(try HIDReportDescriptor(bytes).fields.count == 1)
    }

    @Test func theOutermostApplicationCounts() throws {
        let inner: [UInt8] = [
            0x09, 0x01, 0xA1, 0x01, 0x75, 0x08, 0x95, 0x01, 0x09, 0xFE, 0x81, 2, 0xC0,
        ]
        let fields = try HIDReportDescriptor(HIDDescriptors.scanner(inner)).fields
        #expect(fields.map(\.application) == [HIDUsage(page: 0x8C, 2)])
    }

    @Test(
        arguments: [
            ([0x75], .cutOff(at: 0)), ([0x05, 0x01, 0x27, 0, 0], .cutOff(at: 2)),
            ([0xFE, 0x05], .cutOff(at: 0)), ([0xFE, 0x05, 0, 0], .cutOff(at: 0)),
            ([0xC0], .unbalanced(at: 0)), ([0xB4], .unbalanced(at: 0)),
            ([0xA1, 0x01], .unbalanced(at: 2)),
            ([0x19, 0x05, 0x29, 0x03], .unbalanced(at: 2)),
            (Array(repeating: 0xA4, count: 5), .tooLarge(at: 4)),
            (
                [0x77, 0xFF, 0xFF, 0xFF, 0xFF, 0x97, 0xFF, 0xFF, 0xFF, 0xFF, 0x81, 0x02],
                .tooLarge(at: 10)
            ),
            ([0x75, 0x01, 0x97, 0x01, 0x00, 0x02, 0x00, 0x81, 0x02], .tooLarge(at: 7)),
            (Array(repeating: 0, count: 4097), .tooLong),
        ] as [([UInt8], HIDReportDescriptor.Fault)])
    func faults(bytes: [UInt8], expected: HIDReportDescriptor.Fault) {
        #expect(fault(bytes) == expected)
    }

    @Test func rangesOfAllUsagesAreRefused() {
        let range: [UInt8] = [0x19, 0x00, 0x2A, 0xFF, 0xFF, 0x81, 0x02]
        let bytes = HIDDescriptors.scanner(
            [0x75, 0x01, 0x96, 0xFF, 0x3F] + Array(repeating: range, count: 500).flatMap { $0 })
        #expect(fault(bytes) == .tooLarge(at: 11 + range.count - 2))
    }

    /// Changes random bytes of descriptors, and checks that every field lies within its report.
    @Test func randomDescriptorsGiveFieldsWithinTheirReports() {
        var random = SplitMix(seed: 34)
        let seeds = [HIDDescriptors.honeywell, HIDDescriptors.zebra, HIDDescriptors.ibm]
        var readable = 0
        for turn in 0..<20_000 {
            var bytes = seeds[turn % seeds.count]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    .random(in: 0...255, using: &random)
            }
            guard let descriptor = try? HIDReportDescriptor(bytes) else { continue }
            readable += 1
            for field in descriptor.fields {
                let bits = descriptor.reportBits[field.kind]?[field.report] ?? 0
                #expect(field.bitOffset >= 0 && field.bitOffset + field.bitCount <= bits)
            }
            guard let layout = HIDPOSLayout(descriptor: bytes) else { continue }
            for length in [0, 1, 7, 64, 200] {
                let report = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                #expect((layout.part(of: report)?.data.count ?? 0) <= length)
            }
        }
        #expect(readable > 1_000)
    }
}
