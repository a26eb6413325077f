import HTTPTypes
import TestTexts
import Testing
import WireText

@testable import WebAPI

/// Tests that messages quote or escape texts from outside.
@Suite struct OutletTests {
    @Test func errorsQuoteWhatTheyAreAbout() {
        let misquoted = AllScalars.misquoted { text in
            let transforms: [TransformError] = [
                .unacceptableStatus(.badRequest, message: text),
                .redirected(.found, to: text), .throttled(.tooManyRequests, nil, message: text),
                .notJSON(Self.syntaxError, mediaType: nil, beginning: text),
                .notJSON(
                    JSONSyntaxError(problem: .repeatedKey(text), line: 1, offset: 0),
                    mediaType: nil, beginning: "x"),
                .missingKey(text, at: JSONPointer()),
            ]
            let headers: [HeaderFieldError] = [
                .name(text), .reserved(text), .value(name: "x", value: text),
                .value(name: text, value: nil),
            ]
            return transforms.map(\.description) + headers.map(\.description)
                + (text.contains("@") ? [] : [Self.address(text)])
        }
        #expect(misquoted == [])
    }

    @Test func nothingOfAnAnswerReachesATerminalAsItIs() throws {
        let url = try Address("https://shop.example")
        let leaks = AllScalars.leaks(of: AllScalars.shortTexts, lineBreaks: true) { text in
            let status = HTTPResponse.Status(code: 499, reasonPhrase: text)
            var headers: HTTPFields = [.contentType: "text/" + text]
            headers[.server] = text
            let response = Response(status: status, headers: headers, payload: Array(text.utf8))
            let errors: [TransformError] = [
                .unacceptableStatus(status, message: text),
                .notJSON(Self.syntaxError, mediaType: text, beginning: text),
                .unexpectedValue(at: JSONPointer([text]), expected: "x", found: .string(text)),
            ]
            let connection = ConnectionError(
                .other, during: .body, underlying: text, partial: response)
            return [response.debugDescription, connection.description].joined()
                + errors.map { error in
                    CallError(
                        endpoint: "Items", reason: .noModel(error), request: Request(url),
                        attempts: []
                    ).debugDescription
                }.joined()
        }
        #expect(leaks == [])
    }

    private static let syntaxError = JSONSyntaxError(problem: .notUTF8, line: 1, offset: 0)

    private static func address(_ text: String) -> String {
        do {
            return try Address(text).description
        } catch {
            return error.description
        }
    }
}
