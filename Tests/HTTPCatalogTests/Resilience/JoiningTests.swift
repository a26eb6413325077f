import Barcodes
import Catalog
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI
import WireText

@testable import HTTPCatalog

@Suite struct JoiningTests {
    @Test func tenThousandLookupsOfAHundredCodesSendAHundredRequests() async throws {
        let gate = Gate()
        let transport = StubTransport { request, _ in
            await gate.wait()
            return Shop.product(request.code)
        }
        let catalog = DeclaredCatalog(
            try Shop.declaration(codes: CodeRules()), transport: transport,
            clock: ManualClock())
        let codes = (0..<100).map { "code-\($0)" }
        let answers = try await withThrowingTaskGroup(of: LookupAnswer.self) { group in
            for number in 0..<10_000 {
                group.addTask { await catalog.lookup(codes[number % 100]) }
            }
            try await waitUntil("all lookups") { catalog.waiterCount >= 10_000 }
            gate.open()
            return try await group.reduce(into: [LookupAnswer]()) { $0.append($1) }
        }
        #expect(transport.requests.count == 100)
        #expect(answers.count == 10_000)
        #expect(answers.allSatisfy { $0.origin == .network && $0.attempts == 1 })
        let ids = Set(
            answers.compactMap { answer -> String? in
                if case .found(let match) = answer.outcome { match.product.id } else { nil }
            })
        #expect(ids == Set(codes.map { "P\($0)" }))
    }

    @Test func aLookupThatIsCancelledLeavesAndTheOthersGoOn() async throws {
        let gate = Gate()
        let transport = StubTransport { request, _ in
            await gate.wait()
            return Shop.product(request.code)
        }
        let catalog = DeclaredCatalog(
            try Shop.declaration(codes: CodeRules()), transport: transport, clock: ManualClock())
        let first = Task { await catalog.lookup("a") }
        try await waitUntil("a lookup") { catalog.waiterCount >= 1 }
        let second = Task { await catalog.lookup("a") }
        try await waitUntil("two lookups") { catalog.waiterCount >= 2 }
        first.cancel()
        #expect(
            await first.value
                == LookupAnswer(
                    .failed(LookupFailure(.cancelled, "The lookup was given up."))))
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
        let catalog = DeclaredCatalog(
            try Shop.declaration(codes: CodeRules()), transport: transport, clock: clock)
        let patient = Task { await catalog.lookup("a") }
        try await waitUntil("a lookup") { catalog.waiterCount >= 1 }
        let hasty = Task {
            await catalog.lookup(Barcode(text: "a"), within: .milliseconds(100))
        }
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(100))
        let failure = await hasty.value.failure
        #expect(failure?.code == .timedOut)
        gate.open()
        #expect(await patient.value.origin == .network)
    }
}
