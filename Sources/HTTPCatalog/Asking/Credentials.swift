import Foundation
import HTTPTypes
import Synchronization
import WebAPI

/// The secrets that authenticate requests, read when they are first needed.
final class Credentials: Sendable {
    struct Current: Equatable, Sendable {
        /// The secrets, in the order of ``Authentication/sources``.
        let values: [String]
        /// A keyed hash of the declaration and these secrets; the ``AnswerKey/owner`` of the answers that they yield.
        let owner: String
    }

    private let authentication: Authentication
    private let reader: SecretReader
    private let owner: @Sendable ([String]) -> String
    private let read = Mutex<Current?>(nil)

    /// Creates credentials that are read when first needed; `owner` computes ``Current/owner``.
    init(
        _ authentication: Authentication, reader: SecretReader,
        owner: @escaping @Sendable ([String]) -> String
    ) {
        (self.authentication, self.reader, self.owner) = (authentication, reader, owner)
    }

    /// Returns the secrets; the first call reads them.
    func current() throws(SecretError) -> Current {
        if let current = read.withLock({ $0 }) { return current }
        return try reload()
    }

    func reload() throws(SecretError) -> Current {
        var values: [String] = []
        for source in authentication.sources { values.append(try reader.secret(source)) }
        let current = Current(values: values, owner: owner(values))
        read.withLock { $0 = current }
        return current
    }

    /// The secrets read so far, to be masked in messages.
    var known: [String] {
        let values = read.withLock { $0?.values ?? [] }
        return zip(authentication.sources, values).compactMap { source, value in
            if case .plain = source { nil } else { value }
        }
    }

    /// Authenticates a request with the secrets, or with the token that was fetched with them.
    func add(
        _ current: Current, token: String?, to request: inout Request
    ) throws(HeaderFieldError) {
        let values = current.values
        switch authentication {
        case .none: break
        case .header(let name, let prefix, _): try request.set(name, secret: prefix + values[0])
        case .query(let name, _):
            request.queries.removeAll { $0.name == name }
            request.queries.append(Query(name, values[0], isSecret: true))
        case .basic: try request.authenticate(user: values[0], password: values[1])
        // Rule: RFC 6750, section 2.1.
        case .bearer, .oauth2:
            try request.set("Authorization", secret: "Bearer \(token ?? values[0])")
        }
    }
}

extension Request {
    fileprivate mutating func set(_ name: String, secret: String) throws(HeaderFieldError) {
        let field = try HeaderField.make(name, secret, isSecret: true)
        headers[field.name] = nil
        headers.append(field)
    }

    /// Adds HTTP Basic authentication (RFC 7617, section 2).
    mutating func authenticate(user: String, password: String) throws(HeaderFieldError) {
        let encoded = Data("\(user):\(password)".utf8).base64EncodedString()
        try set("Authorization", secret: "Basic " + encoded)
    }
}
