import Barcodes
import Testing

struct ApplicationIdentifierTests {
    private static let all = (0...9999).flatMap { number in
        (2...4).compactMap { length -> ApplicationIdentifier? in
            let text = String(number)
            guard text.count <= length else { return nil }
            return ApplicationIdentifier(String(repeating: "0", count: length - text.count) + text)
        }
    }

    @Test func fiveHundredAndFortyOneAreAssigned() {
        #expect(Self.all.count == 541)
        #expect(Set(Self.all).count == 541)
    }

    @Test(arguments: [
        ("00", "SSCC"), ("01", "GTIN"), ("10", "BATCH/LOT"), ("17", "USE BY or EXPIRY"),
        ("3103", "NET WEIGHT (kg)"), ("3165", "NET VOLUME (m³)"), ("8110", ""), ("8112", ""),
        ("90", "INTERNAL"), ("99", "INTERNAL"), ("8200", "PRODUCT URL"), ("4309", "SHIP TO GEO"),
        ("7040", "UIC+EXT"), ("7239", "CERT # 10"), ("235", "TPX"),
    ])
    func haveTheirDataTitle(text: String, title: String) throws {
        let ai = try #require(ApplicationIdentifier(text))
        #expect(ai.title == title)
        #expect(ai.text == text)
        #expect(ai.description == text)
    }

    @Test(arguments: [
        "", "0", "1", "04", "05", "14", "18", "19", "23", "24", "236", "257", "310", "3106", "3199",
        "38", "396", "3944", "44", "4334", "5", "60", "700", "7000", "7042", "8000", "8113", "9",
        "011", "0101", "A1", "1A", "01 ", " 01", "31 3", "310A", "４", "９９",
    ])
    func othersAreNone(text: String) {
        #expect(ApplicationIdentifier(text) == nil)
    }
}
