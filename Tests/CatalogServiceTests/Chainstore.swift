import Catalog
import Foundation
import HTTPService
import HTTPTypes
import TestFolders

@testable import CatalogService

/// The catalog of a chain with three shops, and their tokens.
struct Chainstore: Sendable {
    static let articles = """
        id,code,name,price,currency,scope,listed
        1,C1,Pencil,0.89,EUR,,
        2,C2,Milk,1.29,EUR,,
        3,C3,Sledge,39.00,EUR,,no
        1,,,0.99,EUR,airport,
        3,,,,,alps,yes
        2,,,,,alps,no
        9,C9,Bun,0.50,EUR,harbour,

        """

    let scratch: TemporaryFolder
    let whole: EmbeddedCatalog
    let token: BearerToken
    let scopes: ScopeTokens

    init() throws {
        scratch = try TemporaryFolder()
        whole = try EmbeddedCatalog(path: scratch.path("chain.sqlite"), access: .writing)
        try whole.take(Self.articles)
        token = try unwrapped(BearerToken("token-of-head-office"))
        let file = scratch.path("shops.tokens")
        let shops = ["airport", "alps", "harbour", "moon"]
        try shops.map { "\($0) token-of-\($0)-0123456789" }.joined(separator: "\n")
            .write(toFile: file, atomically: true, encoding: .utf8)
        scopes = try ScopeTokens(file: file)
    }

    /// Imports what is of one shop.
    func take(_ csv: String, for shop: String, whole isWhole: Bool = false) throws {
        var options = ImportOptions()
        options.scope = CatalogScope(shop)
        options.isWhole = isWhole
        try whole.importCSV(bytes: Array(csv.utf8), name: "shop.csv", options: options)
    }

    func shop(_ name: String) throws -> EmbeddedCatalog {
        try EmbeddedCatalog(path: whole.path, scope: unwrapped(CatalogScope(name)))
    }

    static func token(of shop: String) throws -> BearerToken {
        try unwrapped(BearerToken("token-of-\(shop)-0123456789"))
    }

    /// What a client of a shop sends; nil for head office.
    static func fields(of shop: String?) throws -> HTTPFields {
        let shown = try shop.map(token(of:)) ?? unwrapped(BearerToken("token-of-head-office"))
        return [.authorization: shown.headerValue]
    }

    func run<Value: Sendable>(_ body: @Sendable (Service) async throws -> Value) async throws
        -> Value
    {
        try await Service.run(whole.path, token: token, scopes: scopes, grace: .seconds(30), body)
    }
}
