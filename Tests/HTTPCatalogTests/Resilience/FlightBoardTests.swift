import Testing

@testable import HTTPCatalog

@Suite struct FlightBoardTests {
    @Test func theFirstSendsAndTheOthersWait() {
        var board = FlightBoard<String, String>()
        #expect(board.board("1", (1, "a"), deadline: at(5)) == .depart(flight: 1))
        #expect(board.board("1", (2, "b"), deadline: at(9)) == .wait(until: at(5)))
        #expect(board.board("2", (3, "c"), deadline: at(9)) == .depart(flight: 2))
        #expect(board.board("1", nil, deadline: at(9)) == .wait(until: at(5)))
        #expect(board.land("1", flight: 1) == ["a", "b"])
        #expect(board.count == 1)
        #expect(board.board("1", nil, deadline: at(9)) == .depart(flight: 3))
    }

    @Test func whoLeavesIsNotAnswered() {
        var board = FlightBoard<String, String>()
        _ = board.board("1", (1, "a"), deadline: at(5))
        _ = board.board("1", (2, "b"), deadline: at(5))
        #expect(board.leave("1", 1) == "a")
        #expect(board.leave("1", 1) == nil)
        #expect(board.land("1", flight: 1) == ["b"])
        #expect(board.leave("1", 2) == nil)
    }

    @Test func aFlightThatEndedDoesNotEndTheNextOne() {
        var board = FlightBoard<String, String>()
        _ = board.board("1", (1, "a"), deadline: at(5))
        #expect(board.land("1", flight: 1) == ["a"])
        _ = board.board("1", (2, "b"), deadline: at(5))
        #expect(board.land("1", flight: 1) == [])
        #expect(board.land("1", flight: 2) == ["b"])
    }

    private func at(_ seconds: Int) -> Moment { .start + .seconds(seconds) }
}
