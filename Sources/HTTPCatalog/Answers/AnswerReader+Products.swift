import Catalog
import WireText

extension AnswerReader {
    /// Reads the products in an answer, and selects those with the requested code.
    func products(in answer: JSONValue) -> AnswerMeaning {
        do throws(MappingError) {
            let items = try items(of: answer).enumerated().map { number, item in
                Documents(
                    first: first?.document, answer: answer, item: item, number: number,
                    trace: trace)
            }
            let (repeating, deviation) = repeating(items)
            if let deviation, repeating.isEmpty { return otherAnswer(deviation) }
            let matching = matching(repeating)
            guard !matching.isEmpty else { return otherProducts(repeating) }
            var products: [Product] = []
            for item in matching.prefix(Match.candidateLimit) {
                // Trace only the first product, because it becomes the result of the lookup.
                products.append(try mapping.product(in: products.isEmpty ? item : item.untraced))
            }
            return .found(products)
        } catch {
            let reason = masked("\(words: error.description)")
            return .failed(LookupFailure(.unusableProduct, "The catalog \(name): \(reason)"))
        }
    }

    /// Returns the products in the declared list, or the whole answer if no list is declared.
    private func items(of answer: JSONValue) throws(MappingError) -> [JSONValue] {
        guard let pointer = mapping.items else { return [answer] }
        guard let elements = answer[pointer]?.array else {
            throw MappingError(
                "The answer has \(answer[pointer]?.kind ?? "nothing") at "
                    + "\(MappingError.name(pointer.description)); expected the list of products.")
        }
        trace.note("items", "\(elements.count) in the answer")
        return elements
    }

    /// Returns the items with the values that they must repeat from the first answer, and the first difference found.
    ///
    /// If there was only one request, returns all items and no difference. See ``FollowUp/Captured/repeated``.
    private func repeating(_ items: [Documents]) -> ([Documents], FirstAnswer.Deviation?) {
        var other: FirstAnswer.Deviation?
        let repeating = items.filter { item in
            let deviation = first?.deviation(in: item)
            other = other ?? deviation
            return deviation == nil
        }
        return (repeating, other)
    }

    /// Returns the items with the requested code, or else the only item that matches when case is ignored.
    private func matching(_ items: [Documents]) -> [Documents] {
        let exact = items.filter { isVerified($0) }
        guard exact.isEmpty else { return exact }
        let others = items.filter { isVerified($0.untraced, foldingCase: true) }
        return others.count == 1 ? others.filter { isVerified($0, foldingCase: true) } : []
    }

    /// Whether an item has the requested code; always true without ``ProductMapping/verify``.
    private func isVerified(_ item: Documents, foldingCase: Bool = false) -> Bool {
        guard let verify = mapping.verify else { return true }
        let places = verify.codes.map(item.codes).filter { !$0.isEmpty }
        let agreeing = places.filter { texts in
            texts.contains { codes.matches($0, foldingCase: foldingCase) }
        }
        let isVerified =
            !agreeing.isEmpty && (!verify.needsEveryPlace || agreeing.count == places.count)
        item.trace.verified(item.number, has: places.flatMap(\.self), codes.asked, isVerified)
        return isVerified
    }

    private func otherProducts(_ items: [Documents]) -> AnswerMeaning {
        if mapping.verify?.otherwise == .notFound { return .notFound }
        guard let item = items.first else {
            return unusable(
                "with an empty list of products, and no rule says that it means \"no such product\""
            )
        }
        // Leave out the requested code, which another place may contain: the message is about wrong codes.
        let found = (mapping.verify?.codes ?? []).flatMap(item.codes).filter { !codes.matches($0) }
            .prefix(3).map { "\(quoted: $0)" as Phrase }.joined(separator: ", ")
        let others: Phrase = found.isEmpty ? "without a code" : "with the code \(found)"
        return unusable(
            "with a product \(masked(others)); expected \(quoted: codes.asked)", .otherProduct)
    }
}

extension Trace? {
    /// Adds a note with a product's codes or values, and whether they match `asked`.
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
                attribute.value, of: "attributes." + attribute.name)
        }
        return product
    }
}
