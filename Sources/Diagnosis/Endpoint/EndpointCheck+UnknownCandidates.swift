import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WireText

extension EndpointCheck {
    /// Names of fields that say whether something was found, the likeliest first.
    private static let tellingNames = [
        "status", "found", "total", "count", "total_count", "success", "result",
    ]

    /// Names of fields with an error in words.
    private static let messageNames = ["message", "error_message", "error", "detail", "title"]

    /// The settings that may make an answer mean that there is no such product.
    func candidates(forUnknown trial: EndpointTrial, _ known: [KnownTrial]) -> [Candidate] {
        let isOther = trial.match != nil || trial.failure?.code == .otherProduct
        let verifying = isOther ? verifying(known) : []
        guard let status = trial.exchange?.status else { return verifying }
        let old = catalog.declaration.rules.notFound
        let rules = rules(status, trial.document).filter { rule in
            rule != old
                && !known.contains { known in
                    known.trial.exchange?.status.map {
                        rule.holds(status: $0, document: known.trial.document)
                    } ?? false
                }
        }
        let ruling = rules.map { rule in
            Candidate(
                advice: "That is how the catalog says \"no such product\".",
                catalog: changed {
                    $0.declaration.rules.notFound = old.map { .any([$0, rule]) } ?? rule
                }, path: ["not_found"])
        }
        // What has an id is a product, if another one; what has none may as well tell of an outage.
        return hasID(trial) ? verifying + ruling : ruling
    }

    private func hasID(_ trial: EndpointTrial) -> Bool {
        item(of: trial).flatMap(id) != nil
    }

    /// The catalog searches loosely: only a product that has the code counts.
    ///
    /// Nothing is proposed where no code is known to be found: it could hide all products.
    private func verifying(_ known: [KnownTrial]) -> [Candidate] {
        guard let first = known.first else { return [] }
        let existing = catalog.declaration.product.verify?.codes ?? []
        let listed = catalog.declaration.product.codes
        let found = codePlaces(of: first.known.code, first.trial)
        return [existing, listed, found].filter { !$0.isEmpty }.map { places in
            Candidate(
                advice: "The catalog answers with other products: only one with the code counts.",
                catalog: changed {
                    var rule = $0.declaration.product.verify ?? VerifyRule(codes: [])
                    rule.codes = places
                    rule.otherwise = .notFound
                    $0.declaration.product.verify = rule
                }, path: ["product", "verify"])
        }
    }

    /// The rules that hold for an answer and may mean that there is no such product.
    private func rules(_ status: Int, _ document: JSONValue?) -> [AnswerRule] {
        let isStatus = AnswerRule.status([status...status])
        switch status {
        case 404, 410: return [isStatus]
        case 400...499 where ![401, 403, 429].contains(status):
            return words(document).map { .all([isStatus, $0]) }
        case 200...299:
            // With an error's words beside it, it may be an outage: then they have to be the same.
            let words = words(document)
            return contents(document).filter { $0.holds(status: status, document: document) }
                .flatMap { rule in
                    words.isEmpty
                        ? [.all([isStatus, rule])] : words.map { .all([isStatus, rule, $0]) }
                }
        default: return []
        }
    }

    /// An error's own words tell it from others of the same status.
    private func words(_ document: JSONValue?) -> [AnswerRule] {
        guard let document else { return [] }
        let places = JSONPlaces.all(in: document) { $0.string?.isEmpty == false }
        return Self.messageNames.compactMap { name in
            guard let place = places.first(where: { $0.tokens.last == name }),
                let text = document[place]?.string
            else { return nil }
            // The code that was asked may stand in it, and is another one each time.
            let words = text.prefix { !$0.isNumber && $0 != "\"" && $0 != "'" }
            let start = words.split(separator: " ").joined(separator: " ")
            return start.isEmpty ? nil : .at(place, .prefix(start))
        }
    }

    /// What an answer of 200 says where there is no product: nothing at a place where one would be, or
    /// a field that counts none.
    ///
    /// That a place is not there at all says nothing: an answer that tells of an outage lacks it too.
    private func contents(_ document: JSONValue?) -> [AnswerRule] {
        let mapping = catalog.declaration.product
        var pointers: [JSONPointer] = [JSONPointer()]
        if let items = mapping.items { pointers.append(items) }
        for case .at(.item, let pointer) in mapping.id {
            let tokens = pointer.tokens
            if mapping.items == nil {
                pointers += tokens.indices.map { JSONPointer(Array(tokens[...$0])) }
            }
        }
        let telling = Self.tellingNames.compactMap { name -> AnswerRule? in
            let pointer = JSONPointer([name])
            switch document?[pointer] {
            case .bool(false): return .at(pointer, .equals(.bool(false)))
            case .integer(0): return JSONNumber("0").map { .at(pointer, .equals(.number($0))) }
            // Of other values nobody knows what they say.
            default: return nil
            }
        }
        return pointers.map { .at($0, .empty) } + telling
    }
}
