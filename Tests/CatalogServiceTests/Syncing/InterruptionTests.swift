import Catalog
import Foundation
import HTTPTypes
import KeywedgeTestKit
import Synchronization
import TestFolders
import Testing
import WebAPI

@testable import CatalogService

/// What an interrupted synchronisation leaves, and what the next one makes of it.
@Suite(.timeLimit(.minutes(10))) struct InterruptionTests {
    private let scratch: TemporaryFolder
    private let shop: EmbeddedCatalog
    private let path: String
    private let register: String

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("shop.sqlite")
        register = scratch.path("register.sqlite")
        shop = try EmbeddedCatalog(path: path, access: .writing)
        try shop.take("id,name\n" + (1...4500).map { "\($0),name \($0)\n" }.joined())
    }

    /// A follower whose connection breaks behind so many answers.
    private func follower(
        _ service: Service, breaking after: Int = .max
    ) throws -> CatalogFollower {
        try CatalogFollower(
            of: Address(service.url), token: nil,
            over: Breaking(after: after, CatalogFollower.transport(authorities: nil)))
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path)
            .filter { $0.hasPrefix("register") }.sorted()
    }

    private func names() throws -> [String: String] {
        try EmbeddedCatalog(path: register).names()
    }

    @Test func aCatalogIsThereOnceItIsWhole() async throws {
        try await Service.run(path) { service in
            await #expect(throws: SyncError.self) {
                try await follower(service, breaking: 2).synchronise(path: register)
            }
            #expect(try files() == ["register.sqlite.sync"])
            let result = try await follower(service).synchronise(path: register)
            #expect(result.summary.added == 4500)
            #expect(try files() == ["register.sqlite"])
        }
    }

    @Test func theNextTimeGoesOnWhereTheLastOneEnded() async throws {
        try await Service.run(path) { service in
            for requests in [2, 1] {
                await #expect(throws: SyncError.self) {
                    try await follower(service, breaking: requests).synchronise(path: register)
                }
                // What is read already may change meanwhile.
                try shop.take("id,name\n1,changed \(requests)\n4000,changed\n")
                try shop.remove(ids: ["\(requests * 500)"])
            }
            let result = try await follower(service).synchronise(path: register)
            // Two of five pages, and the changes since the first.
            #expect(result.requests == 3)
            #expect(try names() == shop.names())
            #expect(try files() == ["register.sqlite"])
        }
    }

    @Test func changesThatWereInterruptedGoOnToo() async throws {
        try await Service.run(path) { service in
            try await follower(service).synchronise(path: register)
            let before = try names()
            try shop.take("id,name\n" + (1...2500).map { "\($0),other \($0)\n" }.joined())
            await #expect(throws: SyncError.self) {
                try await follower(service, breaking: 2).synchronise(path: register)
            }
            #expect(try names() == before)
            let result = try await follower(service).synchronise(path: register)
            #expect(!result.isWhole)
            #expect(result.requests == 1)
            #expect(result.summary.updated == 2500)
            #expect(try names() == shop.names())
        }
    }

    @Test func pagesOfAnotherServiceAreDropped() async throws {
        let other = scratch.path("other.sqlite")
        try EmbeddedCatalog(path: other, access: .writing).take("id,name\nother,other\n")
        try await Service.run(path) { service in
            await #expect(throws: SyncError.self) {
                try await follower(service, breaking: 2).synchronise(path: register)
            }
            try await Service.run(other) { service in
                let result = try await follower(service).synchronise(path: register)
                #expect(result.requests == 1)
            }
        }
        #expect(try names() == ["other": "other"])
    }

    @Test func pagesOfACatalogThatWasReplacedAreDropped() async throws {
        try await Service.run(path) { service in
            await #expect(throws: SyncError.self) {
                try await follower(service, breaking: 2).synchronise(path: register)
            }
            let other = scratch.path("other.sqlite")
            try EmbeddedCatalog(path: other, access: .writing).take("id,name\nother,other\n")
            #expect(rename(other, path) == 0)
            let result = try await follower(service).synchronise(path: register)
            #expect(result.requests == 2)
        }
        #expect(try names() == ["other": "other"])
    }

    /// What a power failure may leave of the file: cut short, or with bytes that were never written.
    @Test(arguments: [0, 1, 40, 5000, 100_000, -1, -2])
    func pagesThatAreNotWholeAreReadAgain(cut: Int) async throws {
        try await Service.run(path) { service in
            await #expect(throws: SyncError.self) {
                try await follower(service, breaking: 3).synchronise(path: register)
            }
            let file = URL(fileURLWithPath: CatalogFollower.pages(of: register))
            var bytes = try Data(contentsOf: file)
            switch cut {
            case -1: bytes.append(Data(repeating: 0, count: 4096))
            case -2: bytes.replaceSubrange(50_000..<54_096, with: Data(repeating: 0, count: 4096))
            default: bytes = bytes.prefix(cut)
            }
            try bytes.write(to: file)
            try await follower(service).synchronise(path: register)
            #expect(try names() == shop.names())
        }
    }

    @Test func twoAtATimeDoNotMixTheirPages() async throws {
        try await Service.run(path) { service in
            await #expect(throws: SyncError.self) {
                try await follower(service, breaking: 2).synchronise(path: register)
            }
            let pages = CatalogFollower.pages(of: register)
            let descriptor = open(pages, O_RDWR)
            defer { close(descriptor) }
            #expect(flock(descriptor, LOCK_EX) == 0)
            let error = await #expect(throws: SyncError.self) {
                try await follower(service).synchronise(path: register)
            }
            #expect(
                error?.description
                    == "Another process synchronises the catalog: it has \"\(pages)\"; expected "
                    + "one at a time.")
        }
    }

    @Test func ofTwoThatMakeANewCatalogOneIsToldOfTheOther() async throws {
        try await Service.run(path) { service in
            let second = Note()
            let meddling = Breaking(
                after: .max, try CatalogFollower.transport(authorities: nil)
            ) { [register] in
                do {
                    _ = try DraftFile(path: register + ".new")
                } catch {
                    second.set("\(error)")
                }
            }
            let follower = try CatalogFollower(
                of: Address(service.url), token: nil, over: meddling)
            let result = try await follower.synchronise(path: register)
            #expect(result.summary.added == 4500)
            #expect(
                second.text
                    == "Another process synchronises the catalog: it has \"\(register).new\"; "
                    + "expected one at a time.")
            #expect(try files() == ["register.sqlite"])
        }
    }

    @Test func aCatalogThatWasMadeMeanwhileIsLeftAlone() async throws {
        try await Service.run(path) { service in
            let meddling = Breaking(
                after: .max, try CatalogFollower.transport(authorities: nil)
            ) { [register] in
                _ = try? EmbeddedCatalog(path: register, access: .writing).take("id\nown\n")
            }
            let follower = try CatalogFollower(
                of: Address(service.url), token: nil, over: meddling)
            let error = await #expect(throws: SyncError.self) {
                try await follower.synchronise(path: register)
            }
            #expect(
                error?.description
                    == "Another process has made the catalog \"\(register)\" meanwhile; expected "
                    + "one at a time.")
            #expect(try names() == ["own": ""])
        }
    }

    @Test func aCatalogThatIsEmptyAllOfASuddenTakesNothingAway() async throws {
        try await Service.run(path) { service in
            try await follower(service).synchronise(path: register)
            let other = scratch.path("other.sqlite")
            _ = try EmbeddedCatalog(path: other, access: .writing)
            #expect(rename(other, path) == 0)
            let before = try names()
            let error = await #expect(throws: SyncError.self) {
                try await follower(service).synchronise(path: register)
            }
            #expect(
                error?.description
                    == "The catalog at \(service.url)/ has no products any more; expected some, or "
                    + "--allow-empty to take all of its products away here too.")
            #expect(try names() == before)
            await #expect(throws: SyncError.self) {
                try await follower(service).synchronise(path: register, anew: true)
            }
            let result = try await follower(service).synchronise(
                path: register, allowingEmpty: true)
            #expect(result.summary.removed == 4500)
            #expect(try names() == [:])
        }
    }
}

/// A transport that breaks behind so many answers, and does something before each.
private struct Breaking: Transport {
    private let transport: any Transport
    private let limit: Int
    private let count = Counter()
    private let before: @Sendable () -> Void

    init(
        after limit: Int, _ transport: any Transport,
        before: @escaping @Sendable () -> Void = {}
    ) {
        self.transport = transport
        self.limit = limit
        self.before = before
    }

    func output(for request: Request, within limit: Duration) async -> Output {
        before()
        guard count.next() <= self.limit else {
            return .noResponse(
                ConnectionError(.malformed, during: .body))
        }
        return await transport.output(for: request, within: limit)
    }
}

/// What somebody else was told.
private final class Note: Sendable {
    private let state = Mutex<String?>(nil)
    var text: String? { state.withLock { $0 } }
    func set(_ text: String) { state.withLock { $0 = text } }
}
