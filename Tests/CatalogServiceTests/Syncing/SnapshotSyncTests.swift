import Catalog
import Foundation
import GRDB
import HTTPTypes
import KeywedgeTestKit
import Synchronization
import TestFolders
import Testing
import WebAPI

@testable import CatalogService

/// A register that takes the whole catalog as a file.
@Suite(.timeLimit(.minutes(10))) struct SnapshotSyncTests {
    private static let count = 12_000

    private let scratch: TemporaryFolder
    private let shop: EmbeddedCatalog
    private let path: String
    private let register: String

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("shop.sqlite")
        register = scratch.path("register.sqlite")
        shop = try EmbeddedCatalog(path: path, access: .writing)
        try shop.take(
            "id,code,name\n"
                + (1...Self.count).map { "\($0),C\($0),name \($0)\n" }.joined())
    }

    private func follower(
        _ url: String, _ change: @escaping @Sendable (Request, Output) -> Output = { $1 }
    ) throws -> CatalogFollower {
        CatalogFollower(
            of: try Address(url), token: nil,
            over: Changing(try CatalogFollower.transport(authorities: nil), change))
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path)
            .filter { $0.hasPrefix("register") }.sorted()
    }

    @Test func aNewRegisterTakesTheFile() async throws {
        try await Service.run(path) { service in
            let result = try await follower(service.url).synchronise(path: register)
            #expect(result.isWhole)
            #expect(result.summary.added == Self.count)
            // The first page, the file, and the changes since.
            #expect(result.requests == 3)
            #expect(try files() == ["register.sqlite"])
            let catalog = try EmbeddedCatalog(path: register)
            #expect(try catalog.exported() == shop.exported())
            #expect(try catalog.revision() == shop.revision())

            try shop.take("id,name\n7,seven\n")
            try shop.remove(ids: ["8"])
            let changes = try await follower(service.url).synchronise(path: register)
            #expect(!changes.isWhole)
            #expect(changes.summary.updated == 1)
            #expect(changes.summary.removed == 1)
            #expect(try catalog.exported() == shop.exported())
        }
    }

    @Test func aRegisterWithProductsOfItsOwnKeepsThemWhileItIsAskedOnAndOn() async throws {
        let catalog = try EmbeddedCatalog(path: register, access: .writing)
        try catalog.take("id,name\nown,own\n1,before\n")
        let reader = try EmbeddedCatalog(path: register)
        let isOver = Flag()
        try await Service.run(path) { service in
            async let failures = Self.ask(reader, until: isOver)
            let result = try await follower(service.url).synchronise(catalog)
            isOver.set()
            #expect(result.summary.added == Self.count - 1)
            #expect(result.summary.updated == 1)
            #expect(await failures == 0)
            #expect(try reader.names()["own"] == "own")
            #expect(try reader.names()["1"] == "name 1")
            // It has more than the shop, and must not pass for it.
            #expect(try reader.revision() != shop.revision())
        }
    }

    /// Reads on and on, until it is told to end or cancelled; gives how often it was neither the
    /// catalog before nor the one after.
    private static func ask(_ reader: EmbeddedCatalog, until isOver: Flag) async -> Int {
        var failures = 0
        repeat {
            let found = try? reader.count()
            if found != 2, found != count + 1 { failures += 1 }
            await Task.yield()
        } while !isOver.isSet && !Task.isCancelled
        return failures
    }

    @Test func mostProductsHavingChangedTheFileIsTakenToo() async throws {
        try await Service.run(path) { service in
            try await follower(service.url).synchronise(path: register)
            try shop.take("id,name\n" + (1...11_000).map { "\($0),other \($0)\n" }.joined())
            let result = try await follower(service.url).synchronise(path: register)
            #expect(result.isWhole)
            #expect(result.summary.updated == 11_000)
            #expect(result.requests == 3)
            #expect(try EmbeddedCatalog(path: register).exported() == shop.exported())
        }
    }

    @Test func anInterruptedFileGoesOnWhereItEnded() async throws {
        try await Service.run(path) { service in
            let ranges = Mutex<[String]>([])
            let cutting = try follower(service.url) { request, output in
                guard let range = request.headers[.range] else { return output }
                let isFirst = ranges.withLock { ranges in
                    ranges.append(range)
                    return ranges.count == 1
                }
                return isFirst
                    ? output.cut(to: 5000)
                    : .noResponse(ConnectionError(.closed, during: .connect))
            }
            await #expect(throws: SyncError.self) {
                try await cutting.synchronise(path: register)
            }
            #expect(try files() == ["register.sqlite.fetch"])
            let asked = Mutex<[String]>([])
            let result = try await follower(service.url) { request, output in
                if let range = request.headers[.range] { asked.withLock { $0.append(range) } }
                return output
            }.synchronise(path: register)
            let last = 5000 + CatalogFollower.snapshotPart - 1
            #expect(asked.withLock { $0 } == ["bytes=5000-\(last)"])
            #expect(result.summary.added == Self.count)
            #expect(try files() == ["register.sqlite"])
        }
    }

    @Test func aFileThatBecomesAnotherOneIsBegunAnew() async throws {
        try await Service.run(path) { [shop, scratch] service in
            let count = Mutex(0)
            let result = try await follower(service.url) { request, output in
                guard request.headers[.range] != nil else { return output }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                guard number == 1 else { return output }
                // Emptied and filled anew, the old revision is unknown.
                #expect(throws: Never.self) {
                    try shop.remove(ids: (1...Self.count).map { "\($0)" })
                    try shop.take(
                        "id,name\n" + (1...10_500).map { "\($0),anew \($0)\n" }.joined())
                }
                return output.cut(to: 5000)
            }.synchronise(path: register)
            _ = scratch
            #expect(result.summary.added == 10_500)
            #expect(try EmbeddedCatalog(path: register).exported() == shop.exported())
        }
    }

    @Test func anOldServiceIsReadPageByPage() async throws {
        try await Service.run(path) { service in
            let result = try await follower(service.url) { request, output in
                request.headers[.range] == nil
                    ? output : .response(Response(status: .notFound))
            }.synchronise(path: register)
            #expect(result.summary.added == Self.count)
            #expect(result.snapshotProblem == nil)
            #expect(try EmbeddedCatalog(path: register).exported() == shop.exported())
        }
    }

    @Test func aFileThatIsNotWhatItsDigestSaysIsNotUsed() async throws {
        try await Service.run(path) { service in
            let result = try await follower(service.url) { request, output in
                request.headers[.range] == nil ? output : output.changed { $0[$0.count / 2] ^= 1 }
            }.synchronise(path: register)
            #expect(result.snapshotProblem == "its content is not what its digest says")
            #expect(try EmbeddedCatalog(path: register).exported() == shop.exported())
            #expect(try files() == ["register.sqlite"])
        }
    }
}

/// Something that happens once.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
}

extension Output {
    fileprivate func changed(_ change: (inout [UInt8]) -> Void) -> Output {
        guard case .response(let response) = self else { return self }
        var payload = response.payload
        change(&payload)
        return .response(
            Response(status: response.status, headers: response.headers, payload: payload))
    }

    fileprivate func cut(to count: Int) -> Output { changed { $0.removeLast($0.count - count) } }
}
