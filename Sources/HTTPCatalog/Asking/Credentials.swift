import Foundation
import HTTPTypes
import Synchronization
import WebAPI

/// What authenticates requests: secrets that are read once, and again when they were refused.
final class Credentials: Sendable {
    /// What goes into a request, marked as secret.
    struct Field: Equatable, Sendable {
        var name: String
        var value: String
        /// Whether it is an item of the query, and not a header field.
        var isQuery = false

        /// Puts it into a request, in the place of what has its name there.
        func add(to request: inout Request) throws(HeaderFieldError) {
            if isQuery {
                request.queries.removeAll { $0.name == name }
                request.queries.append(Query(name, value, isSecret: true))
            } else {
                let made = try HeaderField.make(name, value, isSecret: true)
                request.headers[made.name] = nil
                request.headers.append(made)
            }
        }
    }

    /// The secrets of a moment.
    struct Current: Equatable, Sendable {
        fileprivate let authentication: Authentication
        /// In the order of ``Authentication/sources``.
        let values: [String]
        /// Whose answers they get, see ``AnswerKey``.
        let owner: String

        /// What goes into requests to the catalog; nil if nothing is needed, or a token is.
        var field: Field? {
            switch authentication {
            case .none, .oauth2: nil
            case .header(let name, let prefix, _): Field(name: name, value: prefix + values[0])
            case .query(let name, _): Field(name: name, value: values[0], isQuery: true)
            case .bearer: .bearer(values[0])
            case .basic: .basic(user: values[0], password: values[1])
            }
        }
    }

    let authentication: Authentication
    private let reader: SecretReader
    private let owner: @Sendable ([String]) -> String
    private let read = Mutex<Current?>(nil)

    /// Reads nothing yet; `owner` says whose answers those with these secrets get.
    init(
        _ authentication: Authentication, reader: SecretReader,
        owner: @escaping @Sendable ([String]) -> String
    ) {
        self.authentication = authentication
        self.reader = reader
        self.owner = owner
    }

    /// The secrets, which are read if they were not.
    func current() throws(SecretError) -> Current {
        if let current = read.withLock({ $0 }) { return current }
        return try reload()
    }

    @discardableResult
    func reload() throws(SecretError) -> Current {
        var values: [String] = []
        for source in authentication.sources { values.append(try reader.secret(source)) }
        let current = Current(
            authentication: authentication, values: values, owner: owner(values))
        read.withLock { $0 = current }
        return current
    }

    /// The secrets that were read so far, to keep them out of texts.
    var known: [String] {
        let values = read.withLock { $0?.values ?? [] }
        return zip(authentication.sources, values).compactMap { source, value in
            if case .plain = source { nil } else { value }
        }
    }
}

extension Credentials.Field {
    /// A bearer token.
    ///
    /// Rule: RFC 6750, section 2.1.
    static func bearer(_ token: String) -> Self {
        Self(name: "Authorization", value: "Bearer " + token)
    }

    /// A user's name and password.
    ///
    /// Rule: RFC 7617, section 2.
    static func basic(user: String, password: String) -> Self {
        let encoded = Data((user + ":" + password).utf8).base64EncodedString()
        return Self(name: "Authorization", value: "Basic " + encoded)
    }
}
