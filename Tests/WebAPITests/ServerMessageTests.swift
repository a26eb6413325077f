import HTTPTypes
import Testing
import WebAPI

@Suite struct ServerMessageTests {
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

    @Test func aHostilePageIsReadInNoTime() {
        let page = "<title" + String(repeating: "<title", count: 200_000)
        let response = Response(status: .badRequest, payload: Array(page.utf8))
        #expect(response.serverMessage == nil)
        let nested = String(repeating: #"{"error":"#, count: 50) + #""x""#
        let deep = nested + String(repeating: "}", count: 50)
        #expect(
            Response(status: .badRequest, payload: Array(deep.utf8)).serverMessage == nil)
    }

    @Test func aLongMessageIsCut() {
        let long = String(repeating: "x", count: 10_000)
        let response = Response(
            status: .badRequest, headers: [.contentType: "text/plain"], payload: Array(long.utf8))
        #expect(response.serverMessage?.count == 400)
    }
}
