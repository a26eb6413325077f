import HTTPTypes
import WebAPI

/// What an answer says about how long it may be kept.
///
/// Rules: RFC 9111, sections 5.2.2 (response directives), 5.1 (Age) and 4.2.4 (stale responses);
/// RFC 5861 (stale-while-revalidate, stale-if-error).
struct CacheDirectives: Equatable, Sendable {
    /// It may not be kept at all.
    var noStore = false
    /// It may not be used without asking again, be it stale or not.
    var noCache = false
    /// It may not be used once it is stale.
    var mustRevalidate = false
    /// How long it is fresh, its age so far taken off.
    var freshFor: Duration?
    /// How long beyond that it may be used while it is asked for again.
    var staleWhileRevalidate: Duration?
    /// How long beyond that it may be used where asking again fails.
    var staleIfError: Duration?
    /// What to ask with whether it still holds.
    var entityTag: String?

    /// Reads the directives of an answer.
    init(_ response: Response) {
        entityTag = response.headers[.eTag].flatMap(Self.tag)
        guard let text = response.headers[.cacheControl] else { return }
        for part in text.split(separator: ",") {
            read(part)
        }
        guard let lifetime = freshFor,
            let age = response.headers[.age].flatMap({ Self.seconds($0[...]) })
        else { return }
        freshFor = max(.zero, lifetime - age)
    }

    init() {}

    private mutating func read(_ directive: Substring) {
        let parts = directive.split(separator: "=", maxSplits: 1)
        guard let name = parts.first?.filter({ $0 != " " && $0 != "\t" }).lowercased() else {
            return
        }
        let argument = parts.count == 2 ? Self.seconds(parts[1]) : nil
        switch name {
        case "no-store": noStore = true
        // With field names behind it, it is about those fields.
        case "no-cache": noCache = noCache || parts.count == 1
        case "must-revalidate": mustRevalidate = true
        case "max-age": freshFor = argument ?? .zero
        case "stale-while-revalidate": staleWhileRevalidate = argument
        case "stale-if-error": staleIfError = argument
        default: break
        }
    }

    /// Whole seconds, in quotation marks or not; a number too large means very long.
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
        guard opaque.utf8.count >= 2, opaque.utf8.count <= 256, opaque.hasPrefix("\""),
            opaque.hasSuffix("\""),
            opaque.dropFirst().dropLast().utf8.allSatisfy({
                $0 == 0x21 || (0x23...0x7E).contains($0)
            })
        else { return nil }
        return text
    }
}
