import HTTPTypes
import Testing
import WireText

@testable import WebAPI

/// The content of responses, in several encodings.
@Suite struct ResponseTests {
    private func response(_ bytes: [UInt8], type: String = "application/json") -> Response {
        Response(status: .ok, headers: [.contentType: type], payload: bytes)
    }

    /// `{"n":"é"}` in ISO-8859-1.
    private static let latin1: [UInt8] = Array(#"{"n":""#.utf8) + [0xE9] + Array(#""}"#.utf8)

    @Test func aByteOrderMarkAheadOfJSONIsNoError() throws {
        let marked = response([0xEF, 0xBB, 0xBF] + Array(#"{"message":"é"}"#.utf8))
        #expect(try marked.json() == ["message": "é"])
        #expect(marked.serverMessage == "é")
    }

    @Test func aByteOrderMarkInsideIsOne() {
        #expect(throws: TransformError.self) {
            try response(Array("[1,".utf8) + [0xEF, 0xBB, 0xBF] + Array("2]".utf8)).json()
        }
        #expect(throws: TransformError.self) {
            try response([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array("1".utf8)).json()
        }
    }

    @Test(arguments: [
        ("application/json; charset=iso-8859-1", true),
        ("application/json;charset=\"ISO-8859-1\"", true),
        ("text/json; profile=x; Charset = latin1", true), ("application/json", false),
        ("application/json; charset=utf-8", false), ("text/plain; x=latin1", false),
    ])
    func onlyADeclaredISO8859Part1IsRead(type: String, isRead: Bool) {
        #expect((try? response(Self.latin1, type: type).json()) == (isRead ? ["n": "é"] : nil))
    }

    @Test func utf8StaysWhatItIsWhateverIsDeclared() throws {
        let utf8 = response(
            Array(#"{"n":"é"}"#.utf8), type: "application/json; charset=iso-8859-1")
        #expect(try utf8.json() == ["n": "é"])
    }

    @Test(
        arguments: [
            (#"{"message":"Not Found","documentation_url":"x"}"#, "application/json", "Not Found"),
            (
                #"{"error":"invalid_grant","error_description":"Expired"}"#, "application/json",
                "Expired"
            ),
            (#"{"error":"invalid_grant"}"#, "application/json", "invalid_grant"),
            (
                #"{"type":"about:blank","title":"Out","detail":"Of it"}"#, "application/json",
                "Of it"
            ),
            (#"{"title":"Out"}"#, "application/problem+json", "Out"),
            (#"{"errors":[{"code":7,"detail":"Bad"}]}"#, "application/json", "Bad"),
            (#"{"errors":["a","b"]}"#, "application/json", "a"),
            (#"{"error":{"message":""}}"#, "application/json", nil),
            (#"{"status":0}"#, "application/json", nil), ("[]", "application/json", nil),
            (
                "<HTML><head><Title lang=x>\n 502  Bad\nGateway </title>", "text/html",
                "502 Bad Gateway"
            ),
            ("<html><title></title><h1>Oops</h1>", "text/html", "Oops"),
            ("<html><title>cut", "text/html", nil),
            ("\n\n  first  line \nsecond", "text/plain", "first line"),
            ("plain", nil, "plain"), ("\u{1}\u{2}", "image/png", nil), ("", "text/plain", nil),
        ] as [(String, String?, String?)])
    func theServersOwnWordsAreFound(body: String, type: String?, message: String?) {
        var headers = HTTPFields()
        headers[.contentType] = type
        let response = Response(
            status: .badRequest, headers: headers, payload: Array(body.utf8))
        #expect(response.serverMessage == message)
    }

    private func message(_ text: String) -> String? {
        Response(status: .badRequest, payload: Array(text.utf8)).serverMessage
    }

    @Test func aHostilePageIsReadInNoTimeAndALongMessageIsCut() {
        #expect(message("<title" + String(repeating: "<title", count: 200_000)) == nil)
        let nested = String(repeating: #"{"error":"#, count: 50) + #""x""#
        #expect(message(nested + String(repeating: "}", count: 50)) == nil)
        #expect(message(String(repeating: "x", count: 10_000))?.count == 400)
    }
}
