import Barcodes
import Testing

@testable import HTTPCatalog

@Suite struct CodeRulesTests {
    @Test(arguments: [
        ("as-typed", "4006381333931", ["4006381333931"]), ("gtin-8", "96385074", ["96385074"]),
        ("gtin-8", "4006381333931", []), ("gtin-12", "0036000291452", ["036000291452"]),
        ("gtin-12", "4006381333931", []), ("gtin-13", "036000291452", ["0036000291452"]),
        ("gtin-14", "96385074", ["00000096385074"]),
        ("gtin-14-without-check-digit", "011110417008", ["0001111041700"]),
        ("gtin-12-without-check-digit", "036000291452", ["03600029145"]),
        ("gtin-13", "SKU-7", []), ("lower-case", "SKU-Ä7", ["sku-ä7"]),
        ("upper-case", "sku-7", ["SKU-7"]),
    ])
    func aFormIsAskedWhereTheCodeHasIt(name: String, code: String, texts: [String]) throws {
        let form = try #require(CodeForm(rawValue: name))
        #expect(form.rawValue == name)
        #expect(CodeRules(forms: [form]).texts(of: decoded(code)) == texts)
    }

    @Test func severalFormsAreAskedInTurnAndEachTextOnce() {
        let rules = CodeRules(forms: [.gtin13, .asTyped, .gtin14])
        #expect(rules.texts(of: decoded("4006381333931")) == ["4006381333931", "04006381333931"])
        #expect(rules.texts(of: decoded("SKU-7")) == ["SKU-7"])
    }

    @Test func aUPCEIsAskedAsTheNumberItStandsFor() {
        let barcode = BarcodeDecoder().decode("04252614", aim: "]E0")
        #expect(CodeRules(forms: [.gtin12, .asTyped]).texts(of: barcode).last == "04252614")
    }

    @Test(arguments: [
        (CodeRules.Characters.digits, "123", true), (.digits, "12a", false), (.digits, "１", false),
        (.token, "A-1_b.c", true), (.token, "a b", false), (.token, "a/b", false),
        (.ascii, "a/b?", true), (.ascii, "a b", false), (.ascii, "é", false), (.any, "é \n", true),
    ])
    func codesOfOtherCharactersAreNotAsked(
        characters: CodeRules.Characters, code: String, isAsked: Bool
    ) {
        let rules = CodeRules(characters: characters)
        #expect(rules.texts(of: Barcode(text: code)) == (isAsked ? [code] : []))
    }

    @Test func aCodeThatIsTooLongIsNotAsked() {
        let rules = CodeRules(maximumLength: 4)
        #expect(rules.texts(of: Barcode(text: "éé")) == ["éé"])
        #expect(rules.texts(of: Barcode(text: "ééé")).isEmpty)
        #expect(rules.texts(of: Barcode(text: "")).isEmpty)
    }

    private func decoded(_ code: String) -> Barcode { BarcodeDecoder().decode(code, aim: nil) }
}
