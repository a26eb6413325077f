import Barcodes
import Catalog
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

@testable import HTTPCatalog

@Suite struct JoiningTests {
    @Test func tenThousandLookupsOfAHundredCodesSendAHundredRequests() async throws {
        let gate = Gate()
        let transport = StubTransport { request, _ in
            await gate.wait()
            return Shop.product(request.code)
        }
        let catalog = try patientCatalog(transport)
        let codes = (0..<100).map { "code-\($0)" }
        let answers = try await withThrowingTaskGroup(of: LookupAnswer.self) { group in
            for number in 0..<10_000 {
                group.addTask { await catalog.lookup(codes[number % 100], within: .patience) }
            }
            try await waitUntil("all lookups") { catalog.waiterCount >= 10_000 }
            gate.open()
            return try await group.reduce(into: [LookupAnswer]()) { $0.append($1) }
        }
        #expect(transport.requests.count == 100)
        #expect(answers.count == 10_000)
        #expect(answers.allSatisfy { $0.origin == .network && $0.attempts == 1 })
        let ids = Set(answers.compactMap(\.match?.product.id))
        #expect(ids == Set(codes.map { "P\($0)" }))
    }

    @Test func aLookupThatIsCancelledLeavesAndTheOthersGoOn() async throws {
        let gate = Gate()
        let transport = StubTransport { request, _ in
            await gate.wait()
            return Shop.product(request.code)
        }
        let catalog = try patientCatalog(transport)
        let first = Task { await catalog.lookup("a", within: .patience) }
        try await waitUntil("a lookup") { catalog.waiterCount >= 1 }
        let second = Task { await catalog.lookup("a", within: .patience) }
        try await waitUntil("two lookups") { catalog.waiterCount >= 2 }
        first.cancel()
        #expect(
            await first.value
                == LookupAnswer(.failed(LookupFailure(.cancelled, "The lookup was given up."))))
        gate.open()
        #expect(await second.value.origin == .network)
        #expect(transport.requests.count == 1)
    }

    @Test func whoHasLessTimeThanTheRequestLeavesEarlier() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let transport = StubTransport { request, _ in
            await gate.wait()
            return Shop.product(request.code)
        }
        let catalog = try patientCatalog(transport, clock)
        let patient = Task { await catalog.lookup("a", within: .patience) }
        try await waitUntil("a lookup") { catalog.waiterCount >= 1 }
        let hasty = Task {
            await catalog.lookup(Barcode(text: "a"), within: .milliseconds(100))
        }
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(100))
        #expect(await hasty.value.failure?.code == .timedOut)
        gate.open()
        #expect(await patient.value.origin == .network)
    }

    /// Makes a catalog whose requests have enough time on a busy machine.
    private func patientCatalog(
        _ transport: StubTransport, _ clock: ManualClock = ManualClock()
    ) throws -> DeclaredCatalog {
        try Shop.catalog(transport, clock: clock) { $0.resilience.attemptTimeout = .patience }
    }
}
