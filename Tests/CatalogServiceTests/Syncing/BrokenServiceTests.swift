import Catalog
import KeywedgeTestKit
import Testing
import WebAPI

@testable import CatalogService

/// A service that answers what a register cannot use: its catalog stays as it was.
@Suite struct BrokenServiceTests {
    private static let page = """
        {"changed":[{"id":"1","name":"changed"},{"id":"2"}],"removed":[],\
        "revision":"5-000000000000000e","next":"5-000000000000000e.all.2"}
        """

    private static let other = page.replacing("all.2", with: "all.3")

    private let register: EmbeddedCatalog

    init() throws {
        register = try EmbeddedCatalog.inMemory()
        try register.take("id,name\n1,one\n")
    }

    /// Synchronises with a service that answers this, and expects the sentence behind its URL.
    private func expect(
        _ sentence: String, for answers: [StubAnswer], requests: Int? = nil
    ) async throws {
        let before = try (register.exported(), register.revision(), register.upstream())
        let count = Counter()
        try await StubServer.answering { _ in
            answers[min(count.next(), answers.count) - 1]
        } _: { server in
            let follower = try CatalogFollower(
                of: Address(server.url), token: nil,
                over: CatalogFollower.transport(authorities: nil), clock: Impatient())
            let error = await #expect(throws: (any Error).self) {
                try await follower.synchronise(register)
            }
            #expect("\(try unwrapped(error))" == "The catalog at \(server.url)/ " + sentence)
            #expect(server.requests.count == requests ?? answers.count)
        }
        #expect(try (register.exported(), register.revision(), register.upstream()) == before)
    }

    private func follower(_ server: StubServer) throws -> CatalogFollower {
        try CatalogFollower(
            of: Address(server.url), token: nil,
            over: CatalogFollower.transport(authorities: nil), clock: Impatient())
    }

    private func json(_ text: String, status: Int = 200) -> StubAnswer {
        .json(text, status: status)
    }

    @Test(arguments: [
        (
            "",
            "the answer is no JSON: line 1, byte 0: expected a value, found the end; it is application/json and empty"
        ),
        ("[]", "the answer has a list at its top, expected an object"),
        ("{}", "the answer has no key \"revision\" at its top"),
        (
            #"{"revision":"1-000000000000000a","changed":[]}"#,
            "the answer has no key \"removed\" at its top"
        ),
        (
            #"{"revision":"1-000000000000000a","removed":[]}"#,
            "the answer has no key \"changed\" at its top"
        ),
        (
            #"{"revision":"-1-000000000000000a","changed":[],"removed":[]}"#,
            "the answer has the text \"-1-000000000000000a\" at /revision, expected a revision "
                + "such as 42-9f3a0b7c1d2e4f50"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[],"removed":[],"next":"2\u001b"}"#,
            "the answer has the text \"2\\u001b\" at /next, expected a place such as "
                + "42-9f3a0b7c1d2e4f50.all.1000"
        ),
        (#"{"revision":7}"#, "the answer has a number at /revision, expected a text"),
        (
            #"{"revision":"1-000000000000000a","changed":{}}"#,
            "the answer has an object at /changed, expected a list"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{}]}"#,
            "the answer has no key \"id\" at /changed/0"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{"id":""}]}"#,
            "the answer has an empty text at /changed/0/id, expected a text without NUL characters"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{"id":"a\u0000b"}]}"#,
            "the answer has a text with one at /changed/0/id, expected a text without NUL characters"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{"id":"1","price":1.5}]}"#,
            "the answer has a number at /changed/0/price, expected a text"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{"id":"1","price":"1,5","currency":"EUR"}]}"#,
            "the answer has the text \"1,5\" at /changed/0/price, expected a price"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{"id":"1","price":"1","currency":"E\u001b"}]}"#,
            "the answer has the text \"E\\u001b\" at /changed/0/currency, expected a code of ISO 4217"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{"id":"1","price":"1"}]}"#,
            "the answer has no key \"currency\" at /changed/0"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[],"removed":["a",null]}"#,
            "the answer has null at /removed/1, expected a text"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{"id":"1","attributes":{"a":1}}]}"#,
            "the answer has a number at /changed/0/attributes/a, expected a text"
        ),
        (
            #"{"revision":"\#(String(repeating: "7", count: 101))"}"#,
            "the answer has one of 101 at /revision, expected a text of at most 100 characters"
        ),
    ])
    func whatIsNoPageIsNamedWithItsPlace(body: String, reason: String) async throws {
        try await expect("cannot be read: \(reason).", for: [json(body)])
    }

    @Test func aPageThatIsNoneBehindOnesThatAreUndoesThem() async throws {
        try await expect(
            "cannot be read: the answer has no key \"revision\" at its top.",
            for: [json(Self.page), json(Self.other), json("{}")])
    }

    @Test func anErrorBehindPagesUndoesThem() async throws {
        try await expect(
            "cannot be read: the server answered 500 Internal Server Error: \"broken\".",
            for: [json(Self.page), json(#"{"message":"broken"}"#, status: 500)])
    }

    @Test func anotherServersPageIsNoCatalog() async throws {
        let html = "<title>Not here</title>"
        try await expect(
            "cannot be read: the server answered 404 Not Found: \"Not here\".",
            for: [.text(html, type: "text/html", status: 404)])
        try await expect(
            "cannot be read: the server answered 410 Gone: \"Not here\".",
            for: [.text(html, type: "text/html", status: 410)])
    }

    @Test func aServiceThatKnowsNoRevisionIsGivenUp() async throws {
        let gone = json(#"{"status":410,"code":"unknown-revision"}"#, status: 410)
        try await expect(
            "was replaced again and again while it was read; expected it left alone.",
            for: [json(Self.page), gone, gone, gone])
    }

    @Test func changesWithoutEndAreGivenUp() async throws {
        let sentence = "has changes without end; expected a last page."
        // The page before once more.
        let same = json(Self.page)
        try await expect(sentence, for: [same, same])
        // Pages with nothing but a next one.
        let empty = (1...3).map {
            json(
                Self.other.replacing("all.3", with: "all.\($0)").replacing(
                    #"{"id":"1","name":"changed"},{"id":"2"}"#, with: ""))
        }
        try await expect(sentence, for: empty, requests: 2)
    }

    @Test(arguments: [
        ("4-000000000000000a", "[]"), ("5-000000000000000f", "[]"),
        ("5-000000000000000e", #"["1"]"#), ("0-000000000000000e", #"["1"]"#),
    ])
    func aRevisionThatDoesNotGoOnChangesNothing(revision: String, removed: String) async throws {
        let first = #"{"changed":[{"id":"9"}],"removed":[],"revision":"5-000000000000000e"}"#
        let second = #"{"changed":[],"removed":\#(removed),"revision":"\#(revision)"}"#
        try await StubServer.answering { request in
            .json(request.query.contains("since") ? second : first)
        } _: { server in
            let follower = try follower(server)
            try await follower.synchronise(register)
            let before = try (register.exported(), register.upstream())
            let error = await #expect(throws: SyncError.self) {
                try await follower.synchronise(register)
            }
            #expect(
                error?.description
                    == "The catalog at \(server.url)/ has changes that lead from revision "
                    + "5-000000000000000e to \(revision); expected a later one, or --anew to read "
                    + "everything again.")
            #expect(try (register.exported(), register.upstream()) == before)
        }
    }

    @Test func whatWouldEmptyACatalogNeedsToBeAllowed() async throws {
        let first = #"{"changed":[{"id":"9"}],"removed":[],"revision":"5-000000000000000e"}"#
        let second = #"{"changed":[],"removed":["9"],"revision":"6-000000000000000e"}"#
        try await StubServer.answering { request in
            .json(request.query.contains("since") ? second : first)
        } _: { server in
            let follower = try follower(server)
            try await follower.synchronise(register)
            let before = try (register.exported(), register.upstream())
            let error = await #expect(throws: SyncError.self) {
                try await follower.synchronise(register)
            }
            #expect(
                error?.description
                    == "The catalog at \(server.url)/ has no products any more; expected some, or "
                    + "--allow-empty to take all of its products away here too.")
            #expect(try (register.exported(), register.upstream()) == before)
            let result = try await follower.synchronise(register, allowingEmpty: true)
            #expect(result.summary.removed == 1)
            #expect(try register.names() == ["1": "one"])
        }
    }

    @Test func aServiceThatAsksForALongPatienceIsLeftAlone() async throws {
        try await expect(
            "cannot be read: the server asks to wait for 3600 s: it answered 429 Too Many Requests.",
            for: [StubAnswer(429, headers: ["Retry-After": "3600"])])
    }

    @Test func aServiceThatIsBusyIsAskedAgain() async throws {
        let busy = StubAnswer.json(
            #"{"detail":"later"}"#, status: 503, headers: ["Retry-After": "1"])
        try await expect(
            "cannot be read: the server asks to wait for 1 s: it answered 503 Service Unavailable: "
                + "\"later\".", for: [busy, busy, busy])
    }

    @Test func nobodyThereIsNamed() async throws {
        let port = try await StubServer.answering { _ in
            StubAnswer(200)
        } _: {
            $0.port
        }
        let follower = try CatalogFollower(
            of: Address("http://127.0.0.1:\(port)"), token: nil,
            over: CatalogFollower.transport(authorities: nil), clock: Impatient())
        let error = await #expect(throws: SyncError.self) {
            try await follower.synchronise(register)
        }
        #expect(
            error?.description
                == "The catalog at http://127.0.0.1:\(port)/ cannot be read: the connection was "
                + "refused.")
    }
}

/// A clock on which nobody waits.
private struct Impatient: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
