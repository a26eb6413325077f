import Catalog
import Foundation
import TestFolders
import Testing
import WebAPI

@testable import CatalogService

/// Head office, shop and register: each follows the one before, and may be followed.
@Suite(.timeLimit(.minutes(10))) struct ChainTests {
    private let scratch: TemporaryFolder
    private let office: EmbeddedCatalog
    private let shop: EmbeddedCatalog
    private let register: EmbeddedCatalog

    init() throws {
        scratch = try TemporaryFolder()
        office = try EmbeddedCatalog(path: scratch.path("office.sqlite"), access: .writing)
        shop = try EmbeddedCatalog(path: scratch.path("shop.sqlite"), access: .writing)
        register = try EmbeddedCatalog(path: scratch.path("register.sqlite"), access: .writing)
        try office.take("id,name\n1,one\n2,two\n3,three\n")
    }

    @discardableResult
    private func follow(_ service: Service, _ catalog: EmbeddedCatalog) async throws -> SyncResult {
        try await CatalogFollower(of: service.url).synchronise(catalog)
    }

    @Test func aRegisterMayBePointedAtEither() async throws {
        try await Service.run(office.path) { office in
            try await Service.run(shop.path) { shop in
                try await follow(office, self.shop)
                #expect(try self.shop.revision() == self.office.revision())
                try await follow(shop, register)
                #expect(try register.revision() == self.office.revision())

                // From the office, what has changed there comes, and no more.
                try self.office.take("id,name\n1,uno\n")
                let changes = try await follow(office, register)
                #expect(!changes.isWhole)
                #expect(changes.summary.updated == 1)

                // And back to the shop, once it has caught up.
                try await follow(office, self.shop)
                let nothing = try await follow(shop, register)
                #expect(!nothing.isWhole)
                #expect(nothing.summary == FollowSummary())

                try self.office.remove(ids: ["2"])
                try await follow(office, self.shop)
                let removal = try await follow(shop, register)
                #expect(!removal.isWhole)
                #expect(removal.summary.removed == 1)
                #expect(try register.exported() == self.office.exported())
                #expect(try register.revision() == self.office.revision())
            }
        }
    }

    @Test func whoChangesSomethingHasRevisionsOfItsOwn() async throws {
        try await Service.run(office.path) { office in
            try await follow(office, shop)
            try shop.take("id,name\nown,own\n")
            #expect(try shop.revision() != self.office.revision())
            try self.office.take("id,name\n4,four\n")
            try await follow(office, shop)
            #expect(try shop.names()["own"] == "own")
            #expect(try shop.revision() != self.office.revision())
            try await Service.run(shop.path) { shop in
                try await follow(shop, register)
                #expect(try register.names() == self.shop.names())
                #expect(try register.revision() == self.shop.revision())
            }
        }
    }

    @Test func aCatalogThatFollowsItselfIsRefused() async throws {
        try await Service.run(shop.path) { service in
            let error = await #expect(throws: SyncError.self) { try await follow(service, shop) }
            #expect(
                error?.description
                    == "The catalog at \(service.url)/ follows this one, itself or through others, "
                    + "so that this one cannot follow it; expected a chain that begins with a "
                    + "catalog that follows none.")
        }
    }

    @Test func aRoundIsRefused() async throws {
        try await Service.run(office.path) { office in
            try await follow(office, shop)
            try await Service.run(shop.path) { shop in
                try await follow(shop, register)
                try await Service.run(register.path) { register in
                    let before = try self.office.exported()
                    for service in [register, shop] {
                        await #expect(throws: SyncError.self) {
                            try await follow(service, self.office)
                        }
                    }
                    #expect(try self.office.exported() == before)
                }
            }
        }
    }

    @Test func aCopyOfACatalogIsAnotherOne() throws {
        let copy = scratch.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: office.path, toPath: copy)
        #expect(ServiceChain.id(path: copy) != ServiceChain.id(path: office.path))
        #expect(ServiceChain.id(path: office.path) == ServiceChain.id(path: office.path))
        #expect(ServiceChain.id(path: scratch.path("none")) == nil)
    }
}
