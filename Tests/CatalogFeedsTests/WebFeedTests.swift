import Catalog
import CatalogFeeds
import Crypto
import Foundation
import KeywedgeTestKit
import Synchronization
import TestFolders
import TestWaiting
import Testing
import WebAPI

/// Tests following over HTTP, with correct and faulty servers.
@Suite struct WebFeedTests {
    let chain: Chain

    init() throws { chain = try Chain() }

    private func source(_ url: String, token: String? = nil) throws -> FeedSource {
        let transport = try AsyncHTTPClientTransport(
            limits: TransportLimits(
                connect: .patience, responseBytes: WebFeed.largestAnswer))
        return .web(
            try WebFeed(
                at: Address(url), over: transport, authorization: token, clock: InstantClock()))
    }

    /// Answers a request with a file, by the rules of RFC 9110 for ranges and conditions.
    private func answer(_ request: StubRequest, ranges hasRanges: Bool = true) -> StubAnswer {
        let path = chain.folder.path(String(request.path.dropFirst()))
        guard let content = FileManager.default.contents(atPath: path) else {
            return StubAnswer(404)
        }
        let bytes = Array(content)
        let tag = "\"\(content.hashValue)\""
        if request["If-None-Match"] == tag { return StubAnswer(304, headers: ["ETag": tag]) }
        guard hasRanges, let range = request["Range"]?.dropFirst(6).split(separator: "-"),
            let from = Int(range[0]), let to = Int(range[1])
        else { return StubAnswer(headers: ["ETag": tag], body: bytes) }
        guard from < bytes.count else { return StubAnswer(416) }
        let part = Array(bytes[from...min(to, bytes.count - 1)])
        return StubAnswer(
            206,
            headers: [
                "ETag": tag,
                "Content-Range": "bytes \(from)-\(from + part.count - 1)/\(bytes.count)",
            ], body: part)
    }

    private func sell(_ count: Int, price: String = "1.00") throws {
        try chain.sell(
            (0..<count).map { try Product("id-\($0)", $0 == 7 ? price : "2.\(10 + $0 % 90)") })
    }

    @Test(arguments: [true, false]) func aServerNeedsNoMoreThanFiles(hasRanges: Bool) async throws {
        try sell(500)
        try chain.publish()
        try await StubServer.answering({ answer($0, ranges: hasRanges) }) { server in
            let source = try source(server.url + "/feed/")
            try await chain.follow(source)
            #expect(try chain.isEqual())
            let asked = server.requests.count
            // If nothing has changed, the follower sends one conditional request.
            #expect(try await chain.follow(source).way.words == "unchanged")
            #expect(server.requests.count == asked + 1)
            #expect(server.requests.last?["If-None-Match"] != nil)
            try sell(500, price: "9.99")
            try chain.publish(at: Chain.now + 1)
            #expect(try await chain.follow(source).way.words == "1 deltas")
            #expect(try chain.isEqual())
        }
    }

    /// With a new key, the follower fetches the manifest again, because a 304 proves no signature.
    @Test func aManifestThatNobodyTrustedIsFetchedAgainForAKey() async throws {
        try sell(3)
        try chain.publish()
        try await StubServer.answering({ answer($0) }) { server in
            let source = try source(server.url + "/feed")
            try await chain.follow(source)
            let key = Curve25519.Signing.PrivateKey().publicKey
            #expect(await chain.refusal(source, trusting: key).contains("has no signature"))
        }
    }

    @Test func aCutDownloadResumes() async throws {
        try sell(20_000)
        try chain.publish()
        let served = Mutex(0)
        let script: StubServer.Script = { connection in
            while let request = await connection.readRequest() {
                let bytes = answer(request).bytes
                guard request.path.hasSuffix(".zst") else {
                    try await connection.write(bytes)
                    continue
                }
                // Send the first 10,000 bytes of each answer, then close the connection.
                let part = Array(bytes.prefix(10_000))
                served.withLock { $0 += part.count }
                try await connection.write(part)
                return
            }
        }
        try await StubServer.run(script: script) { server in
            try await chain.follow(source(server.url + "/feed"))
            #expect(try chain.isEqual())
            let ranges = server.requests.compactMap { $0["Range"] }
            #expect(ranges.count > 2)
            #expect(Set(ranges).count == ranges.count)
        }
        let full = try #require(try chain.files().first { $0.hasPrefix("full-") })
        let size = try #require(FileManager.default.contents(atPath: chain.feed + "/" + full)).count
        // Hardly anything was sent besides the file's bytes and the heads of the answers.
        #expect(served.withLock { $0 } < size * 21 / 20)
    }

    @Test func anotherProcessResumesWhatWasCut() async throws {
        try sell(20_000)
        try chain.publish()
        let isCut = Mutex(true)
        let script: StubServer.Script = { connection in
            while let request = await connection.readRequest() {
                let bytes = answer(request).bytes
                let hasStarted = request["Range"].map { !$0.hasPrefix("bytes=0-") } ?? false
                if isCut.withLock({ $0 }), hasStarted { return }
                let isFile = request.path.hasSuffix(".zst") && isCut.withLock { $0 }
                try await connection.write(isFile ? Array(bytes.prefix(20_000)) : bytes)
                if isFile { return }
            }
        }
        try await StubServer.run(script: script) { server in
            let source = try source(server.url + "/feed")
            await #expect(throws: FeedError.self) { try await chain.follow(source) }
            isCut.withLock { $0 = false }
            let asked = server.requests.count
            try await chain.follow(source)
            #expect(try chain.isEqual())
            let first = server.requests[asked...].compactMap { $0["Range"] }.first
            #expect(first?.hasPrefix("bytes=0-") == false)
            let rest = try FileManager.default.contentsOfDirectory(atPath: chain.folder.path)
            #expect(!rest.contains { $0.contains(".fetch") })
        }
    }

    @Test func aServerThatSendsOtherBytesIsRefused() async throws {
        try sell(500)
        try chain.publish()
        for lie in 0..<6 {
            try await StubServer.answering({ request in
                var answer = answer(request)
                guard request.path.hasSuffix(".zst") else { return answer }
                switch lie {
                case 0: answer.body[answer.body.count / 2] ^= 1
                case 1: answer.body += [1]
                case 2: answer.body.removeLast()
                case 3: answer.headers = [("Content-Range", "bytes 5-9/10")]
                case 4: return StubAnswer(416)
                default: return StubAnswer(500)
                }
                return answer
            }) { server in
                await #expect(throws: FeedError.self) {
                    try await chain.follow(source(server.url + "/feed"))
                }
                #expect(!FileManager.default.fileExists(atPath: chain.register))
            }
        }
    }

    @Test func aFileThatChangesBetweenTwoPartsIsFetchedAnewAtOnce() async throws {
        try sell(20_000)
        try chain.publish()
        // The server first sends a part of another file under this name, then closes the connection.
        let isOther = Mutex(true)
        let script: StubServer.Script = { connection in
            while let request = await connection.readRequest() {
                var answer = answer(request)
                let isCut =
                    request.path.hasSuffix(".zst")
                    && isOther.withLock { other in
                        defer { other = false }
                        return other
                    }
                if isCut { answer.body = answer.body.map { ~$0 } }
                let bytes = answer.bytes
                try await connection.write(isCut ? Array(bytes.dropLast(20_000)) : bytes)
                if isCut { return }
            }
        }
        try await StubServer.run(script: script) { server in
            let outcome = try await chain.follow(source(server.url + "/feed"))
            #expect(outcome.way.words == "full")
            #expect(try chain.isEqual())
            let starts = server.requests.compactMap { $0["Range"]?.split(separator: "-").first }
            // The requests are for the other file, for the rest of this one, and for all of this one.
            #expect(starts.count == 3)
            #expect(starts.first == "bytes=0" && starts.last == "bytes=0")
        }
    }

    @Test func aFileThatIsShorterNowIsFetchedAnewAtOnce() async throws {
        try sell(500)
        try chain.publish()
        let name = try #require(try chain.files().first { $0.hasPrefix("full-") })
        // An earlier download left more bytes than the file has now.
        try FileManager.default.createDirectory(
            atPath: chain.register + ".fetch", withIntermediateDirectories: false)
        try chain.folder.write(
            [UInt8](repeating: 7, count: 1 << 20), to: "register.sqlite.fetch/\(name)")
        try await StubServer.answering({ answer($0) }) { server in
            try await chain.follow(source(server.url + "/feed"))
            #expect(try chain.isEqual())
        }
    }

    @Test func theTokenIsShownAndNeverToAnotherHost() async throws {
        try sell(50)
        try chain.publish()
        try await StubServer.answering({ answer($0) }) { other in
            try await StubServer.answering({ request in
                guard request["Authorization"] == "Bearer 0123456789abcdef" else {
                    return StubAnswer(401)
                }
                return request.path.hasSuffix("feed.json")
                    ? answer(request)
                    : StubAnswer(302, headers: ["Location": other.url + request.path])
            }) { server in
                await #expect(throws: FeedError.self) {
                    try await chain.follow(source(server.url + "/feed"))
                }
                try await chain.follow(
                    source(server.url + "/feed", token: "Bearer 0123456789abcdef"))
                #expect(try chain.isEqual())
                #expect(!other.requests.isEmpty)
                #expect(other.requests.allSatisfy { $0["Authorization"] == nil })
            }
        }
    }

    @Test func aServerMayAskForPatience() async throws {
        try await StubServer.answering({ _ in StubAnswer(503, headers: ["Retry-After": "77"]) }) {
            server in
            do {
                try await chain.follow(source(server.url + "/feed"))
                Issue.record("it was followed")
            } catch FeedError.web(_, _, let wait, _) {
                #expect(wait == .seconds(77))
            }
        }
    }
}
