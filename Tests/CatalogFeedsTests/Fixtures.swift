import Catalog
import CatalogFeeds
import Crypto
import Foundation
import TestFolders
import TestTexts
import Testing
import WireText

/// A head office that publishes a feed, and a register that follows it, in one folder.
struct Chain {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var feed: String { folder.path("feed") }
    var office: String { folder.path("office.sqlite") }
    var register: String { folder.path("register.sqlite") }
    /// The current time in the tests, in seconds since 1970.
    static let now: Int64 = 1_800_000_000
}

extension Chain {
    /// Replaces the office's catalog with these products.
    func sell(_ products: [Product]) throws {
        try CatalogFile(path: office, access: .writing).write(whole: true) { add in
            try products.forEach(add)
        }
    }

    /// Publishes the office's catalog, after replacing it with `products`, if given.
    @discardableResult
    func publish(
        _ products: [Product]? = nil, at time: Int64 = now,
        signing key: Curve25519.Signing.PrivateKey? = nil, allowingEmpty: Bool = false
    ) throws -> FeedPublisher.Outcome {
        if let products { try sell(products) }
        return try FeedPublisher(into: feed, signing: key, now: time)
            .publish(CatalogFile(path: office), allowingEmpty: allowingEmpty)
    }

    @discardableResult
    func follow(
        _ source: FeedSource? = nil, trusting key: Curve25519.Signing.PublicKey? = nil,
        at time: Int64 = now
    ) async throws -> FeedFollower.Outcome {
        try await FeedFollower(
            of: source ?? .folder(feed), trusting: key, into: register, now: { time },
            clock: InstantClock()
        ).follow()
    }

    /// Follows the feed, which must fail, and returns the error's message.
    func refusal(
        _ source: FeedSource? = nil, trusting key: Curve25519.Signing.PublicKey? = nil
    ) async -> String {
        let error = await #expect(throws: FeedError.self) {
            try await follow(source, trusting: key)
        }
        return error?.description ?? ""
    }

    /// Returns the rows of a catalog as in a feed file, sorted by id.
    func rows(_ path: String) throws -> [String] {
        var rows: [String] = []
        try CatalogFile(path: path).forEachProduct {
            rows.append(String(decoding: FeedRow.line(of: $0), as: UTF8.self))
        }
        return rows
    }

    /// Whether the register's catalog equals the office's.
    func isEqual() throws -> Bool { try rows(register) == rows(office) }

    /// The sorted names of the feed's files.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: feed).sorted()
    }

    /// Changes the manifest.
    func edit(_ change: (inout [String: Any]) -> Void) throws {
        let path = feed + "/feed.json"
        let bytes = try Data(contentsOf: URL(filePath: path))
        var object = try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
        change(&object)
        try JSONSerialization.data(withJSONObject: object).write(to: URL(filePath: path))
    }
}

/// A clock whose sleeps end immediately.
struct InstantClock: Clock {
    typealias Instant = ContinuousClock.Instant
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
    }
}

extension Product {
    /// A product with a price in euros.
    init(_ id: String, _ amount: String, name: String? = nil, codes: [String] = []) throws {
        let euro = Currency("EUR").map { currency in try? Price(amount: amount, currency: currency)
        }
        self.init(id: id, codes: codes, name: name, price: euro ?? nil)
    }
}

extension SplitMix {
    /// Returns a random product with this id.
    mutating func product(_ id: String) throws -> Product {
        let amount =
            "\(Int.random(in: 0...99, using: &self)).\(Int.random(in: 10...99, using: &self))"
        var product = try Product(id, amount)
        if Bool.random(using: &self) { product.price = nil }
        if Bool.random(using: &self) { product.name = text() }
        if Bool.random(using: &self) { product.unit = "pcs" }
        for _ in 0..<Int.random(in: 0...3, using: &self) {
            let code = text()
            if !product.codes.contains(code) { product.codes.append(code) }
        }
        for _ in 0..<Int.random(in: 0...2, using: &self) { product.attributes[text()] = text() }
        if Bool.random(using: &self), let price = product.price,
            let dated = DatedPrice(price, from: 1_700_000_000_000_000, until: nil)
        {
            product.datedPrices = [dated]
        }
        return product
    }

    /// Returns a random id; many are hard to sort or to escape.
    mutating func id() -> String {
        let parts = [
            "a", "A", "é", "e\u{301}", "\u{1F34E}", "\u{FFFD}", "\"", "\\", "1", "\u{2028}",
        ]
        return (0..<Int.random(in: 1...3, using: &self)).map { _ in
            parts.randomElement(using: &self) ?? "a"
        }.joined()
    }

    private mutating func text() -> String {
        let parts = ["milk", "\"", "ü", "u\u{308}", "\t", "4006381333931", "\u{202E}", "|", " "]
        return (0..<Int.random(in: 1...4, using: &self)).map { _ in
            parts.randomElement(using: &self) ?? "x"
        }.joined()
    }
}

extension FeedFollower.Way {
    /// A description such as `2 deltas`.
    var words: String {
        switch self {
        case .unchanged: "unchanged"
        case .deltas(let count): "\(count) deltas"
        case .full(nil): "full"
        case .full: "full, as the deltas failed"
        }
    }
}

extension FeedPublisher.Outcome {
    /// The manifest, and a description of the outcome, such as `2 changed, 0 removed`.
    var told: (manifest: FeedManifest, words: String) {
        switch self {
        case .published(let manifest, let changed, let removed):
            (manifest, "\(changed) changed, \(removed) removed")
        case .unchanged(let manifest): (manifest, "unchanged")
        case .renewed(let manifest): (manifest, "renewed")
        }
    }
}
