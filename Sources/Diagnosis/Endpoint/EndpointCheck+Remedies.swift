import Barcodes
import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WebAPI
import WireText

/// Remedies for a code that the catalog should know but does not find.
extension EndpointCheck {
    func remedy(
        forKnown trial: EndpointTrial, among known: [EndpointTrial], _ unknown: EndpointTrial?
    ) -> Remedy {
        if isUnverified(trial) {
            let found = known.filter { $0.match != nil }
            return verifying(unknown, found).map(verification) ?? comparison
        }
        guard trial.match == nil else {
            return wrongPrice(trial) == nil
                ? slow(trial.took, isConnection: false) : remedy(forPriceOf: trial, among: known)
        }
        switch trial.failure?.code {
        case nil where trial.document != nil:
            return remedy(
                "If the catalog does not have that code, try one that it has (--known CODE). If "
                    + "it does, the URL may be wrong, or the catalog has the code in another form.",
                "url", "codes.ask")
        case .throttled:
            return remedy(
                "The catalog accepts fewer requests than it was sent: set the rate that its "
                    + "documentation names as quota, or try again later.", "quota")
        case .timedOut:
            return remedy(
                "The catalog accepts the connection but does not answer within "
                    + "\(Self.shown(timeout)): ask its operator, or check the URL.", "url")
        case .answerTooLong where catalog.declaration.maximumAnswer >= 64 << 20:
            return Remedy("No setting allows longer answers: make the request ask for one product.")
        case .answerTooLong:
            return remedy(
                "The answers are longer than allowed: allow more (64 MiB at most), or make the "
                    + "request ask for one product.", "max_answer"
            ) { $0.declaration.maximumAnswer = min($0.declaration.maximumAnswer * 8, 64 << 20) }
        case .brokenConnection where catalog.declaration.url.hasPrefix("http://"):
            return remedy("If the server speaks TLS there, say so.", "url") {
                $0.declaration.url.replace("http://", with: "https://", maxReplacements: 1)
            }
        case .otherProduct: return codesElsewhere(trial, among: known, unknown)
        case .unusableProduct: return mapping(trial, among: known)
        default: return moved(trial) ?? otherRequest(trial)
        }
    }

    private func otherRequest(_ trial: EndpointTrial) -> Remedy {
        if [.serverError, .reportedError].contains(trial.failure?.code) {
            return Remedy("The catalog itself is out of order: ask its operator.")
        }
        return remedy(
            "The answer is not the catalog's data: compare URL and path with the service's "
                + "documentation and with what it answers (keywedge lookup --explain).",
            "url", "request.path")
    }

    private func moved(_ trial: EndpointTrial) -> Remedy? {
        guard let exchange = trial.exchange, let status = exchange.status,
            (300...399).contains(status), let reference = exchange.answerField("Location"),
            let target = try? exchange.request.location.resolving(reference).address,
            let base = try? Address(catalog.declaration.url)
        else { return nil }
        let asked = exchange.request.url
        // The part of the path that the request appended to the declared URL.
        let tail = asked.path.dropFirst(base.path == "/" ? 0 : base.path.count)
        guard target.path.hasSuffix(tail), target != asked else { return nil }
        let url = target.origin.description + target.path.dropLast(tail.count)
        return remedy(
            "The catalog redirects to \(target.origin): if it has moved there, write that address. "
                + "A GET follows it with redirects: any-origin; credentials are never sent there.",
            "url"
        ) { $0.declaration.url = url }
    }
}

/// Remedies for an answer from which the product could not be read.
extension EndpointCheck {
    private var comparison: Remedy {
        remedy(
            "Compare the places with the catalog's answer (keywedge lookup --explain).", "product")
    }

    /// Returns a remedy for a code that is at no declared place; if possible, the remedy declares the code's place.
    ///
    /// Ignores answers about another product, and places that only echo the request: they repeat an unknown code too.
    private func codesElsewhere(
        _ trial: EndpointTrial, among known: [EndpointTrial], _ unknown: EndpointTrial?
    ) -> Remedy {
        if let listed = listed(trial, among: known) { return listed }
        var rule = catalog.declaration.product.verify ?? VerifyRule(codes: [])
        let known = rule.codes + (unknown.map(codePlaces) ?? [])
        guard !hasOtherCode(trial),
            let place = codePlaces(trial).first(where: { !known.contains($0) })
        else { return comparison }
        rule.codes.append(place)
        return remedy(
            "The product's codes are elsewhere in the answer.", "product.verify"
        ) { $0.declaration.product.verify = rule }
    }

    /// Common names of the field that contains a product's ID, likeliest first.
    private static let idNames = ["id", "product_id", "article_id", "sku", "number", "code"]

    func idPlace(in item: JSONValue) -> JSONPointer? {
        let places = JSONPlaces.all(in: item) { $0.fieldText != nil }
        return Self.idNames.lazy.compactMap { name in
            places.first { $0.tokens.last?.lowercased() == name }
        }.first
    }

    private func mapping(_ trial: EndpointTrial, among known: [EndpointTrial]) -> Remedy {
        if let listed = listed(trial, among: known) { return listed }
        let product = catalog.declaration.product
        if let item = item(of: trial), id(of: item) == nil {
            return idPlace(in: item).map { place in
                remedy(
                    "The product's id is probably at another place in the answer.", "product.id"
                ) { $0.declaration.product.id.append(.at(.item, place)) }
            } ?? comparison
        }
        guard let price = product.price, !price.currency.contains(where: \.isConstant) else {
            return comparison
        }
        return remedy(
            "The answer has a price but no currency: say which one your shop has.",
            "product.price.currency"
        ) { $0.declaration.product.price?.currency.append(.constant("EUR")) }
    }
}

/// Remedies for a code that no product has.
extension EndpointCheck {
    /// Returns the remedy for an unknown code that a lookup does not report as "not found".
    func remedy(forUnknown trial: EndpointTrial, _ known: [EndpointTrial]) -> Remedy {
        let found = known.filter { $0.match != nil }
        let isOther = trial.match != nil || trial.failure?.code == .otherProduct
        // An answer with an id is a product, perhaps a wrong one; an answer without an id may report an outage.
        if isOther, item(of: trial).flatMap(id) != nil, let verifying = verifying(trial, found) {
            return verification(verifying)
        }
        let old = catalog.declaration.rules.notFound
        guard let status = trial.exchange?.status,
            let rule = rules(status, trial.document).first(where: { rule in
                rule != old && !known.contains { $0.meets(rule) }
            })
        else { return isOther ? comparison : otherRequest(trial) }
        let care =
            found.isEmpty
            ? " First make sure that a code that the catalog has is found (--known CODE): a "
                + "wrong URL looks the same." : ""
        return remedy(
            "That is how the catalog says \"no such product\"." + care, "not_found"
        ) { $0.declaration.rules.notFound = old.map { .any([$0, rule]) } ?? rule }
    }

    private func verification(_ rule: VerifyRule) -> Remedy {
        remedy(
            "The catalog answers with other products: only one with the code counts.",
            "product.verify"
        ) { $0.declaration.product.verify = rule }
    }

    /// Returns a `verify` rule that rejects products without the requested code; nil if no rule fits the answers.
    func verifying(_ unknown: EndpointTrial?, _ known: [EndpointTrial]) -> VerifyRule? {
        let places = known.map { codePlaces($0) }
        let echoes = unknown.map(codePlaces) ?? []
        var rule = catalog.declaration.product.verify ?? VerifyRule(codes: [])
        let common = (places.first ?? []).filter { place in
            places.allSatisfy { $0.contains(place) }
        }
        let chosen = [rule.codes, catalog.declaration.product.codes, common].first { codes in
            !codes.contains(where: echoes.contains) && !places.isEmpty
                && places.allSatisfy { $0.contains(where: codes.contains) }
        }
        guard let chosen else { return nil }
        (rule.codes, rule.otherwise) = (chosen, .notFound)
        return rule
    }

    /// Returns possible rules for "no such product" that match this status and document.
    private func rules(_ status: Int, _ document: JSONValue?) -> [AnswerRule] {
        let isStatus = AnswerRule.status([status...status])
        switch status {
        case 404, 410: return [isStatus]
        case 400...499 where ![401, 403, 429].contains(status):
            return words(document, isError: true).map { .all([isStatus, $0]) }
        case 200...299:
            // An answer with an error message may report an outage, so the rule must match the message too.
            let words = words(document, isError: false)
            return contents(document).filter { $0.holds(status: status, document: document) }
                .flatMap { rule in
                    words.isEmpty
                        ? [.all([isStatus, rule])] : words.map { .all([isStatus, rule, $0]) }
                }
        default: return []
        }
    }

    private static let messageNames = ["message", "error_message", "error", "detail", "title"]

    /// Returns rules that recognise this answer's error message by its first words.
    ///
    /// In a successful answer, lists other than `errors` (GraphQL) are not searched: they may contain products.
    private func words(_ document: JSONValue?, isError: Bool) -> [AnswerRule] {
        guard let document else { return [] }
        let isText = { (value: JSONValue) in value.string?.isEmpty == false }
        let places =
            JSONPlaces.all(in: document, inLists: isError, where: isText)
            + JSONPlaces.all(in: document, inLists: true, where: isText)
            .filter { $0.tokens.first == "errors" }
        return Self.messageNames.compactMap { name in
            guard let place = places.first(where: { $0.tokens.last == name }),
                let text = document[place]?.string
            else { return nil }
            // The message may contain the code, which differs each time.
            let words = text.prefix { !$0.isNumber && $0 != "\"" && $0 != "'" }
            let start = words.split(separator: " ").joined(separator: " ")
            return start.isEmpty ? nil : .at(place, .prefix(start))
        }
    }

    /// Common names of fields that show whether the catalog found something, likeliest first.
    private static let tellingNames = [
        "status", "found", "total", "count", "total_count", "success", "result",
    ]

    /// Returns rules that recognise "not found" in a successful answer.
    ///
    /// The rules look for empty values, and for fields such as `found` that are false or 0. A missing field does not
    /// count, because it may be missing during an outage.
    private func contents(_ document: JSONValue?) -> [AnswerRule] {
        let mapping = catalog.declaration.product
        var pointers = [JSONPointer()] + [mapping.items].compactMap(\.self)
        for case .at(.item, let pointer) in mapping.id where mapping.items == nil {
            pointers += pointer.tokens.indices.map { JSONPointer(Array(pointer.tokens[...$0])) }
        }
        let telling = Self.tellingNames.compactMap { name -> AnswerRule? in
            let pointer = JSONPointer([name])
            switch document?[pointer] {
            case .bool(false): return .at(pointer, .equals(.bool(false)))
            case .integer(0): return JSONNumber("0").map { .at(pointer, .equals(.number($0))) }
            // The meaning of other values is unknown.
            default: return nil
            }
        }
        return pointers.map { .at($0, .empty) } + telling
    }
}
