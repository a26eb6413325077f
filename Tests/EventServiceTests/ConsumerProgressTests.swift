import Testing

@testable import EventService

/// The daemon moves a consumer's cursor past events that the filter leaves out.
@Suite struct ConsumerProgressTests {
    private var progress = ConsumerProgress(cursor: 10, start: 10)

    @Test mutating func theCursorFollowsWhatIsLeftOut() {
        progress.pass(11, isSent: false)
        #expect(progress.nextMove(committed: 99) == 11)
        // One move at a time; the next move covers all events since.
        progress.pass(12, isSent: false)
        progress.pass(13, isSent: false)
        #expect(progress.nextMove(committed: 99) == nil)
        progress.moved()
        #expect(progress.nextMove(committed: 99) == 13)
        progress.moved()
        #expect(progress.nextMove(committed: 99) == nil)
    }

    @Test mutating func itIsNeverAheadOfTheDisk() {
        progress.pass(11, isSent: false)
        progress.pass(12, isSent: false)
        #expect(progress.nextMove(committed: 10) == nil)
        #expect(progress.nextMove(committed: 11) == 11)
        progress.moved()
        #expect(progress.waits(committed: 11))
        #expect(progress.nextMove(committed: 12) == 12)
        progress.moved()
        #expect(!progress.waits(committed: 12))
    }

    @Test mutating func itNeverPassesAnEventThatIsNotAcknowledged() {
        progress.pass(11, isSent: true)
        progress.pass(12, isSent: false)
        #expect(progress.nextMove(committed: 99) == nil)
        #expect(progress.set(11) == true)
        #expect(progress.nextMove(committed: 99) == 12)
    }

    @Test mutating func aCursorThatSomebodySetsBackStaysThere() {
        progress.pass(11, isSent: false)
        #expect(progress.nextMove(committed: 99) == 11)
        progress.moved()
        #expect(progress.set(10) == false)
        progress.pass(12, isSent: false)
        #expect(progress.nextMove(committed: 99) == nil)
    }

    /// Otherwise it would begin after events that it missed while it was away.
    @Test(arguments: [true, false])
    mutating func aNewConsumerIsKnownFromTheFirstEventOfItsStream(isSent: Bool) {
        progress = ConsumerProgress(cursor: nil, start: 10)
        #expect(progress.nextMove(committed: 99) == nil)
        progress.pass(11, isSent: isSent)
        #expect(progress.nextMove(committed: 99) == 10)
        progress.moved()
        #expect(progress.nextMove(committed: 99) == (isSent ? nil : 11))
        #expect(progress.set(11) == true)
    }

    @Test mutating func aForgottenConsumerIsKnownAgainWithItsNextEvent() {
        progress.pass(11, isSent: true)
        progress.forget()
        #expect(progress.nextMove(committed: 99) == nil)
        progress.pass(12, isSent: true)
        #expect(progress.nextMove(committed: 99) == 11)
    }

    @Test mutating func aStreamThatHasEndedMovesNothing() {
        progress.pass(11, isSent: false)
        progress.end()
        #expect(progress.nextMove(committed: 99) == nil)
    }
}
