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

    /// The codes at a place, in order.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - observe: Is told what stands there.
    /// - Returns: The codes; none where there are none.
    func codes(at place: CodePlace, _ observe: LookupStep.Observer? = nil) -> [String] {
        let value = value(at: place.place)
        let texts =
            if let element = place.element {
                (value?.array ?? []).compactMap { $0[element]?.fieldText }
            } else {
                value?.fieldTexts ?? []
            }
        observe?(
            .field(
                FieldReading(
                    field: "codes", place: place.text,
                    outcome: FieldReading.Outcome(texts, in: value))))
        return texts
    }

    /// The first text of a field's sources.
    ///
    /// - Parameters:
    ///   - sources: The sources, in order.
    ///   - field: What the field is called.
    ///   - observe: Is told of each source that was tried.
    /// - Returns: The text; nil where no source has one.
    func text(
        _ sources: [FieldSource], of field: String, _ observe: LookupStep.Observer? = nil
    ) -> String? {
        for source in sources {
            let found: JSONValue?
            switch source {
            case .constant(let text):
                observe?(.field(FieldReading(field: field, place: nil, outcome: .gave(text))))
                return text
            case .place(let place): found = value(at: place)
            case .joined(let place): found = value(at: place)
            }
            observe?(
                .field(
                    FieldReading(
                        field: field, place: source.text, outcome: FieldReading.Outcome(found))))
            if let text = found?.fieldText { return text }
        }
        return nil
    }
}
