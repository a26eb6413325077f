import Barcodes
import Testing

struct CalendarDateTests {
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
    func twoDigitsOfAYearAreSeenFromNow(text: String, year: Int, date: String) {
        #expect(CalendarDate(yymmdd: text, currentYear: year)?.description == date)
    }

    @Test(arguments: ["", "2612", "261332", "260230", "26123A", "２６１２３１", "2612311", "260000"])
    func whatIsNoDateIsNone(text: String) {
        #expect(CalendarDate(yymmdd: text, currentYear: 2026) == nil)
    }

    @Test func theYearMustBeSensible() {
        #expect(CalendarDate(yymmdd: "261231", currentYear: 0) == nil)
        #expect(CalendarDate(yymmdd: "000229", currentYear: 2100) == nil)
        #expect(CalendarDate(year: 0, month: 1, day: 1) == nil)
        #expect(CalendarDate(year: 2026, month: 13, day: nil) == nil)
        #expect(CalendarDate(year: 2023, month: 2, day: 29) == nil)
        #expect(CalendarDate(year: 2024, month: 2, day: 29)?.description == "2024-02-29")
    }

    @Test(
        arguments: [
            ("(17)261231", "2026-12-31"), ("(7003)2612312359", "2026-12-31"),
            ("(7250)19991231", "1999-12-31"),
            ("(11)260100", "2026-01"), ("(10)261231", nil), ("(17)261331", nil),
            ("(7250)1999", nil),
            ("(7250)1999AB31", nil), ("(01)09506000134352", nil),
        ] as [(String, String?)])
    func anElementMayHoldADate(text: String, date: String?) throws {
        let element = try #require(BarcodeDecoder().decode(text, aim: nil).gs1?.elements.first)
        #expect(element.date(currentYear: 2026)?.description == date)
    }
}

struct DecimalNumberTests {
    @Test(
        arguments: [
            (349, 2, "3.49"), (49, 2, "0.49"), (0, 2, "0.00"), (1750, 3, "1.750"), (5, 0, "5"),
            (5, -1, "5"),
            (5, 5, "0.00005"), (123456, 5, "1.23456"),
        ] as [(UInt64, Int, String)])
    func hasADigitAheadOfThePoint(significand: UInt64, decimals: Int, text: String) {
        #expect(DecimalNumber(significand: significand, decimals: decimals).description == text)
    }

    @Test(
        arguments: [
            ("(3103)001750", "1.750", nil), ("(3922)349", "3.49", nil),
            ("(3932)978349", "3.49", "978"),
            ("(3912)978349", "3.49", "978"), ("(3900)5", "5", nil), ("(3943)1234", "1.234", nil),
            ("(3952)001999", "19.99", nil), ("(3605)000001", "0.00001", nil), ("(10)5", nil, nil),
            ("(3103)00A750", nil, nil), ("(3932)978", nil, nil), ("(3932)97A349", "3.49", nil),
            ("(37)5", nil, nil),
        ] as [(String, String?, String?)])
    func anElementMayHoldOne(text: String, decimal: String?, currency: String?) throws {
        let element = try #require(BarcodeDecoder().decode(text, aim: nil).gs1?.elements.first)
        #expect(element.decimal?.description == decimal)
        #expect(element.currency == currency)
    }
}

struct CheckDigitTests {
    @Test(arguments: [
        ("544900000099", 6), ("01234567890", 5), ("9638507", 4), ("1540014128876", 3), ("0", 0),
        ("1", 7),
        ("34012345000000000", 0), ("999999999999999999999", 3), ("", 0),
    ])
    func fillsUpTheWeightedSum(digits: String, check: Int) {
        #expect(CheckDigit.gs1(for: digits) == check)
        #expect(CheckDigit.isValid(digits + String(check)))
        #expect(!CheckDigit.isValid(digits + String((check + 1) % 10)))
    }

    @Test(arguments: ["A", "1A", "１", "5449000000996 ", "\u{0600}6"])
    func isOnlyOfDigits(text: String) {
        #expect(CheckDigit.gs1(for: text) == nil)
        #expect(!CheckDigit.isValid(text))
        #expect(!CheckDigit.isValid(""))
    }

    @Test(
        arguments: [
            ("2875", 9), ("14685", 6), ("0000", 0), ("00000", 0), ("9999", 6), ("1234", nil),
            ("123", nil),
            ("123456", nil), ("12A4", nil), ("99999", nil),
        ] as [(String, Int?)])
    func aPriceHasItsOwn(digits: String, check: Int?) {
        let found = CheckDigit.priceOrWeight(for: digits)
        if let check { #expect(found == check) }
        #expect((found == nil) == (digits.count < 4 || digits.count > 5 || digits.contains("A")))
    }

    @Test(arguments: [
        ("1987654Ad4X4bL5ttr2310c", "2K"), ("12345678901234567890123", "NT"), ("00000!", "HV"),
        ("99999zzzzzzzzzzzzzzzzzz", "T2"), ("12345_!\"%&'()*+,-./", "LC"), ("!", "22"),
    ])
    func aKeyWithLettersHasTwoCharacters(text: String, pair: String) {
        #expect(CheckCharacters.gs1(for: text) == pair)
    }

    @Test(arguments: ["", " ", "12345é", "~", String(repeating: "1", count: 98)])
    func checkCharactersAreOfTheirSet(text: String) {
        #expect(CheckCharacters.gs1(for: text) == nil)
    }
}

struct GS1KeyTests {
    @Test func aPalletsNumberIsChecked() throws {
        #expect(try SSCC("340123450000000000").description == "340123450000000000")
        #expect(throws: GS1KeyError.wrongLength(text: "34", expected: 18, found: 2)) {
            try SSCC("34")
        }
        #expect(throws: GS1KeyError.notADigit(text: "34012345000000000X", at: 17)) {
            try SSCC("34012345000000000X")
        }
        #expect(
            throws: GS1KeyError.wrongCheckDigit(text: "340123450000000001", expected: 0, found: 1)
        ) {
            try SSCC("340123450000000001")
        }
    }

    @Test func aPlacesNumberIsChecked() throws {
        #expect(try GLN("9506000134352").description == "9506000134352")
        #expect(throws: GS1KeyError.wrongLength(text: "9", expected: 13, found: 1)) { try GLN("9") }
        #expect(throws: GS1KeyError.wrongCheckDigit(text: "9506000134353", expected: 2, found: 3)) {
            try GLN("9506000134353")
        }
    }

    @Test(arguments: [
        (
            GS1KeyError.wrongLength(text: "9", expected: 13, found: 1),
            "\"9\" is no GS1 key: expected 13 digits, got 1 characters."
        ),
        (
            .notADigit(text: "9A", at: 1),
            "\"9A\" is no GS1 key: expected a digit at offset 1, got another character."
        ),
        (
            .wrongCheckDigit(text: "91", expected: 2, found: 1),
            "\"91\" is no GS1 key: expected the check digit 2, got 1."
        ),
    ])
    func anErrorIsOneSentence(error: GS1KeyError, sentence: String) {
        #expect(error.description == sentence)
    }
}
