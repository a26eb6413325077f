import Catalog
import Crypto
import Foundation
import TestFolders
import Testing

@testable import CatalogFeeds

/// Tests that followers refuse feeds with a wrong manifest, wrong files or a wrong signature.
@Suite struct LiesTests {
    let chain: Chain

    init() throws { chain = try Chain() }

    /// Makes a register with 300 products, and a feed in which one of them has a new price.
    private func prepare() async throws {
        try chain.publish((0..<300).map { try Product("id-\($0)", "1.\(100 + $0)") })
        try await chain.follow()
        try chain.sell(
            (0..<300).map { try Product("id-\($0)", $0 == 7 ? "9.99" : "1.\(100 + $0)") })
        try chain.publish(at: Chain.now + 60)
    }

    /// Expects that following fails and leaves the register's products unchanged.
    private func expectRefusal() async throws {
        let before = try chain.rows(chain.register)
        await #expect(throws: FeedError.self) { try await chain.follow() }
        #expect(try chain.rows(chain.register) == before)
    }

    /// A wrong value for a field of the manifest.
    struct Lie: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let edit: @Sendable (inout [String: Any]) -> Void

        init(_ field: String, _ value: any Sendable) {
            testDescription = "\(field) is \(value)"
            edit = { Self.set(field.split(separator: ".").map(String.init)[...], value, in: &$0) }
        }

        /// Sets the value at a path of names, which leads through the first element of each list.
        private static func set(
            _ path: ArraySlice<String>, _ value: Any, in object: inout [String: Any]
        ) {
            guard let name = path.first, path.count > 1 else {
                object[path.first ?? ""] = value
                return
            }
            if var part = object[name] as? [String: Any] {
                set(path.dropFirst(), value, in: &part)
                object[name] = part
            } else if var list = object[name] as? [[String: Any]] {
                set(path.dropFirst(), value, in: &list[0])
                object[name] = list
            }
        }
    }

    private static let digest = String(repeating: "5", count: 64)

    @Test(arguments: [
        Lie("format", 2), Lie("format", "1"), Lie("sequence", -1), Lie("sequence", 1),
        Lie("sequence", "7"), Lie("sequence", Chain.now), Lie("revision", "abc"),
        Lie("revision", digest), Lie("count", 299), Lie("count", -1), Lie("scope", "alps"),
        Lie("scope", 3), Lie("expires", 5), Lie("expires", "tomorrow"), Lie("full", "x"),
        Lie("deltas", 0), Lie("deltas", [1]), Lie("full.size", 1), Lie("full.size", 1 << 40),
        Lie("full.sha256", digest), Lie("full.sha256", "x"), Lie("full.unpacked", 1),
        Lie("full.unpacked", 1 << 60),
    ])
    func aWrongManifestIsRefused(_ lie: Lie) async throws {
        try await prepare()
        try chain.edit(lie.edit)
        // With a delta, the follower would not read the full file.
        if lie.testDescription.hasPrefix("full.") { try chain.edit { $0["deltas"] = [] } }
        try await expectRefusal()
        #expect(FollowerState.read(of: chain.register)?.trouble != nil)
    }

    @Test(arguments: [
        Lie("deltas.file.size", 1), Lie("deltas.file.size", 1 << 60),
        Lie("deltas.file.sha256", digest), Lie("deltas.from", digest),
        Lie("deltas.file.unpacked", 1), Lie("deltas.file.unpacked", 1 << 60),
    ])
    func theFullFileStandsInForAWrongDelta(_ lie: Lie) async throws {
        try await prepare()
        try chain.edit(lie.edit)
        #expect(try await chain.follow().way.words.hasPrefix("full"))
        #expect(try chain.isEqual())
    }

    /// Replaces the full file with rows, and the manifest's fields with those of the new file.
    private func serve(_ lines: [String], revision: Revision? = nil) throws {
        let writer = try FeedFileWriter(path: chain.folder.path("draft"))
        var sum = Revision()
        for line in lines {
            try writer.append(Array(line.utf8))
            sum.add(Array(line.utf8))
        }
        let name = FeedManifest.fullName(revision ?? sum)
        let file = try writer.finish(as: chain.feed + "/" + name)
        try chain.edit { manifest in
            manifest["sequence"] = Chain.now + 1000
            manifest["revision"] = "\(revision ?? sum)"
            manifest["count"] = lines.count
            manifest["deltas"] = []
            manifest["full"] = [
                "size": file.size, "sha256": file.sha256, "unpacked": file.unpacked,
            ]
        }
    }

    private static let good =
        #"{"id":"a","codes":["1"],"price":"1.20","currency":"EUR","attributes":{}}"#

    @Test func rowsAsTheyAreMeantAreTaken() async throws {
        try await prepare()
        try serve([Self.good])
        try await chain.follow()
        #expect(try chain.rows(chain.register) == [Self.good])
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{", "\u{FEFF}" + good, good + " ", "  " + good,
        #"{"id":"","codes":[],"attributes":{}}"#, #"{"id":7,"codes":[],"attributes":{}}"#,
        #"{"codes":[],"attributes":{}}"#, #"{"id":"a","attributes":{}}"#,
        #"{"id":"a","codes":[]}"#, #"{"id":"a","codes":"1","attributes":{}}"#,
        #"{"id":"a","codes":[1],"attributes":{}}"#, #"{"id":"a","codes":[""],"attributes":{}}"#,
        #"{"id":"a","codes":["1","1"],"attributes":{}}"#,
        #"{"id":"a\u0000","codes":[],"attributes":{}}"#,
        #"{"id":"a","codes":[],"name":"","attributes":{}}"#,
        #"{"id":"a","codes":[],"name":null,"attributes":{}}"#,
        #"{"id":"a","codes":[],"attributes":{"x":1}}"#,
        #"{"id":"a","codes":[],"attributes":{"":"x"}}"#,
        #"{"id":"a","codes":[],"attributes":{"y":"1","x":"2"}}"#,
        #"{"id":"a","codes":[],"attributes":{},"more":1}"#,
        #"{"id":"a","id":"b","codes":[],"attributes":{}}"#,
        #"{"codes":[],"id":"a","attributes":{}}"#, #"{"removed":"a"}"#,
        good.replacing("1.20", with: "1.2.3"), good.replacing("1.20", with: "1.2"),
        good.replacing("1.20", with: "-1.20"), good.replacing("1.20", with: "1,20"),
        good.replacing("1.20", with: "01.20"), good.replacing("\"1.20\"", with: "1.20"),
        good.replacing("EUR", with: "EURO"), good.replacing("EUR", with: "eur"),
        good.replacing(#""currency":"EUR","#, with: ""),
        good.replacing(#""price":"1.20","#, with: ""),
        good.replacing(
            #""attributes""#,
            with:
                #""prices":[{"price":"1.2.3","currency":"EUR","valid_from":"2026-01-01T00:00:00Z"}],"attributes""#
        ),
        good.replacing(
            #""attributes""#, with: #""prices":[{"price":"1.00","currency":"EUR"}],"attributes""#),
        good.replacing(
            #""attributes""#,
            with: #""prices":[{"price":"1.00","currency":"EUR","valid_from":"never"}],"attributes""#
        ),
    ])
    func aRowThatIsNoProductIsRefused(_ row: String) async throws {
        try await prepare()
        try serve([Self.good.replacing(#""id":"a""#, with: #""id":"A""#), row])
        try await expectRefusal()
    }

    @Test func rowsInDisorderAreRefused() async throws {
        try await prepare()
        let rows = ["b", "a", "a"].map {
            Self.good.replacing(#""id":"a""#, with: "\"id\":\"\($0)\"")
        }
        for rows in [Array(rows.prefix(2)), Array(rows.suffix(2))] {
            try serve(rows)
            try await expectRefusal()
        }
    }

    @Test func otherRowsThanTheRevisionSaysAreRefused() async throws {
        try await prepare()
        try serve([Self.good], revision: Revision(rawValue: Self.digest))
        try await expectRefusal()
    }

    @Test func aBombIsRefused() async throws {
        try await prepare()
        // A gigabyte, in lines of a megabyte, which compresses to less than a megabyte.
        let writer = try FeedFileWriter(path: chain.folder.path("draft"))
        for _ in 0..<1024 { try writer.append([UInt8](repeating: 0x20, count: (1 << 20) - 1)) }
        let revision = try #require(Revision(rawValue: Self.digest))
        let file = try writer.finish(as: chain.feed + "/" + FeedManifest.fullName(revision))
        #expect(file.size < 1 << 20)
        let limits: [(unpacked: Int64, problem: FeedError.FileProblem?)] = [
            // Only the limit ends the reading before the end of the first line, which is no product.
            (1000, .damaged), (file.unpacked, nil), (1 << 62, .noSpace),
        ]
        for (unpacked, problem) in limits {
            try chain.edit { manifest in
                manifest["sequence"] = Chain.now + 1000
                manifest["revision"] = Self.digest
                manifest["deltas"] = []
                manifest["full"] = [
                    "size": file.size, "sha256": file.sha256, "unpacked": unpacked,
                ]
            }
            try await expectRefusal()
            if let problem { #expect(await chain.refusal().contains(problem.rawValue)) }
        }
    }

    @Test(arguments: ["cut", "flipped", "longer", "empty", "missing", "other"])
    func aDamagedFileIsRefused(_ damage: String) async throws {
        try await prepare()
        try chain.edit { $0["deltas"] = [] }
        let manifest = try FeedManifest.read(
            Array(Data(contentsOf: URL(filePath: chain.feed + "/feed.json"))))
        let path = chain.feed + "/" + FeedManifest.fullName(manifest.revision)
        var bytes = try Data(contentsOf: URL(filePath: path))
        switch damage {
        case "cut": bytes.removeLast(10)
        case "flipped": bytes[bytes.count / 2] ^= 1
        case "longer": bytes += [0]
        case "empty": bytes = Data()
        case "other": bytes = Data(repeating: 7, count: bytes.count)
        default: break
        }
        try FileManager.default.removeItem(atPath: path)
        if damage != "missing" { try bytes.write(to: URL(filePath: path)) }
        try await expectRefusal()
    }

    @Test func anOlderFeedIsRefused() async throws {
        try await prepare()
        let old = chain.folder.path("old")
        try FileManager.default.copyItem(atPath: chain.feed, toPath: old)
        try await chain.follow()
        try chain.publish([Product("new", "1.00")], at: Chain.now + 120)
        try await chain.follow()
        // The old feed is also refused if it is in another folder.
        #expect(await chain.refusal(.folder(old)).contains("has sequence"))
        #expect(try chain.isEqual())
        // It is also refused if the catalog's file is missing.
        try FileManager.default.removeItem(atPath: chain.register)
        await #expect(throws: FeedError.self) { try await chain.follow(.folder(old)) }
        try await chain.follow()
        #expect(try chain.isEqual())
    }

    @Test func theSequenceWithAnotherRevisionIsRefused() async throws {
        try await prepare()
        try await chain.follow()
        try chain.edit { $0["revision"] = Self.digest }
        #expect(await chain.refusal().contains("with another revision"))
        #expect(try chain.isEqual())
    }

    @Test func onlyTheKeysOwnSignatureCounts() async throws {
        let (key, other) = (Curve25519.Signing.PrivateKey(), Curve25519.Signing.PrivateKey())
        try chain.publish([Product("tea", "3.49")])
        #expect(await chain.refusal(trusting: key.publicKey).contains("has no signature"))
        // Publishing with a key signs the feed even if the products have not changed.
        try chain.publish(at: Chain.now + 1, signing: other)
        #expect(await chain.refusal(trusting: key.publicKey).contains("signature is not"))
        #expect(!FileManager.default.fileExists(atPath: chain.register))
        try chain.publish(at: Chain.now + 2, signing: key)
        try await chain.follow(trusting: key.publicKey)
        #expect(try chain.isEqual())
        #expect(throws: FeedError.self) { try chain.publish(at: Chain.now + 3) }
        try await chain.follow(trusting: key.publicKey)
        try chain.edit { $0["expires"] = "2099-01-01T00:00:00Z" }
        #expect(await chain.refusal(trusting: key.publicKey).contains("signature is not"))
    }

    @Test func aManifestThatNobodyTrustedIsReadAgainForAKey() async throws {
        let key = Curve25519.Signing.PrivateKey()
        try chain.publish([Product("tea", "3.49")])
        try await chain.follow()
        #expect(await chain.refusal(trusting: key.publicKey).contains("has no signature"))
    }
}
