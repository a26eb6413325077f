import Catalog
import HTTPService
import TestFolders
import Testing
import WebAPI

@testable import CatalogService

/// Registers of shops that follow the catalog of a chain.
@Suite(.timeLimit(.minutes(10))) struct ScopeSyncTests {
    private let chain: Chainstore
    private let register: EmbeddedCatalog

    init() throws {
        chain = try Chainstore()
        register = try EmbeddedCatalog(
            path: chain.scratch.path("register.sqlite"), access: .writing)
    }

    private func follower(
        _ service: Service, _ token: BearerToken, as scope: String? = nil
    ) throws -> CatalogFollower {
        CatalogFollower(
            of: try Address(service.url), token: token, as: scope.flatMap { CatalogScope($0) },
            over: try CatalogFollower.transport(authorities: nil))
    }

    /// What two catalogs have, whatever order it was imported in.
    private func expectSame(_ catalog: EmbeddedCatalog, _ shop: EmbeddedCatalog) throws {
        #expect(try catalog.sorted() == shop.sorted())
        #expect(try catalog.revision() == shop.revision())
    }

    @Test func aRegisterHasWhatItsShopHas() async throws {
        try await chain.run { service in
            let follower = try follower(service, Chainstore.token(of: "alps"))
            try await follower.synchronise(register)
            try expectSame(register, chain.shop("alps"))

            try chain.take("id,price,currency\n1,0.79,EUR\n", for: "alps")
            let own = try await follower.synchronise(register)
            #expect(own.summary.updated == 1)
            try expectSame(register, chain.shop("alps"))

            try chain.take("id,price,currency\n1,5.00,EUR\n", for: "airport")
            let other = try await follower.synchronise(register)
            #expect(other.summary == FollowSummary())
            #expect(other.differingRanges == 0)
            try expectSame(register, chain.shop("alps"))

            try chain.take("id\n1\n", for: "alps", whole: true)
            let gone = try await follower.synchronise(register)
            #expect(gone.summary.removed == 1)
            try expectSame(register, chain.shop("alps"))
            let found = try await follower.compareAll(register) { Issue.record("\($0)") }
            #expect(found.products == 1)
        }
    }

    @Test func headOfficeMayAskAsAShop() async throws {
        try await chain.run { service in
            try await follower(service, chain.token, as: "harbour").synchronise(register)
            try expectSame(register, chain.shop("harbour"))
            // Another shop's products take the place of these.
            let moved = try await follower(service, chain.token, as: "alps").synchronise(register)
            #expect(moved.isWhole)
            #expect(moved.summary.removed == 2)
            try expectSame(register, chain.shop("alps"))
        }
    }

    @Test func aShopServesItsRegistersWhatItHas() async throws {
        let shop = try EmbeddedCatalog(path: chain.scratch.path("shop.sqlite"), access: .writing)
        try chain.take(
            "id,name\n" + (1...12_000).map { "N\($0),name \($0)\n" }.joined(), for: "airport")
        try await chain.run { service in
            let token = try Chainstore.token(of: "airport")
            let first = try await follower(service, token).synchronise(shop)
            #expect(first.snapshotProblem == nil)
            #expect(try shop.count() == 12_002)
            try await Service.run(shop.path) { service in
                let result = try await CatalogFollower(of: service.url).synchronise(register)
                #expect(result.snapshotProblem == nil)
                try expectSame(register, chain.shop("airport"))
            }
        }
    }

    @Test func whatIsNotForTheTokenIsRefused() async throws {
        try await chain.run { service in
            for (token, scope) in [("alps", "airport"), ("moon", nil)] as [(String, String?)] {
                let follower = try follower(service, Chainstore.token(of: token), as: scope)
                await #expect(throws: SyncError.self) { try await follower.synchronise(register) }
            }
            let follower = try follower(service, chain.token, as: "nowhere")
            await #expect(throws: SyncError.self) { try await follower.synchronise(register) }
            #expect(try register.count() == 0)
        }
    }
}
