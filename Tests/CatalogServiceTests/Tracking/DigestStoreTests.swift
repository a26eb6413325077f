import Catalog
import GRDB
import Testing

@testable import CatalogService

/// Digests that are kept for shops; a change that is no revision shows which were made anew.
@Suite struct DigestStoreTests {
    private let chain: Chainstore

    init() throws {
        chain = try Chainstore()
    }

    private func listing(_ store: DigestStore, _ shop: String?) async throws -> DigestListing {
        let query = shop.map { "scope=\($0)" } ?? ""
        return try await store.listing(DigestsRequest(Substring(query)))
    }

    /// Changes all articles as no keywedge does.
    private func meddle() throws {
        let queue = try DatabaseQueue(path: chain.whole.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "UPDATE product SET unit = 'x'") }
        try queue.close()
    }

    @Test func anImportForOneShopLeavesTheDigestsOfOthers() async throws {
        let store = try DigestStore(of: chain.whole.path)
        let (alps, airport) = (
            try await listing(store, "alps"), try await listing(store, "airport")
        )
        try meddle()
        try chain.take("id,price,currency\n2,9.99,EUR\n", for: "airport")
        let same = try await listing(store, "alps")
        #expect(same.ranges == alps.ranges)
        #expect(try same.revision == chain.shop("alps").revision())
        #expect(same.revision != alps.revision)
        #expect(try await listing(store, "airport").ranges != airport.ranges)
        try chain.take("id,price,currency\n1,0.79,EUR\n", for: "alps")
        #expect(try await listing(store, "alps").ranges != alps.ranges)
    }

    @Test func theOldestGoForOthers() async throws {
        let store = try DigestStore(of: chain.whole.path, capacity: 2)
        var before: [String: DigestListing] = [:]
        for shop in ["alps", "airport", "harbour"] {
            before[shop] = try await listing(store, shop)
        }
        try meddle()
        #expect(try await listing(store, "airport") == before["airport"])
        #expect(try await listing(store, "harbour") == before["harbour"])
        #expect(try await listing(store, "alps") != before["alps"])
    }
}
