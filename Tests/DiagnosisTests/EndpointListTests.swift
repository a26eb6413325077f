import KeywedgeConfiguration
import KeywedgeTestKit
import Synchronization
import Testing

@testable import Diagnosis

/// A catalog that answers with a list: someone who follows the advice must never sell another product of the list.
@Suite struct EndpointListTests {
    private static let pen = #"{"id":"P","name":"Pen","ean":"4006381333931","price":"3.49"}"#
    private static let ink = #"{"id":"I","name":"Ink","ean":"4006381333948","price":"4.99"}"#
    /// A near match, which a search lists beside the product that has the code.
    private static let near =
        #"{"id":"N","name":"Pencil","ean":"4006381333955","price":"9.99","old":"3.49"}"#

    private static let codes = EndpointCodes(known: [
        .init("4006381333931", price: "3.49"), .init("4006381333948", price: "4.99"),
    ])

    private static let price = "price: {amount: /price, currency: EUR}"

    /// The products of an answer; `near`: the other products before and after them.
    private static func answer(_ request: StubRequest, near: (Bool, Bool)) -> [String] {
        let own = [pen, ink].filter { $0.contains(request.path.dropFirst("/p/".count)) }
        return (near.0 ? [Self.near] : []) + own + (near.1 ? [Self.near] : [])
    }

    /// Adds the advised settings until the check holds or advises none, and returns all the settings it added.
    private func followed(_ yaml: String, codes: EndpointCodes = codes) async throws -> [String] {
        var settings: [String] = []
        for _ in 0..<8 {
            let report = await TriedShop.report(
                try TriedShop.configuration(yaml, with: settings), codes: codes)
            let remedies = report.findings.flatMap(\.remedies)
            guard let setting = remedies.first?.setting, !setting.isEmpty else { break }
            settings.append(setting.joined(separator: "\n"))
        }
        return settings
    }

    private func yaml(_ server: StubServer, _ product: String) -> String {
        TriedShop.declaration(server).split(separator: "\n").dropLast().joined(separator: "\n")
            + "\nproduct: {\(product)}"
    }

    /// Cases: while the check runs, the list has only the product, or also a near match after it or before it.
    @Test(
        arguments: [
            "id: /id, name: /name, \(price)", "id: /id, name: /name, \(price), verify: /ean",
            "id: /id, name: /name, \(price), items: /items", "id: /sku, \(price), verify: /ean",
            #"id: ["/id", "/data/0/id"], \#(price)"#,
            "id: /request, \(price), verify: {codes: {each: /data, take: /ean}}",
        ], [(false, false), (false, true), (true, false)])
    func theListIsNamed(product: String, near: (Bool, Bool)) async throws {
        let nearby = Mutex(near)
        try await StubServer.answering { request in
            let items = Self.answer(request, near: nearby.withLock(\.self))
            return .json(
                #"{"request":"r\#(request.path)","data":[\#(items.joined(separator: ","))]}"#)
        } _: { server in
            let yaml = yaml(server, product)
            let settings = try await followed(yaml)
            // If the near match comes first for every code, the check may say that the catalog ignores the code.
            if settings.isEmpty, product.contains("/data/0"), near.0 { return }
            #expect(settings.first?.contains("items: \"/data\"") == true, "\(settings)")
            #expect(!settings.joined().contains("/data/"), "\(settings)")
            #expect(product.contains("each") || !settings.joined().contains("each"), "\(settings)")
            for later in [(false, false), (true, false), (true, true)] {
                nearby.withLock { $0 = later }
                let report = await TriedShop.report(
                    try TriedShop.configuration(yaml, with: settings), codes: Self.codes)
                let known = report.findings.filter { $0.subject == .knownCode }
                let lines = report.lines.joined(separator: "\n")
                #expect(known.allSatisfy { $0.verdict == .holds }, "\(settings)\n\(lines)")
                #expect(!lines.contains("is \"N\""), "\(settings)\n\(lines)")
            }
        }
    }

    /// `verify` is advised as soon as an answer has other products, whichever of them comes first.
    @Test(arguments: [(true, false), (false, true)])
    func aSearchWithNearMatchesNeedsVerify(near: (Bool, Bool)) async throws {
        try await StubServer.answering { request in
            .json("[\(Self.answer(request, near: near).joined(separator: ","))]")
        } _: { server in
            try await TriedShop.mend(
                yaml(server, "items: \"\", id: /id, \(Self.price)"), failing: .knownCode,
                advised: """
                    product:
                      verify:
                        codes: ["/ean"]
                        otherwise: not-found
                    """, codes: EndpointCodes(known: [.init("4006381333931", price: "3.49")]))
        }
    }

    /// No place reaches the right element of a list inside a list, or of a product's own list.
    @Test(arguments: ["/data", "/group"])
    func noPlaceInsideAListIsAdvised(outer: String) async throws {
        try await StubServer.answering { request in
            let variants = Self.answer(request, near: (true, false)).joined(separator: ",")
            let group = #"{"id":"G","title":"Group","variants":[\#(variants)]}"#
            return .json(outer == "/data" ? #"{"data":[\#(group)]}"# : #"{"group":\#(group)}"#)
        } _: { server in
            for (product, isMended) in [
                // The list in the object can be named as the list of the products.
                ("id: /id, \(Self.price)", outer == "/group"),
                ("id: /group/id, \(Self.price), verify: /ean", false),
            ] {
                let settings = try await followed(yaml(server, product))
                #expect(!settings.joined().contains(#/\/[0-9]/#), "\(settings)")
                let report = await TriedShop.report(
                    try TriedShop.configuration(yaml(server, product), with: settings),
                    codes: Self.codes)
                #expect(report.holds == isMended, "\(settings)")
            }
        }
    }

    /// A field that repeats the question would vouch for any product.
    @Test(arguments: [
        #"{"query":"4006381333931","id":"N","ean":"4006381333955"}"#,
        #"{"query":"4006381333931","id":"N","codes":["4006381333955"]}"#,
    ])
    func anotherProductIsNotAccepted(product: String) async throws {
        try await StubServer.answering { request in
            let code = String(request.path.dropFirst("/p/".count))
            return .json(product.replacing("4006381333931", with: code))
        } _: { server in
            let yaml = yaml(server, "id: /id, verify: [/ean, /codes]")
            let codes = EndpointCodes(known: [.init("4006381333931")])
            let settings = try await followed(yaml, codes: codes)
            #expect(settings == [])
        }
    }

    /// The name of a near match does not show that the product is missing.
    @Test func anAnswerWithoutAProductThatListsNearMatches() async throws {
        try await StubServer.answering {
            TriedShop.answer($0, else: .json(#"{"total":0,"data":[{"id":"N","title":"Pencil"}]}"#))
        } _: { server in
            try await TriedShop.mend(
                yaml(server, "id: /id, verify: /ean").replacing(
                    "not_found: {status: 404}\n", with: ""),
                failing: .unknownCode,
                advised: """
                    not_found:
                      all:
                      - {status: [200]}
                      - {at: "/total", equals: 0}
                    """)
        }
    }

    /// A list within a product, such as that of its codes, is not a list of products.
    @Test func aProductWithAListOfCodes() async throws {
        try await StubServer.answering {
            TriedShop.answer(
                $0, product: #"{"id":"P","name":"Pen","codes":[{"id":7,"ean":"4006381333931"}]}"#)
        } _: { server in
            try await TriedShop.mend(
                yaml(server, "id: /id, name: /name, verify: /ean"), failing: .knownCode,
                advised: """
                    product:
                      verify:
                        codes: ["/ean", {each: "/codes", take: "/ean"}]
                        otherwise: failed
                    """)
        }
    }
}
