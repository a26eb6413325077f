import HTTPTypes
import Journal
import KeywedgeTestKit
import Testing
import WebAPI

@testable import Sinks

struct WebhookOutletTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    private static func outlet(_ transport: some Transport) throws -> WebhookOutlet {
        WebhookOutlet(
            to: try Location("http://erp.example/scans?shop=1"), over: transport,
            secrets: { [try WebhookSecret(Self.secret), try WebhookSecret(Self.other)] },
            limit: .seconds(15), now: { HTTPDate(secondsSince1970: 1_614_265_330) })
    }

    private static func answer(_ status: Int) -> Output {
        .response(Response(status: .init(code: status)))
    }

    @Test func hostileContentIsTheBodyByteForByteAndNowhereElse() async throws {
        let transport = StubTransport { _, _ in Self.answer(204) }
        let settled = Settled()
        let outlet = try Self.outlet(transport)
        #expect(await outlet.take(Entries.hostile, settled: settled.note) == .all)
        #expect(settled.indices == Array(Entries.hostile.indices))
        #expect(transport.requests.count == Entries.hostile.count)
        for (request, entry) in zip(transport.requests, Entries.hostile) {
            #expect(request.methodAndPayload.payload?.bytes == entry.line)
            #expect(request.unredactedURL == "http://erp.example/scans?shop=1")
            let signatures = try [Self.secret, Self.other].map {
                try WebhookSecret($0).signature(
                    id: entry.id, timestamp: 1_614_265_330, body: entry.line)
            }
            let fields = request.fieldsToSend.map { "\($0.name.canonicalName): \($0.value)" }
            #expect(
                fields == [
                    "webhook-id: \(entry.id)", "webhook-timestamp: 1614265330",
                    "webhook-signature: \(signatures.joined(separator: " "))",
                    "content-type: application/cloudevents+json",
                ])
        }
    }

    @Test(arguments: [
        (200, WebhookAnswer.taken), (204, .taken), (299, .taken),
        (
            301,
            .again(
                "it answered with status 301, which leads elsewhere; expected the final address",
                after: nil)
        ),
        (400, .refused("it answered with status 400")),
        (401, .refused("it answered with status 401")),
        (408, .again("it answered with status 408", after: nil)),
        (410, .gone("it answered with status 410: it wants no more events")),
        (422, .refused("it answered with status 422")),
        (429, .again("it answered with status 429", after: nil)),
        (500, .again("it answered with status 500", after: nil)),
        (599, .again("it answered with status 599", after: nil)),
    ])
    func aStatusSaysWhatBecomesOfTheEvent(status: Int, answer: WebhookAnswer) {
        let date = HTTPDate(secondsSince1970: 0)
        #expect(
            WebhookAnswer(Response(status: .init(code: status)), now: date) == answer)
    }

    @Test func aServerIsLeftAloneForAsLongAsItAsks() {
        let answer = WebhookAnswer(
            Response(status: .init(code: 503), headers: [.retryAfter: "120"]),
            now: HTTPDate(secondsSince1970: 0))
        #expect(answer == .again("it answered with status 503", after: .seconds(120)))
    }

    @Test func nothingIsSentBehindAnEventThatIsNotTaken() async throws {
        let transport = StubTransport([204, 422, 503, 204].map { Self.answer($0) })
        let settled = Settled()
        let outlet = try Self.outlet(transport)
        #expect(
            await outlet.take(Entries.scans(4), settled: settled.note)
                == .later("http://erp.example: it answered with status 503"))
        #expect(settled.verdicts == [.taken, .refused("it answered with status 422")])
        #expect(transport.requests.count == 3)
    }

    @Test func aReceiverThatIsGoneGetsNothingMore() async throws {
        let transport = StubTransport([Self.answer(410)])
        let outlet = try Self.outlet(transport)
        #expect(
            await outlet.take(Entries.scans(2)) { _, _ in }
                == .off("http://erp.example: it answered with status 410: it wants no more events"))
        #expect(transport.requests.count == 1)
    }

    @Test func aSecretThatCannotBeReadKeepsTheEvents() async throws {
        struct Unreadable: Error, CustomStringConvertible {
            let description = "it cannot be read"
        }
        let outlet = WebhookOutlet(
            to: try Location("http://erp.example/"), over: StubTransport([]),
            secrets: { throw Unreadable() }, limit: .seconds(15))
        #expect(
            await outlet.take(Entries.scans(1)) { _, _ in }
                == .later("http://erp.example: it cannot be read"))
    }
}
