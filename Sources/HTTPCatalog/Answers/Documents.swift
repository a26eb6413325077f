package import WireText

/// The product and the answers in which a ``Place`` is looked up.
package struct Documents {
    /// The answer to the first of two requests; nil if there was only one request.
    let first: JSONValue?
    let answer: JSONValue
    let item: JSONValue
    /// The index of ``item`` in the answer's list of products.
    let number: Int
    let trace: Trace?

    package init(
        first: JSONValue? = nil, answer: JSONValue, item: JSONValue? = nil, number: Int = 0,
        trace: Trace? = nil
    ) {
        (self.first, self.answer, self.item) = (first, answer, item ?? answer)
        (self.number, self.trace) = (number, trace)
    }

    var untraced: Documents { Documents(first: first, answer: answer, item: item) }

    func value(at place: Place) -> JSONValue? {
        switch place {
        case .constant(let text): return .string(text)
        case .at(.item, let pointer): return item[pointer]
        case .at(.answer, let pointer): return answer[pointer]
        case .at(.firstAnswer, let pointer): return first?[pointer]
        case .each(let list, _): return value(at: list)
        case .element(let list, let key, let reference, let take):
            guard let own = reference.flatMap(value)?.fieldText else { return nil }
            let found = elements(of: list, where: key) { $0.utf8.elementsEqual(own.utf8) }
            return found?.count == 1 ? found?[0][take] : nil
        }
    }

    /// Returns the elements of a list that have a matching value at `key`; nil if `list` is not a list.
    func elements(
        of list: Place, where key: JSONPointer, matching matches: (String) -> Bool
    ) -> [JSONValue]? {
        value(at: list)?.array?.filter { $0[key]?.fieldTexts.contains(where: matches) ?? false }
    }

    package func codes(at place: Place) -> [String] {
        guard case .each(let list, let take) = place else {
            return value(at: place)?.fieldTexts ?? []
        }
        return (value(at: list)?.array ?? []).compactMap { $0[take]?.fieldText }
    }

    func text(_ places: [Place], of field: String) -> String? {
        for place in places {
            let found = value(at: place)
            let text = place.isConstant ? found?.string : found?.fieldText
            trace.place(field, place, gave: text.map { [$0] } ?? [], found)
            if let text { return text }
        }
        return nil
    }
}

extension JSONValue {
    /// The text of a non-blank string, or a number as written; nil for other values.
    package var fieldText: String? {
        switch self {
        case .string(let text): text.allSatisfy(\.isWhitespace) ? nil : text
        case .integer(let number): String(number)
        case .number(let number): number.literal
        case .null, .bool, .array, .object: nil
        }
    }

    /// The ``fieldText`` of the value or, for a list, of its elements; nil texts are left out.
    var fieldTexts: [String] {
        if case .array(let elements) = self { return elements.compactMap(\.fieldText) }
        return fieldText.map { [$0] } ?? []
    }

    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer, .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
