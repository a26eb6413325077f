import Dispatch
import Glibc
import Synchronization
import TestWaiting
import Testing

@testable import EventService

/// Who reads events, by name.
@Suite(.timeLimit(.minutes(10))) struct UserNamesTests {
    @Test func theLogNamesWhoReads() async throws {
        let service = try Service()
        service.publish("a")
        _ = try await service.stream("/v1/events?consumer=till&types=keywedge.scan") {
            $0.hasSuffix("\r\n\r\n")
        }
        let name = try #require(getpwuid(getuid())).pointee.pw_name
        let line =
            "user \"\(String(cString: try #require(name)))\" (process \(getpid())) "
            + "reads events as consumer \"till\""
        try await waitUntil(line) { service.log.contains(line) }
        try await service.stop()
    }

    @Test func aUserWithoutANameIsANumber() async {
        // No system gives its highest numbers to anybody.
        let name = await withCheckedContinuation { continuation in
            UserNames().find(4_294_967_290) { continuation.resume(returning: $0) }
        }
        #expect(name == nil)
    }

    /// The names are on another box, which does not answer.
    @Test func whoeverAsksForNamesWaitsForNone() async throws {
        let answers = DispatchSemaphore(value: 0)
        let (told, looked) = (Kept<String?>(), Kept<UInt32>())
        let names = UserNames { user in
            looked.add(user)
            answers.wait()
            return "user \(user)"
        }
        names.find(1) { told.add($0) }
        try await waitUntil("the lookup") { looked.all == [1] }
        for _ in 0..<1000 {
            for user in [1, 2, 3] as [UInt32] { names.find(user) { told.add($0) } }
        }
        #expect(told.all == [])
        for _ in 0..<4 { answers.signal() }
        try await waitUntil("all answers") { told.all.count == 3001 }
        // Those who came meanwhile are told together.
        #expect(looked.all.sorted() == [1, 1, 2, 3])
        #expect(told.all.count { $0 == "user 1" } == 1001)
    }

    private final class Kept<Value: Sendable>: Sendable {
        private let values = Mutex<[Value]>([])
        var all: [Value] { values.withLock { $0 } }
        func add(_ value: Value) { values.withLock { $0.append(value) } }
    }
}
