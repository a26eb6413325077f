import HTTPCatalog
import KeywedgeConfiguration
import WebAPI
import WireText

extension EndpointCheck {
    /// Whether a catalog lists the same products for every code it was asked for, so that nothing it
    /// says is about the code: a list without a filter, a name of a parameter that it does not know.
    ///
    /// No rule makes such an answer right. `verify` would find what happens to be listed, and hide
    /// every other product.
    func ignoresTheCode(_ known: [KnownTrial], _ unknown: EndpointTrial?) -> Bool {
        guard !known.isEmpty, let products = unknown.flatMap(products) else { return false }
        return known.allSatisfy { self.products(of: $0.trial) == products }
    }

    /// What is told of a catalog that ignores the code.
    func ignored(_ known: [KnownTrial], _ unknown: String) -> String {
        let codes = known.map(\.known.code) + [unknown]
        let words = codes.map { $0.quoted() }
        let all = words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
        return "the answer does not depend on the code: \(all) get the same products"
    }

    /// What to do about it.
    var unreadCode: Remedy {
        let doubt =
            codes.known.count < 2
            ? " (If it is chance, a second code that the catalog has shows it: --known CODE.)" : ""
        return remedy(
            "The catalog does not look at the place where the request puts the code: compare it "
                + "with the service's documentation. No rule mends that: a product that is not "
                + "among those listed would never be found.\(doubt)", catalog, ["request"])
    }

    /// What tells the products of an answer from others: their ids, or all that is said of them
    /// where a list has none; nil where there is no product.
    private func products(of trial: EndpointTrial) -> [JSONValue]? {
        guard let document = trial.document, trial.response?.isSuccess == true else { return nil }
        let pointer = catalog.declaration.product.items
        let items = pointer.map { document[$0]?.array ?? [] } ?? [document]
        let ids = items.map(id)
        if !ids.isEmpty, ids.allSatisfy({ $0 != nil }) { return ids.compactMap(\.self) }
        return pointer == nil || items.isEmpty ? nil : items
    }

    /// The id of a product as it stands in an answer.
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
