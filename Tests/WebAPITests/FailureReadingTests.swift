import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL
import Testing

@testable import WebAPI

/// What cannot be brought about on loopback on every machine.
@Suite struct FailureReadingTests {
    private func read(_ error: any Error) -> FailureReading {
        FailureReading(error, responseBytes: 9)
    }

    @Test(
        arguments: [
            (ECONNREFUSED, .refused), (ECONNRESET, .closed),
            (EPIPE, .closed), (ECONNABORTED, .closed),
            (ENETUNREACH, .unreachable), (ENETDOWN, .unreachable),
            (EHOSTUNREACH, .unreachable), (EHOSTDOWN, .unreachable),
            (ETIMEDOUT, .unreachable), (12345, nil),
        ] as [(CInt, ConnectionError.Kind?)])
    func theSystemsNumbersAreRead(number: CInt, kind: ConnectionError.Kind?) {
        let reading = read(IOError(errnoCode: number, reason: "connect"))
        #expect(reading.kind == kind)
        let isConnecting = kind == .refused || kind == .unreachable && number != ETIMEDOUT
        #expect(reading.phase == (isConnecting ? .connect : nil))
    }

    @Test func theParsersErrorsAreRead() {
        #expect(read(HTTPParserError.invalidEOFState).kind == .closed)
        #expect(read(HTTPParserError.headerOverflow).kind == .headersTooLarge)
        #expect(read(HTTPParserError.invalidVersion).kind == .malformed)
        #expect(read(ChannelError.ioOnClosedChannel).kind == .closed)
        #expect(read(NIOHTTPDecompression.DecompressionError.limit).kind == .bodyTooLarge(limit: 9))
        #expect(read(NIOSSLError.uncleanShutdown).kind == .closed)
        #expect(read(CancellationError()).kind == nil)
    }
}
