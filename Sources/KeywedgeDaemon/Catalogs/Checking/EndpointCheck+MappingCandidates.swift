import Barcodes
import HTTPCatalog
import KeywedgeConfiguration
import WireText

extension EndpointCheck {
    /// Names of fields that hold an id, the likeliest first.
    private static let idNames = [
        "id", "_id", "product_id", "uuid", "code", "sku", "ean", "gtin", "barcode",
    ]

    /// The product in an answer: the answer itself, or the first of its list.
    func item(of trial: EndpointTrial) -> JSONValue? {
        guard let document = trial.document, let items = catalog.declaration.product.items else {
            return trial.document
        }
        return document[items]?.array?.first
    }

    /// Where a product that is found has the code it was found by.
    func places(of code: String, _ trial: EndpointTrial) -> [Candidate] {
        let declared = catalog.declaration.product.verify?.codes ?? []
        return codePlaces(of: code, trial).filter { !declared.contains($0) }.map { place in
            Candidate(
                advice: "The product's codes stand elsewhere in the answer.",
                catalog: changed { catalog in
                    var rule = catalog.declaration.product.verify ?? VerifyRule(codes: [])
                    rule.codes.append(place)
                    catalog.declaration.product.verify = rule
                }, path: ["product", "verify"])
        }
    }

    /// The places of an answer at which a code stands.
    func codePlaces(of code: String, _ trial: EndpointTrial) -> [CodePlace] {
        guard let item = item(of: trial) else { return [] }
        let gtin = decoder.decode(code, aim: nil).lookupGTIN
        let texts = Set(trial.asked + [code])
        return JSONPlaces.all(in: item) { value in
            let text: String
            switch value {
            case .string(let string): text = string
            case .integer(let number): text = String(number)
            default: return false
            }
            return texts.contains(text)
                || (gtin != nil && decoder.decode(text, aim: nil).lookupGTIN == gtin)
        }.map { pointer in
            // An element of a list stands for the list.
            guard let index = pointer.tokens.lastIndex(where: { Int($0) != nil }) else {
                return CodePlace(AnswerPlace(.item, pointer))
            }
            let list = AnswerPlace(.item, JSONPointer(Array(pointer.tokens[..<index])))
            let rest = JSONPointer(Array(pointer.tokens[(index + 1)...]))
            return CodePlace(list, element: rest.tokens.isEmpty ? nil : rest)
        }
    }

    /// Places and texts that an answer of which no product could be made may want.
    func mappings(_ trial: EndpointTrial) -> [Candidate] {
        lists(trial) + ids(trial) + currency
    }

    private func lists(_ trial: EndpointTrial) -> [Candidate] {
        guard let document = trial.document, item(of: trial) == nil || isList(document) else {
            return []
        }
        return JSONPlaces.all(in: document) { $0.array?.first?.object != nil }.prefix(4).map {
            pointer in
            Candidate(
                advice: "The list of products stands elsewhere in the answer.",
                catalog: changed { $0.declaration.product.items = pointer },
                path: ["product", "items"])
        }
    }

    private func isList(_ value: JSONValue) -> Bool { value.array != nil }

    private func ids(_ trial: EndpointTrial) -> [Candidate] {
        guard let item = item(of: trial) else { return [] }
        let places = JSONPlaces.all(in: item) { value in
            switch value {
            case .string(let text): !text.isEmpty
            case .integer: true
            default: false
            }
        }
        return Self.idNames.compactMap { name in places.first { $0.tokens.last == name } }
            .prefix(4).map { pointer in
                Candidate(
                    advice: "The product's id stands elsewhere in the answer.",
                    catalog: changed {
                        $0.declaration.product.id = [.place(AnswerPlace(.item, pointer))]
                    }, path: ["product", "id"])
            }
    }

    private var currency: [Candidate] {
        guard let rule = catalog.declaration.product.price,
            !rule.currency.contains(where: \.isConstant)
        else { return [] }
        return [
            Candidate(
                advice: "The answer has a price and no currency: say which one your shop has.",
                catalog: changed {
                    $0.declaration.product.price?.currency.append(.constant("EUR"))
                }, path: ["product", "price", "currency"])
        ]
    }
}
