import Catalog
import Testing

/// What readers of a shop's changes are told of articles that it does not have.
@Suite struct ShopChangesTests {
    private let chain: ShopCatalog

    init() throws {
        chain = try ShopCatalog("id,name\n1,Pencil\n")
        try chain.take("id,name,scope,listed\n1,,alps,\n1,,airport,\n")
        try chain.take("id,name,scope,listed\n2,Milk,,\n2,,alps,no\n3,Sledge,,no\n")
    }

    @Test func aShopNeverHearsOfWhatItNeverHad() throws {
        let start = try #require(try chain.changes("alps", since: nil).at)
        func expectSilence(_ comment: Comment) throws {
            #expect(try chain.changes("alps", since: start).names == [], comment)
        }
        try chain.take("id,price,scope,listed\n2,1.00,alps,no\n3,2.00,alps,no\n")
        try expectSilence("prices of what it does not have")
        try chain.take("id,listed\n2,no\n")
        try expectSilence("a common article that its row does not list")
        try chain.take("id,listed\n2,yes\n3,yes\n")
        try expectSilence("the same again in all other shops")
        try chain.take("id,name,scope,listed\n4,Bread,,no\n")
        try chain.take("id,scope,listed\n4,,yes\n4,alps,no\n")
        try expectSilence("an article that comes into the others")
        try chain.whole.remove(ids: ["2", "3"])
        try expectSilence("articles that were taken out")
        try chain.take("id,name,scope\n2,Milk,airport\n9,Bun,airport\n")
        try chain.whole.remove(ids: ["2", "9"])
        try expectSilence("an article of another shop")
    }

    @Test func aReaderFromTheFirstRevisionOnHearsOfNothingElse() throws {
        let chain = try ShopCatalog("id,name\n1,Pencil\n")
        try chain.take("id,scope\n1,alps\n")
        let start = try chain.changes("alps", since: nil).at
        try chain.take("id,name,scope,listed\n2,Milk,,\n2,,alps,no\n")
        #expect(try chain.changes("alps", since: start).names == [])
    }

    @Test func aShopHearsOfEverythingThatItLost() throws {
        let start = try chain.changes("airport", since: nil).at
        func expect(_ names: [String], _ comment: Comment) throws {
            #expect(try chain.changes("airport", since: start).names.sorted() == names, comment)
        }
        try chain.take("id,listed\n2,no\n")
        try expect(["-2"], "no shop has it any more")
        try chain.take("id,scope,listed\n2,airport,no\n")
        try expect(["-2"], "its own row says so afterwards")
        try chain.take("id,listed\n2,yes\n")
        try expect(["-2"], "and goes on saying so")
        try chain.take("id,scope,listed\n1,airport,no\n")
        try chain.whole.remove(ids: ["1", "2"])
        try expect(["-1", "-2"], "both are taken out")
        try chain.take("id,name,scope,listed\n1,Pencil,,\n1,,airport,no\n2,Milk,,no\n")
        try expect(["-1", "-2"], "both are there again elsewhere")
        try chain.take("id,scope,listed\n1,airport,yes\n2,airport,yes\n")
        try expect(["1", "2"], "and here")
    }
}
