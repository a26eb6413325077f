import HTTPTypes
import KeywedgeTestKit
import Testing
import WireText

@testable import WebAPI

@Suite struct PagesTests {
    private struct Numbers: Endpoint {
        var paging = Paging()
        var query = Query("q", "x")
        var call: Call<Page<Int>> {
            Call("/numbers", queries: [query], baseURL: "https://shop.example", paging: paging)
        }
    }

    /// A service's answers, and the expected result.
    struct Case: Sendable {
        var paging = Paging()
        var maximum = 1000
        /// Contents with their `Link` headers.
        let answers: [(body: String, link: String?)]
        let items: [Int]
        var error: String?
        /// The queries of the requests.
        let queries: [String]
    }

    private static let counted = Paging(items: ["data"], total: .content(at: ["total"]))
    private static let cursor = Paging(.cursor(query: "after", at: ["next"]), items: ["data"])
    private static let manyPages = (1...9).map { ("[\($0)]", "<?p=\($0)>;rel=next" as String?) }

    private static let lists: [Case] = [
        Case(
            answers: [
                ("[1,2]", "</numbers?cursor=a%2Bb+c>; rel=\"next\""), ("[]", "<?p=3>; rel=next"),
                ("[3]", nil),
            ], items: [1, 2, 3], queries: ["q=x", "cursor=a%2Bb+c", "p=3"]),
        // Only the last page's count matters, because products come and go between the requests.
        Case(
            paging: counted,
            answers: [
                (#"{"data":[1,2],"total":4}"#, "<?p=2>; rel=next"),
                (#"{"data":[3],"total":3}"#, nil),
            ], items: [1, 2, 3], queries: ["q=x", "p=2"]),
        Case(
            paging: Paging(.numbers(query: "page", first: 1, size: 2)),
            answers: [("[1,2]", nil), ("[3,4]", nil), ("[5]", nil)], items: [1, 2, 3, 4, 5],
            queries: ["q=x", "q=x&page=2", "q=x&page=3"]),
        Case(
            paging: Paging(
                .numbers(query: "page", first: 0, size: 2), items: ["data"],
                total: .content(at: ["total"])),
            answers: [
                (#"{"data":[1,2],"total":4}"#, nil), (#"{"data":[3,4],"total":4}"#, nil),
            ], items: [1, 2, 3, 4], queries: ["q=x", "q=x&page=1"]),
        Case(
            paging: Paging(.offsets(query: "skip", size: 3)),
            answers: [("[1,2,3]", nil), ("[4]", nil)], items: [1, 2, 3, 4],
            queries: ["q=x", "q=x&skip=3"]),
        Case(
            paging: cursor,
            answers: [
                (#"{"data":[1],"next":"a&b"}"#, nil), (#"{"data":[2],"next":7}"#, nil),
                (#"{"data":[3],"next":null}"#, nil),
            ], items: [1, 2, 3], queries: ["q=x", "q=x&after=a%26b", "q=x&after=7"]),
        Case(
            paging: cursor, answers: [(#"{"data":[1],"next":""}"#, nil)], items: [1],
            queries: ["q=x"]),
        Case(
            paging: Paging(.linkInContent(at: ["next"]), items: ["data"]),
            answers: [
                (#"{"data":[1],"next":"https://shop.example/numbers?page=2"}"#, nil),
                (#"{"data":[2]}"#, nil),
            ], items: [1, 2], queries: ["q=x", "page=2"]),
    ]

    private static let shortLists: [Case] = [
        Case(
            paging: counted,
            answers: [
                (#"{"data":[1,2],"total":4}"#, "<?p=2>; rel=next"),
                (#"{"data":[3],"total":4}"#, nil),
            ], items: [1, 2, 3], error: "the list ends after 3 items, but the service counts 4",
            queries: ["q=x", "p=2"]),
        Case(
            paging: Paging(items: ["data"], incomplete: ["partial"]),
            answers: [
                (#"{"data":[1],"partial":true}"#, "<?p=2>; rel=next"),
                (#"{"data":[2],"partial":false}"#, nil),
            ], items: [1, 2], error: "the service says that the list is incomplete",
            queries: ["q=x", "p=2"]),
        Case(
            answers: [("[1]", "<?p=2>;rel=next"), ("[2]", "<?q=x>;rel=next")], items: [1],
            error: "page 2 leads to a page that was read before: "
                + "GET https://shop.example/numbers?q=x", queries: ["q=x", "p=2"]),
        Case(
            answers: [("[1]", "<?q=x>;rel=next")], items: [],
            error: "page 1 leads to a page that was read before: "
                + "GET https://shop.example/numbers?q=x", queries: ["q=x"]),
        Case(
            answers: (1...9).map { ("[1]", "<?p=\($0)>;rel=next") }, items: [1],
            error: "page 2 is the same as the one before it", queries: ["q=x", "p=1"]),
        Case(
            maximum: 3, answers: manyPages, items: [1, 2],
            error: "there are more than 3 pages, expected at most that many",
            queries: ["q=x", "p=1", "p=2"]),
        Case(
            answers: [("[1]", "<https://evil.example/>;rel=next")], items: [],
            error: "page 1 leads to another server, https://evil.example, which gets no request",
            queries: ["q=x"]),
        Case(
            answers: [("[1]", "<http://a b/>;rel=next")], items: [],
            error: #"page 1 leads nowhere: "http://a b/" is not an address: expected a host of "#
                + #"ASCII letters, digits, '-', '_' and '.', or an IP address, found "a b""#,
            queries: ["q=x"]),
        Case(
            paging: cursor, answers: [(#"{"data":[1],"next":[]}"#, nil)], items: [],
            error: "the answer has a list of 0 at /next, expected the next page as a text",
            queries: ["q=x"]),
    ]

    private static func page(_ body: String, link: String? = nil) throws -> Output {
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name("Link"))] = link
        return .response(Response(status: .ok, headers: headers, payload: Array(body.utf8)))
    }

    /// Reads all pages; returns the items, the reason of the error if there was one, and the requests' queries.
    private func all(
        _ endpoint: Numbers, _ outputs: [Output], maximum: Int = 1000
    ) async -> (items: [Int], error: String?, queries: [String]) {
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
        let prefix = "https://shop.example/numbers?"
        return (
            items, reason,
            transport.requests.map { $0.location.description.replacing(prefix, with: "") }
        )
    }

    @Test(arguments: lists + shortLists)
    func aListIsWholeOrSaysThatItIsNot(list: Case) async throws {
        let (items, error, queries) = await all(
            Numbers(paging: list.paging), try list.answers.map { try Self.page($0, link: $1) },
            maximum: list.maximum)
        #expect(items == list.items)
        #expect(error == list.error)
        #expect(queries == list.queries)
    }

    @Test func theTotalCountIsOnEveryPage() async throws {
        let name = try #require(HTTPField.Name("Total-Count"))
        let endpoint = Numbers(paging: Paging(total: .header(name)))
        for (text, count) in [("12", 12), (nil, nil), ("many", nil)] as [(String?, Int?)] {
            var headers = HTTPFields()
            headers[name] = text
            let response = Response(status: .ok, headers: headers, payload: Array("[1]".utf8))
            let client = APIClient(transport: StubTransport([.response(response)]))
            switch await client.result(of: endpoint) {
            case .success(let page): #expect(page.totalCount == count && text != "many")
            case .failure(let error):
                #expect(
                    error.reasonText
                        == #"the answer has the header Total-Count "many", expected a count"#)
            }
        }
    }

    /// A query that the endpoint marks as secret is also hidden in the requests for the next pages.
    @Test func whatIsMarkedAsSecretStaysSecretOnEveryPage() async throws {
        for paging in [Paging(), Paging(.cursor(query: "q", at: ["next"]), items: ["data"])] {
            let endpoint = Numbers(paging: paging, query: Query("q", "s3cret", isSecret: true))
            let isList = paging.items == []
            let first = isList ? "[1]" : #"{"data":[1],"next":"s4cret"}"#
            let (_, _, queries) = await all(
                endpoint,
                [
                    try Self.page(first, link: "<?q=s4cret>;rel=next"),
                    try Self.page(isList ? "[2]" : #"{"data":[2]}"#),
                ])
            #expect(queries == ["q=***", "q=***"])
        }
    }

    @Test func anErrorOnALaterPageKeepsTheItemsBefore() async throws {
        let broken = Output.noResponse(ConnectionError(.closed, during: .head))
        let (items, error, _) = await all(
            Numbers(), [try Self.page("[1,2]", link: "<?p=2>;rel=next"), broken])
        #expect(items == [1, 2])
        #expect(error == "the server closed the connection while the response was waited for")
    }

    @Test(
        arguments: [
            ([#"<https://a/x?p=2>; rel="next", <https://a/x?p=5>; rel="last""#], "https://a/x?p=2"),
            ([#"<a,b;c>; title="x, y; rel=\"no\""; REL=Next"#], "a,b;c"),
            (["<a>;rel=prev,<b>;rel=\"up NEXT\""], "b"), (["<a>; rel = \"next\""], "a"),
            (["<a>;rel=next;rel=prev"], "a"), (["<a> ; foo ; rel=next"], "a"),
            (["<>;rel=next"], ""), (["a;rel=next"], nil), (["<a;rel=next"], nil), (["<a>"], nil),
            (["<a>;rel"], nil), ([""], nil), (["<a>;rel=\"next"], "a"),
            (["<a>;title=\"rel=next"], nil), (["<a>;rel=prev;rel=next"], nil),
            (["<a>;rel=prev", "<b>;rel=next"], "b"), ([], nil),
        ] as [([String], String?)])
    func theNextPageIsFoundAsTheRuleSays(values: [String], target: String?) throws {
        let name = try #require(HTTPField.Name("Link"))
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: name, value: value)) }
        #expect(LinkHeader.target(for: "next", in: fields) == target)
    }
}
