import Catalog
import Testing

@Suite struct CheckTests {
    @Test func wrongCheckDigitsAreFoundInWhatLooksLikeAGTIN() throws {
        let catalog = try catalog(
            """
            id,code
            right,4006381333931|96385074|036000291452|10012345678902|04252614|978-3-16-148410-0
            text,4711|SKU-12345678|123456789|ABCDEFGH
            wrong,4006381333932
            hyphens,978-3-16-148410-1
            eight,x|96385075
            scale,0212345000000|212345000000|21200000
            """)
        #expect(
            try catalog.check() == [
                .wrongCheckDigit(product: "wrong", code: "4006381333932", expected: 1),
                .wrongCheckDigit(product: "hyphens", code: "978-3-16-148410-1", expected: 0),
                .wrongCheckDigit(product: "eight", code: "96385075", expected: 4),
            ])
    }

    @Test func numbersThatHaveLostZerosAreFound() throws {
        let catalog = try CatalogFile.inMemory()
        try catalog.add(
            Product(id: "upc", codes: ["42100005264"]), Product(id: "two", codes: ["1234567895"]),
            Product(id: "eight", codes: ["1234565"]),
            Product(id: "others", codes: ["42100005265", "123456", "0234565", "4210000526x"]))
        #expect(
            try catalog.check() == [
                .lostZeros(product: "upc", code: "42100005264", meant: "042100005264"),
                .lostZeros(product: "two", code: "1234567895", meant: "001234567895"),
                .lostZeros(product: "eight", code: "1234565", meant: "01234565"),
            ])
    }

    @Test func codesThatProductsShareAreFoundInEverySpelling() throws {
        let catalog = try catalog(
            """
            id,code
            z,036000291452|00036000291452
            a,0036000291452|same
            b,same|01234565|alone
            c,012345000065
            """)
        #expect(
            try catalog.check() == [
                .sharedCode([
                    .init(product: "b", code: "01234565"),
                    .init(product: "c", code: "012345000065"),
                ]),
                .sharedCode([
                    .init(product: "a", code: "0036000291452"),
                    .init(product: "z", code: "036000291452"),
                ]),
                .sharedCode([.init(product: "a", code: "same"), .init(product: "b", code: "same")]),
            ])
    }

    @Test func findingsAreSentences() {
        #expect(
            "\(CatalogFinding.wrongCheckDigit(product: "7", code: "4006381333932", expected: 1))"
                == "The code \"4006381333932\" of product \"7\" ends in a wrong check digit; "
                + "expected 1, got 2.")
        #expect(
            "\(CatalogFinding.lostZeros(product: "7", code: "42100005264", meant: "042100005264"))"
                == "The code \"42100005264\" of product \"7\" has probably lost its zeros; "
                + "expected \"042100005264\".")
        let shared = CatalogFinding.sharedCode([
            .init(product: "7", code: "a"), .init(product: "8", code: "a"),
        ])
        #expect(
            "\(shared)" == "Several products have the same code: \"a\" of product \"7\", "
                + "\"a\" of product \"8\"; a lookup finds product \"7\".")
    }

    @Test func aSoundCatalogHasNoFindings() throws {
        #expect(try catalog("id,code\n1,4006381333931\n2,x\n3,\n").check().isEmpty)
    }
}
