import Foundation
import Testing

@testable import ScannerInput

@Suite struct UdevDatabaseTests {
    @Test(arguments: [
        ("S:input/scanners/x\nE:KEYWEDGE_SCANNER=1\nG:seat\n", true),
        ("E:KEYWEDGE_SCANNER=1", true), ("E:KEYWEDGE_SCANNER=0\n", false),
        ("E:KEYWEDGE_SCANNER=10\n", false), ("E:ID_MODEL=E:KEYWEDGE_SCANNER=1\n", false),
        ("", false),
    ])
    func aMarkIsAPropertyOfItsOwnLine(entry: String, isMarked: Bool) {
        #expect(UdevDatabase.hasMark(entry) == isMarked)
    }

    @Test(
        arguments: [
            ("event0", 0), ("event17", 17), ("event", nil), ("mouse0", nil), ("event1a", nil),
            ("event-1", nil), ("event+1", nil), ("eventual", nil),
            ("event99999999999999999999", nil),
        ] as [(String, Int?)])
    func onlyEventNodesHaveANumber(name: String, number: Int?) {
        #expect(DeviceNodes.number(in: name, after: "event") == number)
    }

    @Test func theRuleMarksTheSameMakersAsTheTable() throws {
        let rules = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../udev/72-keywedge.rules").standardized
        let text = try String(contentsOf: rules, encoding: .utf8)
        let vendors = text.matches(of: /ATTRS?\{(id\/v|idV)endor\}=="([0-9a-f|]{9,})"/)
        #expect(vendors.count == 3)
        for vendor in vendors {
            #expect(
                vendor.2.split(separator: "|").map { UInt16($0, radix: 16) }
                    == KnownMakers.byVendor.keys.sorted())
        }
        let hid = text.matches(of: /000\[35\]:([0-9A-F]{4}):\*/)
        #expect(
            hid.map { UInt16($0.1, radix: 16) } == KnownMakers.byVendor.keys.sorted())
        #expect(text.contains("ENV{\(UdevDatabase.mark)}=\"1\""))
    }
}
