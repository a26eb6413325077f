import Catalog
import KeywedgeTestKit
import Testing
import WebAPI

@testable import CatalogService

/// A service that answers what a register cannot use: its catalog stays as it was.
@Suite(.timeLimit(.minutes(20))) struct BrokenServiceTests {
    private static let page = """
        {"changed":[{"id":"1","name":"changed"},{"id":"2"}],"removed":[],\
        "revision":"5-000000000000000e","next":"5-000000000000000e.all.2"}
        """

    private static let other = page.replacing("all.2", with: "all.3")

    /// Longer than the tests may take.
    private static let ages = Duration.seconds(3600)

    private let register: EmbeddedCatalog

    init() throws {
        register = try EmbeddedCatalog.inMemory()
        try register.take("id,name\n1,one\n")
    }

    /// A follower whose time is never up, on however busy a machine: for the clock that nobody waits
    /// on no time passes either, so that a request whose time is up would be sent once more.
    private func follower(_ url: String) throws -> CatalogFollower {
        let transport = try AsyncHTTPClientTransport(limits: TransportLimits(connect: Self.ages))
        var follower = CatalogFollower(
            of: try Address(url), token: nil, over: transport, clock: Impatient())
        follower.pageLimit = Self.ages
        return follower
    }

    /// Synchronises with a service, and expects the sentence behind its URL and nothing changed.
    private func expect(
        _ sentence: String, of url: String, with follower: CatalogFollower
    ) async throws {
        let before = try (register.exported(), register.revision(), register.upstream())
        let error = await #expect(throws: SyncError.self) {
            try await follower.synchronise(register)
        }
        #expect(try unwrapped(error).description == "The catalog at \(url)/ " + sentence)
        #expect(try (register.exported(), register.revision(), register.upstream()) == before)
    }

    /// Synchronises with a service that answers this, and expects the sentence.
    private func expect(
        _ sentence: String, for answers: [StubAnswer], requests: Int? = nil
    ) async throws {
        let count = Counter()
        try await StubServer.answering { _ in
            answers[min(count.next(), answers.count) - 1]
        } _: { server in
            try await expect(sentence, of: server.url, with: follower(server.url))
            #expect(server.requests.count == requests ?? answers.count)
        }
    }

    /// Reads all of a service with the product 9, then its changes, and expects the sentence.
    private func expect(
        _ sentence: String, forChanges changes: String,
        then: @Sendable (CatalogFollower) async throws -> Void = { _ in }
    ) async throws {
        let all = #"{"changed":[{"id":"9"}],"removed":[],"revision":"5-000000000000000e"}"#
        try await StubServer.answering { request in
            .json(request.query.contains("since") ? changes : all)
        } _: { server in
            let follower = try follower(server.url)
            try await follower.synchronise(register)
            try await expect(sentence, of: server.url, with: follower)
            try await then(follower)
        }
    }

    private func json(_ text: String, status: Int = 200) -> StubAnswer {
        .json(text, status: status)
    }

    @Test(arguments: [
        (
            "",
            "the answer is no JSON: line 1, byte 0: expected a value, found the end; it is application/json and empty"
        ),
        ("[]", "the answer has a list of 0 at its top, expected an object"),
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
            "the answer has the text \"2\\x1b\" at /next, expected a place such as "
                + "42-9f3a0b7c1d2e4f50.all.1000"
        ),
        (#"{"revision":7}"#, "the answer has the number 7 at /revision, expected a text"),
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
            "the answer has the text \"\" at /changed/0/id, expected a text that is not empty, without "
                + "NUL characters"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{"id":"a\u0000b"}]}"#,
            "the answer has the text \"a\\x00b\" at /changed/0/id, expected a text that is not empty, "
                + "without NUL characters"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{"id":"1","price":1.5}]}"#,
            "the answer has the number 1.5 at /changed/0/price, expected a text"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{"id":"1","price":"1,5","currency":"EUR"}]}"#,
            "the answer has the text \"1,5\" at /changed/0/price, expected a price"
        ),
        (
            #"{"revision":"1-000000000000000a","changed":[{"id":"1","price":"1","currency":"E\u001b"}]}"#,
            "the answer has the text \"E\\x1b\" at /changed/0/currency, expected a code of ISO 4217"
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
            "the answer has the number 1 at /changed/0/attributes/a, expected a text"
        ),
        (
            #"{"revision":"\#(String(repeating: "7", count: 101))"}"#,
            "the answer has the text \"\(String(repeating: "7", count: 60))…\" at /revision, expected a "
                + "text of at most 100 characters, not 101"
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

    @Test func theErrorOfACallIsNamedAsTheCommand() async throws {
        try await StubServer.answering { _ in
            .text("", status: 404)
        } _: { server in
            let error = await #expect(throws: SyncError.self) {
                try await follower(server.url).synchronise(register)
            }
            guard case .call(let call, _)? = error else {
                Issue.record("\(String(describing: error)), expected the error of a call")
                return
            }
            #expect(call.endpoint == "catalog sync")
        }
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
        try await expect(
            "has changes that lead from revision 5-000000000000000e to \(revision); expected a later "
                + "one, or --anew to read everything again.",
            forChanges: #"{"changed":[],"removed":\#(removed),"revision":"\#(revision)"}"#)
    }

    @Test func whatWouldEmptyACatalogNeedsToBeAllowed() async throws {
        try await expect(
            "has no products any more; expected some, or --allow-empty to take all of its products "
                + "away here too.",
            forChanges: #"{"changed":[],"removed":["9"],"revision":"6-000000000000000e"}"#
        ) { follower in
            let result = try await follower.synchronise(register, allowingEmpty: true)
            #expect(result.summary.removed == 1)
            #expect(try register.names() == ["1": "one"])
        }
    }

    @Test func aServiceThatAsksForALongPatienceIsLeftAlone() async throws {
        try await expect(
            "cannot be read: the server asks to wait for 1h: it answered 429 Too Many Requests.",
            for: [StubAnswer(429, headers: ["Retry-After": "3600"])])
    }

    @Test func aServiceThatIsBusyIsAskedAgain() async throws {
        let busy = StubAnswer.json(
            #"{"detail":"later"}"#, status: 503, headers: ["Retry-After": "1"])
        try await expect(
            "cannot be read: the server asks to wait for 1s: it answered 503 Service Unavailable: "
                + "\"later\".", for: [busy, busy, busy])
    }

    @Test func nobodyThereIsNamed() async throws {
        let nobody = try RefusingPort()
        try await expect(
            "cannot be read: the connection was refused.", of: nobody.url,
            with: follower(nobody.url))
        withExtendedLifetime(nobody) {}
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
