import Catalog
import WireText

/// The answer to the first of two requests, for reading the second.
struct FirstAnswer: Equatable, Sendable {
    let document: JSONValue
    /// The captured texts, by placeholder.
    let values: [String: String]
    let captured: [FollowUp.Captured]

    /// A value of the first answer that the second does not repeat.
    struct Deviation {
        let value: FollowUp.Captured
        /// The value that the second request asked for.
        let asked: String
        /// The second answer's value; nil if it has none.
        let found: String?
    }

    /// The first value that a product of the second answer does not repeat; nil if it repeats all.
    func deviation(in item: Documents, number: Int) -> Deviation? {
        for value in captured where !value.repeated.isEmpty {
            let asked = values[value.name] ?? ""
            let found = value.repeated.lazy.compactMap { item.value(at: $0)?.fieldText }.first
            let isSame = found.map { $0.utf8.elementsEqual(asked.utf8) } ?? false
            item.trace.verified(number, has: found.map { [$0] } ?? [], asked, isSame)
            guard isSame else { return Deviation(value: value, asked: asked, found: found) }
        }
        return nil
    }
}

extension AnswerReader {
    /// Captures what the second request needs of the first answer.
    func capture(_ captured: [FollowUp.Captured], from answer: JSONValue) -> AnswerMeaning {
        let documents = Documents(answer: answer)
        var values: [String: String] = [:]
        for value in captured {
            switch capture(value, from: documents) {
            case .text(let text): values[value.name] = text
            case .noElement: return .notFound
            case .several(let place):
                return unusable(
                    "with several elements that have the code, at \(quoted: place.text); "
                        + "expected one")
            case .nothing:
                return unusable(
                    "without what the second request needs; expected \(value.name) at "
                        + Self.list(value.places))
            }
        }
        return .captured(FirstAnswer(document: answer, values: values, captured: captured))
    }

    /// The result of a search for a placeholder's value.
    private enum Capture {
        case text(String)
        /// A list in which nothing has the code: there is no such product.
        case noElement
        /// A list in which several elements have the code, and not all give the same.
        case several(Place)
        case nothing
    }

    private func capture(_ captured: FollowUp.Captured, from documents: Documents) -> Capture {
        var result = Capture.nothing
        for place in captured.places {
            var found = documents.value(at: place)
            if case .element(let list, let key, nil, let take) = place,
                let own = documents.elements(of: list, where: key, matching: codes.matches)
            {
                let texts = Set(own.map { Array(($0[take]?.fieldText ?? "").utf8) })
                if texts.count > 1 { return .several(place) }
                if own.isEmpty { result = .noElement }
                found = own.first?[take]
            }
            let text = found?.fieldText
            trace.place("{\(captured.name)}", place, gave: text.map { [$0] } ?? [], found)
            if let text { return .text(text) }
        }
        return result
    }

    /// The failure of a second answer that is not about what the second request asked for.
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
