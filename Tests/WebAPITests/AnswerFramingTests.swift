import NIOCore
import NIOHTTP1
import Testing

@testable import WebAPI

/// How much of an answer is still to come, without a network.
@Suite struct AnswerFramingTests {
    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nA: b\r\n\r\nrest", 25), ("HTTP/1.1 200 OK\n\nrest", 17),
            ("HTTP/1.1 200 OK\r\n\r\n", 19), ("\r\nHTTP/1.1 200 OK\r\n\r\n", 2),
            ("HTTP/1.1 200 OK\r\nA: b\r\n", nil), ("HTTP/1.1 200 OK\r\n\r", nil), ("", nil),
        ] as [(String, Int?)])
    func aHeadEndsWithAnEmptyLine(text: String, length: Int?) {
        var bytes = ByteBuffer(string: "before" + text)
        bytes.moveReaderIndex(forwardBy: 6)
        #expect(AnswerFraming.lengthOfHead(in: bytes.readableBytesView) == length)
    }

    @Test func contentCountsDownToTheEnd() {
        var framing = AnswerFraming()
        #expect(framing.awaitsHead && !framing.holds(0))
        framing.take(["Content-Length": "10"])
        #expect(!framing.awaitsHead && framing.holds(10) && !framing.holds(11))
        framing.takeContent(of: 7)
        #expect(framing.holds(3) && !framing.holds(4))
        framing.begin()
        #expect(framing == AnswerFraming())
    }

    @Test(
        arguments: [
            [], [("Content-Length", "4, 4")], [("Content-Length", "4"), ("content-length", "4")],
            [("Content-Length", "4"), ("Transfer-Encoding", "chunked")],
            [("Content-Length", "99999999999999999999")],
        ] as [[(String, String)]])
    func whereTheHeadDoesNotTellNothingIsTakenForGranted(fields: [(String, String)]) {
        var framing = AnswerFraming()
        framing.take(HTTPHeaders(fields))
        #expect(!framing.awaitsHead && !framing.holds(1))
    }
}
