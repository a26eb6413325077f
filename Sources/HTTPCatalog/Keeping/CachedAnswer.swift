import Catalog
import WireText

struct CachedAnswer: Equatable, Sendable {
    /// The product; nil if the catalog has no such product.
    var match: Match?
    /// When the answer arrived or was last confirmed.
    var at: MonotonicTime
    var directives: CacheDirectives
    /// The text for which the catalog returned the product; empty if there is no product.
    var asked: String
    /// Whether the answer is from the cache file; its age is then uncertain, so revalidate it.
    var isFromFile = false

    func age(at now: MonotonicTime) -> Duration { max(.zero, now - at) }
}

/// The cache key of an answer: a hash of the catalog's declaration and credentials, and the texts looked up.
struct AnswerKey: Hashable, Sendable {
    /// A keyed hash of the catalog's declaration and credentials.
    let owner: String
    /// Each text to look up, as a comma and a JSON string; bytes, because `String`s with different bytes can be equal.
    let codes: [UInt8]

    init(owner: String, texts: [String]) {
        self.owner = owner
        var codes: [UInt8] = []
        codes.reserveCapacity(64)
        for text in texts {
            codes.append(UInt8(ascii: ","))
            JSONWriter.append(text, to: &codes)
        }
        self.codes = codes
    }

    var text: String { String(decoding: codes, as: UTF8.self) }
}

extension CachedAnswer {
    /// The answer as JSON for the cache file; nil for an answer without a product.
    var json: String? {
        guard let match else { return nil }
        var object: JSONObject = [
            "key": .string(match.key.rawValue),
            "products": .array(match.candidates.map(\.jsonValue)),
            "asked": .string(asked),
            "age": .integer(directives.age.components.seconds),
        ]
        if let text = directives.text { object.append("cache_control", .string(text)) }
        if let tag = directives.entityTag { object.append("tag", .string(tag)) }
        return JSONWriter.text(of: .object(object))
    }

    init?(json text: String) {
        guard let object = (try? JSONReader.read(text))?.object,
            let key = object["key"]?.string.flatMap(Match.Key.init(rawValue:)),
            let products = object["products"]?.array?.compactMap(Product.init(json:)),
            let first = products.first, let asked = object["asked"]?.string,
            case .integer(let age) = object["age"]
        else { return nil }
        self.init(
            match: Match(key: key, product: first, others: Array(products.dropFirst())),
            at: .zero,
            directives: CacheDirectives(
                object["cache_control"]?.string, age: .seconds(age),
                entityTag: object["tag"]?.string),
            asked: asked, isFromFile: true)
    }
}
