import WireText

extension AnswerReader {
    /// Takes what the second request needs from the first answer.
    func capture(
        _ captured: [FollowUp.Captured], from answer: JSONValue
    ) -> AnswerMeaning {
        var values: [String: String] = [:]
        for value in captured {
            let found = value.places.lazy.compactMap { place in
                observe?(Self.reading(value.name, place, answer[place]))
                return answer[place]?.fieldText
            }.first
            guard let found else {
                let places = value.places.map { "\(quoted: $0.description)" as Phrase }
                    .joined(separator: " or ")
                return .failed(
                    LookupFailure(
                        .unusableProduct,
                        "The catalog \(name) answered without what the second request needs; "
                            + "expected \(value.name) at \(places)."))
            }
            values[value.name] = found
        }
        return .captured(values: values, document: answer)
    }

    private static func reading(
        _ name: String, _ place: JSONPointer, _ value: JSONValue?
    ) -> LookupStep {
        .field(
            FieldReading(
                field: "{\(name)}", place: place.description,
                outcome: FieldReading.Outcome(value)))
    }

    /// The products that are about what the second request asked for.
    ///
    /// - Parameters:
    ///   - items: The products in the answer.
    ///   - first: The first answer; nil where there was one request, so that all of them are.
    ///   - reader: What reads the products.
    /// - Returns: The products with their numbers, from 0 on, and what the first of the others says.
    func repeating(
        _ items: [JSONValue], _ first: FirstAnswer?, _ reader: ProductReader
    ) -> (items: [EnumeratedSequence<[JSONValue]>.Element], other: FirstAnswer.Deviation?) {
        var other: FirstAnswer.Deviation?
        let repeating = items.enumerated().filter { number, item in
            let deviation = first?.deviation(in: reader.at(item), number: number, observe)
            other = other ?? deviation
            return deviation == nil
        }
        return (repeating, other)
    }

    /// The failure of a second answer that is not about what the second request asked for.
    func otherAnswer(_ other: FirstAnswer.Deviation) -> LookupFailure {
        let places = other.places.map { "\(quoted: $0)" as Phrase }.joined(separator: " or ")
        let found = other.found.map { masked("\(quoted: $0)") } ?? "nothing"
        return LookupFailure(
            .otherProduct,
            "The catalog \(name) answered the second request with \(found) at \(places); "
                + "expected the \(other.name) \(quoted: other.asked).")
    }
}
