import Testing

@testable import Sinks

/// Tests how fast a sink catches up, without a clock.
struct CatchUpTests {
    private static let rate = CatchUpRate("200/s")

    @Test(arguments: ["1/s", "200/s", "30/min", "999999/s"])
    func aRateIsWrittenAsItIsRead(text: String) {
        #expect(CatchUpRate(text)?.description == text)
    }

    @Test(arguments: [
        "", "0/s", "-1/s", "1.5/s", "01/s", "1000000/s", "20", "20/h", "20/s/s", " 2/s",
    ])
    func whatIsNoRateIsRefused(text: String) {
        #expect(CatchUpRate(text) == nil)
    }

    @Test(arguments: [("200/s", 50), ("1000/s", 250), ("3/s", 1), ("30/min", 1), ("600/min", 2)])
    func aPortionIsAQuarterOfASecond(text: String, count: Int) throws {
        #expect(try #require(CatchUpRate(text)).portion == count)
    }

    @Test func whatHasWaitedGoesOutAtTheRateAndTheRestAsItIsTaken() {
        var catchUp = CatchUp(Self.rate)
        #expect(catchUp.limit(after: 0, page: 500) == 50)
        // Of 1,000 waiting events, 50 are accepted; the rest takes 4.75 s at the rate, and chance halves the wait.
        var wait = catchUp.took(50, in: .milliseconds(20), upTo: 50, of: 1000, chance: 0.5)
        #expect(wait == .milliseconds(2375))
        #expect(catchUp.limit(after: 50, page: 500) == 50)
        wait = catchUp.took(50, in: .milliseconds(20), upTo: 100, of: 1010, chance: 0.5)
        #expect(wait == .milliseconds(230))
        wait = catchUp.took(50, in: .milliseconds(400), upTo: 150, of: 1010, chance: 0.5)
        #expect(wait == .zero)
        wait = catchUp.took(50, in: .milliseconds(20), upTo: 1000, of: 1300, chance: 0.5)
        #expect(wait == .zero)
        #expect(catchUp.limit(after: 1000, page: 500) == 500)
    }

    @Test func aFailureAndAPortionThatWasHeldUpBeginItAnew() {
        var catchUp = CatchUp(Self.rate)
        _ = catchUp.took(1, in: .zero, upTo: 1, of: 1, chance: 0.5)
        #expect(catchUp.limit(after: 1, page: 500) == 500)
        catchUp.failed()
        #expect(catchUp.limit(after: 1, page: 500) == 50)
        #expect(catchUp.took(50, in: .zero, upTo: 51, of: 51, chance: 0.5) == .zero)
        #expect(catchUp.limit(after: 51, page: 500) == 500)
        // An event takes this long if the broker disconnects while it is in flight.
        let wait = catchUp.took(1, in: .seconds(600), upTo: 52, of: 100_000, chance: 0.5)
        #expect(wait == .seconds(5))
        #expect(catchUp.limit(after: 52, page: 500) == 50)
    }

    @Test func withoutARateNothingWaits() {
        var catchUp = CatchUp(nil)
        #expect(catchUp.limit(after: 0, page: 500) == 500)
        catchUp.failed()
        #expect(catchUp.limit(after: 0, page: 500) == 500)
        #expect(catchUp.took(500, in: .seconds(60), upTo: 500, of: 9000, chance: 0.9) == .zero)
    }
}
