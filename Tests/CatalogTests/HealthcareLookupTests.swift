import Barcodes
import Testing

@testable import Catalog

/// Tests that codes of pharmacies, clinics and libraries are found, however the catalog lists them.
@Suite struct HealthcareLookupTests {
    private static let noise = ["4006381333931", "1234", "-7654321", "A9991234", "96385074"]

    static let spellingsOfAPZN = [
        "03752864", "3752864", "-03752864", "-3752864", "PZN03752864", "PZN-03752864",
        "PZN 3752864", "pzn: 03752864", "110375286414", "9N110375286414",
        "04150037528643", "4150037528643",
    ]

    @Test(arguments: spellingsOfAPZN)
    func aPZNIsFoundInEverySpelling(listed: String) throws {
        let message = "[)>\u{1E}06\u{1D}9N110375286414\u{1D}1TX\u{1E}\u{4}"
        for scanned in Self.spellingsOfAPZN + [message, "0104150037528643\u{1D}21X"] {
            #expect(try foundID(scanned, in: Self.noise + [listed]) == "5", "\(scanned)")
        }
    }

    @Test func theTextAsReadGoesFirst() throws {
        #expect(try foundID("-3752864", in: ["PZN 03752864", "-3752864"]) == "1")
        #expect(try foundID("3752864", in: ["PZN 03752864", "3752864"]) == "1")
        #expect(try foundID("03752864", in: ["-3752864", "03752864"]) == "1")
        // A number with a wrong check digit is not a PZN, and finds only itself.
        #expect(try foundID("-3752865", in: ["3752865", "03752865"]) == nil)
        #expect(try foundID("3752865", in: ["-3752865", "03752865"]) == nil)
    }

    @Test(arguments: ["+A999123457", "+A99912345", "A999123457", "A99912345"])
    func aHealthIndustryCodeIsFoundWithAndWithoutFlagAndCheck(listed: String) throws {
        for scanned in [
            "+A999123457", "+A99912345/$$52001510X3/16D20111212/S77DEFG457", "*+A999123457*",
        ] {
            #expect(try foundID(scanned, in: Self.noise + [listed]) == "5", "\(scanned)")
            #expect(
                try foundID(scanned, aim: "]C0", in: Self.noise + [listed]) == "5", "\(scanned)")
        }
        #expect(try foundID("+$$710X3G7", in: Self.noise + [listed]) == nil)
    }

    static let spellingsOfABook = [
        "31234000000024", "A31234000000024B", "a31234000000024b", "t31234000000024*",
    ]

    @Test(arguments: spellingsOfABook)
    func aLibrarysItemIsFoundWithAndWithoutLetters(listed: String) throws {
        for scanned in Self.spellingsOfABook {
            #expect(try foundID(scanned, in: Self.noise + [listed]) == "5", "\(scanned)")
        }
        #expect(try foundID("31234000000024", aim: "]F0", in: Self.noise + [listed]) == "5")
    }

    @Test func aPZNIsNoGTINWithAWrongCheckDigit() throws {
        #expect(try catalog("id,code\n1,03752864\n2,03752865\n").check().count == 1)
    }

    @Test func columnsOfPharmaciesAreRecognised() throws {
        let match = try catalog("id,name,pzn\n1,Aspirin,03752864\n")
            .match(for: BarcodeDecoder().decode("-3752864", aim: nil))
        #expect(match?.product.id == "1")
    }
}
