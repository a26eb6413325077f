import Catalog
import CatalogFeeds
import TestTexts
import Testing

/// Tests publishing a feed and following it.
@Suite struct FeedTests {
    let chain: Chain

    init() throws { chain = try Chain() }

    @Test func aRegisterHasWhatTheOfficePublished() async throws {
        try chain.sell([Product("milk", "1.09"), Product("tea", "3.49"), Product("rice", "1.79")])
        let manifest = try chain.publish().told.manifest
        #expect(manifest.count == 3)

        let first = try await chain.follow()
        #expect(first.way.words == "full")
        #expect(first.state.revision == manifest.revision)
        #expect(try chain.isEqual())

        try chain.sell([Product("milk", "1.19"), Product("tea", "3.49"), Product("figs", "2.99")])
        try chain.publish(at: Chain.now + 60)
        let second = try await chain.follow().summary
        #expect(second.added == 1 && second.updated == 1 && second.removed == 1)
        #expect(try chain.isEqual())

        #expect(try await chain.follow().way.words == "unchanged")
    }

    @Test func aChainOfDeltasIsTakenIfItIsShorter() async throws {
        try chain.publish((0..<300).map { try Product("id-\($0)", "1.\(100 + $0)") })
        try await chain.follow()
        for round in 1...5 {
            try chain.sell(
                (0..<300).map { try Product("id-\($0)", $0 == 7 ? "\(round)" : "1.\(100 + $0)") })
            try chain.publish(at: Chain.now + Int64(round))
        }
        #expect(try await chain.follow().way.words == "5 deltas")
        #expect(try chain.isEqual())
    }

    @Test func aCatalogThatWasAsBeforeIsFoundAgain() async throws {
        // The catalog alternates between A and B: revisions repeat, sequence numbers do not.
        let (a, b) = (try (0..<200).map { try Product("\($0)", "1.00") }, try Product("x", "2.00"))
        for round in 0..<4 {
            try chain.publish(round.isMultiple(of: 2) ? a : a + [b], at: Chain.now + Int64(round))
            if round != 2 { try await chain.follow() }
            #expect(try round == 2 || chain.isEqual())
        }
    }

    @Test func whateverTheRegisterHadBeforeGoes() async throws {
        try CatalogFile(path: chain.register, access: .writing).write(whole: true) { add in
            try add(Product("own", "9.99"))
            try add(Product("tea", "0.01"))
        }
        try chain.publish([Product("tea", "3.49")])
        try await chain.follow()
        #expect(try chain.isEqual())
    }

    @Test func whatSomebodyChangesOnTheRegisterIsPutRight() async throws {
        try chain.publish((0..<100).map { try Product("\($0)", "1.00") })
        try await chain.follow()
        try CatalogFile(path: chain.register, access: .writing).write(whole: false) { add in
            try add(Product("5", "0.01"))
        }
        // The manifest is unchanged, but the catalog is not.
        #expect(try await chain.follow().way.words == "full")
        #expect(try chain.isEqual())
    }

    @Test(arguments: 0..<UInt64(30)) func aRegisterFollowsWhateverChanges(seed: UInt64) async throws
    {
        var random = SplitMix(seed: seed)
        var products: [[UInt8]: Product] = [:]
        for round in 0..<6 {
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                let id = random.id()
                let isGone = Int.random(in: 0...3, using: &random) == 0
                products[Array(id.utf8)] = isGone ? nil : try random.product(id)
            }
            // The order of a dictionary differs from run to run.
            let stock = products.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
            try chain.sell(stock.shuffled(using: &random))
            try chain.publish(at: Chain.now + Int64(round), allowingEmpty: true)
            // The follower misses some manifests.
            guard Bool.random(using: &random) else { continue }
            try await chain.follow()
            #expect(try chain.isEqual())
        }
        try await chain.follow()
        #expect(try chain.isEqual())
    }
}
