import Barcodes
import Catalog
import KeywedgeTestKit
import Synchronization
import WebAPI

@testable import HTTPCatalog

/// A shop's service for tests, which answers `GET /p/{code}` with `{"id", "name", "price", "ean"}` or 404.
enum Shop {
    static let url = "https://shop.example"

    static func declaration(
        url: String = url, codes: CodeRules = CodeRules(),
        change: (inout HTTPCatalogDeclaration) throws -> Void = { _ in }
    ) throws -> HTTPCatalogDeclaration {
        var declaration = HTTPCatalogDeclaration(
            name: "shop", url: url,
            request: RequestDeclaration(path: try PathTemplate("/p/{code}")))
        declaration.codes = codes
        declaration.rules.notFound = .status([404...404])
        declaration.product.id = [place("/id")]
        declaration.product.codes = [place("/ean")]
        declaration.product.name = [place("/name")]
        declaration.product.price = PriceRule(
            amount: [place("/price")], currency: [.constant("EUR")])
        declaration.product.verify = VerifyRule(codes: [place("/ean")])
        try change(&declaration)
        return declaration
    }

    /// A catalog that asks the shop's service for codes.
    static func catalog(
        _ transport: StubTransport, codes: CodeRules = CodeRules(),
        clock: ManualClock = ManualClock(),
        chance: Double = 0, change: (inout HTTPCatalogDeclaration) throws -> Void = { _ in }
    ) throws -> DeclaredCatalog {
        DeclaredCatalog(
            try declaration(codes: codes, change: change), transport: transport, clock: clock,
            chance: { chance })
    }

    static func place(_ text: String) -> Place { Place(text) ?? .at(.item, JSONPointer()) }

    static func pointer(_ text: String) -> JSONPointer { JSONPointer(text) ?? JSONPointer() }

    /// The service's answer about a known product.
    static func product(
        _ code: String, price: String = "3.49", headers: HTTPFields = [:]
    ) -> Output {
        json(
            "{\"id\":\"P\(code)\",\"name\":\"Pen\",\"price\":\(price),\"ean\":\"\(code)\"}",
            headers: headers)
    }

    static func json(_ text: String, status: Int = 200, headers: HTTPFields = [:]) -> Output {
        var headers = headers
        headers[.contentType] = "application/json"
        return .response(
            Response(status: .init(code: status), headers: headers, payload: Array(text.utf8)))
    }

    static func status(_ code: Int, headers: HTTPFields = [:]) -> Output {
        .response(Response(status: .init(code: code), headers: headers))
    }

    static let timedOut = Output.noResponse(
        ConnectionError(.timedOut(after: .milliseconds(800)), during: .head))
    static let refused = Output.noResponse(ConnectionError(.refused, during: .connect))

    /// The expected match for a known product.
    static func found(_ code: String, price: String = "3.49") throws -> Match {
        Match(
            key: .gtin,
            product: Product(
                id: "P\(code)", codes: [code], name: "Pen",
                price: try Price(amount: price, currency: Currency("EUR").unsafelyUnwrapped)))
    }
}

extension Request {
    /// The code in the path of a request for a product.
    var code: String { String(url.path.dropFirst("/p/".count)) }
}

extension DeclaredCatalog {
    /// Looks up a scanned text that has no AIM identifier.
    func lookup(
        _ text: String, within limit: Duration = CatalogSources.standardDeadline
    ) async -> LookupAnswer {
        await lookup(BarcodeDecoder().decode(text, aim: nil), within: limit)
    }
}

extension LookupAnswer {
    var failure: LookupFailure? { if case .failed(let failure) = outcome { failure } else { nil } }

    var match: Match? { if case .found(let match) = outcome { match } else { nil } }

    /// The price of the product that was found; nil if there is none.
    var price: String? { match?.product.price?.description }
}

/// A counter that many tasks can increment.
final class Counter: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }

    @discardableResult
    func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}
