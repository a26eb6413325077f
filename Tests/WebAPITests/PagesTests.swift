import HTTPTypes
import KeywedgeTestKit
import Testing
import WebAPI
import WireText

@Suite struct PagesTests {
    private struct Numbers: Endpoint {
        var paging = Paging()
        var query = Query("q", "x")
        var call: Call<Page<Int>> {
            Call("/numbers", queries: [query], baseURL: "https://shop.example", paging: paging)
        }
    }

    private static func page(_ body: String, link: String? = nil) throws -> Output {
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name("Link"))] = link
        return .response(Response(status: .ok, headers: headers, payload: Array(body.utf8)))
    }

    /// All items, or those before the error and its reason.
    private func all(
        _ endpoint: Numbers, _ outputs: [Output], maximum: Int = 1000
    ) async -> (items: [Int], error: String?, requests: [String]) {
        let transport = StubTransport(outputs)
        var items: [Int] = []
        var reason: String?
        do {
            for try await item in APIClient(transport: transport).items(
                of: endpoint, maximum: maximum)
            {
                items.append(item)
            }
        } catch {
            reason = error.reason.description
        }
        return (items, reason, transport.requests.map(\.location.description))
    }

    @Test func linksLeadOn() async throws {
        let (items, error, requests) = await all(
            Numbers(),
            [
                try Self.page("[1,2]", link: "</numbers?cursor=a%2Bb+c>; rel=\"next\""),
                try Self.page("[]", link: "<?p=3>; rel=next"), try Self.page("[3]"),
            ])
        #expect(items == [1, 2, 3])
        #expect(error == nil)
        #expect(
            requests == [
                "https://shop.example/numbers?q=x", "https://shop.example/numbers?cursor=a%2Bb+c",
                "https://shop.example/numbers?p=3",
            ])
    }

    @Test func aListThatEndsShortSaysSoBehindItsLastPage() async throws {
        let total = Numbers(paging: Paging(items: ["data"], total: .content(at: ["total"])))
        let next = "</numbers?p=2>; rel=next"
        let (items, error, _) = await all(
            total,
            [
                try Self.page(#"{"data":[1,2],"total":4}"#, link: next),
                try Self.page(#"{"data":[3],"total":4}"#),
            ])
        #expect(items == [1, 2, 3])
        #expect(error == "the list ends after 3 items, but the service counts 4")
        // The last page's count is the one that counts: products come and go meanwhile.
        let (fewer, none, _) = await all(
            total,
            [
                try Self.page(#"{"data":[1,2],"total":4}"#, link: next),
                try Self.page(#"{"data":[3],"total":3}"#),
            ])
        #expect(fewer == [1, 2, 3] && none == nil)
    }

    @Test func aListThatTheServiceCallsIncompleteSaysSo() async throws {
        let endpoint = Numbers(paging: Paging(items: ["data"], incomplete: ["partial"]))
        let (items, error, _) = await all(
            endpoint,
            [
                try Self.page(
                    #"{"data":[1],"partial":true}"#, link: "</numbers?p=2>; rel=next"),
                try Self.page(#"{"data":[2],"partial":false}"#),
            ])
        #expect(items == [1, 2])
        #expect(error == "the service says that the list is incomplete")
    }

    @Test func numbersLeadOnUntilAPageIsNotFull() async throws {
        let endpoint = Numbers(paging: Paging(.numbers(query: "page", first: 1, size: 2)))
        let (items, error, requests) = await all(
            endpoint,
            [try Self.page("[1,2]"), try Self.page("[3,4]"), try Self.page("[5]")])
        #expect(items == [1, 2, 3, 4, 5] && error == nil)
        #expect(
            requests.map { $0.split(separator: "?")[1] } == ["q=x", "q=x&page=2", "q=x&page=3"])
    }

    @Test func numbersEndWithTheTotalCount() async throws {
        let endpoint = Numbers(
            paging: Paging(
                .numbers(query: "page", first: 0, size: 2), items: ["data"],
                total: .content(at: ["total"])))
        let (items, error, requests) = await all(
            endpoint,
            [
                try Self.page(#"{"data":[1,2],"total":4}"#),
                try Self.page(#"{"data":[3,4],"total":4}"#),
            ])
        #expect(items == [1, 2, 3, 4] && error == nil)
        #expect(requests.map { $0.split(separator: "?")[1] } == ["q=x", "q=x&page=1"])
    }

    @Test func offsetsCountWhatCame() async throws {
        let endpoint = Numbers(paging: Paging(.offsets(query: "skip", size: 3)))
        let (items, error, requests) = await all(
            endpoint, [try Self.page("[1,2,3]"), try Self.page("[4]")])
        #expect(items == [1, 2, 3, 4] && error == nil)
        #expect(requests.last == "https://shop.example/numbers?q=x&skip=3")
    }

    @Test(arguments: ["null", #""""#])
    func cursorsLeadOnUntilThereIsNone(none: String) async throws {
        let endpoint = Numbers(
            paging: Paging(.cursor(query: "after", at: ["next"]), items: ["data"]))
        let (items, error, requests) = await all(
            endpoint,
            [
                try Self.page(#"{"data":[1],"next":"a&b"}"#),
                try Self.page(#"{"data":[2],"next":7}"#),
                try Self.page("{\"data\":[3],\"next\":\(none)}"),
            ])
        #expect(items == [1, 2, 3] && error == nil)
        #expect(
            requests == [
                "https://shop.example/numbers?q=x",
                "https://shop.example/numbers?q=x&after=a%26b",
                "https://shop.example/numbers?q=x&after=7",
            ])
    }

    @Test func linksInTheContentLeadOn() async throws {
        let endpoint = Numbers(
            paging: Paging(.linkInContent(at: ["next"]), items: ["data"]))
        let (items, error, _) = await all(
            endpoint,
            [
                try Self.page(#"{"data":[1],"next":"https://shop.example/numbers?page=2"}"#),
                try Self.page(#"{"data":[2]}"#),
            ])
        #expect(items == [1, 2] && error == nil)
    }

    @Test func aCircleEndsWithAnError() async throws {
        let (items, error, requests) = await all(
            Numbers(),
            [
                try Self.page("[1]", link: "<?p=2>;rel=next"),
                try Self.page("[2]", link: "<?q=x>;rel=next"),
            ])
        #expect(items == [1])
        #expect(
            error
                == "page 2 leads to a page that was read before: "
                + "GET https://shop.example/numbers?q=x")
        #expect(requests.count == 2)
    }

    @Test func aPageThatLeadsToItselfEndsWithAnError() async throws {
        let (_, error, _) = await all(
            Numbers(), [try Self.page("[1]", link: "<?q=x>;rel=next")])
        #expect(
            error
                == "page 1 leads to a page that was read before: "
                + "GET https://shop.example/numbers?q=x")
    }

    @Test func theSamePageUnderEverNewNamesEndsWithAnError() async throws {
        let (_, error, requests) = await all(
            Numbers(),
            try (1...9).map { try Self.page("[1]", link: "<?p=\($0)>;rel=next") })
        #expect(error == "page 2 is the same as the one before it")
        #expect(requests.count == 2)
    }

    @Test func moreThanTheMaximumIsAnErrorAndNoShortList() async throws {
        let (items, error, _) = await all(
            Numbers(), try (1...9).map { try Self.page("[\($0)]", link: "<?p=\($0)>;rel=next") },
            maximum: 3)
        #expect(items == [1, 2])
        #expect(error == "there are more than 3 pages, expected at most that many")
    }

    @Test func anotherServerGetsNoRequest() async throws {
        let (items, error, requests) = await all(
            Numbers(), [try Self.page("[1]", link: "<https://evil.example/>;rel=next")])
        #expect(items == [])
        #expect(
            error == "page 1 leads to another server, https://evil.example, which gets no request")
        #expect(requests.count == 1)
    }

    @Test func whatLeadsNowhereIsAnError() async throws {
        let (_, error, _) = await all(
            Numbers(), [try Self.page("[1]", link: "<http://a b/>;rel=next")])
        #expect(
            error
                == #"page 1 leads nowhere: "http://a b/" is no address: expected a host of ASCII "#
                + #"letters, digits, '-', '_' and '.', or an IP address, found "a b""#)
        let endpoint = Numbers(
            paging: Paging(.cursor(query: "after", at: ["next"]), items: ["data"]))
        let (_, second, _) = await all(endpoint, [try Self.page(#"{"data":[1],"next":[]}"#)])
        #expect(second == "the answer has a list of 0 at /next, expected the next page as a text")
    }

    @Test func theTotalCountIsOnEveryPage() async throws {
        let name = try #require(HTTPField.Name("Total-Count"))
        let endpoint = Numbers(paging: Paging(total: .header(name)))
        func output(_ count: String?) throws -> Output {
            var headers = HTTPFields()
            headers[name] = count
            return .response(Response(status: .ok, headers: headers, payload: Array("[1]".utf8)))
        }
        for (text, count) in [("12", 12), (nil, nil)] as [(String?, Int?)] {
            let client = APIClient(transport: StubTransport([try output(text)]))
            #expect(try await client.send(endpoint).totalCount == count)
        }
        let client = APIClient(transport: StubTransport([try output("many")]))
        let error = try await failure(of: endpoint, by: client)
        #expect(
            error.reason.description
                == #"the answer has the header Total-Count "many", expected a count"#)
    }

    /// A mark of the endpoint's holds for the pages that the service leads to.
    @Test func whatIsMarkedAsSecretStaysSecretOnEveryPage() async throws {
        for paging in [Paging(), Paging(.cursor(query: "q", at: ["next"]), items: ["data"])] {
            let endpoint = Numbers(paging: paging, query: Query("q", "s3cret", isSecret: true))
            let (_, _, requests) = await all(
                endpoint,
                [
                    try Self.page(
                        paging.items == [] ? "[1]" : #"{"data":[1],"next":"s4cret"}"#,
                        link: "<?q=s4cret>;rel=next"),
                    try Self.page(paging.items == [] ? "[2]" : #"{"data":[2]}"#),
                ])
            #expect(requests == Array(repeating: "https://shop.example/numbers?q=***", count: 2))
        }
    }

    @Test func anErrorOnALaterPageKeepsTheItemsBefore() async throws {
        let (items, error, _) = await all(
            Numbers(),
            [
                try Self.page("[1,2]", link: "<?p=2>;rel=next"),
                .noResponse(ConnectionError(.closed, during: .head)),
            ])
        #expect(items == [1, 2])
        #expect(error == "the server closed the connection while the response was waited for")
    }
}
