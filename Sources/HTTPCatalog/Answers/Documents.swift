import WireText

/// What the places of a declaration refer to: the answers to the requests for one code.
struct Documents {
    /// The answer to the first of two requests; nil where there was one.
    var first: JSONValue?
    /// The answer.
    var answer: JSONValue
    /// The product in the answer.
    var item: JSONValue

    init(first: JSONValue? = nil, answer: JSONValue, item: JSONValue? = nil) {
        self.first = first
        self.answer = answer
        self.item = item ?? answer
    }

    /// What stands at a place.
    func value(at place: AnswerPlace) -> JSONValue? {
        switch place.start {
        case .item: item[place.pointer]
        case .answer: answer[place.pointer]
        case .firstAnswer: first?[place.pointer]
        }
    }

    /// What stands in the one element of a list that belongs to the product.
    private func value(at place: JoinedPlace) -> JSONValue? {
        guard let reference = value(at: place.reference)?.fieldText else { return nil }
        let own = (value(at: place.list)?.array ?? []).filter { element in
            element[place.key]?.fieldText?.utf8.elementsEqual(reference.utf8) ?? false
        }
        return own.count == 1 ? own.first?[place.taken] : nil
    }

    /// The codes at a place, in order; none where there are none.
    func codes(at place: CodePlace) -> [String] {
        let value = value(at: place.place)
        guard let element = place.element else { return value?.fieldTexts ?? [] }
        return (value?.array ?? []).compactMap { $0[element]?.fieldText }
    }

    /// The first text of a field's sources.
    ///
    /// - Parameters:
    ///   - sources: The sources, in order.
    ///   - field: What the field is called.
    ///   - steps: Gets each source that was tried.
    /// - Returns: The text; nil where no source has one.
    func text(
        _ sources: [FieldSource], of field: String, _ steps: inout [LookupStep]
    ) -> String? {
        for source in sources {
            let found: JSONValue?
            switch source {
            case .constant(let text):
                steps.append(
                    .place(TriedPlace(field: field, place: nil, outcome: .gave(text))))
                return text
            case .place(let place): found = value(at: place)
            case .joined(let place): found = value(at: place)
            }
            steps.append(
                .place(
                    TriedPlace(field: field, place: source.text, outcome: .init(found))))
            if let text = found?.fieldText { return text }
        }
        return nil
    }
}
