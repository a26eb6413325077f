import Keystrokes
import Testing

@testable import ScannerInput

@Suite struct HIDPOSLayoutTests {
    /// Returns a report of 64 bytes: `start`, the text, zeros and the last byte.
    private func report(_ start: [UInt8], _ text: String = "", last: UInt8 = 0) -> [UInt8] {
        let bytes = start + Array(text.utf8)
        return bytes + Array(repeating: 0, count: 63 - bytes.count) + [last]
    }

    private func layout(_ descriptor: [UInt8]) throws -> HIDPOSLayout {
        try #require(HIDPOSLayout(descriptor: descriptor))
    }

    @Test func honeywellsFieldsAreFound() throws {
        let layout = try layout(HIDDescriptors.honeywell)
        let part = layout.part(of: report([2, 13, 0x5D, 0x45, 0x30], "4006381333931"))
        #expect(part == CodePart(aim: "]E0", data: Array("4006381333931".utf8)))
    }

    @Test func zebrasFieldsAreFound() throws {
        let layout = try layout(HIDDescriptors.zebra)
        let part = layout.part(of: report([2, 12, 0, 0x5D, 0x58, 0x67], "042100005264"))
        #expect(part == CodePart(aim: "]Xg", data: Array("042100005264".utf8)))
    }

    @Test func newlandSendsNoIdentifier() throws {
        let layout = try layout(HIDDescriptors.newland)
        #expect(layout.part(of: report([2, 3], "abc")) == CodePart(data: Array("abc".utf8)))
    }

    @Test(arguments: [1, 2])
    func dataMayBeAnArray(timesThatItListsAUsage count: Int) throws {
        func usages(_ number: UInt8) -> [UInt8] { (0..<count).flatMap { _ in [0x09, number] } }
        let layout = try layout(
            HIDDescriptors.scanner(
                [0x85, 0x02, 0x75, 0x08, 0x95, 0x03] + usages(0xFB) + [0x81, 0x00]
                    + [0x95, 0x3C] + usages(0xFE) + [0x81, 0x00]))
        let part = layout.part(of: report([2, 0x5D, 0x45, 0x30], "4006381333931"))
        #expect(part == CodePart(aim: "]E0", data: Array("4006381333931".utf8)))
    }

    @Test func anotherCollectionOfTheMakerIsLeftAlone() throws {
        let layout = try layout(HIDDescriptors.withMakersCollection)
        #expect(layout.part(of: report([0xFD, 3, 0, 0, 0], "abc")) == nil)
        #expect(layout.part(of: report([2, 1, 0, 0, 0], "a")) == CodePart(data: [0x61]))
    }

    @Test(
        arguments: [
            HIDDescriptors.badgeKeyboard, [], [0x05], [0xC0], HIDDescriptors.honeywell.dropLast(),
            HIDDescriptors.scanner([0x85, 0x02, 0x75, 0x08, 0x95, 0x01, 0x09, 0xFB, 0x81, 0x02]),
        ].map(Array.init))
    func otherDevicesAndDamagedDescriptorsAreNoScanners(descriptor: [UInt8]) {
        #expect(HIDPOSLayout(descriptor: descriptor) == nil)
    }

    @Test func aContinuedPartIsNotTheLast() throws {
        let layout = try layout(HIDDescriptors.honeywell)
        let text = String(repeating: "7", count: 56)
        let part = layout.part(of: report([2, 56, 0x5D, 0x51, 0x31], text, last: 1))
        #expect(part == CodePart(aim: "]Q1", data: Array(text.utf8), isLast: false))
        // The other bits of the byte are padding.
        #expect(layout.part(of: report([2, 0, 0, 0, 0], last: 0xFE))?.isLast == true)
    }

    @Test func aLineEndIsNoDataButOnlyAtTheEndOfTheCode() throws {
        let layout = try layout(HIDDescriptors.newland)
        #expect(layout.part(of: report([2, 4], "a\rb\r"))?.data == Array("a\rb".utf8))
        #expect(layout.part(of: report([2, 3], "a\r\n"))?.data == Array("a".utf8))
        #expect(layout.part(of: report([2, 2], "a\r", last: 1))?.data == Array("a\r".utf8))
    }

    @Test(arguments: ["\u{0}E0", "]10", "]E-", "E0]", "]E\u{0}"])
    func anythingElseIsNoIdentifier(bytes: String) throws {
        let layout = try layout(HIDDescriptors.honeywell)
        #expect(layout.part(of: report([2, 1] + Array(bytes.utf8), "x"))?.aim == nil)
    }

    @Test func aCountBeyondTheDataIsDamaged() throws {
        let layout = try layout(HIDDescriptors.honeywell)
        #expect(layout.part(of: report([2, 57, 0, 0, 0], "1234"))?.isDamaged == true)
        #expect(layout.part(of: report([2, 255, 0, 0, 0], "1234"))?.isDamaged == true)
    }

    @Test func aReportThatIsCutOffIsDamaged() throws {
        let layout = try layout(HIDDescriptors.honeywell)
        let whole = report([2, 13, 0x5D, 0x45, 0x30], "4006381333931")
        for length in 1..<64 {
            #expect(layout.part(of: Array(whole[..<length]))?.isDamaged == true)
        }
        #expect(layout.part(of: []) == nil)
    }

    @Test func aBitOfTheOutputReportGivesASignal() throws {
        let layout = try layout(HIDDescriptors.honeywell)
        #expect(layout.signals == [.error: [4, 1], .good: [4, 2], .notOnFile: [4, 4]])
    }

    @Test func aChoiceOfTheOutputReportGivesASignal() throws {
        let layout = try layout(HIDDescriptors.zebra)
        #expect(layout.signals == [.error: [5, 1], .good: [5, 2], .notOnFile: [5, 3]])
        #expect(try self.layout(HIDDescriptors.newland).signals.isEmpty)
    }

    @Test func withoutNumbersAReportIsWrittenAfterAZero() throws {
        let fields: [UInt8] = [
            0x75, 0x08, 0x95, 0x02, 0x09, 0xFE, 0x81, 0x02, 0x75, 0x04, 0x95, 0x01, 0x91, 0x03,
            0x75, 0x01, 0x09, 0x85, 0x91, 0x02,
        ]
        let layout = try layout(HIDDescriptors.scanner(fields))
        #expect(layout.signals == [.error: [0, 0x10]])
        // Without a count, zeros at the end are padding.
        #expect(layout.part(of: [0x61, 0]) == CodePart(data: [0x61]))
    }

    @Test(
        arguments: [
            ([17, 0x10, 3, 0, 4, 0, 0, 6, 3, 8, 1, 3, 3, 3, 9, 3, 1, 0x16], nil, nil),
            (
                [18, 0x10, 3, 0, 4, 0, 0, 6, 3, 8, 1, 3, 3, 3, 9, 3, 1, 0x16], "]E0",
                "4006381333931"
            ),
            ([9, 0x10, 3, 0, 0x41, 0x31, 0, 0x18, 0x0B], "]C0", "A1"),
            ([8, 0x10, 3, 0, 0x41, 0x31, 0, 0x18, 0x0B], nil, nil),
            ([6, 0x20, 3, 0, 0x41, 0x16], nil, ""),
        ] as [([UInt8], String?, String?)])
    func ibmsReports(start: [UInt8], aim: String?, text: String?) throws {
        let layout = try layout(HIDDescriptors.ibm)
        let part = layout.part(of: start + Array(repeating: 0, count: 64 - start.count))
        switch text {
        case nil: #expect(part?.isDamaged == true)
        case "": #expect(part == nil)
        case let text?: #expect(part == CodePart(aim: aim, data: Array(text.utf8)))
        }
    }
}
