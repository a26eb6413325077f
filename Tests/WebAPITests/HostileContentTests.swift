import HTTPTypes
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI
import WireText

/// Tests answers that are valid HTTP, but do not contain the expected content.
@Suite struct HostileContentTests {
    private static let cases: [(StubAnswer, String)] = [
        (
            StubAnswer.text(
                "\n<!DOCTYPE html>\n<html><head><title>Log in</title>", type: "text/html"),
            "the answer is not JSON: line 2, byte 1: expected a value, found '<'; it is text/html "
                + "and begins \"\\n<!DOCTYPE html>\\n<html><head><title>Log in</title>\""
        ),
        (
            StubAnswer.json(#"{"id":1,"id":2,"name":"Mate"}"#),
            "the answer is not JSON: line 1, byte 8: expected each key once, found \"id\" again; "
                + "it is application/json and begins "
                + #""{\"id\":1,\"id\":2,\"name\":\"Mate\"}""#
        ),
        (
            StubAnswer(body: Array("{\"id\":1,\"name\":\"".utf8) + [0xFF, 0x22]),
            "the answer is not JSON: line 1, byte 16: expected UTF-8, found other bytes; it is of no "
                + "stated type and begins \"{\\\"id\\\":1,\\\"name\\\":\\\"\u{FFFD}\\\"\""
        ),
        (
            StubAnswer(200),
            "the answer is not JSON: line 1, byte 0: expected a value, found the end; "
                + "it is of no stated type and empty"
        ),
        (
            StubAnswer.json(#"{"error":{"message":"no such\u001bthing"}}"#, status: 404),
            #"the server answered 404 Not Found: "no such\x1bthing""#
        ),
        (
            StubAnswer.text(
                "<html><title>502\nBad Gateway</title>", type: "text/html", status: 502),
            #"the server answered 502 Bad Gateway: "502 Bad Gateway""#
        ),
        (StubAnswer(500), "the server answered 500 Internal Server Error"),
        (
            StubAnswer.json(
                #"{"message":"slow down"}"#, status: 429, headers: ["Retry-After": "120"]),
            #"the server asks to wait for 2min: it answered 429 Too Many Requests: "slow down""#
        ),
        (
            StubAnswer(503, headers: ["Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"]),
            "the server asks to wait until Wed, 21 Oct 2026 07:28:00 GMT: "
                + "it answered 503 Service Unavailable"
        ),
        (StubAnswer(429), "the server asks to wait: it answered 429 Too Many Requests"),
    ]

    /// Sends an answer over a real connection, and returns the reason why it contains no ``Thing``.
    private func reason(_ answer: StubAnswer) async throws -> String {
        try await StubServer.answering({ _ in answer }) { server in
            let client = APIClient(transport: try patientTransport())
            return try await failure(of: Thing(at: server), by: client).reason.description
        }
    }

    @Test(arguments: cases)
    func theReasonSaysWhatIsWrong(answer: StubAnswer, expected: String) async throws {
        #expect(try await reason(answer) == expected)
    }

    @Test func nestingHasALimit() async throws {
        let deep =
            #"{"id":1,"name":"#
            + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000) + "}"
        #expect(
            try await reason(.json(deep)).hasPrefix(
                "the answer is not JSON: line 1, byte 142: expected at most 128 levels of nesting, "
                    + "found more; it is application/json and begins "))
    }

    @Test func aNumberOf400DigitsIsOutOfRange() async throws {
        let digits = String(repeating: "9", count: 400)
        let reason = try await reason(.json("{\"id\":\(digits),\"name\":\"\"}"))
        for fact in ["99999… ", "400", "/id", "-9223372036854775808", " 9223372036854775807"] {
            #expect(reason.contains(fact))
        }
    }
}
