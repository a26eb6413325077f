import Testing

@testable import HTTPCatalog

@Suite struct RequestCoalescerTests {
    @Test func theFirstSendsAndTheOthersWait() {
        var coalescer = RequestCoalescer<String, String>()
        #expect(coalescer.join("1", (1, "a"), deadline: at(5)) == .send(request: 1))
        #expect(coalescer.join("1", (2, "b"), deadline: at(9)) == .wait(until: at(5)))
        #expect(coalescer.join("2", (3, "c"), deadline: at(9)) == .send(request: 2))
        #expect(coalescer.join("1", nil, deadline: at(9)) == .wait(until: at(5)))
        #expect(coalescer.finish("1", request: 1) == ["a", "b"])
        #expect(coalescer.count == 1)
        #expect(coalescer.join("1", nil, deadline: at(9)) == .send(request: 3))
    }

    @Test func whoLeavesIsNotAnswered() {
        var coalescer = RequestCoalescer<String, String>()
        _ = coalescer.join("1", (1, "a"), deadline: at(5))
        _ = coalescer.join("1", (2, "b"), deadline: at(5))
        #expect(coalescer.leave("1", 1) == "a")
        #expect(coalescer.leave("1", 1) == nil)
        #expect(coalescer.finish("1", request: 1) == ["b"])
        #expect(coalescer.leave("1", 2) == nil)
    }

    @Test func aRequestThatEndedDoesNotEndTheNextOne() {
        var coalescer = RequestCoalescer<String, String>()
        _ = coalescer.join("1", (1, "a"), deadline: at(5))
        #expect(coalescer.finish("1", request: 1) == ["a"])
        _ = coalescer.join("1", (2, "b"), deadline: at(5))
        #expect(coalescer.finish("1", request: 1) == [])
        #expect(coalescer.finish("1", request: 2) == ["b"])
    }

    private func at(_ seconds: Int) -> MonotonicTime { .start + .seconds(seconds) }
}
