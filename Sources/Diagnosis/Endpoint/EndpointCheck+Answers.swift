import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WebAPI
import WireText

/// The findings about authentication, and about lookups of known and unknown codes.
extension EndpointCheck {
    func judged(_ known: [EndpointTrial], _ unknown: EndpointTrial?) -> [Finding] {
        let trials = known + [unknown].compactMap(\.self)
        if let refused = trials.lazy.compactMap(refused).first { return [refused] }
        var first = knownFindings(known, unknown)
        let last: Finding
        if let unknown, ignoresTheCode(known, unknown) {
            for index in first.indices { first[index].remedies = [] }
            last = ignored(known, unknown)
        } else if first.contains(where: { $0.verdict == .fails }) {
            last = Finding(.unknownCode, .notTried, "not tried: an earlier step failed")
        } else {
            last = unknownFinding(unknown, known)
        }
        return [accepted(trials)] + first + [last]
    }

    private func accepted(_ trials: [EndpointTrial]) -> Finding {
        guard trials.contains(where: { $0.exchange?.status != nil }) else {
            return Finding(.authentication, .notTried, "not known: there was no answer")
        }
        if case .none = catalog.declaration.authentication {
            return Finding(.authentication, .holds, "none is set, and the catalog wants none")
        }
        return Finding(.authentication, .holds, "the catalog accepts the credentials")
    }

    /// Returns a failure if the credentials are refused or cannot be read; otherwise nil.
    func refused(_ trial: EndpointTrial) -> Finding? {
        guard let failure = trial.failure else { return nil }
        switch failure.code {
        case .unauthorized:
            return Finding(.authentication, .fails, failure.sentence, mend: credentials(trial))
        case .unreadableSecret:
            let remedy = remedy(
                "Put the secret into its file, one line that the user keywedge runs as may "
                    + "read, or name another file.", "auth")
            return Finding(.authentication, .fails, failure.sentence, mend: [remedy])
        default: return nil
        }
    }

    private func credentials(_ trial: EndpointTrial) -> [Remedy] {
        switch catalog.declaration.authentication {
        case .none: return [missingCredentials(trial)]
        case .oauth2(var client) where trial.exchange == nil:
            client.sending = client.sending == .basic ? .form : .basic
            return [
                remedy(
                    "The token service does not know the client: put its id and secret "
                        + "into their files, one line each.", "auth"),
                remedy(
                    "If they are right, the service may expect them in the other form.",
                    "auth.oauth2.send_as"
                ) { $0.declaration.authentication = .oauth2(client) },
            ]
        default:
            return [
                remedy(
                    "The catalog refuses the secret, or does not let it read products: put the right "
                        + "one into its file, or give it that right.", "auth")
            ]
        }
    }

    /// Returns the remedy that adds credentials: bearer, basic or an API key.
    private func missingCredentials(_ trial: EndpointTrial) -> Remedy {
        let scheme = trial.exchange?.answerField("WWW-Authenticate")?.lowercased() ?? ""
        let authentication: Authentication =
            if scheme.hasPrefix("bearer") {
                .bearer(.file(path: file(".token")))
            } else if scheme.hasPrefix("basic") {
                .basic(user: .file(path: file(".user")), password: .file(path: file(".password")))
            } else {
                .header(name: "X-API-Key", prefix: "", secret: .file(path: file(".key")))
            }
        return remedy(
            "The catalog requires credentials: put the secret that it gave you into a file. Its "
                + "documentation says how to send it.", "auth"
        ) { $0.declaration.authentication = authentication }
    }
}

extension EndpointCheck {
    private func knownFindings(
        _ known: [EndpointTrial], _ unknown: EndpointTrial?
    ) -> [Finding] {
        // If the user named codes, ignore all guessed codes; if not, ignore only the guesses that were not found.
        let named = known.filter { !$0.wanted.isGuess }
        let judged =
            named.isEmpty ? known.filter { $0.match != nil || $0.failure != nil } : named
        guard !judged.isEmpty else {
            return [
                Finding(
                    .knownCode, .notTried,
                    "not tried: name a code that the catalog has with --known CODE")
            ]
        }
        var findings = judged.map(found)
        if let index = findings.firstIndex(where: { $0.verdict == .fails }) {
            findings[index].remedies = [remedy(forKnown: judged[index], among: judged, unknown)]
        }
        return findings
    }

    private func found(_ trial: EndpointTrial) -> Finding {
        let code = trial.wanted.code.quoted()
        let texts = trial.asked.map { $0.quoted() }.joined(separator: ", ")
        guard let product = trial.match?.product else {
            let text = trial.failure?.sentence ?? "\(code), asked as \(texts), is not found"
            return Finding(.knownCode, .fails, text)
        }
        let name = product.name.map { " " + $0.quoted() } ?? ""
        let text = "\(code), asked as \(texts), is \(product.id.quoted())\(name)"
        let limit = catalog.declaration.resilience.attemptTimeout
        let wrong =
            isUnverified(trial)
            ? "the answer has other products too, and no verify says whose code it is"
            : wrongPrice(trial)
        let took = wrong == nil ? ", in \(Self.shown(trial.took))" : ""
        let slow = trial.took > limit ? "a lookup waits for \(Self.shown(limit)) only" : nil
        let problem = (wrong ?? slow).map { ", but \($0)" }
        return Finding(
            .knownCode, problem == nil ? .holds : .fails, text + took + (problem ?? ""),
            details(trial))
    }

    /// Whether an answer has several products, and no `verify` rule chooses among them.
    func isUnverified(_ trial: EndpointTrial) -> Bool {
        catalog.declaration.product.verify == nil && trial.match?.isAmbiguous == true
    }

    /// Returns one line for each field of the product, with the places tried and what they hold.
    private func details(_ trial: EndpointTrial) -> [String] {
        var fields: [(name: String, places: [String])] = []
        for place in trial.places {
            if let index = fields.firstIndex(where: { $0.name == place.field }) {
                fields[index].places.append("\(place)")
            } else {
                fields.append((place.field, ["\(place)"]))
            }
        }
        for name in ["name", "price", "unit"] where !fields.contains(where: { $0.name == name }) {
            fields.append((name, ["no place is declared"]))
        }
        return fields.map { $0.name.padded(to: 10) + $0.places.joined(separator: "; ") }
    }

    private func unknownFinding(_ trial: EndpointTrial?, _ known: [EndpointTrial]) -> Finding {
        guard let trial else {
            return Finding(
                .unknownCode, .notTried,
                "not tried: name a code that the catalog does not have with --unknown CODE")
        }
        let quoted = trial.wanted.code.quoted()
        let text: String
        switch trial.answer.outcome {
        case .notFound, .skipped: return Finding(.unknownCode, .holds, "\(quoted) is not found")
        case .found(let match):
            text = "\(quoted), which no product has, is \(match.product.id.quoted())"
        case .failed(let failure): text = failure.sentence
        }
        return Finding(.unknownCode, .fails, text, mend: [remedy(forUnknown: trial, known)])
    }
}

/// The detection of a catalog that ignores the code in a request, and returns the same products for every code.
///
/// A `verify` rule cannot correct this: lookups would find only the products that such an answer happens to contain.
extension EndpointCheck {
    private func ignoresTheCode(_ known: [EndpointTrial], _ unknown: EndpointTrial) -> Bool {
        guard !known.isEmpty, let products = products(of: unknown) else { return false }
        return known.allSatisfy { self.products(of: $0) == products }
    }

    private func ignored(_ known: [EndpointTrial], _ unknown: EndpointTrial) -> Finding {
        let words = known.map { $0.wanted.code.quoted() }.joined(separator: ", ")
        let remedy = remedy(
            "The catalog ignores the code where the request puts it: compare the request "
                + "with the service's documentation. No rule corrects that: a product that is "
                + "not in this list would never be found. If this may be chance, try more codes "
                + "that the catalog has (--known CODE).", "request")
        return Finding(
            .unknownCode, .fails,
            "the answer does not depend on the code: \(words) and \(unknown.wanted.code.quoted()) get "
                + "the same products", mend: [remedy])
    }

    /// Returns each product's ID, or the product if it has no ID; nil if there are no products.
    private func products(of trial: EndpointTrial) -> [JSONValue]? {
        guard let document = trial.document, trial.exchange?.output.response?.isSuccess == true
        else { return nil }
        let pointer = catalog.declaration.product.items
        let items = pointer.map { document[$0]?.array ?? [] } ?? [document]
        // If no list is declared, an answer without an ID may not be a product.
        let products = items.compactMap { id(of: $0) ?? (pointer == nil ? nil : $0) }
        return products.isEmpty ? nil : products
    }

    /// Returns a product's ID, as the JSON string or integer in the answer; nil if the product has no ID.
    func id(of item: JSONValue) -> JSONValue? {
        for case .at(.item, let pointer) in catalog.declaration.product.id {
            switch item[pointer] {
            case .string(let text)? where !text.isEmpty: return .string(text)
            case .integer(let number)?: return .integer(number)
            default: continue
            }
        }
        return nil
    }
}

extension LookupFailure {
    fileprivate var sentence: String {
        let reason = reason.description
        return reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }
}
