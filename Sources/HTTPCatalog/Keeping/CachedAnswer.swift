import Catalog
import Crypto
import WireText

struct CachedAnswer: Equatable, Sendable {
    /// The product found; nil if the catalog has none.
    var match: Match?
    /// When it came, or was last confirmed.
    var at: MonotonicTime
    /// What it said about how long it may be kept.
    var directives: CacheDirectives
    /// The code as it was asked, which the entity tag belongs to.
    var asked: String
    /// Whether it comes from a file: it is asked for again before it is used, since the clock of a box
    /// that was off may be wrong for a while.
    var isFromFile = false

    func age(at now: MonotonicTime) -> Duration { max(.zero, now - at) }
}

/// What an answer is kept under: whose it is, and the texts a code is asked for, by their bytes.
///
/// Two texts that look the same are equal in Swift, but not to a catalog.
struct AnswerKey: Hashable, Sendable {
    /// The catalog, its declaration and its credentials, as a keyed hash.
    let owner: String
    let texts: [String]

    /// The texts as a file keeps them.
    var codes: String { JSONWriter.text(of: .array(texts.map(JSONValue.string))) }

    /// The hash of a text that may hold secrets.
    static func owner(of text: String, under key: SymmetricKey) -> String {
        let hash = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key).prefix(16)
        return hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    static func == (left: Self, right: Self) -> Bool {
        left.texts.elementsEqual(right.texts) { $0.utf8.elementsEqual($1.utf8) }
            && left.owner == right.owner
    }

    func hash(into hasher: inout Hasher) {
        for text in texts {
            // No byte of UTF-8, so that no two lists are the same.
            hasher.combine(UInt8(0xFF))
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}

extension CachedAnswer {
    /// The answer as a file keeps it; nil if there is no product in it.
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

    /// Reads what ``json`` has written; nil for any other text.
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
