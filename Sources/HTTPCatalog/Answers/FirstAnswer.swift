import Catalog
import WireText

/// The answer to the first of two requests, with the values that it provides for the second.
struct FirstAnswer: Equatable, Sendable {
    let document: JSONValue
    /// The values for the second request, keyed by placeholder name.
    let values: [String: String]
    let captured: [FollowUp.Captured]

    /// A value that the second answer should repeat but does not, the expected text, and any text found instead.
    typealias Deviation = (value: FollowUp.Captured, asked: String, found: String?)

    /// Returns the first captured value that the second answer's `item` should repeat but does not; nil if none.
    func deviation(in item: Documents) -> Deviation? {
        for value in captured where !value.repeated.isEmpty {
            let asked = values[value.name] ?? ""
            let found = value.repeated.lazy.compactMap { item.value(at: $0)?.fieldText }.first
            let isSame = found.map { $0.utf8.elementsEqual(asked.utf8) } ?? false
            item.trace.verified(item.number, has: found.map { [$0] } ?? [], asked, isSame)
            guard isSame else { return (value, asked, found) }
        }
        return nil
    }
}

extension AnswerReader {
    func capture(_ captured: [FollowUp.Captured], from answer: JSONValue) -> AnswerMeaning {
        let documents = Documents(answer: answer)
        var values: [String: String] = [:]
        for value in captured {
            var hasNoElement = false
            for place in value.places where values[value.name] == nil {
                var found = documents.value(at: place)
                if case .element(let list, let key, nil, let take) = place,
                    let own = documents.elements(
                        of: list, where: key, matching: { codes.matches($0) })
                {
                    let texts = Set(own.map { Array(($0[take]?.fieldText ?? "").utf8) })
                    guard texts.count < 2 else { return severalElements(at: place) }
                    hasNoElement = hasNoElement || own.isEmpty
                    found = own.first?[take]
                }
                let text = found?.fieldText
                trace.place("{\(value.name)}", place, gave: text.map { [$0] } ?? [], found)
                values[value.name] = text
            }
            guard values[value.name] == nil else { continue }
            return hasNoElement ? .notFound : nothing(of: value)
        }
        return .captured(FirstAnswer(document: answer, values: values, captured: captured))
    }

    private func severalElements(at place: Place) -> AnswerMeaning {
        unusable("with several elements that have the code, at \(quoted: place.text); expected one")
    }

    private func nothing(of value: FollowUp.Captured) -> AnswerMeaning {
        unusable(
            "without what the second request needs; expected \(value.name) at "
                + Self.list(value.places))
    }

    func otherAnswer(_ other: FirstAnswer.Deviation) -> AnswerMeaning {
        let found = other.found.map { masked("\(quoted: $0)") } ?? "nothing"
        return .failed(
            LookupFailure(
                .otherProduct,
                "The catalog \(name) answered the second request with \(found) at "
                    + Self.list(other.value.repeated)
                    + "; expected the \(other.value.name) \(quoted: other.asked)."))
    }

    private static func list(_ places: [Place]) -> Phrase {
        places.map { "\(quoted: $0.text)" as Phrase }.joined(separator: " or ")
    }
}
