import Catalog
import GRDB
import HTTPTypes
import Synchronization
import TestFolders
import Testing
import WebAPI

@testable import CatalogService

/// A register whose file was changed behind its back.
@Suite(.timeLimit(.minutes(10))) struct DriftTests {
    private let scratch: TemporaryFolder
    private let shop: EmbeddedCatalog
    private let register: EmbeddedCatalog

    init() throws {
        scratch = try TemporaryFolder()
        shop = try EmbeddedCatalog(path: scratch.path("shop.sqlite"), access: .writing)
        register = try EmbeddedCatalog(path: scratch.path("register.sqlite"), access: .writing)
        try shop.take("id,code,name\n" + (1...2500).map { "\($0),C\($0),name \($0)\n" }.joined())
    }

    /// Changes a catalog's file as no keywedge does.
    private func meddle(with catalog: EmbeddedCatalog, _ sql: String) throws {
        let queue = try DatabaseQueue(path: catalog.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = 0; " + sql)
        }
        try queue.close()
    }

    private func follower(_ service: Service) throws -> CatalogFollower {
        try CatalogFollower(of: service.url)
    }

    /// Changes the register's file as no keywedge does.
    private func meddle(_ sql: String) throws { try meddle(with: register, sql) }

    private func differences(_ service: Service) async throws -> [CatalogDifference] {
        var found: [CatalogDifference] = []
        _ = try await follower(service).compareAll(register) { found.append($0) }
        return found
    }

    @Test func whatIsTheSameIsSaidToBe() async throws {
        try await Service.run(shop.path) { service in
            let result = try await follower(service).synchronise(register)
            #expect(result.differingRanges == 0)
            #expect(try await differences(service) == [])
            #expect(try register.drift() == nil)
        }
    }

    @Test func whatDiffersIsNamedAndMendedOnce() async throws {
        try await Service.run(shop.path) { service in
            try await follower(service).synchronise(register)
            try meddle(
                """
                UPDATE product SET price = '0.01', currency = 'EUR' WHERE id = '7';
                DELETE FROM product WHERE id = '1500';
                INSERT INTO product (number, id, name) VALUES (9999, 'extra', 'x');
                DELETE FROM code WHERE text = 'C2000';
                """)
            #expect(
                try await differences(service) == [
                    .missing(id: "1500"), .different(id: "2000"), .different(id: "7"),
                    .additional(id: "extra"),
                ])
            let result = try await follower(service).synchronise(register)
            #expect(result.differingRanges > 0)
            #expect(try register.sorted() == shop.sorted())
            #expect(try await differences(service) == [])
            let drift = try unwrapped(try register.drift())
            #expect(drift.isMended)
            #expect(drift.times == 1)
            #expect(try register.revision() == shop.revision())
            #expect(try await follower(service).synchronise(register).differingRanges == 0)
        }
    }

    /// A follower whose service gives digests only so many times.
    private func follower(_ service: Service, comparing times: Int) throws -> CatalogFollower {
        let left = Mutex(times)
        let transport = Changing(try CatalogFollower.transport(authorities: nil)) {
            request, output in
            guard request.url.description.hasSuffix("/v1/digests") else { return output }
            let isGiven = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isGiven ? output : .response(Response(status: .notFound))
        }
        return CatalogFollower(of: try Address(service.url), token: nil, over: transport)
    }

    @Test func thatNothingWasComparedIsTold() async throws {
        try await Service.run(shop.path) { service in
            let result = try await follower(service, comparing: 0).synchronise(register)
            #expect(result.differingRanges == 0)
            #expect(result.comparisonProblem?.contains("cannot be compared") == true)
            let compared = try await follower(service, comparing: 1).synchronise(register)
            #expect(compared.comparisonProblem == nil)
        }
    }

    @Test func whatWasNotComparedAgainIsNotMended() async throws {
        try await Service.run(shop.path) { service in
            try await follower(service).synchronise(register)
            try meddle("UPDATE product SET name = 'x' WHERE id = '7'")
            let result = try await follower(service, comparing: 1).synchronise(register)
            #expect(result.differingRanges == 1)
            #expect(result.comparisonProblem != nil)
            #expect(try register.drift()?.isMended == false)
            // The next revision shows that it was.
            try shop.take("id,name\n7,seven\n")
            #expect(try await follower(service).synchronise(register).comparisonProblem == nil)
            #expect(try register.drift()?.isMended == true)
        }
    }

    @Test func aPriceForATimeIsPartOfAProduct() async throws {
        try await Service.run(shop.path) { service in
            try await follower(service).synchronise(register)
            try meddle("UPDATE product SET dated_prices = '1.00 EUR - 7' WHERE id = '7'")
            #expect(try await differences(service) == [.different(id: "7")])
        }
    }

    @Test func theFirstAndTheLastProductAreNamedToo() async throws {
        try await Service.run(shop.path) { service in
            try await follower(service).synchronise(register)
            try meddle("DELETE FROM product WHERE id = '1'; DELETE FROM product WHERE id = '999'")
            #expect(
                try await differences(service) == [.missing(id: "1"), .missing(id: "999")])
        }
    }

    @Test func whatWasChangedHereOnPurposeStays() async throws {
        try await Service.run(shop.path) { service in
            try await follower(service).synchronise(register)
            try register.take("id,name\nown,own\n7,ours\n")
            let result = try await follower(service).synchronise(register)
            #expect(result.differingRanges == 0)
            #expect(try register.names()["7"] == "ours")
            #expect(
                try await differences(service) == [.different(id: "7"), .additional(id: "own")])
        }
    }

    /// A chain: the register follows a branch, which follows the shop, differs from it, and is mended.
    @Test func whatCameFromADamagedBranchIsMendedBehindIt() async throws {
        let path = scratch.path("branch.sqlite")
        let branch = try EmbeddedCatalog(path: path, access: .writing)
        try await Service.run(shop.path) { office in
            try await follower(office).synchronise(branch)
            try meddle(with: branch, "UPDATE product SET name = 'wrong' WHERE id = '7'")
            try await Service.run(path) { service in
                // It takes the damage over, and has the branch's digests made.
                #expect(try await follower(service).synchronise(register).differingRanges == 0)
                #expect(try register.names()["7"] == "wrong")
                let page = try await service.get("/v1/products?limit=1000")
                let file = try await service.get("/v1/snapshot")

                #expect(try await follower(office).synchronise(branch).differingRanges > 0)
                #expect(try branch.revision() == shop.revision())
                #expect(!(try await differences(service)).isEmpty)
                #expect(try await follower(service).synchronise(register).differingRanges > 0)
                #expect(try register.sorted() == shop.sorted())
                #expect(try await differences(service) == [])

                // Nothing that was kept of it by others holds any longer.
                for (target, old) in [("/v1/products?limit=1000", page), ("/v1/snapshot", file)] {
                    let tag = try unwrapped(old.headers[.eTag])
                    let new = try await service.get(target, [.ifNoneMatch: tag])
                    #expect(new.status == .ok)
                    #expect(new.payload != old.payload)
                }
            }
        }
    }

    @Test func whatIsImportedWhileTheyAreComparedStays() async throws {
        try await Service.run(shop.path) { service in
            try await follower(service).synchronise(register)
            let revision = "\(try register.revision())"
            try register.take("id,name,scope\nown,own,airport\n")
            #expect(try !register.noteDrift(at: revision, ranges: 1, secondsSince1970: 0))
            try await follower(service).synchronise(register, anew: true)
            #expect(try register.names()["own"] == "own")
            #expect(try register.drift() == nil)
        }
    }

    @Test func anArticleOfOneShopHereStaysWhateverElseDiffers() async throws {
        try await Service.run(shop.path) { service in
            try await follower(service).synchronise(register)
            try register.take("id,name,scope\nown,own,airport\n")
            try meddle("UPDATE product SET name = 'x' WHERE id = '7'")
            let result = try await follower(service).synchronise(register)
            #expect(result.differingRanges == 0)
            try await follower(service).synchronise(register, anew: true)
            #expect(try register.names()["own"] == "own")
            #expect(try register.names()["7"] == "name 7")
        }
    }
}
