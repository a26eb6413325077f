import Barcodes
import Catalog
import Foundation
import HTTPService
import HTTPTypes
import Logging
import NIOCore
import TestFolders
import Testing
import WebAPI

@testable import CatalogService

/// Answers that are given again as long as they hold, and no longer.
@Suite(.timeLimit(.minutes(10))) struct ReadyAnswersTests {
    private static let target = "/v1/products/C1"

    private let scratch: TemporaryFolder
    private let path: String
    private let shop: EmbeddedCatalog

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
        shop = try EmbeddedCatalog(path: path, access: .writing)
        try shop.take("id,code,name,price,currency\n1,C1,one,1.00,EUR\n")
    }

    private func router(
        _ access: AccessPolicy = AccessPolicy(),
        now: @escaping @Sendable () -> Int64 = CatalogRouter.systemTime
    ) throws -> CatalogRouter {
        try CatalogRouter(
            path: path, decoder: BarcodeDecoder(), access: access, version: "1", log: .silent,
            now: now)
    }

    private func request(_ target: String = Self.target) -> ServiceRequest {
        ServiceRequest(method: .get, target: target, hosts: ["localhost"])
    }

    private func text(_ ready: ReadyAnswers.Ready?) -> String? {
        ready.map { String(buffer: $0.body) }
    }

    /// The fields of an answer but for its time: a second may go by between two.
    private func undated(_ answer: Response) -> HTTPFields {
        var fields = answer.headers
        fields[.date] = nil
        return fields
    }

    @Test func theSameIsSentAgain() async throws {
        try await Service.run(path) { service in
            for target in [Self.target, "/v1/lookup?code=C1", "/v1/lookup?code=none"] {
                let first = try await service.get(target)
                let again = try await service.get(target)
                #expect(again.status == .ok)
                #expect(again.payload == first.payload)
                #expect(undated(again) == undated(first))
                let tag = try unwrapped(first.headers[.eTag])
                #expect(try await service.get(target, [.ifNoneMatch: tag]).status == .notModified)
                let head = try await service.get(target, [:], .head)
                #expect(head.payload.isEmpty)
                #expect(head.headers[.eTag] == tag)
            }
        }
    }

    @Test func anImportIsSeenByTheNextRequest() async throws {
        let router = try router()
        for number in 1...200 {
            _ = await router.answer(request())
            #expect(router.readyAnswer(request()) != nil)
            // By another connection; the dates of the files may well be the same as before.
            try shop.take("id,price,currency\n1,\(number).50,EUR\n")
            #expect(router.readyAnswer(request()) == nil)
            let answer = await router.answer(request()).0
            let body = String(decoding: answer.body ?? [], as: UTF8.self)
            #expect(body.contains("\"\(number).50\""))
            #expect(text(router.readyAnswer(request())) == body)
        }
    }

    @Test func anotherFileAtThePathIsSeen() async throws {
        let router = try router()
        _ = await router.answer(request())
        let other = scratch.path("other.sqlite")
        try EmbeddedCatalog(path: other, access: .writing).take("id,code\nother,C1\n")
        #expect(rename(other, path) == 0)
        #expect(router.readyAnswer(request()) == nil)
        _ = await router.answer(request())
        #expect(text(router.readyAnswer(request()))?.contains("other") == true)
    }

    @Test func pricesForATimeAreNotKept() async throws {
        try shop.take(
            """
            id,price,currency,valid_from,valid_until
            1,0.50,EUR,2026-12-01T00:00:00Z,2026-12-02T00:00:00Z

            """)
        let router = try router()
        _ = await router.answer(request())
        #expect(router.readyAnswer(request()) == nil)
    }

    @Test func onlyWhoMayAskIsAnswered() async throws {
        let chain = try Chainstore()
        let router = try CatalogRouter(
            path: chain.whole.path, decoder: BarcodeDecoder(),
            access: AccessPolicy(token: chain.token, scopes: chain.scopes), version: "1",
            log: .silent)
        func asked(_ shop: String?) throws -> ServiceRequest {
            var request = request()
            request.authorization = try Chainstore.fields(of: shop)[.authorization]
            return request
        }
        for shop in [nil, "airport", "alps"] { _ = await router.answer(try asked(shop)) }
        #expect(text(router.readyAnswer(try asked("airport")))?.contains("0.99") == true)
        #expect(text(router.readyAnswer(try asked("alps")))?.contains("0.89") == true)
        #expect(router.readyAnswer(try asked("alps"))?.fields[.vary] == "Authorization")
        #expect(router.readyAnswer(request()) == nil)
        var wrong = request()
        wrong.authorization = "Bearer another-token-than-all"
        #expect(router.readyAnswer(wrong) == nil)
        #expect(await router.answer(wrong).0.status == .unauthorized)
    }

    @Test func aRequestForAnotherHostIsNotAnswered() async throws {
        let router = try router()
        _ = await router.answer(request())
        var other = request()
        other.hosts = ["shop.example"]
        #expect(router.readyAnswer(other) == nil)
        #expect(await router.answer(other).0.status == .misdirectedRequest)
    }

    @Test func whatIsTooMuchIsForgotten() throws {
        let state = try shop.state()
        let ready = ReadyAnswers(limit: 5000)
        func key(_ number: Int) -> ReadyAnswers.Key {
            .init(target: "/\(number)", permission: .everything)
        }
        for number in 1...100 {
            let answer = Answer(.ok, fields: [:], body: [UInt8](repeating: 0, count: 100))
            ready.keep(answer, to: key(number), in: state)
            #expect(ready.answer(to: key(number), in: state) != nil)
        }
        #expect((1...100).filter { ready.answer(to: key($0), in: state) != nil }.count < 5)
        ready.keep(
            Answer(.ok, fields: [:], body: [UInt8](repeating: 0, count: 6000)), to: key(0),
            in: state)
        #expect(ready.answer(to: key(0), in: state) == nil)
        ready.keep(Answer(.notFound, fields: [:], body: []), to: key(0), in: state)
        #expect(ready.answer(to: key(0), in: state) == nil)
    }
}
