import HTTPTypes
import WebAPI

/// Takes secrets out of texts in which others may repeat them: a server's message may hold the very
/// key it refuses.
struct SecretMask: Sendable {
    /// What stands in the place of a secret.
    static let mark = "***"
    /// Shorter ones are left, for taking them out would make a text unreadable.
    private static let shortest = 4

    /// The longest first, so that no part of one stays.
    private let secrets: [String]

    /// Masks nothing.
    static let none = SecretMask(secrets: [])

    private init(secrets: [String]) { self.secrets = secrets }

    /// Masks the secrets of a request and others that are known.
    ///
    /// - Parameters:
    ///   - request: Its header fields that are marked as sensitive.
    ///   - known: Secrets that were read for the catalog.
    init(_ request: Request, known: [String]) {
        var found = Set(known)
        for field in request.headers where field.indexingStrategy == .disallow {
            found.insert(field.value)
            // Behind the name of the scheme, as in "Bearer …".
            found.formUnion(field.value.split(separator: " ").dropFirst().map(String.init))
        }
        secrets = found.filter { $0.utf8.count >= Self.shortest }
            .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    /// A text without the secrets.
    func applied(to text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: Self.mark) }
    }
}
