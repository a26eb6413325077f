import HTTPTypes
import Synchronization
import WebAPI

/// What authenticates requests: secrets that are read once, and again when they were refused.
final class Credentials: Sendable {
    /// What goes into a request: a header field or an item of the query.
    struct Field: Equatable, Sendable {
        /// Where it goes.
        var place = Place.header
        /// The name of the header field or item.
        var name: String
        /// Its value.
        var value: String

        /// Where it goes.
        enum Place: Equatable, Sendable {
            case header
            case query
        }

        /// Puts it into a request, marked as secret, in the place of what has its name there.
        func add(to request: inout Request) throws(HeaderFieldError) {
            switch place {
            case .header:
                let made = try HeaderField.make(name, value, isSecret: true)
                request.headers[made.name] = nil
                request.headers.append(made)
            case .query:
                request.queries.removeAll { $0.name == name }
                request.queries.append(Query(name, value, isSecret: true))
            }
        }
    }

    private let authentication: Authentication
    private let reader: SecretReader
    private let secrets = Mutex<[SecretSource: String]>([:])

    init(_ authentication: Authentication, reader: SecretReader) {
        self.authentication = authentication
        self.reader = reader
    }

    /// What goes into requests to the catalog; nil where nothing is needed, or a token is.
    func field() throws(SecretError) -> Field? {
        switch authentication {
        case .none, .oauth2: nil
        case .header(let name, let prefix, let secret):
            Field(name: name, value: prefix + (try self.secret(secret)))
        case .query(let name, let secret):
            Field(place: .query, name: name, value: try self.secret(secret))
        case .bearer(let secret): Self.bearer(try self.secret(secret))
        case .basic(let user, let password):
            Self.basic(user: try secret(user), password: try secret(password))
        }
    }

    /// The client that gets tokens, where there is one, with its name and secret.
    func client() throws(SecretError) -> (
        client: Authentication.OAuth2Client, id: String, secret: String
    )? {
        guard case .oauth2(let client) = authentication else { return nil }
        return (client, try secret(client.clientID), try secret(client.clientSecret))
    }

    /// The secrets that were read so far, to keep them out of texts.
    var known: [String] {
        secrets.withLock { known in
            known.compactMap { source, text in
                if case .plain = source { nil } else { text }
            }
        }
    }

    /// Reads all secrets again.
    ///
    /// - Returns: Whether one of them is another now.
    func reload() throws(SecretError) -> Bool {
        let before = secrets.withLock { $0 }
        var isChanged = false
        for (source, old) in before {
            let new = try reader.secret(source)
            secrets.withLock { $0[source] = new }
            isChanged = isChanged || new != old
        }
        return isChanged
    }

    private func secret(_ source: SecretSource) throws(SecretError) -> String {
        if let known = secrets.withLock({ $0[source] }) { return known }
        let secret = try reader.secret(source)
        secrets.withLock { $0[source] = secret }
        return secret
    }

    /// A bearer token.
    ///
    /// Rule: RFC 6750, section 2.1.
    static func bearer(_ token: String) -> Field {
        Field(name: "Authorization", value: "Bearer " + token)
    }

    /// A user's name and password.
    ///
    /// Rule: RFC 7617, section 2.
    static func basic(user: String, password: String) -> Field {
        Field(name: "Authorization", value: "Basic " + Base64.encoded(user + ":" + password))
    }
}
