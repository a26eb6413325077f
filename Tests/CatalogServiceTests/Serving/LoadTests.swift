import Catalog
import Foundation
import HTTPService
import HTTPTypes
import Synchronization
import TestFolders
import Testing
import WebAPI

@testable import CatalogService

/// Many at once.
@Suite(.timeLimit(.minutes(10))) struct LoadTests {
    private let scratch: TemporaryFolder
    private let path: String

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
    }

    private static func csv(_ name: String, _ count: Int, padding: Int = 0) -> String {
        let pad = String(repeating: "x", count: padding)
        return "id,code,name,pad\n"
            + (0..<count).map { "P\($0),C\($0),\(name),\(pad)\n" }.joined()
    }

    @Test func tenThousandRequestsAreAnsweredEachWithItsOwnProduct() async throws {
        try EmbeddedCatalog(path: path, access: .writing).take(Self.csv("one", 1000))
        try await Service.run(path) { service in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for client in 0..<20 {
                    group.addTask {
                        var right = 0
                        for step in 0..<500 {
                            let number = (client * 131 + step * 7) % 1200
                            let response = try await service.get("/v1/products/C\(number)")
                            let id = try response.json().text("/id")
                            if id == (number < 1000 ? "P\(number)" : nil) { right += 1 }
                        }
                        return right
                    }
                }
                var right = 0
                for try await some in group { right += some }
                #expect(right == 10_000)
            }
        }
    }

    @Test func whileAnImportGoesOnEveryAnswerIsOfOneState() async throws {
        let writer = try EmbeddedCatalog(path: path, access: .writing)
        try writer.take(Self.csv("state 0", 3000))
        try await Service.run(path) { service in
            try await withThrowingTaskGroup(of: Set<String>.self) { group in
                let isDone = Flag()
                let (answers, answered) = AsyncStream<Void>.makeStream()
                group.addTask {
                    defer { isDone.set() }
                    var iterator = answers.makeAsyncIterator()
                    for state in 1...5 {
                        try writer.take(Self.csv("state \(state)", 3000))
                        // More answers than can have been on their way.
                        for _ in 0..<8 { await iterator.next() }
                    }
                    return []
                }
                for reader in 0..<4 {
                    group.addTask {
                        var states: Set<String> = []
                        repeat {
                            let number = Int.random(in: 0..<3000)
                            let target =
                                reader % 2 == 0
                                ? "/v1/products?limit=1000" : "/v1/lookup?code=C\(number)"
                            let names = try await service.get(target).json()
                                .texts("/products", "name")
                            #expect(Set(names).count == 1)
                            #expect(names.count == (reader % 2 == 0 ? 1000 : 1))
                            states.formUnion(names)
                            answered.yield()
                        } while !isDone.isSet
                        return states
                    }
                }
                var states: Set<String> = []
                for try await some in group { states.formUnion(some) }
                #expect(states.isSubset(of: Set((0...5).map { "state \($0)" })))
                #expect(states.count > 1)
            }
            let last = try await service.get("/v1/products?limit=1000").json()
            #expect(Set(last.texts("/products", "name")) == ["state 5"])
        }
    }

    @Test func pagesAreLargeButNotWithoutBound() async throws {
        try EmbeddedCatalog(path: path, access: .writing)
            .take(Self.csv("large", 1500, padding: 20_000))
        try await Service.run(path) { service in
            var (target, ids): (String?, [String]) = ("/v1/products?limit=1000", [])
            while let page = target {
                let response = try await service.get(page)
                #expect(response.payload.count < 5 << 20)
                ids += try response.json().texts("/products", "id")
                target = LinkHeader(response.headers)["next"].map { "/v1/products" + $0 }
            }
            #expect(ids == (0..<1500).map { "P\($0)" })
        }
    }

    /// Asks for 40 MB on each of some connections and takes none of it, while `body` runs.
    ///
    /// - Throws: What `body` throws, or a connection that did not begin.
    private func withDeafClients(
        _ count: Int, of service: Service, _ body: @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (beginnings, begun) = AsyncStream<Void>.makeStream()
            for _ in 0..<count {
                group.addTask {
                    // One that fails must end the waiting below.
                    defer { begun.finish() }
                    try await RawConnection.open(service.port, buffer: 4096) { ends in
                        let request =
                            "GET /v1/products?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        try await ends.send(String(repeating: request, count: 10))
                        // That something comes says that the service is about to be stuck.
                        try await ends.receive(1)
                        begun.yield()
                        // Until it is cancelled.
                        try? await Task.sleep(for: .seconds(3600))
                    }
                }
            }
            var iterator = beginnings.makeAsyncIterator()
            for _ in 0..<count where await iterator.next() == nil { try await group.next() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    @Test func clientsThatTakeNothingStopNobody() async throws {
        try EmbeddedCatalog(path: path, access: .writing)
            .take(Self.csv("large", 1000, padding: 4000))
        try await Service.run(path, grace: .milliseconds(200)) { service in
            try await withDeafClients(30, of: service) {
                for number in 0..<300 {
                    #expect(try await service.id("C\(number)") == "P\(number)")
                }
                let page = try await service.get("/v1/products?limit=1000").json()
                #expect(page.texts("/products", "id").count == 1000)
            }
        }
    }

    /// As many connections as there may be, which send nothing; and more.
    @Test(arguments: [6, 30]) func connectionsThatSendNothingKeepNobodyOut(count: Int) async throws
    {
        try EmbeddedCatalog(path: path, access: .writing).take(Self.csv("one", 10))
        let token = try unwrapped(BearerToken("abcdefghijklmnopqrst"))
        let limits = ConnectionLimits(
            total: 6, perPeer: 4, request: .seconds(3600), idle: .seconds(3600))
        try await Service.run(path, token: token, limits: limits, grace: .milliseconds(200)) {
            service in
            await withTaskGroup(of: Void.self) { group in
                let (endings, ended) = AsyncStream<Void>.makeStream()
                for _ in 0..<count {
                    group.addTask {
                        try? await RawConnection.open(service.port) { ends in
                            try? await ends.send("GET /v1/health HTTP/1.1\r\n")
                            await ends.receiveToTheEnd()
                        }
                        ended.yield()
                    }
                }
                // Once so many are gone again, the service has taken all of them in.
                var iterator = endings.makeAsyncIterator()
                for _ in limits.perPeer..<count { await iterator.next() }
                for number in 0..<5 {
                    let answer = try? await RawConnection.ask(
                        service.port, "GET /v1/products/C\(number)",
                        "Authorization: Bearer abcdefghijklmnopqrst\r\n")
                    #expect(answer?.contains(" 200 ") == true)
                }
                group.cancelAll()
            }
        }
    }

    @Test func clientsThatTakeNothingAreLetGo() async throws {
        try EmbeddedCatalog(path: path, access: .writing)
            .take(Self.csv("large", 1000, padding: 4000))
        try await Service.run(path, limits: ConnectionLimits(writing: .milliseconds(300))) {
            service in
            try await RawConnection.open(service.port, buffer: 4096) { ends in
                let request = "GET /v1/products?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                try await ends.send(String(repeating: request, count: 10))
                // The service closes it: sending fails, and until then what is sent is not read.
                while (try? await ends.send(request)) != nil {}
            }
        }
    }
}

/// Something that happened or not yet.
private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
