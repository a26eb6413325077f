import HTTPTypes
import WebAPI

/// The caching rules in an answer's header fields.
///
/// Rules: RFC 9111, sections 5.2.2 (response directives), 5.1 (Age), 4.2.4 (stale responses) and 4.3.4 (freshening
/// stored responses); RFC 5861 (stale-while-revalidate, stale-if-error).
struct CacheDirectives: Equatable, Sendable {
    let text: String?
    /// The age of the answer when it arrived.
    let age: Duration
    let entityTag: String?
    private(set) var noStore = false
    private(set) var noCache = false
    private(set) var mustRevalidate = false
    /// How long the answer stays fresh after its arrival; nil if `Cache-Control` contains no `max-age`.
    private(set) var freshFor: Duration?
    private(set) var staleWhileRevalidate: Duration?
    private(set) var staleIfError: Duration?

    init(_ text: String? = nil, age: Duration = .zero, entityTag: String? = nil) {
        (self.text, self.age, self.entityTag) = (text, age, entityTag)
        for directive in (text ?? "").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1)
            let argument = parts.count == 2 ? Self.seconds(parts[1]) : nil
            switch parts.first?.filter({ $0 != " " && $0 != "\t" }).lowercased() {
            case "no-store": noStore = true
            // If the directive names header fields, it applies only to them.
            case "no-cache": noCache = noCache || parts.count == 1
            case "must-revalidate": mustRevalidate = true
            case "max-age": freshFor = max(.zero, (argument ?? .zero) - age)
            case "stale-while-revalidate": staleWhileRevalidate = argument
            case "stale-if-error": staleIfError = argument
            default: break
            }
        }
    }

    init(_ response: Response) {
        self.init(
            response.headers[.cacheControl],
            age: response.headers[.age].flatMap { Self.seconds($0[...]) } ?? .zero,
            // Kept as received, because it must be sent back unchanged (RFC 9110, section 8.8.3).
            entityTag: response.headers[.eTag].flatMap { tag in
                tag.wholeMatch(of: /(W\/)?"[!#-~]{0,254}"/) == nil ? nil : tag
            })
    }

    /// Returns a copy, updated with the age and header fields of a 304 response.
    func updated(by confirmation: CacheDirectives) -> CacheDirectives {
        CacheDirectives(
            confirmation.text ?? text, age: confirmation.age,
            entityTag: confirmation.entityTag ?? entityTag)
    }

    /// Parses whole seconds, which may be in quotation marks; caps them at 2^31 (RFC 9111, section 1.2.2).
    private static func seconds(_ text: Substring) -> Duration? {
        let digits = text.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return .seconds(min(Int64(digits) ?? .max, 2_147_483_648))
    }
}
