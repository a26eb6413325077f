import HTTPTypes
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// Redirects on loopback: two ports are two origins.
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

    /// A request with secrets of ours in it.
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
            #expect(
                error.description
                    == "Thing: the server answered 302 Found and leads to "
                    + "\"http://127.0.0.1:1/elsewhere\", which is not followed; the request was "
                    + "GET \(server.url)/things/1?api_key=***")
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
                request.path == "/end"
                    ? .text("back")
                    : Self.redirect(to: "\(other.url)/x?back=http://\(request["Host"] ?? "")/end")
            }) { server in
                let output = try await client(.anyOrigin(maximum: 3))
                    .output(for: try request(server.url), within: .patience)
                #expect(output.response?.text == "back")
                let last = try #require(server.requests.last)
                #expect(last.path == "/end")
                #expect(last["Authorization"] == nil && last["Cookie"] == nil)
            }
        }
    }

    @Test(arguments: [RedirectPolicy.refuse, .sameOrigin(maximum: 3)])
    func anotherOriginIsNotAskedUnlessAllowed(policy: RedirectPolicy) async throws {
        try await StubServer.answering({ _ in .text("there") }) { other in
            try await StubServer.answering({ _ in Self.redirect(to: other.url) }) { server in
                let output = try await client(policy).output(for: try request(server.url))
                #expect(output.response?.status == .found)
                #expect(other.connections == 0)
            }
        }
    }

    @Test func withinTheOriginEverythingGoesAlong() async throws {
        try await StubServer.answering({ request in
            request.path == "/end" ? .thing : Self.redirect(to: "/end", status: 307)
        }) { server in
            let client = try client(.sameOrigin(maximum: 1))
            let request = try request(server.url, .post(.text("body")))
            let call = await client.call(AnyResponse(to: request), within: .patience)
            #expect(try call.result.get().status == .ok)
            #expect(call.attempts.map(\.cause) == [.first, .redirect])
            let last = try #require(server.requests.last)
            #expect(last.method == "POST" && last.text == "body")
            #expect(last["Authorization"] == "Bearer s3cret" && last["Cookie"] == "s3cret")
        }
    }

    @Test(arguments: [(301, false), (302, false), (303, false), (307, true), (308, true)])
    func aPostIsFollowedOnlyWhereItStaysOne(status: Int, isFollowed: Bool) async throws {
        try await StubServer.answering({ request in
            request.path == "/end" ? .thing : Self.redirect(to: "/end", status: status)
        }) { server in
            let request = try request(server.url, .post(.text("body")))
            let output = try await client(.sameOrigin(maximum: 1))
                .output(for: request, within: .patience)
            #expect(output.response?.status.code == (isFollowed ? 200 : status))
            #expect(server.requests.map(\.method) == (isFollowed ? ["POST", "POST"] : ["POST"]))
            #expect(server.requests.last?.text == "body")
            #expect(server.requests.last?["Content-Type"]?.hasPrefix("text/plain") == true)
        }
    }

    @Test(arguments: [
        (RedirectPolicy.refuse, "/end", MethodAndPayload.get, 302, 0, "redirects are refused"),
        (
            .sameOrigin(maximum: 3), "http://b.example:81/end?key=s3cret", .get, 302, 0,
            "redirects to another scheme, host or port are refused"
        ),
        (
            .anyOrigin(maximum: 3), "http://b.example/", .get, 302, 0,
            "redirects from https to http always are refused"
        ),
        (
            .sameOrigin(maximum: 3), "end", .post(.text("x")), 303, 0,
            "it would turn the POST into a GET without its question"
        ),
        (
            .anyOrigin(maximum: 3), "https://b.example/", .post(.text("x")), 308, 0,
            "a POST is not sent to another host"
        ),
        (
            .sameOrigin(maximum: 3), "/end", .get, 301, 3,
            "3 redirects in a row were followed already"
        ),
    ])
    func whatIsNotFollowedSaysWhereItLedAndWhy(
        policy: RedirectPolicy, target: String, method: MethodAndPayload, status: Int,
        followed: Int, reason: String
    ) async throws {
        let isDowngrade = reason.contains("https to http")
        let start = isDowngrade ? "https://a.example" : "http://a.example"
        let response = Response(status: .init(code: status), headers: [.location: target])
        let earlier = Response(status: .found, headers: [.location: "/next"])
        let refusal = try #require(
            await refusal(
                of: Array(repeating: earlier, count: followed) + [response],
                to: try request(start, method), by: policy))
        let origin =
            switch target.prefix(9) {
            case "http://b.": isDowngrade ? "http://b.example" : "http://b.example:81"
            case "https://b": "https://b.example"
            default: start
            }
        #expect(
            refusal.description == "leads to \(origin), which is not followed: \(reason)")
    }

    @Test func aRedirectWithoutATargetLeadsNowhere() async throws {
        let request = try request("http://a.example")
        let refusal = await refusal(
            of: [Response(status: .found)], to: request, by: .anyOrigin(maximum: 3))
        #expect(refusal?.description == "leads nowhere: its Location is missing or no URL")
        #expect(await self.refusal(of: [Response(status: .ok)], to: request, by: .refuse) == nil)
    }

    /// What the last of these responses says of why it was not followed.
    private func refusal(
        of responses: [Response], to request: Request, by policy: RedirectPolicy
    ) async -> RefusedRedirect? {
        let transport = StubTransport(responses.map(Output.response))
        let client = APIClient(transport: transport, redirects: policy)
        return await client.output(for: request).response?.refusedRedirect
    }

    @Test func contentIsNotGivenToAnotherOrigin() async throws {
        try await StubServer.answering({ _ in .text("there") }) { other in
            try await StubServer.answering({ _ in Self.redirect(to: other.url, status: 307) }) {
                server in
                let request = try request(server.url, .post(.text("s3cret")))
                let output = try await client(.anyOrigin(maximum: 3))
                    .output(for: request, within: .patience)
                #expect(output.response?.status.code == 307)
                #expect(other.connections == 0)
            }
        }
    }

    /// The Internet leads nobody into a private network; who begins there may stay there.
    @Test(arguments: [
        ("127.0.0.1", true), ("10.1.2.3", true), ("172.31.0.1", true), ("192.168.0.9", true),
        ("169.254.169.254", true), ("0.0.0.0", true), ("[::1]", true), ("[fd00::1]", true),
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
            #expect((output.response?.refusedRedirect?.reason == .privateNetwork) == !isFollowed)
        }
    }

    @Test func aCircleEndsAtTheMaximum() async throws {
        try await StubServer.answering({ _ in Self.redirect(to: "/start") }) { server in
            let output = try await client(.sameOrigin(maximum: 4))
                .output(for: try request(server.url), within: .patience)
            #expect(output.response?.status == .found)
            #expect(server.requests.count == 5)
        }
    }

    @Test func fromHTTPSToHTTPNothingIsFollowed() async throws {
        let transport = StubTransport([
            .response(Response(status: .found, headers: [.location: "http://shop.example/"])),
            .response(Response(status: .ok)),
        ])
        let client = APIClient(transport: transport, redirects: .anyOrigin(maximum: 3))
        let output = await client.output(for: try request("https://shop.example"))
        #expect(output.response?.status == .found)
        #expect(transport.requests.count == 1)
    }
}
