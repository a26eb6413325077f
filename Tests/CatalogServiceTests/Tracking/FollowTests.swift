import Catalog
import Testing

/// Taking over what another catalog says, without a network.
@Suite struct FollowTests {
    private let catalog: EmbeddedCatalog

    init() throws {
        catalog = try EmbeddedCatalog.inMemory()
        try catalog.take("id,name\nlocal,ours\nshared,ours\n")
    }

    @discardableResult
    private func follow(
        to revision: String, since base: String? = nil, _ parts: UpstreamChanges...
    ) throws -> FollowSummary {
        var parts = parts[...]
        let upstream = Upstream(url: "http://other", revision: revision)
        return try catalog.follow(upstream, since: base) { parts.popFirst() }
    }

    private func products(_ names: (String, String)...) -> [Product] {
        names.map { Product(id: $0.0, name: $0.1) }
    }

    @Test func theOthersProductsReplaceOursAndOursStay() throws {
        let summary = try follow(
            to: "1-a", UpstreamChanges(changed: products(("shared", "theirs"), ("new", "theirs"))))
        #expect(try catalog.names() == ["local": "ours", "shared": "theirs", "new": "theirs"])
        #expect(summary == FollowSummary(added: 1, updated: 1))
        #expect(try catalog.upstream() == Upstream(url: "http://other", revision: "1-a"))
    }

    @Test func whatIsGoneThereGoesHereUnlessItWasNeverTheirs() throws {
        try follow(to: "1-a", UpstreamChanges(changed: products(("shared", "theirs"), ("x", "x"))))
        let summary = try follow(
            to: "2-b", since: "1-a", UpstreamChanges(removed: ["shared", "local", "unknown"]))
        #expect(try catalog.names() == ["local": "ours", "x": "x"])
        #expect(summary == FollowSummary(removed: 1))
    }

    @Test func startingAnewTakesAwayWhatIsNotThereAnyMore() throws {
        try follow(to: "1-a", UpstreamChanges(changed: products(("a", "a"), ("b", "b"))))
        let summary = try follow(
            to: "7-c", UpstreamChanges(changed: products(("b", "b"))),
            UpstreamChanges(changed: products(("c", "c"))))
        #expect(try catalog.names() == ["local": "ours", "shared": "ours", "b": "b", "c": "c"])
        #expect(summary == FollowSummary(added: 1, unchanged: 1, removed: 1))
    }

    @Test func aProductThatComesAndGoesInOneSetIsGone() throws {
        try follow(
            to: "1-a", UpstreamChanges(changed: products(("a", "a"))),
            UpstreamChanges(removed: ["a"]), UpstreamChanges(changed: products(("b", "b"))))
        #expect(try catalog.names() == ["local": "ours", "shared": "ours", "b": "b"])
    }

    @Test func whatFailsOnTheWayChangesNothing() throws {
        try follow(to: "1-a", UpstreamChanges(changed: products(("a", "a"))))
        let before = try (catalog.exported(), catalog.revision(), catalog.upstream())
        var parts = [UpstreamChanges(changed: products(("a", "other"), ("b", "b")))]
        #expect(throws: CancellationError.self) {
            try catalog.follow(Upstream(url: "http://other", revision: "2-b"), since: "1-a") {
                guard let part = parts.popLast() else { throw CancellationError() }
                return part
            }
        }
        #expect(try (catalog.exported(), catalog.revision(), catalog.upstream()) == before)
    }

    @Test func whoWasOvertakenChangesNothing() throws {
        try follow(to: "1-a")
        try follow(to: "2-b", since: "1-a", UpstreamChanges(changed: products(("a", "a"))))
        let error = #expect(throws: FollowError.self) {
            try follow(to: "2-c", since: "1-a", UpstreamChanges(changed: products(("b", "b"))))
        }
        #expect(error == .overtaken(by: "2-b"))
        #expect(
            error?.description
                == "Another process has synchronised the catalog meanwhile, to revision \"2-b\"; "
                + "expected it left alone.")
        #expect(try catalog.names() == ["local": "ours", "shared": "ours", "a": "a"])
    }

    @Test func aLetterWrittenOtherwiseIsAChange() throws {
        try follow(to: "1-a", UpstreamChanges(changed: products(("a", "e\u{301}"))))
        let summary = try follow(
            to: "2-b", since: "1-a", UpstreamChanges(changed: products(("a", "\u{e9}"))))
        #expect(summary == FollowSummary(updated: 1))
        let name = try #require(try catalog.product(id: "a")?.name)
        #expect(Array(name.utf8) == [0xC3, 0xA9])
    }

    @Test func whoFollowsTellsItsOwnReaders() throws {
        var reader = Reader()
        try reader.read(catalog)
        try follow(to: "1-a", UpstreamChanges(changed: products(("a", "a"), ("b", "b"))))
        try reader.read(catalog)
        try follow(to: "2-b", since: "1-a", UpstreamChanges(removed: ["a"]))
        try reader.read(catalog)
        #expect(reader.names == ["local": "ours", "shared": "ours", "b": "b"])
        #expect(reader.hadToStartAnew == 0)
    }
}

extension FollowSummary {
    fileprivate init(added: Int = 0, updated: Int = 0, unchanged: Int = 0, removed: Int = 0) {
        self.init()
        (self.added, self.updated) = (added, updated)
        (self.unchanged, self.removed) = (unchanged, removed)
    }
}
