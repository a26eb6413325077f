import HTTPTypes
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// Tests redirects; on loopback, two ports are two origins.
@Suite struct RedirectTests {
    private static let keys = Interceptor.request { request, _ in
        var request = request
        request.headers[.authorization] = "Bearer s3cret"
        request.queries.append(Query("api_key", "s3cret"))
        return .send(request)
    }

    private static func redirect(to target: String, status: Int = 302) -> StubAnswer {
        StubAnswer(status, headers: ["Location": target])
    }

    /// A request that contains our secrets.
    private func request(_ url: String, _ method: MethodAndPayload = .get) throws -> Request {
        Request(
            try Address(url).appending(segment: "start"), queries: [Query("token", "s3cret")],
            headers: [.cookie: "s3cret", .accept: "text/plain"], method)
    }

    private func client(_ redirects: RedirectPolicy) throws -> APIClient {
        APIClient(
            transport: try patientTransport(), interceptors: [Self.keys],
            redirects: redirects)
    }

    @Test func aRedirectIsAResponseLikeAnyOther() async throws {
        try await StubServer.answering({ _ in
            Self.redirect(to: "http://127.0.0.1:1/elsewhere#token=s3cret")
        }) { server in
            let client = try client(.refuse)
            let error = try await failure(of: Thing(at: server), by: client)
            for fact in [
                "302 Found", "\"http://127.0.0.1:1/elsewhere\"",
                "GET \(server.url)/things/1?api_key=***",
            ] {
                #expect(error.description.contains(fact))
            }
            #expect(!error.description.contains("s3cret"))
            #expect(error.response?.headers[.location]?.hasSuffix("token=s3cret") == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test func toAnotherOriginGoesNothingOfOurs() async throws {
        try await StubServer.answering({ _ in .text("there") }) { other in
            try await StubServer.answering({ _ in Self.redirect(to: "\(other.url)/end?a=b") }) {
                server in
                let output = try await client(.anyOrigin(maximum: 3))
                    .output(for: try request(server.url), within: .patience)
                #expect(output.response?.text == "there")
                let start = try #require(server.requests.first)
                #expect(start["Authorization"] == "Bearer s3cret")
                #expect(start.query == "token=s3cret&api_key=s3cret")
                let end = try #require(other.requests.first)
                #expect(end.target == "/end?a=b")
                let names = end.headerLines.map { $0.prefix { $0 != ":" }.lowercased() }
                #expect(names.sorted() == ["accept-encoding", "host"])
                #expect(!end.headerLines.joined().contains("s3cret"))
            }
        }
    }

    @Test func nothingOfOursComesBackThroughAnotherOrigin() async throws {
        try await StubServer.answering({ request in
            Self.redirect(to: request.query.replacing("back=", with: ""))
        }) { other in
            try await StubServer.answering({ request in
                switch request.path {
                case "/end": Self.redirect(to: "/last")
                case "/last": .text("back")
                default:
                    Self.redirect(to: "\(other.url)/x?back=http://\(request["Host"] ?? "")/end")
                }
            }) { server in
                let output = try await client(.anyOrigin(maximum: 3))
                    .output(for: try request(server.url), within: .patience)
                #expect(output.response?.text == "back")
                #expect(server.requests.map(\.path) == ["/start", "/end", "/last"])
                for request in server.requests.dropFirst() {
                    #expect(request["Authorization"] == nil && request["Cookie"] == nil)
                    #expect(request.query == "")
                }
            }
        }
    }

    @Test(arguments: [(301, false), (302, false), (303, false), (307, true), (308, true)])
    func withinTheOriginAPostIsFollowedWholeIfItStaysOne(
        status: Int, isFollowed: Bool
    ) async throws {
        try await StubServer.answering({ request in
            request.path == "/end" ? .thing : Self.redirect(to: "/end", status: status)
        }) { server in
            let client = try client(.sameOrigin(maximum: 1))
            let request = try request(server.url, .post(.text("body")))
            let call = await client.call(AnyResponse(to: request), within: .patience)
            #expect(try call.result.get().status.code == (isFollowed ? 200 : status))
            #expect(call.attempts.map(\.cause) == (isFollowed ? [.first, .redirect] : [.first]))
            let last = try #require(server.requests.last)
            #expect(last.path == (isFollowed ? "/end" : "/start"))
            #expect(last.method == "POST" && last.text == "body")
            #expect(last["Content-Type"]?.hasPrefix("text/plain") == true)
            #expect(last["Authorization"] == "Bearer s3cret" && last["Cookie"] == "s3cret")
        }
    }

    /// Cases: policy, first URL and method; the redirect's status, target and origin; why it is not followed.
    @Test(arguments: [
        (
            RedirectPolicy.refuse, "http://a.example", MethodAndPayload.get, 302, "/end",
            "http://a.example", "redirects are refused"
        ),
        (
            .sameOrigin(maximum: 3), "http://a.example", .get, 302, "http://b.example:81/?k=s3cret",
            "http://b.example:81", "redirects to another scheme, host or port are refused"
        ),
        (
            .anyOrigin(maximum: 3), "https://a.example", .get, 302, "http://b.example/",
            "http://b.example", "redirects from https to http are always refused"
        ),
        (
            .sameOrigin(maximum: 3), "http://a.example", .post(.text("x")), 303, "end",
            "http://a.example", "it would turn the POST into a GET without its content"
        ),
        (
            .anyOrigin(maximum: 3), "http://a.example", .post(.text("x")), 308, "https://b.example",
            "https://b.example", "a POST is not sent to another host"
        ),
    ])
    func whatIsNotFollowedSaysWhereItLedAndWhy(
        policy: RedirectPolicy, start: String, method: MethodAndPayload, status: Int,
        target: String, origin: String, reason: String
    ) async throws {
        let response = Response(status: .init(code: status), headers: [.location: target])
        let refusal = await refusal(of: [response], to: try request(start, method), by: policy)
        #expect(
            refusal?.description == "leads to \(origin), which is not followed: \(reason)")
    }

    @Test func aCircleEndsAtTheMaximum() async throws {
        let circle = Response(status: .movedPermanently, headers: [.location: "/start"])
        let refusal = await refusal(
            of: Array(repeating: circle, count: 4), to: try request("http://a.example"),
            by: .sameOrigin(maximum: 3))
        #expect(refusal?.reason == "3 redirects in a row were followed already")
    }

    @Test func aRedirectWithoutATargetLeadsNowhere() async throws {
        let request = try request("http://a.example")
        let refusal = await refusal(
            of: [Response(status: .found)], to: request, by: .anyOrigin(maximum: 3))
        #expect(refusal?.description == "leads nowhere: its Location is missing or not a URL")
        #expect(await self.refusal(of: [Response(status: .ok)], to: request, by: .refuse) == nil)
    }

    /// Sends a request that gets these responses; returns the redirect that was not followed, or nil.
    private func refusal(
        of responses: [Response], to request: Request, by policy: RedirectPolicy
    ) async -> RefusedRedirect? {
        let transport = StubTransport(responses.map(Output.response))
        let client = APIClient(transport: transport, redirects: policy)
        let output = await client.output(for: request)
        #expect(transport.requests.count == responses.count)
        return output.response?.refusedRedirect
    }

    /// A redirect from the Internet into a private network is refused; a call from a private network is redirected.
    @Test(arguments: [
        ("127.0.0.1", true), ("10.1.2.3", true), ("172.31.0.1", true), ("192.168.0.9", true),
        ("169.254.169.254", true), ("100.64.0.1", true), ("100.127.255.254", true),
        ("100.128.0.1", false), ("0.0.0.0", true), ("[::1]", true), ("[fd00::1]", true),
        ("[fe80::1]", true), ("[::ffff:10.0.0.1]", true), ("[64:ff9b::7f00:1]", true),
        ("localhost", true), ("127.1", true), ("172.32.0.1", false), ("[2001:db8::1]", false),
        ("93.184.215.15", false),
    ])
    func aPrivateNetworkIsNotReachedFromTheInternet(host: String, isPrivate: Bool) async throws {
        for (start, isInside) in [("http://93.184.215.14", false), ("http://192.168.7.7", true)] {
            let moved = Response(status: .found, headers: [.location: "http://\(host):8080/x"])
            let transport = StubTransport([.response(moved), .response(Response(status: .ok))])
            let client = APIClient(transport: transport, redirects: .anyOrigin(maximum: 3))
            let output = await client.output(for: Request(try Address(start)), within: .patience)
            let isFollowed = isInside || !isPrivate
            #expect(output.response?.status == (isFollowed ? .ok : .found))
            let reason = output.response?.refusedRedirect?.reason
            #expect((reason?.contains("to a private network") == true) == !isFollowed)
        }
    }
}
