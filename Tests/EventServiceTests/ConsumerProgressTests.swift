import Testing

@testable import EventService

/// Tests that the daemon moves a consumer's cursor past events that the filter leaves out.
@Suite struct ConsumerProgressTests {
    private var progress = ConsumerProgress(cursor: 10, start: 10)

    @Test mutating func theCursorFollowsWhatIsLeftOut() {
        progress.pass(11, isSent: false)
        #expect(progress.nextMove() == 11)
        // Only one move runs at a time; the next one covers all events since.
        progress.pass(12, isSent: false)
        progress.pass(13, isSent: false)
        #expect(progress.nextMove() == nil)
        progress.moved()
        #expect(progress.nextMove() == 13)
        progress.moved()
        #expect(progress.nextMove() == nil)
    }

    @Test mutating func itNeverPassesAnEventThatIsNotAcknowledged() {
        progress.pass(11, isSent: true)
        progress.pass(12, isSent: false)
        #expect(progress.nextMove() == nil)
        #expect(progress.set(11) == true)
        #expect(progress.nextMove() == 12)
    }

    @Test mutating func aCursorThatSomebodySetsBackStaysThere() {
        progress.pass(11, isSent: false)
        #expect(progress.nextMove() == 11)
        progress.moved()
        #expect(progress.set(10) == false)
        progress.pass(12, isSent: false)
        #expect(progress.nextMove() == nil)
    }

    /// Otherwise the consumer would start after events that it missed while it was disconnected.
    @Test(arguments: [true, false])
    mutating func aNewConsumerIsKnownFromTheFirstEventOfItsStream(isSent: Bool) {
        progress = ConsumerProgress(cursor: nil, start: 10)
        #expect(progress.nextMove() == nil)
        progress.pass(11, isSent: isSent)
        #expect(progress.nextMove() == 10)
        progress.moved()
        #expect(progress.nextMove() == (isSent ? nil : 11))
        #expect(progress.set(11) == true)
    }

    @Test mutating func aForgottenConsumerIsKnownAgainWithItsNextEvent() {
        progress.pass(11, isSent: true)
        progress.forget()
        #expect(progress.nextMove() == nil)
        progress.pass(12, isSent: true)
        #expect(progress.nextMove() == 11)
    }

    @Test mutating func aStreamThatHasEndedMovesNothing() {
        progress.pass(11, isSent: false)
        progress.end()
        #expect(progress.nextMove() == nil)
    }
}
