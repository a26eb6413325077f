import Catalog
import WireText

extension AnswerReader {
    /// The products of an answer that are about what was asked.
    func products(in answer: JSONValue, after first: FirstAnswer?) -> AnswerMeaning {
        let documents = Documents(first: first?.document, answer: answer)
        do throws(MappingError) {
            let items = try items(of: answer).map { documents.at($0, trace: trace) }
            let (repeating, deviation) = repeating(items, first)
            if let deviation, repeating.isEmpty { return otherAnswer(deviation) }
            let matching = matching(repeating)
            guard !matching.isEmpty else { return otherProducts(repeating.map(\.element)) }
            var products: [Product] = []
            for (_, item) in matching.prefix(Match.candidateLimit) {
                // Only the first is the product: the trace of the others would confuse.
                let item = products.isEmpty ? item : item.at(item.item, trace: nil)
                products.append(try mapping.product(in: item))
            }
            return .found(products)
        } catch {
            let reason = masked("\(words: error.description)")
            return .failed(LookupFailure(.unusableProduct, "The catalog \(name): \(reason)"))
        }
    }

    private typealias Items = [EnumeratedSequence<[Documents]>.Element]

    /// The items of an answer: itself, or the elements of its list.
    private func items(of answer: JSONValue) throws(MappingError) -> [JSONValue] {
        guard let pointer = mapping.items else { return [answer] }
        switch answer[pointer] {
        case .array(let elements):
            trace.note("items", "\(elements.count) in the answer")
            return elements
        case let other:
            throw MappingError(
                "The answer has \(other?.kind ?? "nothing") at "
                    + "\(MappingError.name(pointer.description)); expected the list of products.")
        }
    }

    /// The items with their numbers, from 0 on, that repeat what the second request asked for, and what
    /// the first of the others has.
    private func repeating(
        _ items: [Documents], _ first: FirstAnswer?
    ) -> (Items, FirstAnswer.Deviation?) {
        var other: FirstAnswer.Deviation?
        let repeating = items.enumerated().filter { number, item in
            let deviation = first?.deviation(in: item, number: number)
            other = other ?? deviation
            return deviation == nil
        }
        return (repeating, other)
    }

    /// The items that have the code; as in the embedded catalog, in other letters if one alone has it.
    private func matching(_ items: Items) -> Items {
        let exact = items.filter { number, item in isVerified(item, number, codes) }
        guard exact.isEmpty else { return exact }
        let others = items.filter { _, item in
            isVerified(item.at(item.item, trace: nil), 0, codes.foldingCase)
        }
        guard others.count == 1 else { return [] }
        return others.filter { number, item in isVerified(item, number, codes.foldingCase) }
    }

    /// Whether an item has a code that was asked for, at any place or at each that is there; true if
    /// nothing is to be verified.
    private func isVerified(_ item: Documents, _ number: Int, _ codes: CodeComparison) -> Bool {
        guard let verify = mapping.verify else { return true }
        let places = verify.codes.map(item.codes).filter { !$0.isEmpty }
        let agreeing = places.filter { $0.contains(where: codes.matches) }
        let isVerified =
            !agreeing.isEmpty && (!verify.needsEveryPlace || agreeing.count == places.count)
        item.trace.verified(number, has: places.flatMap(\.self), codes.asked, isVerified)
        return isVerified
    }

    private func otherProducts(_ items: [Documents]) -> AnswerMeaning {
        if mapping.verify?.otherwise == .notFound { return .notFound }
        guard let item = items.first else {
            return unusable(
                "with an empty list of products, and no rule says that it means \"no such product\""
            )
        }
        // The code that was asked may be at another place, and says nothing here.
        let found = (mapping.verify?.codes ?? []).flatMap(item.codes).filter { !codes.matches($0) }
            .prefix(3).map { "\(quoted: $0)" as Phrase }.joined(separator: ", ")
        let others: Phrase = found.isEmpty ? "without a code" : "with the code \(found)"
        return unusable(
            "with a product \(masked(others)); expected \(quoted: codes.asked)", .otherProduct)
    }
}

extension Trace? {
    /// Adds the codes that a product of the answer has, or what the second of two answers repeats of
    /// the first, and whether what was asked is among them; products count from 0 on.
    func verified(_ number: Int, has codes: [String], _ asked: String, _ holds: Bool) {
        guard self != nil else { return }
        let found =
            codes.isEmpty ? "no code" : codes.prefix(5).map { $0.quoted() }.joined(separator: ", ")
        let more = codes.count > 5 ? " and \(codes.count - 5) more" : ""
        let has = "product \(number + 1) has \(found)\(more)"
        note("verify", holds ? "yes: \(has)" : "no: \(has), asked was \(asked.quoted())")
    }
}

extension ProductMapping {
    /// Reads the product that an item of an answer is.
    fileprivate func product(in item: Documents) throws(MappingError) -> Product {
        guard let id = item.text(self.id, of: "id") else {
            throw MappingError(
                "The answer has no product id; expected one at \(MappingError.list(self.id)).")
        }
        var product = Product(id: id)
        product.name = item.text(name, of: "name")
        if let price { product.price = try PriceReader(rule: price, documents: item).price() }
        product.unit = item.text(unit, of: "unit")
        for place in self.codes {
            let codes = item.codes(at: place)
            item.trace.place("codes", place, gave: codes, item.value(at: place))
            for code in codes where !product.codes.contains(code) { product.codes.append(code) }
        }
        for attribute in attributes {
            product.attributes[attribute.name] = item.text(
                attribute.places, of: "attributes." + attribute.name)
        }
        return product
    }
}
