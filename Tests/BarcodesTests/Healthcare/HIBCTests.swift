import TestTexts
import Testing

@testable import Barcodes

struct HIBCTests {
    /// Returns the identifier, title, value and date of each part; nil if the text is no HIBC.
    private static func parts(_ text: String) -> [String]? {
        HIBC(text)?.fields.map { field in
            let day = field.date(currentYear: 2026).map { " = \($0)" } ?? ""
            return
                "\(field.identifier.map { "(\($0)) " } ?? "")\(field.title ?? "?") \(field.value)\(day)"
        }
    }

    // The codes are from ANSI/HIBC 2.6 and from labels that people have reported.
    @Test(arguments: [
        ("+A123BJC5D6E71G", ["labeler A123", "product number BJC5D6E7", "unit of measure 1"]),
        ("+$$52001510X3GD", ["expiry date 20015 = 2020-01-15", "lot 10X3", "link character G"]),
        ("+$$710X3G7", ["lot 10X3", "link character G"]),
        ("+2001510X3GG", ["expiry date 20015 = 2020-01-15", "lot 10X3", "link character G"]),
        (
            "+A123BJCMD6E79++$$52001510X3+ ",
            [
                "labeler A123", "product number BJCMD6E7", "unit of measure 9",
                "expiry date 20015 = 2020-01-15", "lot 10X3",
            ]
        ),
        (
            "+A99912345/$$81210X3/16D20111212/14D20200906/S77DEFG45$",
            [
                "labeler A999", "product number 1234", "unit of measure 5", "quantity 12",
                "lot 10X3", "(16D) production date 20111212 = 2011-12-12",
                "(14D) expiry date 20200906 = 2020-09-06", "(S) serial number 77DEFG45",
            ]
        ),
        (
            "+A123ABCDEFGHI1234567891/$$420020216LOT123456789012345/SXYZ456789012345678/16D20130202$",
            [
                "labeler A123", "product number ABCDEFGHI123456789", "unit of measure 1",
                "expiry date 20020216 = 2020-02-02", "lot LOT123456789012345",
                "(S) serial number XYZ456789012345678",
                "(16D) production date 20130202 = 2013-02-02",
            ]
        ),
        (
            "+J123AQ3451/$$1125BC34567/S4012L",
            [
                "labeler J123", "product number AQ345", "unit of measure 1",
                "expiry date 1125 = 2025-11", "lot BC34567", "(S) serial number 4012",
            ]
        ),
        (
            "+J123AQ3451/25330BC34567/S4012X",
            [
                "labeler J123", "product number AQ345", "unit of measure 1",
                "expiry date 25330 = 2025-11-26", "lot BC34567", "(S) serial number 4012",
            ]
        ),
        (
            "+$$8053290331260301104+$",
            [
                "quantity 05", "expiry date 290331 = 2029-03-31", "lot 260301104",
                "link character +",
            ]
        ),
        ("+$$848GQ", ["quantity 48", "link character G"]),
        (
            "+EHWD3551419/$$900100F",
            ["labeler EHWD", "product number 355141", "unit of measure 9", "quantity 00100"]
        ),
        (
            "+EHWD3551419/$/Q100X",
            ["labeler EHWD", "product number 355141", "unit of measure 9", "(Q) quantity 100"]
        ),
        (
            "+E308T800206X0/$230513/14D20260413C",
            [
                "labeler E308", "product number T800206X", "unit of measure 0", "lot 230513",
                "(14D) expiry date 20260413 = 2026-04-13",
            ]
        ),
    ])
    func isReadInParts(text: String, parts: [String]) {
        #expect(Self.parts(text) == parts)
        #expect(HIBC(text)?.isValid == true)
    }

    @Test func theFormsOfDatesAgree() {
        for date in ["2011520", "3200115", "420011523", "520015", "62001523"] {
            for (flags, title) in [("$$", "lot"), ("$$+", "serial number")] {
                let body = "+A99912345/\(flags)\(date)10X3"
                let text = body + String(HIBC.checkCharacter(for: body) ?? "?")
                #expect(
                    Self.parts(text)?.dropFirst(3).map {
                        $0.replacing(/^expiry date \d+/, with: "")
                    }
                        == [" = 2020-01-15", "\(title) 10X3"], "\(text)")
            }
        }
    }

    @Test(arguments: [
        "", "+", "+$", "A99912345X", "+a99912345X", "+A99912345//X",
        "+A99/$$X", "+A999123ABX", "+$$5999910X3GD", "+$$21345200GD",
        "+A9991234567890123456789012X",
        "+A99912345/$$3201301LOTX", "+A123BJC5D6E71G+$$52001510X3XD",
    ])
    func anotherTextIsNone(text: String) {
        #expect(HIBC(text) == nil)
    }

    @Test func oneWrongCharacterIsNoticed() {
        for text in ["+A123BJC5D6E71G", "+A99912345/$$52001510X3/16D20111212/S77DEFG457"] {
            #expect(HIBC(text)?.isValid == true)
            for index in text.indices.dropFirst(4) {
                var wrong = text
                wrong.replaceSubrange(index...index, with: text[index] == "7" ? "8" : "7")
                #expect(HIBC(wrong)?.isValid != true, "\(wrong)")
            }
        }
        #expect(HIBC("+A99912345/$$52001510X3X")?.isUnmistakable == true)
        #expect(HIBC("+A123BJC5D6E71H")?.isUnmistakable == false)
    }

    @Test func theCheckCharacterIsThatOfAChart() {
        // The standard's chart of the values of characters; digits and letters have the values 0 to 35.
        let chart: [Character: Int] = [
            "-": 36, ".": 37, " ": 38, "$": 39, "/": 40, "+": 41, "%": 42,
        ]
        func place(_ character: Character) -> Int {
            chart[character] ?? Int(String(character), radix: 36) ?? -1
        }
        let alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%"
        var random = SplitMix(seed: 43)
        for _ in 0..<2_000 {
            let length = Int.random(in: 1...30, using: &random)
            let text = String(
                (0..<length).map { _ in alphabet.randomElement(using: &random) ?? "0" })
            var sum = 0
            for character in text { sum = (sum + place(character)) % 43 }
            #expect(HIBC.checkCharacter(for: Substring(text)).map(place) == sum)
        }
        #expect(HIBC.checkCharacter(for: "+a") == nil)
    }

    @Test func aCatalogMayLeaveOutTheFlagAndTheCheckCharacter() {
        #expect(
            HIBC("+A99912345/$$81210X3/16D20111212/14D20200906/S77DEFG45$")?.number == "+A999123457"
        )
        #expect(
            HIBC.spellings(of: "+A123BJC5D6E71G") == [
                "+A123BJC5D6E71G", "A123BJC5D6E71G", "+A123BJC5D6E71", "A123BJC5D6E71",
            ])
        #expect(HIBC("+$$710X3G7")?.number == nil)
    }

    @Test func aCodeIsAReadingOfItsOwn() throws {
        let barcode = BarcodeDecoder().decode("+A99912345/$$52001510X3/16D20111212/S77DEFG457")
        #expect(barcode.kind == .hibc)
        #expect(barcode.checkDigit == .valid)
        #expect(barcode.number == "+A999123457")
        #expect(barcode.problems.isEmpty)
        #expect(barcode.fields.map(\.title).contains("lot"))
    }

    @Test(arguments: [
        ("+A99912345/$$52001510X3X", nil, Barcode.Kind.hibc), ("+$$52001510X3GX", nil, .hibc),
        ("+A123BJC5D6E71H", "]A0", .hibc), ("+A123BJC5D6E71H", nil, .text),
        ("+4930123456", nil, .text), ("+4930123456", "]Q1", .text),
    ])
    func aWrongCheckCharacterIsAnErrorOnlyWithEvidence(
        text: String, aim: String?, kind: Barcode.Kind
    ) {
        let barcode = BarcodeDecoder().decode(text, aim: aim)
        #expect(barcode.kind == kind)
        #expect(barcode.number == nil)
        #expect(barcode.problems.map(\.code) == (kind == .hibc ? [.wrongCheckCharacter] : []))
        #expect(barcode.problems.allSatisfy { $0.severity == .error })
    }
}
