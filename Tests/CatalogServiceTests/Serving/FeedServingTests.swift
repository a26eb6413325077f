import Catalog
import Foundation
import HTTPTypes
import TestFolders
import Testing
import WebAPI
import WireText

@testable import CatalogService

/// Tests that the service serves a feed's files, over real HTTP.
@Suite(.timeLimit(.minutes(10))) struct FeedServingTests {
    private static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    private let shop: Shop
    private let feed: String

    init() throws {
        shop = try Shop("id,code\n1,x\n")
        feed = shop.scratch.path("feed")
        try FileManager.default.createDirectory(
            atPath: feed + "/airport", withIntermediateDirectories: true)
        try shop.scratch.write("{\"sequence\":1}", to: "feed/feed.json")
        try shop.scratch.write(Self.content, to: "feed/full-1.ndjson.zst")
        try shop.scratch.write("{\"sequence\":9}", to: "feed/airport/feed.json")
        try shop.scratch.write("hidden", to: "feed/.feed.json.new")
        try shop.scratch.write("secret", to: "secret")
    }

    private func run(
        token: String? = nil, _ body: @Sendable (Service) async throws -> Void
    ) async throws {
        try await Service.run(shop.path, feed: feed, token: token, body)
    }

    @Test func theFilesOfTheFolderAreServed() async throws {
        try await run { service in
            let manifest = try await service.get("/feed/feed.json")
            #expect(manifest.text == "{\"sequence\":1}")
            #expect(manifest.headers[.contentType] == "application/json")
            #expect(manifest.headers[.cacheControl] == "no-cache")
            let full = try await service.get("/feed/full-1.ndjson.zst")
            #expect(full.payload == Self.content)
            #expect(full.headers[.contentLength] == "300000")
            #expect(full.headers[.contentType] == "application/zstd")
            #expect(full.headers[.acceptRanges] == "bytes")
            #expect(full.headers[.cacheControl]?.contains("immutable") == true)
            let shop = try await service.get("/feed/airport/feed.json")
            #expect(shop.text == "{\"sequence\":9}")
            let head = try await service.get("/feed/full-1.ndjson.zst", [:], .head)
            #expect(head.headers[.contentLength] == "300000")
            #expect(head.payload == [])
        }
    }

    @Test(arguments: [
        ("bytes=0-0", 206, 0..<1), ("bytes=100-199", 206, 100..<200),
        ("bytes=299999-", 206, 299_999..<300_000), ("bytes=-5", 206, 299_995..<300_000),
        ("bytes=-999999", 206, 0..<300_000), ("bytes=5-99999999999999999999", 206, 5..<300_000),
        ("BYTES=1-2", 206, 1..<3), ("bytes=300000-", 416, nil), ("bytes=-0", 416, nil),
        ("bytes=5-4", 200, 0..<300_000), ("bytes=0-1,5-6", 200, 0..<300_000),
        ("lines=0-1", 200, 0..<300_000), ("bytes=x", 200, 0..<300_000),
        ("bytes=", 200, 0..<300_000),
    ])
    func aPartIsThePartAskedFor(range: String, status: Int, part: Range<Int>?) async throws {
        try await run { service in
            let answer = try await service.get("/feed/full-1.ndjson.zst", [.range: range])
            #expect(answer.status.code == status)
            #expect(answer.payload == part.map { Array(Self.content[$0]) } ?? [])
            switch status {
            case 206:
                let part = try unwrapped(part)
                #expect(
                    answer.headers[.contentRange]
                        == "bytes \(part.lowerBound)-\(part.upperBound - 1)/300000")
                #expect(answer.headers[.contentLength] == "\(part.count)")
            case 416: #expect(answer.headers[.contentRange] == "bytes */300000")
            default: #expect(answer.headers[.contentRange] == nil)
            }
        }
    }

    @Test func aPartOfAnotherFileIsNotMixedIn() async throws {
        try await run { service in
            let target = "/feed/full-1.ndjson.zst"
            let tag = try unwrapped(await service.get(target).headers[.eTag])
            #expect(!tag.hasPrefix("W/"))
            let part = try await service.get(target, [.range: "bytes=1-2", .ifRange: tag])
            #expect(part.status == .partialContent)
            #expect(try await service.get(target, [.ifNoneMatch: tag]).status == .notModified)
            // Another file of the same length replaces it.
            try shop.scratch.write(Self.content.reversed(), to: "feed/new")
            #expect(rename(feed + "/new", feed + "/full-1.ndjson.zst") == 0)
            let whole = try await service.get(target, [.range: "bytes=1-2", .ifRange: tag])
            #expect(whole.status == .ok)
            #expect(whole.payload == Self.content.reversed())
            #expect(try await service.get(target, [.ifNoneMatch: tag]).status == .ok)
        }
    }

    @Test(arguments: [
        "/feed/../secret", "/feed/%2e%2e/secret", "/feed/..%2fsecret", "/feed/airport/../../secret",
        "/feed/link", "/feed/out/secret", "/feed/.feed.json.new", "/feed/airport", "/feed/airport/",
        "/feed/", "/feed", "/feed/none", "/feed/feed.json/x", "/feed/feed.json%00", "/feed/pipe",
        "/feed//etc/passwd", "/feed/full-1.ndjson.zst%2f..%2ffeed.json", "/feed/f%65ed.json",
        "/feed/feed.json%20", "/secret",
    ])
    func nothingElseIsServed(target: String) async throws {
        #expect(symlink(shop.scratch.path("secret"), feed + "/link") == 0)
        #expect(symlink(shop.scratch.path, feed + "/out") == 0)
        #expect(mkfifo(feed + "/pipe", 0o600) == 0)
        try await run { service in
            let answer = try await RawConnection.ask(service.port, "GET \(target)")
            #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(answer)")
            #expect(!answer.contains("secret") && !answer.contains("hidden"))
        }
    }

    @Test func theTokenIsNeededForTheFeedToo() async throws {
        try await run(token: "abcdefghijklmnopqrst") { service in
            #expect(try await service.get("/feed/feed.json").status == .unauthorized)
            #expect(try await service.get("/feed/none").status == .unauthorized)
            let shown = try await service.get(
                "/feed/feed.json", [.authorization: "Bearer abcdefghijklmnopqrst"])
            #expect(shown.status == .ok)
        }
    }

    @Test func aFolderThatGoesAwayIsNoFileThatIsMissing() async throws {
        try await run { service in
            try FileManager.default.removeItem(atPath: feed)
            let answer = try await service.get("/feed/feed.json")
            #expect(answer.status == .serviceUnavailable)
            #expect(try answer.json().text("/code") == "feed-unavailable")
            #expect(try await service.get("/v1/health").status == .ok)
        }
    }

    @Test func aFolderThatIsNotThereIsNamedAtTheStart() throws {
        let missing = shop.scratch.path("none")
        #expect(throws: SystemCallError(operation: "open", path: missing, errno: ENOENT)) {
            try FeedFolder(missing)
        }
    }
}
