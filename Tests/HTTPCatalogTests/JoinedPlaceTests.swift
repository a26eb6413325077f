import Catalog
import KeywedgeTestKit
import Testing
import WebAPI

@testable import HTTPCatalog

@Suite struct JoinedPlaceTests {
    /// A list that an answer has beside its products, and the resulting name of the second product.
    private static let beside: [(list: String, name: String)] = [
        (#"[{"id":"I1","name":"Ink"},{"id":"I2","name":"Pen"}]"#, "Pen"),
        (#"[{"id":"I2","name":"Pen"}]"#, "Pen"),
        // Unless exactly one element belongs to the product and has a name, its own name counts.
        (#"[{"id":"I1","name":"Ink"}]"#, "own"), ("[]", "own"), ("null", "own"),
        (#"[{"id":"I2","name":"Pen"},{"id":"I2","name":"Ink"}]"#, "own"),
        (#"[{"id":"i2","name":"Ink"},{"name":"Ink"},7]"#, "own"),
        (#"[{"id":"I2","name":" "}]"#, "own"), (#"{"id":"I2","name":"Pen"}"#, "own"),
    ]

    @Test(arguments: Self.beside)
    func aFieldComesFromTheElementThatBelongsToTheProduct(list: String, name: String) async throws {
        let found = try await foundName(
            #"{"items":[{"id":1,"ean":"0","of":"I1","own":"no","price":"9"},"#
                + #"{"id":2,"ean":"4006381333931","of":"I2","own":"own","price":"1.20"}],"#
                + #""beside":\#(list)}"#)
        #expect(found == name)
    }

    @Test func aProductThatNamesNoElementHasNone() async throws {
        let found = try await foundName(
            #"{"items":[{"id":2,"ean":"4006381333931","own":"own","price":"1.20"}],"#
                + #""beside":[{"name":"Ink"}]}"#)
        #expect(found == "own")
    }

    private func foundName(_ answer: String) async throws -> String? {
        let catalog = try Shop.catalog(StubTransport([Shop.json(answer)])) { declaration in
            declaration.product.items = Shop.pointer("/items")
            declaration.product.name = [
                .element(
                    of: Shop.place("#/beside"), where: Shop.pointer("/id"), is: Shop.place("/of"),
                    take: Shop.pointer("/name")),
                Shop.place("/own"),
            ]
        }
        return await catalog.lookup("4006381333931").match?.product.name
    }
}
