import Barcodes
import Testing

struct UnexpandedUPCETests {
    private let decoder = BarcodeDecoder(settings: .init(upcE: .unexpanded))

    @Test(arguments: ["425261", "4252614", "0425262", "1123457", "345678", "3456781", "04252614"])
    func sixToEightDigitsAreAUPCEWithoutIdentifierToo(text: String) {
        let barcode = decoder.decode(text, aim: nil)
        #expect(barcode.symbology == .upcE)
        #expect(barcode.kind == .gtin)
        #expect(barcode.gtin == decoder.decode(text, aim: "]E0").gtin)
        #expect(barcode.gtin != nil)
        #expect(barcode.inferred)
        #expect(barcode.problems.isEmpty)
    }

    @Test func sevenDigitsThatCanBeTwoNumbersAreTold() {
        let both = (0...9).map { "012345\($0)" }.first {
            decoder.decode($0, aim: nil).problems.map(\.code) == [.ambiguous]
        }
        #expect(both != nil)
    }

    @Test(arguments: ["9876543", "12345", "42526A", "96385074", "", "425 26"])
    func whatIsNoneStaysWhatItWas(text: String) {
        #expect(decoder.decode(text, aim: nil) == BarcodeDecoder().decode(text, aim: nil))
    }

    @Test(arguments: ["425261", "4252614"])
    func withoutTheSettingTheyAreText(text: String) {
        let barcode = BarcodeDecoder().decode(text, aim: nil)
        #expect(barcode.kind == .text)
        #expect(barcode.problems.isEmpty)
        #expect(decoder.decode(text, aim: "]C0").kind == .text)
    }
}
