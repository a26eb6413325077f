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

    /// The codes at a place, in order.
    func codes(at place: CodePlace) -> [String] {
        guard let value = value(at: place.place) else { return [] }
        guard let element = place.element else { return value.fieldTexts }
        return (value.array ?? []).compactMap { $0[element]?.fieldText }
    }

    /// The first text of a field's sources, and which of them gave it.
    func text(_ sources: [FieldSource]) -> (text: String, source: FieldSource)? {
        for source in sources {
            switch source {
            case .constant(let text): return (text, source)
            case .place(let place):
                if let text = value(at: place)?.fieldText { return (text, source) }
            }
        }
        return nil
    }
}
