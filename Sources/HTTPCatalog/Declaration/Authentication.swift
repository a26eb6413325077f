/// How keywedge authenticates itself to a catalog.
package enum Authentication: Equatable, Sendable {
    /// An OAuth 2 client that fetches its own tokens.
    package struct OAuth2Client: Equatable, Sendable {
        package enum Sending: String, CaseIterable, Sendable {
            /// As HTTP Basic (RFC 6749, section 2.3.1).
            case basic
            /// In the body of the request.
            case form
        }

        /// The http or https URL that issues tokens.
        package var tokenURL: String
        package var clientID: SecretSource
        package var clientSecret: SecretSource
        /// The scope to request; nil if the service needs none.
        package var scope: String?
        package var sending: Sending

        package init(
            tokenURL: String, clientID: SecretSource, clientSecret: SecretSource,
            scope: String? = nil, sending: Sending = .basic
        ) {
            (self.tokenURL, self.scope, self.sending) = (tokenURL, scope, sending)
            (self.clientID, self.clientSecret) = (clientID, clientSecret)
        }
    }

    case none
    /// A header field with the secret, perhaps after a prefix such as `Token `.
    case header(name: String, prefix: String, secret: SecretSource)
    /// A query item, which everyone who logs URLs on the way can read.
    case query(name: String, secret: SecretSource)
    /// HTTP Basic (RFC 7617).
    case basic(user: SecretSource, password: SecretSource)
    /// A bearer token (RFC 6750).
    case bearer(SecretSource)
    /// A bearer token from the client credentials grant (RFC 6749, section 4.4).
    case oauth2(OAuth2Client)

    /// The secrets that authentication needs, in order.
    package var sources: [SecretSource] {
        switch self {
        case .none: []
        case .header(_, _, let secret), .query(_, let secret), .bearer(let secret): [secret]
        case .basic(let user, let password): [user, password]
        case .oauth2(let client): [client.clientID, client.clientSecret]
        }
    }
}

/// Where to find a secret, which is never in the configuration itself.
package enum SecretSource: Equatable, Sendable {
    /// Not a secret: a user name in the configuration.
    case plain(String)
    case file(path: String)
    /// The name of a service manager's credential, which is a file in `$CREDENTIALS_DIRECTORY`
    /// (systemd.exec(5), `LoadCredential=`).
    case credential(name: String)

    package var description: String {
        switch self {
        case .plain(let text): text
        case .file(let path): path
        case .credential(let name): "credential:" + name
        }
    }
}
