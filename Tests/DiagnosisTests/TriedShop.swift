import Catalog
import Foundation
import KeywedgeTestKit
import TestWaiting
import Testing
import WireText

@testable import Diagnosis
@testable import KeywedgeConfiguration

/// A shop's catalog on loopback, its configuration as YAML, and a folder for its files.
struct TriedShop {
    static let pen = "4006381333931"

    /// `GET /p/{code}` gives `{"id", "name", "ean"}`, or 404.
    static func declaration(_ server: StubServer) -> String {
        """
        name: shop
        url: "\(server.url)"
        codes: {ask: [gtin-13]}
        request: {path: "/p/{code}"}
        not_found: {status: 404}
        product: {id: [/id], name: [/name], codes: [/ean], verify: [/ean]}
        """
    }

    /// Answers like the shop, except on the first connection: there like a server that gets TLS unexpectedly.
    @Sendable static func withoutTLS(_ connection: StubConnection) async throws {
        guard connection.number > 0 else {
            return try await connection.write(StubAnswer(400))
        }
        while let request = await connection.readRequest() {
            try await connection.write(answer(request))
        }
    }

    /// The shop's product if the path names it, otherwise the given answer.
    static func answer(
        _ request: StubRequest, at path: String = "/p/" + pen,
        product: String = #"{"id":"P","name":"Pen","ean":"4006381333931"}"#,
        else missing: StubAnswer = .json(#"{"message":"No product"}"#, status: 404)
    ) -> StubAnswer {
        request.target == path ? .json(product) : missing
    }

    /// The configuration with added settings, as a person would write them.
    static func configuration(
        _ yaml: String, with settings: [String] = []
    ) throws -> HTTPCatalogConfiguration {
        let context = ReadingContext(file: "shop.yaml", folder: "/")
        let codec = HTTPCatalogConfiguration.section.codec
        var tree = try #require(YAMLComposer.compose(yaml, context))
        for setting in settings {
            tree = codec.merge(tree, try #require(YAMLComposer.compose(setting, context)))
        }
        let configuration = codec.read(
            ConfigurationReader(tree: tree, path: "", context: context))
        try context.finish()
        return try #require(configuration)
    }

    /// Tries a catalog on a clock that only the test moves.
    static func report(
        _ configuration: HTTPCatalogConfiguration,
        codes: EndpointCodes = EndpointCodes(known: [.init(pen)]),
        clock: ManualClock = ManualClock()
    ) async -> Report {
        await EndpointCheck(
            configuration, codes: codes, opening: CatalogFactory { _ in },
            timeout: .patience, clock: clock
        ).run()
    }

    /// Tries a catalog, writes the setting that is advised, and tries it again.
    ///
    /// - Parameters:
    ///   - yaml: The configuration.
    ///   - step: The step that has to fail.
    ///   - advised: The setting that has to be advised, or that has to be looked at.
    ///   - codes: The codes to try.
    ///   - prepare: Gives the setting as a person writes it: with the path of a file of its own.
    ///   - sourceLocation: Where the test is.
    /// - Throws: What `prepare` throws, and where there is no setting.
    static func mend(
        _ yaml: String, failing step: Finding.Subject, advised: String? = nil,
        codes: EndpointCodes = EndpointCodes(known: [.init(pen)]),
        prepare: (String) throws -> String = { $0 },
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = await report(try configuration(yaml), codes: codes)
        let failed = before.findings.filter { $0.verdict == .fails }
        #expect(
            failed.map(\.subject) == [step], "\(before.lines.joined(separator: "\n"))",
            sourceLocation: sourceLocation)
        let remedy = try #require(
            failed.first?.remedies.first, sourceLocation: sourceLocation)
        let setting = (remedy.setting + remedy.standing).joined(separator: "\n")
        let isOther = try configuration(yaml, with: [setting]) != configuration(yaml)
        #expect(isOther == !remedy.setting.isEmpty, "\(setting)", sourceLocation: sourceLocation)
        if let advised { #expect(setting == advised, sourceLocation: sourceLocation) }
        let after = await report(
            try configuration(yaml, with: [try prepare(setting)]), codes: codes)
        #expect(
            after.holds, "\(setting)\n\(after.lines.joined(separator: "\n"))",
            sourceLocation: sourceLocation)
    }
}

extension Report {
    var holds: Bool { worst == .holds }
    var lines: [String] { findings.flatMap(\.lines) }
}
