import Barcodes
import Foundation
import Keystrokes
import Testing

@testable import KeywedgeDaemon

/// Tests that fields in the schema of the events allow exactly the words that the code knows.
@Suite struct EventVocabularyTests {
    private struct Schema: Decodable {
        var definitions: [String: Definition]

        enum CodingKeys: String, CodingKey { case definitions = "$defs" }

        struct Definition: Decodable {
            var properties: [String: Property]?
        }

        struct Property: Decodable {
            var words: [String?]?

            enum CodingKeys: String, CodingKey { case words = "enum" }
        }
    }

    private let schema: Schema

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/keywedge-events.schema.json")
        schema = try JSONDecoder().decode(Schema.self, from: Data(contentsOf: file))
    }

    private func words(_ definition: String, _ property: String) throws -> Set<String> {
        let words = try #require(schema.definitions[definition]?.properties?[property]?.words)
        return Set(words.compactMap(\.self))
    }

    private func words<Value: CaseIterable & RawRepresentable<String>>(
        of type: Value.Type
    ) -> Set<String> {
        Set(type.allCases.map(\.rawValue))
    }

    @Test func theSchemaHasEveryWord() throws {
        #expect(try words("data-scan", "symbology") == words(of: Symbology.self))
        #expect(try words("data-scan", "kind") == words(of: Barcode.Kind.self))
        #expect(try words("data-rejected", "reason") == words(of: Rejection.Reason.self))
        #expect(try words("data-redacted", "content") == words(of: SensitiveContent.Kind.self))
        #expect(try words("charge", "reason") == words(of: Charge.Reason.self))
        #expect(try words("charge", "from") == words(of: Charge.Source.self))
    }
}
