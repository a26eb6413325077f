/// How a catalog knows who asks.
package enum Authentication: Equatable, Sendable {
    /// A client that gets tokens for itself.
    package struct OAuth2Client: Equatable, Sendable {
        /// How the client's own name and secret are sent.
        package enum Sending: String, CaseIterable, Sendable {
            /// As HTTP Basic (RFC 6749, section 2.3.1).
            case basic
            /// In the body of the request.
            case form
        }

        /// Where tokens come from: an http or https URL.
        package var tokenURL: String
        package var clientID: SecretSource
        package var clientSecret: SecretSource
        /// What the token is for; nil if the service asks for no scope.
        package var scope: String?
        package var sending: Sending

        package init(
            tokenURL: String, clientID: SecretSource, clientSecret: SecretSource,
            scope: String? = nil, sending: Sending = .basic
        ) {
            self.tokenURL = tokenURL
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.scope = scope
            self.sending = sending
        }
    }

    /// Not at all.
    case none
    /// A header field of its own, perhaps with something before the secret: `Token `.
    case header(name: String, prefix: String, secret: SecretSource)
    /// An item of the query, which everyone who logs addresses on the way sees.
    case query(name: String, secret: SecretSource)
    /// HTTP Basic (RFC 7617).
    case basic(user: SecretSource, password: SecretSource)
    /// A bearer token (RFC 6750).
    case bearer(SecretSource)
    /// A bearer token from the client credentials grant (RFC 6749, section 4.4).
    case oauth2(OAuth2Client)

    /// The secrets that it needs, in order.
    var sources: [SecretSource] {
        switch self {
        case .none: []
        case .header(_, _, let secret), .query(_, let secret), .bearer(let secret): [secret]
        case .basic(let user, let password): [user, password]
        case .oauth2(let client): [client.clientID, client.clientSecret]
        }
    }
}

/// Where a secret is: never in the configuration itself.
package enum SecretSource: Equatable, Sendable {
    /// No secret: a user's name, as the configuration has it.
    case plain(String)
    /// A file of its own.
    case file(path: String)
    /// A credential of the service manager, by its name: a file in `$CREDENTIALS_DIRECTORY`
    /// (systemd.exec(5), `LoadCredential=`).
    case credential(name: String)

    /// Where the secret is, for messages.
    package var description: String {
        switch self {
        case .plain(let text): text
        case .file(let path): path
        case .credential(let name): "credential:" + name
        }
    }
}
