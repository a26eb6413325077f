import Testing

@testable import WebAPI

/// Which bytes belong to an answer, without a network.
@Suite struct AnswerOrderTests {
    /// The order of a connection, which expectations may change.
    private final class Connection {
        var order = AnswerOrder()
        func ask(hasUnread: Bool) -> Bool { order.ask(hasUnread: hasUnread) }
        func receive(isUnheard: Bool) -> AnswerOrder.Verdict { order.receive(isUnheard: isUnheard) }
        func end() { order.end() }
        func settle() { order.settle() }
    }

    /// A connection on which one request was answered.
    private func reused() -> Connection {
        let order = Connection()
        #expect(order.ask(hasUnread: false))
        #expect(order.receive(isUnheard: false) == .pass)
        order.end()
        order.settle()
        return order
    }

    @Test func requestsAndAnswersTakeTurns() {
        let order = reused()
        #expect(order.ask(hasUnread: false))
        #expect(order.receive(isUnheard: false) == .pass)
        #expect(order.receive(isUnheard: false) == .pass)
        order.end()
        #expect(order.order.hasEnded)
        order.settle()
        #expect(order.order == reused().order)
    }

    @Test func whatComesWhileNothingIsAskedSpoilsTheConnection() {
        let order = reused()
        #expect(order.receive(isUnheard: false) == .drop)
        #expect(order.order.isSpoilt)
        #expect(!order.ask(hasUnread: false))
    }

    @Test func whatComesBehindAnAnswerSpoilsTheConnection() {
        let order = reused()
        #expect(order.ask(hasUnread: false))
        #expect(order.receive(isUnheard: false) == .pass)
        order.end()
        #expect(order.receive(isUnheard: false) == .drop)
        order.settle()
        #expect(!order.ask(hasUnread: false))
    }

    @Test func whatWasNotReadYetIsNoAnswer() {
        let order = reused()
        #expect(!order.ask(hasUnread: true))
        #expect(order.receive(isUnheard: false) == .drop)
    }

    @Test func whatWasSentBeforeTheRequestCameIsNoAnswer() {
        let order = reused()
        #expect(order.ask(hasUnread: false))
        #expect(order.order.isBeginning)
        #expect(order.receive(isUnheard: true) == .refuse)
        #expect(!order.ask(hasUnread: false))
    }

    @Test func theFirstAnswerOfAConnectionCannotBeOneTooMany() {
        let order = Connection()
        #expect(order.ask(hasUnread: true))
        #expect(!order.order.isBeginning)
        #expect(order.receive(isUnheard: true) == .pass)
    }
}
