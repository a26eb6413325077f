import Catalog
import HTTPService
import HTTPTypes
import Synchronization
import TestFolders
import TestWaiting
import Testing
import WebAPI
import WireText

@testable import CatalogService

/// Requests for changes that wait until there are some.
@Suite(.timeLimit(.minutes(10))) struct WaitingTests {
    private let scratch: TemporaryFolder
    private let shop: EmbeddedCatalog
    private let path: String

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("shop.sqlite")
        shop = try EmbeddedCatalog(path: path, access: .writing)
        try shop.take("id,name\n1,one\n")
    }

    private var patient: HTTPFields {
        HTTPField.Name("Prefer").map { [$0: "wait=60"] } ?? [:]
    }

    @Test func allWhoWaitAreToldOfAChange() async throws {
        let target = "/v1/changes?since=\(try shop.revision())"
        try await Service.run(path) { service in
            let answers = try await withThrowingTaskGroup(of: Response.self) { tasks in
                for _ in 0..<20 {
                    tasks.addTask { try await service.get(target, patient) }
                }
                try await waitUntil("the waiters") { service.waiters.count == 20 }
                try shop.take("id,name\n2,two\n")
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            for answer in answers {
                #expect(try answer.json().texts("/changed", "id") == ["2"])
                #expect(answer.header("Preference-Applied") == "wait=60")
            }
            #expect(service.waiters.count == 0)
        }
    }

    @Test func whoGoesMakesRoom() async throws {
        let target = "/v1/changes?since=\(try shop.revision())"
        try await Service.run(path) { service in
            let waiting = Task { try await service.get(target, patient) }
            try await waitUntil("the waiters") { service.waiters.count == 1 }
            waiting.cancel()
            try await waitUntil("the waiters") { service.waiters.count == 0 }
        }
    }

    @Test func whoHasSomethingToReadDoesNotWait() async throws {
        let before = try shop.revision()
        try shop.take("id,name\n2,two\n")
        try await Service.run(path) { service in
            for query in ["?since=\(before)", "", "?since=1-0000000000000000"] {
                _ = try await service.get("/v1/changes" + query, patient)
            }
            #expect(service.waiters.count == 0)
        }
    }

    /// More than may wait for a page.
    @Test func allWhoWaitInVainAreTold() async throws {
        let revision = try shop.revision()
        let fields: HTTPFields = HTTPField.Name("Prefer").map { [$0: "wait=1"] } ?? [:]
        try await Service.run(path) { service in
            let answers = try await withThrowingTaskGroup(of: Response.self) { tasks in
                for _ in 0..<2 * ServiceLimits.waiting {
                    tasks.addTask {
                        try await service.get("/v1/changes?since=\(revision)", fields)
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            for answer in answers {
                #expect(answer.status == .ok)
                #expect(answer.header("Preference-Applied") == "wait=1")
                #expect(answer.header("Keywedge-Chain") != nil)
                let page = try answer.json()
                #expect(page.at("/removed")?.array?.isEmpty == true)
                #expect(page.text("/revision") == "\(revision)")
                #expect(page.texts("/changed", "id") == [])
            }
        }
    }

    @Test func theEndOfTheServiceEndsWaiting() async throws {
        let target = "/v1/changes?since=\(try shop.revision())"
        // Half of what the waiter would wait for: only the end can have ended that.
        let answer = try await Service.run(path, grace: .seconds(30)) { service in
            let waiting = Task { try await service.get(target, patient) }
            try await waitUntil("the waiters") { service.waiters.count == 1 }
            return waiting
        }.value
        #expect(answer.status == .ok)
    }

    @Test func whereTooManyWaitTheNextIsAnsweredAtOnce() async throws {
        let waiters = try ChangeWaiters(for: path, limit: 0)
        let request = try ChangesRequest("since=\(shop.revision())")
        let outcome = try await waiters.wait(
            for: request, since: shop.revision(), upTo: .seconds(60)
        ) { _ in
            throw CancellationError()
        }
        guard case .full = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func whoWaitedThroughRevisionsOfOthersIsToldTheLast() async throws {
        let waiters = try ChangeWaiters(for: path)
        let before = try shop.revision()
        let request = try ChangesRequest("since=\(before)")
        try shop.take("id,name\n2,two\n")
        let outcome = await waiters.wait(for: request, since: before, upTo: .seconds(1)) { _ in nil
        }
        guard case .over(let last) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try last == shop.revision())
    }

    @Test func whoCannotBeToldOfAChangeYetWaitsOn() async throws {
        let waiters = try ChangeWaiters(for: path)
        let before = try shop.revision()
        let request = try ChangesRequest("since=\(before)")
        try shop.take("id,name\n2,two\n")
        let tries = Mutex(0)
        let outcome = await waiters.wait(for: request, since: before, upTo: .seconds(60)) { _ in
            let isFirst = tries.withLock { tries in
                tries += 1
                return tries == 1
            }
            if isFirst { throw ProblemDetails.busy }
            return Answer(.ok, fields: [:], body: [])
        }
        guard case .answer = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(tries.withLock { $0 } == 2)
    }

    @Test(
        arguments: [
            ("wait=30", 30), ("respond-async, wait=5", 5), ("WAIT = 7;x=1", 7), ("wait=0", nil),
            ("wait=-1", nil), ("wait", nil), ("wait=99999999999", nil), ("wait=1e3", nil),
            ("", nil),
            (";;,=,==", nil),
        ] as [(String, Int?)])
    func preferencesAreRead(text: String, seconds: Int?) {
        #expect(WaitPreference.read(text) == seconds.map { .seconds($0) })
    }
}
