import Catalog
import Foundation
import HTTPCatalog
import KeywedgeConfiguration
import KeywedgeDaemon
import KeywedgeTestKit
import Testing

@testable import KeywedgeDaemon

@Suite struct PresetTests {
    static let cases: [PresetCase] = [
        .openFoodFacts, .openFoodFactsV3, .upcItemDB, .grocy, .inventree, .odoo, .square, .shopify,
        .wooCommerce, .kroger, .lightspeedX, .loyverse, .gs1Resolver, .keywedge,
    ]

    @Test(arguments: cases) func aProductIsFound(_ preset: PresetCase) async throws {
        let (answer, requests) = try await preset.lookup { request in
            // The longest matching target, because one may be a prefix of another.
            let keys = preset.found.keys.sorted { $0.count > $1.count }
            let key = keys.first { request.target.hasPrefix($0) }
            return key.flatMap { preset.found[$0] } ?? .text("no such page", status: 404)
        }
        #expect(requests.map(\.line) == preset.requests)
        guard case .found(let match) = answer.outcome else {
            Issue.record("\(answer)")
            return
        }
        #expect(match.candidates == [preset.product])
        #expect(answer.origin == .network)
        if let header = preset.header {
            #expect(requests.last?[header.name] == header.value)
        }
        #expect(requests.allSatisfy { $0["User-Agent"] == "keywedge" })
    }

    @Test(arguments: [PresetCase.inventree, .loyverse])
    func aSecondAnswerAboutAnotherProductIsAnError(_ preset: PresetCase) async throws {
        let second = preset.requests.last?.split(separator: " ").last.map(String.init) ?? ""
        let (answer, requests) = try await preset.lookup { request in
            // The preset asks for the part 37 or the item i-1.
            let other = #"{"pk":38,"id":"i-2","name":"Other","item_name":"Other"}"#
            guard request.target != second else { return .json(other) }
            return preset.found.first { request.target.hasPrefix($0.key) }?.value ?? .json("{}")
        }
        #expect(requests.map(\.line) == preset.requests)
        #expect(answer.outcome.failure?.code == .otherProduct)
    }

    @Test(arguments: cases) func aProductIsNotFoundInTheServicesOwnWay(
        _ preset: PresetCase
    ) async throws {
        for missing in preset.missing {
            let (answer, requests) = try await preset.lookup { Self.token($0) ?? missing }
            #expect(answer.outcome == .notFound)
            #expect(!requests.isEmpty)
        }
    }

    @Test(arguments: cases) func beingThrottledIsNeitherFoundNorMissing(
        _ preset: PresetCase
    ) async throws {
        let (answer, requests) = try await preset.lookup { Self.token($0) ?? preset.throttled }
        #expect(answer.outcome.failure?.code == .throttled)
        #expect(answer.attempts == 1)
        #expect(requests.last?.target.isEmpty == false)
    }

    @Test(arguments: cases) func whatIsBrokenIsAnErrorThatSaysWhat(
        _ preset: PresetCase
    ) async throws {
        let everywhere: [(StubAnswer, LookupFailure.Code)] = [
            (.text("<html><title>Down</title>", type: "text/html", status: 502), .serverError),
            (.text("<html>Log in</html>", type: "text/html"), .unreadableAnswer),
            (.text("not here", status: 418), .unexpectedStatus),
        ]
        for (broken, code) in preset.broken + everywhere {
            let (answer, _) = try await preset.lookup { Self.token($0) ?? broken }
            #expect(answer.outcome.failure?.code == code, "\(answer)")
        }
    }

    @Test func everyFileIsAPresetAndThereIsATestForEach() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: "examples/catalogs")
        #expect(Set(files) == Set(Presets.names.map { $0 + ".yaml" }))
        #expect(Self.cases.map(\.name).sorted() == Presets.names)
        for name in Presets.names {
            let text = try String(
                contentsOfFile: "examples/catalogs/\(name).yaml", encoding: .utf8)
            #expect(Presets.text(name) == text)
            #expect(text.contains("# Cannot: "))
            #expect(text.contains("# Source: "))
            // A preset verifies each answer; with `then`, there are two.
            let verified = text.components(separatedBy: "\n  verify: ").count - 1
            #expect(verified == (text.contains("\nthen:") ? 2 : 1), "\(name)")
        }
    }

    /// The answer to a request for a token.
    private static func token(_ request: StubRequest) -> StubAnswer? {
        guard request.target.hasSuffix("/token") else { return nil }
        return .json(#"{"access_token":"t0ken","token_type":"bearer","expires_in":1800}"#)
    }
}

extension LookupOutcome {
    /// The reason why the lookup failed; nil if it did not fail.
    var failure: LookupFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }
}
