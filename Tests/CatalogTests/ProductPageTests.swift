import Testing

@testable import Catalog

@Suite struct ProductPageTests {
    private let catalog: CatalogFile

    init() throws {
        catalog = try CatalogFile.inMemory()
        try catalog.take(
            """
            id,ean,name
            A-1,4006381333931,Stift Größe 88
            A-2,5000112637922|PLU 7,Crème BRÛLÉE
            A-3,"sku[1]*?","100 % [neu] *?^-]"
            A-4,,ÄPFEL süß
            A-5,4006381333931,zwei Stifte
            """)
    }

    @Test(arguments: [
        ("stift", ["A-1", "A-5"]), ("STIFT größe", ["A-1"]), ("größe stift", ["A-1"]),
        ("äpfel", ["A-4"]), ("Äpfel SÜß", ["A-4"]), ("brûlée", ["A-2"]), ("a-3", ["A-3"]),
        ("4006381333931", ["A-1", "A-5"]), ("04006381333931", ["A-1", "A-5"]), ("PLU", []),
        ("sku[1]*?", ["A-3"]), ("[neu]", ["A-3"]), ("*?^-]", ["A-3"]), ("%", ["A-3"]),
        ("*", ["A-3"]), ("?", ["A-3"]), ("[a-z]", []), ("_", []), ("' OR 1=1 --", []),
        ("stift\u{0}", []), ("\u{0}", []), (" ", ["A-1", "A-2", "A-3", "A-4", "A-5"]),
        ("nothing", []),
    ])
    func everyWordMustStandInNameOrIDOrBeACode(words: String, ids: [String]) throws {
        let page = try catalog.products(matching: words, limit: 100)
        #expect(page.products.map(\.id) == ids)
        #expect(page.total == ids.count)
        #expect(page.next == nil)
    }

    @Test func pagesFollowOneAnother() throws {
        var (ids, after): ([String], Int64?) = ([], nil)
        repeat {
            let page = try catalog.products(matching: "a-", after: after, limit: 2)
            #expect(page.total == 5)
            ids += page.products.map(\.id)
            after = page.next
        } while after != nil
        #expect(ids == ["A-1", "A-2", "A-3", "A-4", "A-5"])
        let last = try catalog.products(after: 99, limit: 10)
        #expect(last.products == [] && last.next == nil && last.total == 5)
    }
}
