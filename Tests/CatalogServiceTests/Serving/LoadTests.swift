import Catalog
import Foundation
import Synchronization
import TestFolders
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
            try await withThrowingTaskGroup(of: Set<String>.self) { group in
                let isDone = Flag()
                let (answers, answered) = AsyncStream<Void>.makeStream()
                group.addTask {
                    defer { isDone.set() }
                    var iterator = answers.makeAsyncIterator()
                    for state in 1...5 {
                        try writer.take(Self.csv("state \(state)", 3000))
                        // Wait until the readers have had eight more answers.
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

/// A flag that one task sets and others read.
private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
