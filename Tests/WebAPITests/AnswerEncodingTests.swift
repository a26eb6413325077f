import HTTPTypes
import Testing
import WireText

@testable import WebAPI

/// What servers write ahead of JSON, and what they write it in.
@Suite struct AnswerEncodingTests {
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
        "application/json; charset=iso-8859-1", "application/json;charset=\"ISO-8859-1\"",
        "text/json; profile=x; Charset = latin1",
    ])
    func aDeclaredISO8859Part1IsRead(type: String) throws {
        #expect(try response(Self.latin1, type: type).json() == ["n": "é"])
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "text/plain; x=latin1",
    ])
    func whatIsNotDeclaredIsNoJSON(type: String) {
        #expect(throws: TransformError.self) { try response(Self.latin1, type: type).json() }
    }

    @Test func utf8StaysWhatItIsWhateverIsDeclared() throws {
        let utf8 = response(
            Array(#"{"n":"é"}"#.utf8), type: "application/json; charset=iso-8859-1")
        #expect(try utf8.json() == ["n": "é"])
    }
}
