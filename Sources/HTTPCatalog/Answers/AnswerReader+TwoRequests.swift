import Catalog
import WireText

extension AnswerReader {
    /// Takes what the second request needs from the first answer.
    func capture(
        _ captured: [FollowUp.Captured], from answer: JSONValue, _ codes: CodeComparison,
        _ steps: inout [LookupStep]
    ) -> AnswerMeaning {
        var values: [String: String] = [:]
        for value in captured {
            switch self.value(value, in: answer, codes, &steps) {
            case .text(let text): values[value.name] = text
            case .noElement: return .notFound
            case .several(let source):
                return .failed(
                    unusable(
                        "several elements that have the code, at \(quoted: source.text); "
                            + "expected one"))
            case .nothing:
                let places = value.sources.map { "\(quoted: $0.text)" as Phrase }
                    .joined(separator: " or ")
                return .failed(
                    LookupFailure(
                        .unusableProduct,
                        "The catalog \(name) answered without what the second request needs; "
                            + "expected \(value.name) at \(places)."))
            }
        }
        return .captured(values: values, document: answer)
    }

    /// What an answer has for a placeholder.
    private enum Capture {
        /// This text.
        case text(String)
        /// A list in which nothing has the code: there is no such product.
        case noElement
        /// A list in which several elements have the code, and not all give the same.
        case several(FollowUp.Source)
        /// Nothing.
        case nothing
    }

    private func value(
        _ captured: FollowUp.Captured, in answer: JSONValue, _ codes: CodeComparison,
        _ steps: inout [LookupStep]
    ) -> Capture {
        var result = Capture.nothing
        for source in captured.sources {
            let found: JSONValue?
            switch source {
            case .at(let pointer): found = answer[pointer]
            case .element(let element):
                guard let list = answer[element.list]?.array else {
                    found = nil
                    break
                }
                let own = list.filter { item in
                    item[element.key]?.fieldTexts.contains(where: codes.matches) ?? false
                }
                let texts = Set(own.map { Array(($0[element.taken]?.fieldText ?? "").utf8) })
                if own.isEmpty { result = .noElement }
                if texts.count > 1 { return .several(source) }
                found = own.first?[element.taken]
            }
            steps.append(
                .place(
                    TriedPlace(
                        field: "{\(captured.name)}", place: source.text, outcome: .init(found))))
            if let text = found?.fieldText { return .text(text) }
        }
        return result
    }

    private func unusable(_ what: Phrase) -> LookupFailure {
        LookupFailure(.unusableProduct, "The catalog \(name) answered with \(what).")
    }

    /// The products that are about what the second request asked for.
    ///
    /// - Parameters:
    ///   - items: The products in the answer.
    ///   - first: The first answer; nil where there was one request, so that all of them are.
    ///   - reader: What reads the products.
    ///   - steps: Gets what was held against what.
    /// - Returns: The products with their numbers, from 0 on, and what the first of the others says.
    func repeating(
        _ items: [JSONValue], _ first: FirstAnswer?, _ reader: ProductReader,
        _ steps: inout [LookupStep]
    ) -> (items: [EnumeratedSequence<[JSONValue]>.Element], other: FirstAnswer.Deviation?) {
        var other: FirstAnswer.Deviation?
        let repeating = items.enumerated().filter { number, item in
            let deviation = first?.deviation(in: reader.at(item), number: number, &steps)
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
