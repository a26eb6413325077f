import HTTPTypes
import Testing
import WireText

@testable import WebAPI

@Suite struct RequestTests {
    private static let secret = "s3cret"

    private static func request() throws -> Request {
        var marked = HTTPField(name: try #require(HTTPField.Name("X-Shop")), value: secret)
        marked.indexingStrategy = .disallow
        var headers: HTTPFields = [
            .authorization: "Bearer \(secret)", .cookie: secret, .accept: "text/plain",
        ]
        headers.append(marked)
        for name in ["X-API-Key", "X-Shopify-Access-Token", "Ocp-Apim-Subscription-Key"] {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: secret))
        }
        return Request(
            try Address("https://shop.example/items"),
            queries: [
                Query("q", "mate"), Query("api_key", secret), Query("shop", secret, isSecret: true),
            ],
            headers: headers, .post(.form(["client_secret": secret])))
    }

    @Test func noDescriptionShowsASecret() throws {
        let request = try Self.request()
        let response = Response(
            status: .unauthorized, headers: [.setCookie: "id=\(Self.secret)"], payload: [])
        let attempt = APIClientTests.attempt(request, .response(response))
        let error = CallError(
            endpoint: "Items", reason: .noModel(.unacceptableStatus(.unauthorized, message: nil)),
            request: request, attempts: [attempt])
        for value in [request, response, attempt, error, error.attempts] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains(Self.secret), "\(text)")
            }
        }
        let mirrored = Mirror(reflecting: error).children.map { "\($0.value)" }.joined()
        #expect(!mirrored.contains(Self.secret))
        #expect(request.unredactedURL.contains(Self.secret))
    }

    @Test func aSecretThatTheServerRepeatsIsNotShownEither() throws {
        let message = "no such key: \(Self.secret)"
        let response = Response(status: .unauthorized, payload: Array(message.utf8))
        let error = CallError(
            endpoint: "Items",
            reason: .noModel(.unacceptableStatus(.unauthorized, message: message)), request: nil,
            attempts: [APIClientTests.attempt(try Self.request(), .response(response))])
        #expect(
            error.description
                == #"Items: the server answered 401 Unauthorized: "no such key: ***""#)
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!(dumped + error.debugDescription).contains(Self.secret))
        #expect(error.response?.text == message)
    }

    @Test func theDescriptionsShowWhatIsNoSecret() throws {
        let request = try Self.request()
        #expect(
            request.description
                == "POST https://shop.example/items?q=mate&api_key=***&shop=***")
        #expect(
            request.debugDescription == """
                POST https://shop.example/items?q=mate&api_key=***&shop=***
                Authorization: ***
                Cookie: ***
                Accept: text/plain
                X-Shop: ***
                X-API-Key: ***
                X-Shopify-Access-Token: ***
                Ocp-Apim-Subscription-Key: ***
                Content-Type: application/x-www-form-urlencoded
                20 bytes of application/x-www-form-urlencoded
                """)
    }

    @Test func contentHasItsTypeUnlessAnotherIsSet() throws {
        let address = try Address("https://shop.example")
        var request = Request(address, .put(.text("x")))
        #expect(request.fieldsToSend[.contentType] == "text/plain; charset=utf-8")
        request.headers[.contentType] = "text/csv"
        #expect(request.fieldsToSend[values: .contentType] == ["text/csv"])
        request.methodAndPayload = .get
        #expect(request.methodAndPayload.payload == nil)
    }

    @Test func aQueryIsOfATextANumberOrATruthValueAndNilIsLeftOut() throws {
        let (none, page): (String?, Int?) = (nil, 2)
        let request = Request(
            try Address("https://shop.example"),
            queries: [
                Query("a", "b c"), Query("n", 7), Query("all", true), Query("none", none),
                Query("page", page), Query("price", 3.5),
            ])
        #expect(
            request.description
                == "GET https://shop.example/?a=b%20c&n=7&all=true&page=2&price=3.5")
    }

    @Test func methodsKnowWhetherTheyCanBeRepeated() {
        let methods: [(MethodAndPayload, idempotent: Bool)] = [
            (.get, true), (.head, true), (.put(.empty), true), (.delete, true),
            (.post(.empty), false), (.patch(.empty), false),
        ]
        for (method, idempotent) in methods {
            #expect(method.isIdempotent == idempotent, "\(method.method)")
        }
    }

    private static let visible =
        "expected visible ASCII characters, spaces and tabs, not at the ends"
    private static let token = "expected letters, digits and any of !#$%&'*+-.^_`|~"

    @Test(
        arguments: [
            ("X-A", "b", nil), ("x-a", "", nil), ("X-A", "a\tb c~!", nil),
            ("X A", "b", #""X A" is not the name of a header; \#(token)"#),
            ("X-A\r\nX-B", "b", #""X-A\r\nX-B" is not the name of a header; \#(token)"#),
            ("X-A", "b\r\nB: 1", #"the header "X-A" cannot be "b\r\nB: 1"; \#(visible)"#),
            ("X-A", "\u{0}", #"the header "X-A" cannot be "\x00"; \#(visible)"#),
            ("X-A", " b", #"the header "X-A" cannot be " b"; \#(visible)"#),
            ("X-A", "ü", #"the header "X-A" cannot be "ü"; \#(visible)"#),
            ("Host", "0", #"the header "Host" is set by the transport; expected another one"#),
        ] as [(String, String, String?)])
    func aHeaderOfDataIsChecked(name: String, value: String, message: String?) {
        do {
            let field = try HeaderField.make(name, value)
            #expect(message == nil)
            #expect(field.name.rawName == name && field.value == value)
        } catch {
            #expect(error.description == message)
        }
    }

    @Test func aSecretHeaderThatIsWrongIsNotShown() {
        let error = #expect(throws: HeaderFieldError.self) {
            try HeaderField.make("X-A", "s3cret\n", isSecret: true)
        }
        #expect(
            error?.description
                == #"the header "X-A" cannot be what it is set to; \#(Self.visible)"#)
    }
}
