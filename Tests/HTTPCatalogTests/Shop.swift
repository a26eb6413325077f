import Barcodes
import Catalog
import HTTPTypes
import KeywedgeTestKit
import Synchronization
import WebAPI
import WireText

@testable import HTTPCatalog

/// A shop's service for tests: `GET /p/{code}` gives `{"id", "name", "price", "ean"}`, or 404.
enum Shop {
    static let url = "https://shop.example"

    static func declaration(
        url: String = url, codes: CodeRules = CodeRules(forms: [.gtin(13), .asTyped]),
        change: (inout HTTPCatalogDeclaration) -> Void = { _ in }
    ) throws -> HTTPCatalogDeclaration {
        var declaration = HTTPCatalogDeclaration(
            name: "shop", url: url, codes: codes,
            request: RequestDeclaration(path: try PathTemplate("/p/{code}")),
            rules: AnswerRules(notFound: .status([404...404])),
            product: ProductMapping(
                id: [place("/id")], codes: [CodePlace(answerPlace("/ean"))], name: [place("/name")],
                price: PriceRule(amount: [answerPlace("/price")], currency: [.constant("EUR")]),
                verify: VerifyRule(codes: [CodePlace(answerPlace("/ean"))])))
        change(&declaration)
        return declaration
    }

    static func place(_ text: String) -> FieldSource { .place(answerPlace(text)) }

    static func answerPlace(_ text: String) -> AnswerPlace {
        AnswerPlace(text) ?? AnswerPlace(.item, JSONPointer())
    }

    static func pointer(_ text: String) -> JSONPointer { JSONPointer(text) ?? JSONPointer() }

    /// What the shop answers about a product.
    static func product(
        _ code: String, price: String = "3.49", headers: HTTPFields = [:]
    ) -> Output {
        json(
            "{\"id\":\"P\(code)\",\"name\":\"Pen\",\"price\":\(price),\"ean\":\"\(code)\"}",
            headers: headers)
    }

    static func json(
        _ text: String, status: Int = 200, headers: HTTPFields = [:]
    ) -> Output {
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

    /// The product a lookup is to find.
    static func found(_ code: String, price: String = "3.49") throws -> Match {
        Match(
            key: .gtin,
            product: Product(
                id: "P\(code)", codes: [code], name: "Pen",
                price: try Price(amount: price, currency: Currency("EUR").unsafelyUnwrapped)))
    }
}

extension Request {
    /// The code a request for a product asks for.
    var code: String { String(url.path.dropFirst("/p/".count)) }
}

extension DeclaredCatalog {
    /// Looks a text up as a scanner without AIM identifier types it.
    func lookup(_ text: String) async -> LookupAnswer {
        await lookup(
            BarcodeDecoder().decode(text, aim: nil), within: CatalogSources.standardDeadline)
    }
}

/// Numbers that are counted from many tasks.
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
