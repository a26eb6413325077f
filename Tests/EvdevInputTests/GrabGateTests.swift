import Testing

@testable import EvdevInput

@Suite struct GrabGateTests {
    private let gate = GrabGate(at: 1_000, timeout: 500)

    @Test func opensAsSoonAsNoKeyIsDown() {
        #expect(gate.step(at: 1_000, isAnyKeyDown: false) == .grab)
    }

    @Test func waitsForAHeldKeyUntilTheDeadline() {
        #expect(gate.deadline == 1_500)
        #expect(gate.step(at: 1_499, isAnyKeyDown: true) == .wait)
        #expect(gate.step(at: 1_500, isAnyKeyDown: true) == .grabWithKeyHeld)
        #expect(gate.step(at: 1_500, isAnyKeyDown: false) == .grab)
    }
}
