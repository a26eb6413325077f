import Catalog
import Foundation
import Synchronization
import TestFolders
import TestWaiting
import Testing

@testable import CatalogService
@testable import WebAPI

/// Tests many lookups during imports, and the size of pages.
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

    @Test func whileAnImportGoesOnEveryAnswerIsOfOneState() async throws {
        let writer = try CatalogFile(path: path, access: .writing)
        try writer.take(Self.csv("state 0", 3000))
        try await Service.run(path) { service in
            let readers = Readers()
            let states = (0...5).map { "state \($0)" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { readers.stop() }
                    for state in states {
                        if state != states.first { try writer.take(Self.csv(state, 3000)) }
                        try await waitUntil("an answer of \(state)") {
                            readers.states.contains(state)
                        }
                    }
                }
                for reader in 0..<4 {
                    group.addTask {
                        repeat {
                            let number = Int.random(in: 0..<3000)
                            let target =
                                reader % 2 == 0
                                ? "/v1/products?limit=1000" : "/v1/lookup?code=C\(number)"
                            let names = try await service.get(target).json()
                                .texts("/products", "name")
                            #expect(Set(names).count == 1)
                            #expect(names.count == (reader % 2 == 0 ? 1000 : 1))
                            readers.add(names)
                        } while !readers.mayStop
                    }
                }
                try await group.waitForAll()
            }
            #expect(readers.states == Set(states))
            let last = try await service.get("/v1/products?limit=1000").json()
            #expect(Set(last.texts("/products", "name")) == ["state 5"])
        }
    }

    @Test func pagesAreLargeButNotWithoutBound() async throws {
        try CatalogFile(path: path, access: .writing)
            .take(Self.csv("large", 1500, padding: 20_000))
        try await Service.run(path) { service in
            var (target, ids): (String?, [String]) = ("/v1/products?limit=1000", [])
            while let page = target {
                let response = try await service.get(page)
                #expect(response.payload.count < 5 << 20)
                ids += try response.json().texts("/products", "id")
                target = response.nextPage.map { "/v1/products" + $0 }
            }
            #expect(ids == (0..<1500).map { "P\($0)" })
        }
    }
}

/// The states in the answers so far, and whether the readers may stop.
private final class Readers: Sendable {
    private let value = Mutex((states: Set<String>(), mayStop: false))
    var states: Set<String> { value.withLock { $0.states } }
    var mayStop: Bool { value.withLock { $0.mayStop } }
    func add(_ names: [String]) { value.withLock { $0.states.formUnion(names) } }
    func stop() { value.withLock { $0.mayStop = true } }
}
