import HTTPTypes
import Journal
import KeywedgeTestKit
import Synchronization
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

    @Test(arguments: 100..<600)
    func onlyAnswersAboutTheEventRefuseItForGood(status: Int) {
        let answer = OutletAnswer(
            Response(status: .init(code: status)), now: HTTPDate(secondsSince1970: 0))
        switch (status, answer) {
        case (200..<300, .settled(.taken)): break
        case (400, .settled(.refused(let reason))), (413, .settled(.refused(let reason))),
            (415, .settled(.refused(let reason))), (422, .settled(.refused(let reason))):
            #expect(reason == "it answered with status \(status)")
        case (200..<300, _), (400, _), (413, _), (415, _), (422, _): Issue.record("\(answer)")
        case (_, .later(let reason, after: nil)):
            #expect(reason.hasPrefix("it answered with status \(status)"))
        default: Issue.record("\(answer)")
        }
    }

    @Test(arguments: [-241: false, -240: true, 240: true, 241: false])
    func anEventRefusedBecauseOfTheClockIsNoDeadLetter(skew: Int64, isRefused: Bool) {
        let date = HTTPDate(secondsSince1970: 1_614_265_330)
        let answer = OutletAnswer(
            Response(status: .badRequest, headers: [.date: "\(date)"]),
            now: HTTPDate(secondsSince1970: date.secondsSince1970 + skew))
        let reason = "it answered with status 400"
        #expect(
            answer
                == (isRefused
                    ? .settled(.refused(reason))
                    : .later("\(reason), and its clock differs from this box's")))
    }

    @Test(arguments: [401, 408, 429, 503])
    func aServerIsLeftAloneForAsLongAsItAsks(status: Int) {
        let answer = OutletAnswer(
            Response(status: .init(code: status), headers: [.retryAfter: "120"]),
            now: HTTPDate(secondsSince1970: 0))
        #expect(answer == .later("it answered with status \(status)", after: .seconds(120)))
    }

    @Test func nothingIsSentAfterAnEventThatIsNotTaken() async throws {
        let transport = StubTransport([204, 422, 503, 204].map { Self.answer($0) })
        let settled = Settled()
        let outlet = try Self.outlet(transport)
        #expect(
            await outlet.take(Entries.scans(4), settled: settled.note)
                == .later("http://erp.example: it answered with status 503"))
        #expect(settled.verdicts == [.taken, .refused("it answered with status 422")])
        #expect(transport.requests.count == 3)
    }

    @Test func whatTheServerAcceptsDuringAStopIsSettledAndNothingMoreIsSent() async throws {
        let stop = Mutex<Task<TakeOutcome, Never>?>(nil)
        let transport = StubTransport { _, _ in
            stop.withLock { $0?.cancel() }
            return Self.answer(204)
        }
        let settled = Settled()
        let outlet = try Self.outlet(transport)
        let (beginning, begin) = AsyncStream<Void>.makeStream()
        let taking = Task {
            for await _ in beginning {}
            return await outlet.take(Entries.scans(3), settled: settled.note)
        }
        stop.withLock { $0 = taking }
        begin.finish()
        let outcome = await taking.value
        #expect(outcome == .cancelled)
        #expect(settled.verdicts == [.taken])
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
