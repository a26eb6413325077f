import Catalog
import WireText

/// Answers as a cache keeps them: JSON.
enum AnswerText {
    /// The texts asked, as a key.
    static func key(_ codes: [String]) -> String {
        JSONWriter.text(of: .array(codes.map(JSONValue.string)))
    }

    /// An answer as text; nil where there is no product in it.
    static func text(_ answer: CachedAnswer) -> String? {
        guard let match = answer.match else { return nil }
        var object: JSONObject = [
            "key": .string(match.key.rawValue),
            "products": .array(match.candidates.map(\.jsonValue)),
            "fresh": seconds(answer.fresh),
            "while_revalidating": seconds(answer.staleWhileRevalidate),
            "if_error": seconds(answer.staleIfError),
        ]
        if let validator = answer.validator {
            object.append("asked", .string(validator.asked))
            object.append("tag", .string(validator.entityTag))
        }
        return JSONWriter.text(of: .object(object))
    }

    /// The answer in a text, as old as nothing; nil where the text is none.
    static func answer(_ text: String) -> CachedAnswer? {
        guard let object = (try? JSONReader.read(text))?.object,
            let key = object["key"]?.string.flatMap(Match.Key.init(rawValue:)),
            let products = object["products"]?.array?.compactMap(Product.init(json:)),
            let first = products.first,
            let fresh = duration(object["fresh"]),
            let whileRevalidating = duration(object["while_revalidating"]),
            let ifError = duration(object["if_error"])
        else { return nil }
        var validator: CachedAnswer.Validator?
        if let asked = object["asked"]?.string, let tag = object["tag"]?.string {
            validator = CachedAnswer.Validator(asked: asked, entityTag: tag)
        }
        return CachedAnswer(
            match: Match(key: key, product: first, others: Array(products.dropFirst())),
            at: .start, fresh: fresh, staleWhileRevalidate: whileRevalidating,
            staleIfError: ifError, validator: validator)
    }

    private static func seconds(_ duration: Duration) -> JSONValue {
        .integer(duration.components.seconds)
    }

    private static func duration(_ value: JSONValue?) -> Duration? {
        guard case .integer(let seconds) = value else { return nil }
        return .seconds(seconds)
    }
}
