import Catalog
import Foundation
import HTTPService
import HTTPTypes
import KeywedgeTestKit
import TestFolders
import Testing
import WebAPI

@testable import CatalogService

/// A register's catalog that follows the one of a real service.
@Suite(.timeLimit(.minutes(10))) struct SyncTests {
    private let scratch: TemporaryFolder
    private let shop: EmbeddedCatalog
    private let path: String
    private let register: EmbeddedCatalog

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("shop.sqlite")
        shop = try EmbeddedCatalog(path: path, access: .writing)
        register = try EmbeddedCatalog(path: scratch.path("register.sqlite"), access: .writing)
    }

    private func follower(_ service: Service, token: BearerToken? = nil) throws -> CatalogFollower {
        try CatalogFollower(of: service.url, token: token)
    }

    @Test func everythingOfAProductComesOver() async throws {
        try shop.take(
            """
            id,code,name,price,currency,unit,Farbe,note
            A1,4006381333931|PLU 7,"Stift ""88"" Größe L",1.99,EUR,pcs,blau,"two
            lines"
            A2,..,,,,,,
            A3,"a/b?c=d&e%20",🖊 été,349,JPY,,rot,
            A4,,,0.123456,BHD,,,"\\ \u{1D} \u{202E}"
            """)
        try await Service.run(path) { service in
            let result = try await follower(service).synchronise(register)
            #expect(result.summary.added == 4)
            #expect(result.requests == 1)
            #expect(result.isWhole)
            #expect(try register.exported() == shop.exported())
            #expect(
                try register.upstream()
                    == Upstream(url: service.url + "/", revision: "\(shop.revision())"))
        }
    }

    @Test func pricesForATimeComeOverAndALookupHasThatOfNow() async throws {
        try shop.take(
            """
            id,code,price,currency,valid_from,valid_until
            A1,4006381333931,1.99,EUR,,
            A1,,1.49,EUR,2020-01-01T00:00:00Z,
            A1,,0.99,EUR,,1999-12-31T23:59:59.5Z
            """)
        try await Service.run(path) { service in
            try await follower(service).synchronise(register)
            #expect(try register.exported() == shop.exported())
            let product = try await service.get("/v1/products/4006381333931").json()
            #expect(product.text("/price") == "1.49")
            #expect(product.texts("/prices", "price") == ["1.49", "0.99"])
            #expect(product.text("/prices/1/valid_until") == "1999-12-31T23:59:59.500000Z")
            let page = try await service.get("/v1/products").json()
            #expect(page.text("/products/0/price") == "1.99")
            try shop.take("id,price,currency,valid_from\nA1,2,EUR,\n")
            let second = try await follower(service).synchronise(register)
            #expect(second.summary.updated == 1)
            #expect(try register.exported() == shop.exported())
        }
    }

    @Test func afterTheFirstTimeOnlyChangesComeAndNothingTakesOneRequest() async throws {
        try shop.take("id,name\n" + (1...2500).map { "\($0),name \($0)\n" }.joined())
        try await Service.run(path) { service in
            let follower = try follower(service)
            let first = try await follower.synchronise(register)
            #expect(first.summary.added == 2500)
            #expect(first.requests == 3)
            let local = try register.revision()

            let nothing = try await follower.synchronise(register)
            #expect(nothing.summary == FollowSummary())
            #expect(nothing.requests == 1)
            #expect(!nothing.isWhole)
            #expect(try register.revision() == local)

            try shop.take("id,name\n7,seven\n8,name 8\n3000,new\n")
            try shop.remove(ids: ["9", "10"])
            let changes = try await follower.synchronise(register)
            #expect(changes.requests == 1)
            #expect(!changes.isWhole)
            #expect(changes.summary.added == 1)
            #expect(changes.summary.updated == 1)
            #expect(changes.summary.removed == 2)
            #expect(try register.exported() == shop.exported())
        }
    }

    @Test func productsOfTheRegistersOwnStay() async throws {
        try register.take("id,name\nown,own\nshared,own\n")
        try shop.take("id,name\nshared,shop's\nother,shop's\n")
        try await Service.run(path) { service in
            let follower = try follower(service)
            try await follower.synchronise(register)
            #expect(
                try register.names() == ["own": "own", "shared": "shop's", "other": "shop's"])
            // What an import makes of a product of the shop's holds until it changes there.
            try register.take("id,name\nshared,own again\n")
            try await follower.synchronise(register)
            #expect(try register.names()["shared"] == "own again")
            try await follower.synchronise(register, anew: true)
            #expect(try register.names()["shared"] == "shop's")
            try shop.remove(ids: ["shared", "own"])
            try await follower.synchronise(register)
            #expect(try register.names() == ["own": "own", "other": "shop's"])
        }
    }

    @Test func aCatalogThatWasReplacedIsReadAnew() async throws {
        try shop.take("id,name\n1,one\n2,two\n")
        try await Service.run(path) { [scratch, path] service in
            let follower = try follower(service)
            try await follower.synchronise(register)
            let other = scratch.path("other.sqlite")
            try EmbeddedCatalog(path: other, access: .writing).take("id,name\n2,zwei\n3,drei\n")
            #expect(rename(other, path) == 0)
            let result = try await follower.synchronise(register)
            #expect(result.isWhole)
            #expect(result.requests == 2)
            #expect(try register.names() == ["2": "zwei", "3": "drei"])
            #expect(result.summary.removed == 1)
        }
    }

    @Test func whatChangesWhileItIsReadComesOverToo() async throws {
        try shop.take("id,name\n" + (1...3000).map { "\($0),name \($0)\n" }.joined())
        try await Service.run(path) { service in
            let meddling = Meddling(
                over: try CatalogFollower.transport(authorities: nil)
            ) { [shop] request in
                guard request < 4 else { return }
                try shop.take("id,name\n1,request \(request)\n\(request * 700),changed\n")
                try shop.remove(ids: ["\(request * 500)"])
            }
            let follower = CatalogFollower(
                of: try Address(service.url), token: nil, over: meddling)
            let result = try await follower.synchronise(register)
            #expect(try register.names() == shop.names())
            #expect(result.revision == "\(try shop.revision())")
        }
    }

    @Test func aTokenIsShown() async throws {
        try shop.take("id,name\n1,one\n")
        let token = try unwrapped(BearerToken("0123456789abcdef"))
        try await Service.run(path, token: token) { service in
            let result = try await follower(service, token: token).synchronise(register)
            #expect(result.summary.added == 1)
            for wrong in [nil, BearerToken("0123456789abcdeg")] {
                let error = await #expect(throws: SyncError.self) {
                    try await follower(service, token: wrong).synchronise(register)
                }
                #expect(
                    error?.description
                        == "The catalog at \(service.url)/ cannot be read: the server answered 401 "
                        + "Unauthorized: "
                        + (wrong == nil
                            ? "\"This needs a token; expected a header Authorization: Bearer and "
                                + "the token.\"." : "\"The token is not the one expected.\"."))
            }
        }
    }

    @Test func whoFollowsCanBeFollowed() async throws {
        try shop.take("id,name\n1,one\n2,two\n")
        let last = try EmbeddedCatalog.inMemory()
        try await Service.run(path) { service in
            try await follower(service).synchronise(register)
            try await Service.run(register.path) { middle in
                try await follower(middle).synchronise(last)
                try shop.take("id,name\n1,uno\n")
                try shop.remove(ids: ["2"])
                try await follower(service).synchronise(register)
                try await follower(middle).synchronise(last)
            }
        }
        #expect(try last.names() == ["1": "uno"])
    }
}

/// A transport that does something after each answer.
private struct Meddling: Transport {
    private let transport: any Transport
    private let count = Counter()
    private let meddle: @Sendable (Int) throws -> Void

    init(over transport: any Transport, _ meddle: @escaping @Sendable (Int) throws -> Void) {
        self.transport = transport
        self.meddle = meddle
    }

    func output(for request: Request, within limit: Duration) async -> Output {
        let output = await transport.output(for: request, within: limit)
        #expect(throws: Never.self) { try meddle(count.next()) }
        return output
    }
}
