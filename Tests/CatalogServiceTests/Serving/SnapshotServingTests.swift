import Catalog
import Crypto
import Foundation
import HTTPTypes
import TestFolders
import Testing
import WebAPI

@testable import CatalogService

/// The whole catalog as a file, and parts of it.
@Suite(.timeLimit(.minutes(10))) struct SnapshotServingTests {
    private let scratch: TemporaryFolder
    private let shop: EmbeddedCatalog
    private let path: String

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("shop.sqlite")
        shop = try EmbeddedCatalog(path: path, access: .writing)
        try shop.take("id,code,name\n" + (1...3000).map { "\($0),C\($0),name \($0)\n" }.joined())
    }

    private func unpacked(_ bytes: [UInt8]) throws -> EmbeddedCatalog {
        let (packed, plain) = (scratch.path("got.gz"), scratch.path("got.sqlite"))
        #expect(FileManager.default.createFile(atPath: packed, contents: Data(bytes)))
        let input = open(packed, O_RDONLY)
        let output = open(plain, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { [input, output].forEach { close($0) } }
        try GzipReader.decompress(input, into: output, limit: 1 << 30)
        return try EmbeddedCatalog(path: plain)
    }

    @Test func itIsTheCatalogAtARevisionWithADigest() async throws {
        try await Service.run(path) { service in
            let answer = try await service.get("/v1/snapshot")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/gzip")
            #expect(answer.header("Keywedge-Revision") == "\(try shop.revision())")
            let digest = Data(SHA256.hash(data: answer.payload)).base64EncodedString()
            #expect(answer.header("Repr-Digest") == "sha-256=:\(digest):")
            let got = try unpacked(answer.payload)
            #expect(try got.exported() == shop.exported())
            #expect(try got.revision() == shop.revision())
        }
    }

    @Test func aDiskThatIsSlowHoldsUpNoOtherConnection() async throws {
        try await Service.run(path) { service in
            let snapshot = try await service.snapshots.snapshot()
            let disk = DispatchSemaphore(value: 0)
            async let stalled: Void = snapshot.reading.run { disk.wait() }
            async let file = service.get("/v1/snapshot")
            do {
                defer { disk.signal() }
                for number in 1...100 {
                    #expect(try await service.id("C\(number)") == "\(number)")
                }
            }
            try await stalled
            #expect(try await file.payload == snapshot.bytes(Int(snapshot.size), at: 0))
        }
    }

    @Test func whatBelongsToThisBoxDoesNotGoOut() async throws {
        try shop.follow(Upstream(url: "http://secret.lan", revision: "x"), since: nil) { nil }
        try await Service.run(path) { service in
            let got = try unpacked(try await service.get("/v1/snapshot").payload)
            #expect(try got.upstream() == nil)
            let file = try Data(contentsOf: URL(filePath: got.path))
            #expect(file.range(of: Data("secret.lan".utf8)) == nil)
        }
    }

    @Test func theSameRevisionIsTheSameBytesAlsoAfterARestart() async throws {
        let first = try await Service.run(path) { try await $0.get("/v1/snapshot") }
        let second = try await Service.run(path) { try await $0.get("/v1/snapshot") }
        #expect(unlink(scratch.path("shop.sqlite.snapshot")) == 0)
        let anew = try await Service.run(path) { try await $0.get("/v1/snapshot") }
        #expect(first.payload == second.payload)
        #expect(first.payload == anew.payload)
        #expect(first.headers[.eTag] == anew.headers[.eTag])
    }

    @Test func partsMakeTheWhole() async throws {
        try await Service.run(path) { service in
            let all = try await service.get("/v1/snapshot")
            let tag = try unwrapped(all.headers[.eTag])
            let size = all.payload.count
            var parts: [UInt8] = []
            while parts.count < size {
                let range = "bytes=\(parts.count)-\(parts.count + 9_999)"
                let part = try await service.get(
                    "/v1/snapshot", [.range: range, .ifRange: tag])
                #expect(part.status == .partialContent)
                let last = parts.count + part.payload.count - 1
                #expect(
                    part.headers[.contentRange] == "bytes \(parts.count)-\(last)/\(size)")
                parts += part.payload
            }
            #expect(parts == all.payload)
            let end = try await service.get("/v1/snapshot", [.range: "bytes=-7"])
            #expect(end.payload == Array(all.payload.suffix(7)))
        }
    }

    @Test(arguments: [
        ("bytes=999999999-", 416), ("bytes=-0", 416), ("bytes=5-2", 200), ("bytes=0-1,5-9", 200),
        ("bytes=a-b", 200), ("lines=1-2", 200), ("bytes=", 200), ("bytes=-", 200),
        ("bytes=0-99999999999999999999", 206), ("bytes=18446744073709551615-", 416),
    ])
    func rangesThatCannotBeGiven(range: String, status: Int) async throws {
        try await Service.run(path) { service in
            let answer = try await service.get("/v1/snapshot", [.range: range])
            #expect(answer.status.code == status)
        }
    }

    @Test func whoHasItIsToldSoAndAnotherFileIsGivenWhole() async throws {
        try await Service.run(path) { service in
            let tag = try unwrapped(try await service.get("/v1/snapshot").headers[.eTag])
            let known = try await service.get("/v1/snapshot", [.ifNoneMatch: tag])
            #expect(known.status == .notModified)
            let head = try await service.get("/v1/snapshot", [:], .head)
            #expect(head.status == .ok)
            #expect(head.payload == [])
            let other = try await service.get(
                "/v1/snapshot", [.range: "bytes=0-9", .ifRange: "\"other\""])
            #expect(other.status == .ok)
        }
    }

    @Test func withoutAPlaceForItPagesAreLeft() async throws {
        // A folder of that name cannot be replaced by a file.
        try FileManager.default.createDirectory(
            atPath: scratch.path("shop.sqlite.snapshot"), withIntermediateDirectories: false)
        try await Service.run(path) { service in
            let answer = try await service.get("/v1/snapshot")
            #expect(answer.status == .serviceUnavailable)
            #expect(try answer.json().text("/code") == "no-snapshot")
            #expect(try await service.get("/v1/changes").status == .ok)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(!left.contains { $0.hasSuffix(".new") || $0.hasSuffix(".plain") })
    }
}

extension Response {
    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}
