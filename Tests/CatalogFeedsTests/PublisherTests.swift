import Catalog
import CatalogFeeds
import Crypto
import Foundation
import Glibc
import Testing

@Suite struct PublisherTests {
    let chain: Chain

    init() throws { chain = try Chain() }

    private static let day: Int64 = 86_400

    private func manifest() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: chain.feed + "/feed.json")))
    }

    @Test func nothingIsWrittenIfNothingHasChanged() throws {
        try chain.publish([Product("tea", "3.49")])
        let (files, before) = (try chain.files(), try manifest())
        #expect(try chain.publish(at: Chain.now + Self.day).told.words == "unchanged")
        #expect(try chain.files() == files)
        #expect(try manifest() == before)
        // After half of its validity period, the manifest is renewed.
        let (renewed, words) = try chain.publish(at: Chain.now + 4 * Self.day).told
        #expect(words == "renewed")
        #expect(renewed.expires.seconds == Chain.now + 11 * Self.day)
        #expect(renewed.sequence == Chain.now + 4 * Self.day)
        #expect(try chain.files() == files)
    }

    @Test func aPublisherWhoseClockWasAheadShortensWhatItPromised() throws {
        let ahead = try chain.publish([Product("tea", "3.49")], at: Chain.now + 400 * Self.day)
        let (renewed, words) = try chain.publish(at: Chain.now).told
        #expect(words == "renewed")
        #expect(renewed.expires.seconds == Chain.now + 7 * Self.day)
        #expect(renewed.sequence == ahead.told.manifest.sequence + 1)
    }

    @Test func onlyWhatHasChangedIsPublished() throws {
        try chain.publish((0..<100).map { try Product("\($0)", "1.00") })
        try chain.sell((1..<101).map { try Product("\($0)", $0 == 50 ? "2.00" : "1.00") })
        let (manifest, words) = try chain.publish(at: Chain.now + 1).told
        #expect(manifest.count == 100 && words == "2 changed, 1 removed")
    }

    @Test func whatNoManifestNamesGoesAfterAnHour() throws {
        // The files are dated with the real time, so the publications need the real time, too.
        let now = Int64(time(nil))
        for (round, moment) in [0, 60, 120, 200].enumerated() {
            try chain.publish([Product("tea", "\(round).00")], at: now + Int64(moment))
        }
        #expect(try chain.files().count { $0.hasPrefix("full-") } == 4)
        try chain.publish(at: now + 3000)
        #expect(try chain.files().count { $0.hasPrefix("full-") } == 4)
        try chain.publish(at: now + 4000)
        #expect(try chain.files().count { $0.hasPrefix("full-") } == 1)
        #expect(try chain.files().contains("feed.json"))
    }

    @Test func filesOfOthersStayAndThoseOfAKilledPublisherGo() throws {
        try chain.publish([Product("tea", "1.00")])
        for name in [".full.new", ".delta.new", "feed.json.new", "feed.json.sig.new"] {
            try "".write(toFile: chain.feed + "/" + name, atomically: true, encoding: .utf8)
        }
        try chain.publish()
        #expect(try !chain.files().contains { $0.hasSuffix(".new") })
        try "".write(toFile: chain.feed + "/full.txt", atomically: true, encoding: .utf8)
        try "".write(toFile: chain.feed + "/index.html", atomically: true, encoding: .utf8)
        try chain.publish(at: Int64(time(nil)) + 10 * Self.day)
        #expect(try chain.files().contains("full.txt"))
        #expect(try chain.files().contains("index.html"))
    }

    @Test func deltasTogetherAreNoLongerThanTheWhole() throws {
        for round in 0..<30 {
            try chain.sell((0..<40).map { try Product("\($0)", "\(round).\(10 + $0)") })
            try chain.publish(at: Chain.now + Int64(round))
        }
        let bytes = try JSONSerialization.jsonObject(with: Data(manifest())) as? [String: Any]
        let deltas = try #require(bytes?["deltas"] as? [[String: Any]])
        let full = try #require((bytes?["full"] as? [String: Any])?["size"] as? Int)
        #expect(deltas.compactMap { $0["size"] as? Int }.reduce(0, +) <= full)
        #expect(deltas.count < 5)
    }

    @Test func aLostFullFileIsPublishedAnew() async throws {
        try chain.publish([Product("tea", "1.00")])
        try await chain.follow()
        for name in try chain.files() where name.hasPrefix("full-") {
            try FileManager.default.removeItem(atPath: chain.feed + "/" + name)
        }
        try chain.publish(at: Chain.now + 1)
        try FileManager.default.removeItem(atPath: chain.register)
        try await chain.follow()
        #expect(try chain.isEqual())
    }

    @Test func aPublisherThatLostItsFolderGoesOn() async throws {
        try chain.publish([Product("tea", "1.00")])
        try await chain.follow()
        try FileManager.default.removeItem(atPath: chain.feed)
        try chain.publish([Product("tea", "2.00")], at: Chain.now + 600)
        try await chain.follow()
        #expect(try chain.isEqual())
    }

    @Test func aManifestThatCannotBeWrittenLeavesTheOldOneAndItsSignature() async throws {
        let key = Curve25519.Signing.PrivateKey()
        try chain.publish([Product("tea", "1.00")], signing: key)
        let draft = chain.feed + "/feed.json.new"
        try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: false)
        #expect(throws: FeedError.self) {
            try chain.publish([Product("tea", "2.00")], at: Chain.now + 1, signing: key)
        }
        try await chain.follow(trusting: key.publicKey)
        try FileManager.default.removeItem(atPath: draft)
        try chain.publish(at: Chain.now + 2, signing: key)
        try await chain.follow(trusting: key.publicKey)
        #expect(try chain.isEqual())
    }

    @Test func aCatalogWithoutProductsIsNotPublishedByMistake() throws {
        try chain.publish([Product("tea", "1.00")])
        try chain.sell([])
        let error = #expect(throws: FeedError.self) { try chain.publish(at: Chain.now + 1) }
        #expect(error?.description.contains("--allow-empty") == true)
        try chain.publish(at: Chain.now + 2, allowingEmpty: true)
    }

    @Test func aFolderHasTheFeedOfOneShop() throws {
        try chain.publish([Product("tea", "1.00")])
        try chain.edit { $0["scope"] = "airport" }
        let error = #expect(throws: FeedError.self) { try chain.publish(at: Chain.now + 1) }
        #expect(error?.description.contains("expected the shop \"airport\"") == true)
    }

    @Test func twoDoNotPublishAtATime() throws {
        try chain.publish([Product("tea", "1.00")])
        let descriptor = open(chain.feed, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let error = #expect(throws: FeedError.self) { try chain.publish() }
        #expect(error?.description.hasPrefix("Another process is using") == true)
    }

    @Test func theManifestsDateTellsTwoApartThatAreMadeInASecond() throws {
        var dates: Set<Date> = []
        for round in 0..<3 {
            try chain.publish([Product("tea", "\(round).00")])
            let attributes = try FileManager.default.attributesOfItem(
                atPath: chain.feed + "/feed.json")
            dates.insert(try #require(attributes[.modificationDate] as? Date))
        }
        #expect(dates.count == 3)
    }
}
