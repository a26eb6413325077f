import Barcodes
import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WireText

extension EndpointCheck {
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
    func codePlaces(of code: String, _ trial: EndpointTrial) -> [Place] {
        guard let item = item(of: trial) else { return [] }
        let gtin = decoder.decode(code, aim: nil).gtin
        let texts = Set(trial.asked + [code])
        return JSONPlaces.all(in: item) { value in
            let text: String
            switch value {
            case .string(let string): text = string
            case .integer(let number): text = String(number)
            default: return false
            }
            return texts.contains(text)
                || (gtin != nil && decoder.decode(text, aim: nil).gtin == gtin)
        }.map { pointer in
            // An element of a list stands for the list.
            guard let index = pointer.tokens.lastIndex(where: { Int($0) != nil }) else {
                return .at(.item, pointer)
            }
            let list = Place.at(.item, JSONPointer(Array(pointer.tokens[..<index])))
            let rest = JSONPointer(Array(pointer.tokens[(index + 1)...]))
            return rest.tokens.isEmpty ? list : .each(of: list, take: rest)
        }
    }

    /// Places and texts that an answer of which no product could be made may want.
    func mappings(_ trial: EndpointTrial) -> [Candidate] {
        lists(trial) + currency
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

/// Places in a JSON value.
enum JSONPlaces {
    /// How many values are looked at, and how deep; beyond that is no place a person would write.
    private static let (valueLimit, depthLimit) = (2000, 6)

    /// The places at which something stands, the outermost first.
    static func all(
        in value: JSONValue, where matches: (JSONValue) -> Bool
    ) -> [JSONPointer] {
        var level: [(pointer: JSONPointer, value: JSONValue)] = [(JSONPointer(), value)]
        var found: [JSONPointer] = []
        var seen = 0
        for _ in 0...depthLimit {
            var next: [(pointer: JSONPointer, value: JSONValue)] = []
            for (pointer, value) in level {
                seen += 1
                guard seen <= valueLimit else { return found }
                if matches(value) { found.append(pointer) }
                switch value {
                case .object(let object):
                    next += object.members.map { (pointer.appending($0.key), $0.value) }
                case .array(let elements):
                    next += elements.prefix(3).enumerated().map {
                        (pointer.appending(String($0)), $1)
                    }
                default: break
                }
            }
            level = next
        }
        return found
    }
}
