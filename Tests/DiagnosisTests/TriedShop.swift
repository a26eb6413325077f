import Catalog
import Foundation
import KeywedgeTestKit
import TestWaiting
import Testing
import WireText

@testable import Diagnosis
@testable import KeywedgeConfiguration

/// A shop's catalog on a stub server, and checks of its configuration.
struct TriedShop {
    static let pen = "4006381333931"

    /// A configuration for a shop that answers `GET /p/{code}` with `{"id", "name", "ean"}` or 404.
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

    /// Answers like the shop, except 400 on the first connection, like a plain HTTP server that receives TLS.
    @Sendable static func withoutTLS(_ connection: StubConnection) async throws {
        guard connection.number > 0 else {
            return try await connection.write(StubAnswer(400))
        }
        while let request = await connection.readRequest() {
            try await connection.write(answer(request))
        }
    }

    /// Returns the shop's product if it is requested, otherwise the answer `missing`.
    static func answer(
        _ request: StubRequest, at path: String = "/p/" + pen,
        product: String = #"{"id":"P","name":"Pen","ean":"4006381333931"}"#,
        else missing: StubAnswer = .json(#"{"message":"No product"}"#, status: 404)
    ) -> StubAnswer {
        request.target == path ? .json(product) : missing
    }

    /// Reads a configuration, to which settings are added as a person would write them.
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

    /// Checks a catalog, with a clock that only the test advances.
    static func report(
        _ configuration: HTTPCatalogConfiguration,
        codes: EndpointCodes = EndpointCodes(known: [.init(pen)]),
        clock: ManualClock = ManualClock()
    ) async -> Report {
        await EndpointCheck(
            catalog: configuration, codes: codes, opening: CatalogFactory { _ in },
            timeout: .patience, clock: clock
        ).run()
    }

    /// Checks a catalog, adds the setting that the report advises, and checks the catalog again.
    ///
    /// - Parameters:
    ///   - yaml: The configuration.
    ///   - step: The step that must fail before the setting is added.
    ///   - advised: The expected setting; nil for any.
    ///   - codes: The codes to try.
    ///   - prepare: Completes the setting as a person would, for example with the path of a file.
    ///   - sourceLocation: The position of the test in its source file.
    /// - Throws: An error if no setting is advised, and any error thrown by `prepare`.
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
