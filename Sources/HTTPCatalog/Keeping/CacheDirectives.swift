import HTTPTypes
import WebAPI

/// What an answer says about how long it may be kept.
///
/// Rules: RFC 9111, sections 5.2.2 (response directives), 5.1 (Age), 4.2.4 (stale responses) and
/// 4.3.4 (updating what is stored); RFC 5861 (stale-while-revalidate, stale-if-error).
struct CacheDirectives: Equatable, Sendable {
    /// `Cache-Control`, which the fields below are read from.
    let text: String?
    /// How old the answer was when it came.
    let age: Duration
    /// The tag to ask with whether it still holds.
    let entityTag: String?

    /// It may not be kept at all.
    private(set) var noStore = false
    /// It may not be used without asking again, stale or not.
    private(set) var noCache = false
    /// It may not be used once it is stale.
    private(set) var mustRevalidate = false
    private var maxAge: Duration?
    /// How long after it became stale it may be used while it is asked for again.
    private(set) var staleWhileRevalidate: Duration?
    /// How long after it became stale it may be used if asking again fails.
    private(set) var staleIfError: Duration?

    /// How long it is fresh from when it came.
    var freshFor: Duration? { maxAge.map { max(.zero, $0 - age) } }

    init(_ text: String? = nil, age: Duration = .zero, entityTag: String? = nil) {
        self.text = text
        self.age = age
        self.entityTag = entityTag
        for part in (text ?? "").split(separator: ",") { read(part) }
    }

    init(_ response: Response) {
        self.init(
            response.headers[.cacheControl],
            age: response.headers[.age].flatMap { Self.seconds($0[...]) } ?? .zero,
            entityTag: response.headers[.eTag].flatMap(Self.tag))
    }

    /// These directives with those of a 304, which keeps what it does not name.
    func updated(by confirmation: CacheDirectives) -> CacheDirectives {
        CacheDirectives(
            confirmation.text ?? text, age: confirmation.age,
            entityTag: confirmation.entityTag ?? entityTag)
    }

    private mutating func read(_ directive: Substring) {
        let parts = directive.split(separator: "=", maxSplits: 1)
        guard let name = parts.first?.filter({ $0 != " " && $0 != "\t" }).lowercased() else {
            return
        }
        let argument = parts.count == 2 ? Self.seconds(parts[1]) : nil
        switch name {
        case "no-store": noStore = true
        // With names after it, it is about those header fields.
        case "no-cache": noCache = noCache || parts.count == 1
        case "must-revalidate": mustRevalidate = true
        case "max-age": maxAge = argument ?? .zero
        case "stale-while-revalidate": staleWhileRevalidate = argument
        case "stale-if-error": staleIfError = argument
        default: break
        }
    }

    /// Whole seconds, in quotation marks or not; a number that is too large means very long.
    private static func seconds(_ text: Substring) -> Duration? {
        let digits = text.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return .seconds(min(Int64(digits) ?? .max, 2_147_483_648))
    }

    /// An entity tag that can be sent back as it is.
    ///
    /// Rule: RFC 9110, section 8.8.3.
    private static func tag(_ text: String) -> String? {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        guard (2...256).contains(opaque.utf8.count), opaque.hasPrefix("\""), opaque.hasSuffix("\""),
            opaque.dropFirst().dropLast().utf8.allSatisfy({
                $0 == 0x21 || (0x23...0x7E).contains($0)
            })
        else { return nil }
        return text
    }
}
