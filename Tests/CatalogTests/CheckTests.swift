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
        func finding(_ code: String, of product: String, _ expected: Int, _ found: Int) -> String {
            "The code \"\(code)\" of product \"\(product)\" ends in a wrong check digit; "
                + "expected \(expected), got \(found)."
        }
        #expect(
            try catalog.check() == [
                finding("4006381333932", of: "wrong", 1, 2),
                finding("978-3-16-148410-1", of: "hyphens", 0, 1),
                finding("96385075", of: "eight", 4, 5),
            ])
    }

    @Test func numbersThatHaveLostZerosAreFound() throws {
        let catalog = try CatalogFile.inMemory()
        try catalog.add(
            Product(id: "upc", codes: ["42100005264"]), Product(id: "two", codes: ["1234567895"]),
            Product(id: "eight", codes: ["1234565"]),
            Product(id: "others", codes: ["42100005265", "123456", "0234565", "4210000526x"]))
        func finding(_ code: String, of product: String, _ meant: String) -> String {
            "The code \"\(code)\" of product \"\(product)\" has probably lost its zeros; "
                + "expected \"\(meant)\"."
        }
        #expect(
            try catalog.check() == [
                finding("42100005264", of: "upc", "042100005264"),
                finding("1234567895", of: "two", "001234567895"),
                finding("1234565", of: "eight", "01234565"),
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
            try catalog.check()
                == [
                    """
                    "01234565" of product "b", "012345000065" of product "c"; a lookup finds product "b".
                    """,
                    """
                    "0036000291452" of product "a", "036000291452" of product "z"; \
                    a lookup finds product "a".
                    """,
                    #""same" of product "a", "same" of product "b"; a lookup finds product "a"."#,
                ].map { "Several products have the same code: \($0)" })
    }

    @Test func aSoundCatalogHasNoFindings() throws {
        #expect(try catalog("id,code\n1,4006381333931\n2,x\n3,\n").check().isEmpty)
    }
}
