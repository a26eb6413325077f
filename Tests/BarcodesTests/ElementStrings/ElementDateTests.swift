import Barcodes
import Testing

struct ElementDateTests {
    private func date(_ text: String, from year: Int) throws -> String? {
        let element = try #require(BarcodeDecoder().decode(text, aim: nil).gs1?.elements.first)
        return element.date(currentYear: year)
    }

    @Test(arguments: [
        ("261231", 2026, "2026-12-31"), ("261200", 2026, "2026-12"), ("760101", 2026, "2076-01-01"),
        ("770101", 2026, "1977-01-01"), ("990101", 2026, "1999-01-01"),
        ("000229", 2026, "2000-02-29"),
        ("250101", 2075, "2125-01-01"), ("260101", 2075, "2026-01-01"),
        ("000101", 2099, "2100-01-01"),
        ("490101", 2099, "2149-01-01"), ("500101", 2099, "2050-01-01"),
        ("510101", 2000, "1951-01-01"),
        ("500101", 2000, "2050-01-01"),
    ])
    func twoDigitsOfAYearAreSeenFromNow(text: String, year: Int, date: String) throws {
        #expect(try self.date("(17)\(text)", from: year) == date)
    }

    @Test(arguments: ["2612", "261332", "260230", "26123A", "２６１２３１", "260000"])
    func whatIsNoDateIsNone(text: String) throws {
        #expect(try date("(17)\(text)", from: 2026) == nil)
    }

    @Test func theYearMustBeSensible() throws {
        #expect(try date("(17)261231", from: 0) == nil)
        #expect(try date("(17)000229", from: 2100) == nil)
    }

    @Test(
        arguments: [
            ("(7003)2612312359", "2026-12-31"), ("(7250)19991231", "1999-12-31"),
            ("(11)260100", "2026-01"), ("(10)261231", nil), ("(7250)1999", nil),
            ("(7250)1999AB31", nil), ("(01)09506000134352", nil),
        ] as [(String, String?)])
    func anElementMayHoldADate(text: String, date: String?) throws {
        #expect(try self.date(text, from: 2026) == date)
    }
}
