import Catalog
import Testing

/// What shops have of an article that goes and comes back.
@Suite struct ReturningArticleTests {
    private static let articles =
        "id,name,price\n" + (1...20).map { "\($0),Product \($0),1.\(10 + $0)\n" }.joined()
    private static let without7 = articles.replacing("7,Product 7,1.17\n", with: "")

    private let chain: ShopCatalog

    init() throws {
        chain = try ShopCatalog(Self.articles)
        try chain.take("id,price,listed\n7,2.00,\n8,2.50,\n", for: "airport")
        try chain.take("id,listed\n7,no\n", for: "alps")
        try chain.take("id,price\n1,1.00\n7,3.00\n", for: "harbour")
    }

    private func price(_ shop: String) throws -> String? { try chain.prices(shop)["7"] }

    @Test func theOffersOfAnArticleWaitForItsReturn() throws {
        try chain.take(Self.without7, isWhole: true)
        #expect(try price("airport") == nil)
        #expect(try price("harbour") == nil)
        try chain.take(Self.articles, isWhole: true)
        #expect(try price("airport") == "2.00")
        #expect(try price("harbour") == "3.00")
        #expect(try price("alps") == nil)
        #expect(try chain.prices("airport")["8"] == "2.50")
    }

    @Test func readersOfEachShopSeeTheSameAfterwards() throws {
        let airport = try chain.changes("airport", since: nil).at
        let alps = try chain.changes("alps", since: nil).at
        try chain.take(Self.without7, isWhole: true)
        #expect(try chain.changes("airport", since: airport).names == ["-7"])
        // It had lost the article before.
        #expect(try chain.changes("alps", since: alps).names == [])
        try chain.take(Self.articles, isWhole: true)
        #expect(try chain.changes("airport", since: airport).names == ["7"])
    }

    @Test func anArticleThatWasTakenOutComesBackWithoutOffers() throws {
        try chain.whole.remove(ids: ["7"])
        try chain.take(Self.articles, isWhole: true)
        #expect(try price("airport") == "1.17")
        #expect(try price("alps") == "1.17")
    }

    @Test func whatIsTakenOutWhileItIsGoneHasNoOffersAnyMore() throws {
        try chain.take(Self.without7, isWhole: true)
        #expect(try chain.whole.remove(ids: ["7"]) == 0)
        try chain.take(Self.articles, isWhole: true)
        #expect(try price("airport") == "1.17")
    }

    @Test func oneShopDoesNotBringBackWhatOthersHad() throws {
        try chain.take(Self.without7, isWhole: true)
        try chain.take("id,name,price\n7,Airport's own,2.10\n", for: "airport")
        #expect(try price("airport") == "2.10")
        #expect(try price("harbour") == nil)
        try chain.take(Self.articles, isWhole: true)
        #expect(try price("airport") == "2.10")
        #expect(try price("harbour") == "3.00")
        #expect(try chain.shop("airport").product(id: "7")?.name == "Product 7")
    }

    @Test func aShopMayDropWhatIsGone() throws {
        try chain.take(Self.without7, isWhole: true)
        let without7 = Self.without7.replacing("1,Product 1,1.11", with: "1,Product 1,1.00")
        try chain.take(without7, for: "harbour", isWhole: true)
        try chain.take(Self.articles)
        #expect(try price("harbour") == "1.17")
        #expect(try price("airport") == "2.00")
    }

    @Test func aWholeFileWithAColumnOfShopsLeavesNothingWaiting() throws {
        try chain.take(Self.without7, isWhole: true)
        try chain.take("id,name,price,scope\n1,one,1.00,\n7,Product 7,1.17,\n", isWhole: true) {
            $0.lossLimit = nil
        }
        #expect(try price("airport") == "1.17")
    }

    @Test func anArticleOfACatalogThatIsFollowedComesBackAsWell() throws {
        let office = Upstream(url: "http://office", revision: "1-a")
        var parts = [UpstreamChanges(changed: [Product(id: "F", name: "Far")])][...]
        try chain.whole.follow(office, since: nil) { parts.popFirst() }
        try chain.take("id,price\nF,4.00\n", for: "airport")
        for (revision, changes) in [
            ("2-b", UpstreamChanges(removed: ["F"])),
            ("3-c", UpstreamChanges(changed: [Product(id: "F", name: "Far")])),
        ] {
            let base = try #require(try chain.whole.upstream()).revision
            var parts = [changes][...]
            try chain.whole.follow(
                Upstream(url: "http://office", revision: revision), since: base
            ) { parts.popFirst() }
        }
        #expect(try chain.prices("airport")["F"] == "4.00")
    }
}
