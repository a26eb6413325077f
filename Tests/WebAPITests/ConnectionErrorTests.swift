import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL
import Testing

@testable import WebAPI

@Suite struct ConnectionErrorTests {
    @Test(arguments: [
        (ConnectionError.Kind.unknownHost, ConnectionError.Phase.dns, "the host's name is unknown"),
        (
            .unreachable, .connect,
            #"the host cannot be reached while the connection was made: no\nroute"#
        ),
        (
            .timedOut(after: .milliseconds(1500)), .dns,
            "the time of 1.5s was up while the host's name was looked up"
        ),
        (
            .timedOut(after: .microseconds(10)), .write,
            "the time of 10us was up while the request was sent"
        ),
        (.certificateNotVerified, .tls, "the server's certificate could not be verified"),
        (.tlsFailed, .tls, #"encryption failed while TLS was set up: no\nroute"#),
        (.other, .write, #"the connection failed while the request was sent: no\nroute"#),
    ])
    func everyErrorIsASentence(
        kind: ConnectionError.Kind, phase: ConnectionError.Phase, sentence: String
    ) {
        let error = ConnectionError(kind, during: phase, underlying: "no\nroute")
        #expect(error.description == sentence)
    }

    @Test(arguments: ConnectionError.Phase.allCases)
    func fromTheWritingOnTheServerMayKnow(phase: ConnectionError.Phase) {
        let mayKnow = [.write, .head, .body].contains(phase)
        #expect(
            ConnectionError(.closed, during: phase).serverMayHaveBeenReached == mayKnow)
    }

    // Errors that a test cannot cause on loopback on every machine.

    @Test(
        arguments: [
            (ECONNREFUSED, .refused), (ECONNRESET, .closed), (EPIPE, .closed),
            (ECONNABORTED, .closed), (ENETUNREACH, .unreachable), (ENETDOWN, .unreachable),
            (EHOSTUNREACH, .unreachable), (EHOSTDOWN, .unreachable), (ETIMEDOUT, .unreachable),
            (12345, nil),
        ] as [(CInt, ConnectionError.Kind?)])
    func theSystemsNumbersAreRead(number: CInt, kind: ConnectionError.Kind?) {
        let reading = FailureReading(IOError(errnoCode: number, reason: "connect"))
        #expect(reading.kind == kind)
        let isConnecting = kind == .refused || kind == .unreachable && number != ETIMEDOUT
        #expect(reading.phase == (isConnecting ? .connect : nil))
    }

    @Test func theParsersErrorsAreRead() {
        let errors: [(any Error, ConnectionError.Kind?)] = [
            (HTTPParserError.invalidEOFState, .closed),
            (HTTPParserError.headerOverflow, .headersTooLarge),
            (HTTPParserError.invalidVersion, .malformed), (ChannelError.ioOnClosedChannel, .closed),
            (NIOHTTPDecompression.DecompressionError.limit, .bodyTooLarge(limit: 9)),
            (NIOSSLError.uncleanShutdown, .closed), (CancellationError(), nil),
        ]
        for (error, kind) in errors {
            #expect(FailureReading(error, responseBytes: 9).kind == kind)
        }
    }
}
