import Synchronization
import Testing

@testable import ScannerInput

@Suite struct ReaderLoopTests {
    private final class Beats: Sendable {
        private let number = Atomic(0)
        var count: Int { number.load(ordering: .relaxed) }
        func add() { number.add(1, ordering: .relaxed) }
    }

    /// Receiving a message also takes the wakeup of a stop that came meanwhile: nothing would end
    /// another wait.
    @Test func aStopThatComesWithAMessageIsNotWaitedFor() throws {
        let beats = Beats()
        var configuration = ReaderConfiguration()
        // It beats before each wait, and here it ends the wait.
        configuration.heartbeat = .init(interval: .microseconds(1), beat: beats.add)
        let inbox = try Mailbox<ReaderLoop.Message>()
        inbox.post(.move([:]))
        var loop = try ReaderLoop(
            configuration, inbox: inbox, finder: Mailbox(),
            outputs: AsyncStream.makeStream().continuation)
        var questions = 0
        _ = loop.run {
            questions += 1
            // The stop comes once the message has ended the first wait.
            return questions > 2
        }
        #expect(beats.count == 1)
    }
}
