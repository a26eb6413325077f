import Barcodes
import Testing

@testable import Catalog

/// Tests that a scanned code finds its product, however the shop lists it, and no other product.
@Suite struct LookupKeyTests {
    private static let unitedStates = BarcodeDecoder(settings: .init(region: .unitedStates))

    private func id(
        _ scanned: String, aim: String? = nil, in listed: [String],
        by decoder: BarcodeDecoder = unitedStates
    ) throws -> String? {
        try foundID(scanned, aim: aim, in: listed, by: decoder)
    }

    private func shop(_ patterns: String...) throws -> BarcodeDecoder {
        BarcodeDecoder(
            settings: .init(inStorePatterns: try patterns.map { try InStorePattern($0) }))
    }

    /// Returns digits with their check digit.
    private func checked(_ digits: String) -> String {
        digits + (CheckDigit.gs1(for: digits).map(String.init) ?? "")
    }

    @Test(arguments: [
        // The whole number, and the template with its check digit, in several spellings.
        "212345109168", "0212345109168", "00212345109168", "0212345000007", "212345000007",
        // The template with a zero for the check digit, without it, and cut off.
        "0212345000000", "212345000000", "021234500000", "21234500000", "02123450", "0212345",
        "12345",
    ])
    func aScaleLabelIsFoundUnderEveryListing(listed: String) throws {
        for scanned in ["212345109168", "0212345109168"] {
            #expect(try id(scanned, in: ["4006381333931", listed, "1234", "2345"]) == "1")
        }
    }

    @Test func aListingThatSaysMoreGoesFirst() throws {
        let listed = [
            "12345", "0212345", "02123450", "021234500000", "0212345000000", "0212345000007",
            "0212345109168",
        ]
        for count in 1...listed.count {
            let last = listed.prefix(count)
            #expect(try id("212345109168", in: Array(last)) == "\(count - 1)")
        }
    }

    @Test(arguments: [
        // Listed codes, and the product found for item 00123.
        (["00123"], "0"), (["123"], "0"), (["123", "00123"], "1"), (["123", "0123"], "0"),
        (["123", "123"], nil), (["00123", "00123"], "several"), (["0123"], nil), (["1230"], nil),
    ])
    func zerosOfAnItemsNumberAreLeftOffOnlyIfThatIsUnmistakable(
        listed: [String], found: String?
    ) throws {
        let shop = try shop("21IIIIIPPPPPK")
        #expect(try id(checked("210012300199"), in: listed, by: shop) == found)
    }

    /// Another part of the label's number may be the number of another article.
    @Test func noOtherPartOfALabelIsLookedUp() throws {
        let others = ["212345", "2123450", "0012345", "1234", "123450", "109168", "9.16", "2345"]
        #expect(try id("212345109168", in: others) == nil)
    }

    @Test func anItemOfZerosHasNoShorterNumber() throws {
        let shop = try shop("21IIIIIPPPPPK")
        #expect(try id(checked("210000000199"), in: ["0", ""], by: shop) == nil)
    }

    @Test func aShortenedTemplateIsNoOtherProductsNumber() throws {
        // By chance, the template may be a UPC-A without its check digit, or a UPC-E if it is cut off.
        for item in 10_000...10_200 {
            let scanned = checked("02\(item)00199")
            let shop = try shop("02IIIIIPPPPPK")
            let keys = shop.decode(scanned, aim: nil).lookupKeys
            let upcA = "02\(item)00000"
            #expect(keys.contains(.text(upcA)) == ((try? GTIN(upcA)) == nil))
            let priced = try self.shop("02IIIIICPPPPK").decode(scanned, aim: nil).lookupKeys
            let upcE = "02\(item)0"
            let isUPCE = GTIN(upcE: upcE) != nil
            #expect(priced.contains { $0.text == upcE } == !isUPCE)
        }
    }

    @Test(arguments: [
        // Pattern, code, listed.
        ("21IIIIIWW.WWWPPPP.PP", "21123450250000249", "1", "12345"),
        ("21IIIIIWW.WWWPPPP.PP", "21123450250000249", "1", "211234500000000000"),
        ("21IIIIIWW.WWWPPPP.PP", "21123450250000249", "1", "2112345"),
        ("21IIIIIPPPPP", "21123450024", "9", "211234500000"),
        ("21IIIIIPPPPP", "21123450024", "9", "12345"),
        ("2XIIIIIPPPPPK", "271234500249", nil, "2712345000000"),
        ("2XIIIIIPPPPPK", "271234500249", nil, "02712345000000"),
        ("2XIIIIIPPPPPK", "271234500249", nil, "2012345000000"),
    ])
    func everyPatternHasItsListings(
        pattern: String, body: String, last: String?, listed: String
    ) throws {
        let scanned = last.map { body + $0 } ?? checked(body)
        let shop = try shop(pattern)
        #expect(try id(scanned, in: ["x", listed], by: shop) == "1")
    }

    @Test func theTextAsItWasReadGoesAheadOfWhatItMayMean() throws {
        for listed in [["1000471209", "9781000471205"], ["9781000471205", "1000471209"]] {
            let found = try #require(try id("1000471209", in: listed).flatMap(Int.init))
            #expect(listed[found] == "1000471209")
        }
        #expect(try id("1000471209", in: ["9781000471205"]) == "0")
    }

    @Test func separatorsAroundATextAreNotLookedUp() throws {
        for scanned in ["\u{1D}SHOP-1", "SHOP-1\u{1D}", "\u{1D}SHOP-1\u{1D}"] {
            #expect(try id(scanned, in: ["4006381333931", "SHOP-1"]) == "1")
        }
        #expect(try id("4006381333931\u{1D}", in: ["SHOP-1", "4006381333931"]) == "1")
        #expect(BarcodeDecoder().decode("\u{1D}", aim: nil).lookupKeys == [.text("\u{1D}")])
    }

    @Test func everyReadingOfAnAmbiguousTextIsLookedUp() throws {
        let (itf14, upcA) = ("07148602876517", "071486028765")
        #expect(try id(itf14, in: [upcA]) == "0")
        #expect(try id(itf14, in: [itf14]) == "0")
        #expect(try id(itf14, in: [upcA, itf14]) == "1")
        #expect(try id(itf14, in: [itf14, upcA]) == "0")
    }

    @Test func whatAnIdentifierAnnouncesIsNoOtherNumber() throws {
        #expect(try id("07148602876517", aim: "]E3", in: ["07148602876517"]) == nil)
        #expect(try id("07148602876517", aim: "]E3", in: ["071486028765"]) == "0")
        // An ITF-14 without its check digit is an EAN-13 by chance.
        #expect(try id("4006381333931", aim: "]I3", in: ["4006381333931"]) == nil)
    }

    @Test func aProductIsNotRemovedForWhatItsCodeCouldBe() throws {
        let catalog = try catalog("id,code\nx,036000291452\n")
        let barcode = BarcodeDecoder().decode(checked("0360002914521"), aim: nil)
        #expect(try catalog.match(for: barcode)?.product.id == "x")
        #expect(try catalog.remove([.barcode(barcode)]) == [nil])
    }
}
