import HTTPTypes
import WebAPI
import WireText

/// What the places of a declaration refer to: the answers to the requests for one code.
struct Documents {
    /// The answer to the first of two requests; nil if there was one.
    let first: JSONValue?
    let answer: JSONValue
    let item: JSONValue
    let trace: Trace?

    init(first: JSONValue? = nil, answer: JSONValue, item: JSONValue? = nil, trace: Trace? = nil) {
        self.first = first
        self.answer = answer
        self.item = item ?? answer
        self.trace = trace
    }

    /// The same answers with another product; `trace` collects what is read of it.
    func at(_ item: JSONValue, trace: Trace?) -> Documents {
        Documents(first: first, answer: answer, item: item, trace: trace)
    }

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

    /// The elements of a list that have a value; nil if there is no list.
    func elements(
        of list: Place, where key: JSONPointer, matching matches: (String) -> Bool
    ) -> [JSONValue]? {
        value(at: list)?.array?.filter { $0[key]?.fieldTexts.contains(where: matches) ?? false }
    }

    /// The codes at a place, in order.
    func codes(at place: Place) -> [String] {
        guard case .each(let list, let take) = place else {
            return value(at: place)?.fieldTexts ?? []
        }
        return (value(at: list)?.array ?? []).compactMap { $0[take]?.fieldText }
    }

    /// The first text of a field's places.
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
    /// The value as the text of a field: a text that is more than white space, or a number's digits;
    /// nil for lists, objects, truth values and `null`.
    var fieldText: String? {
        switch self {
        case .string(let text): text.allSatisfy(\.isWhitespace) ? nil : text
        case .integer(let number): String(number)
        case .number(let number): number.literal
        case .null, .bool, .array, .object: nil
        }
    }

    /// The value as texts: itself, or the elements of a list.
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

extension Response {
    /// The value of a header field whose name a declaration gives.
    func value(of name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}
