import Events
import TestWaiting
import Testing

@testable import KeywedgeDaemon

/// Tests which ending is reported for the daemon's work.
@Suite(.blocking) struct GracefulShutdownTests {
    @Test func workThatEndsIsComplete() throws {
        #expect(try ending {} == .complete)
    }

    @Test func whatTheWorkThrowsIsThrown() throws {
        struct Broken: Error {}
        #expect(throws: Broken.self) { try ending { throw Broken() } }
    }

    @Test func aReaderThatGoesAwayUnaskedIsReported() throws {
        #expect(try ending { throw OutputError.closed(name: "pipe") } == .abandoned)
    }

    private func ending(
        of work: @escaping @Sendable () async throws -> Void
    ) throws -> DaemonEnding {
        try GracefulShutdown.run(
            on: MainLoop(), grace: .seconds(600), onSignal: {}, work: work)
    }
}
