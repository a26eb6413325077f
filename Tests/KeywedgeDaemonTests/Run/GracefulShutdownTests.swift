import Events
import TestWaiting
import Testing

@testable import KeywedgeDaemon

/// How the daemon's work ends.
@Suite struct GracefulShutdownTests {
    @Test func workThatEndsIsComplete() async throws {
        #expect(try await ending {} == .complete)
    }

    @Test func whatTheWorkThrowsIsThrown() async throws {
        struct Broken: Error {}
        await #expect(throws: Broken.self) { try await ending { throw Broken() } }
    }

    @Test func aReaderThatGoesAwayUnaskedIsReported() async throws {
        #expect(try await ending { throw OutputError.closed(name: "pipe") } == .abandoned)
    }

    private func ending(
        of work: @escaping @Sendable () async throws -> Void
    ) async throws -> DaemonEnding {
        try await onItsOwnThread {
            try GracefulShutdown.run(
                on: MainLoop(), grace: .seconds(600), onSignal: {}, work: work)
        }
    }
}
