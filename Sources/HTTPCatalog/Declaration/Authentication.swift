package enum Authentication: Equatable, Sendable {
    package struct OAuth2Client: Equatable, Sendable {
        package enum Sending: String, CaseIterable, Sendable {
            /// The client ID and secret are sent as HTTP Basic authentication (RFC 6749, section 2.3.1).
            case basic
            /// The client ID and secret are sent in the body of the token request.
            case form
        }

        package var tokenURL: String
        package var clientID: SecretSource
        package var clientSecret: SecretSource
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
    /// A header field: the prefix, such as `Token ` or an empty string, followed by the secret.
    case header(name: String, prefix: String, secret: SecretSource)
    /// A query item with the secret, which may therefore appear in the logs of servers and proxies.
    case query(name: String, secret: SecretSource)
    /// HTTP Basic authentication (RFC 7617).
    case basic(user: SecretSource, password: SecretSource)
    /// A bearer token (RFC 6750).
    case bearer(SecretSource)
    /// A bearer token, fetched with the client credentials grant (RFC 6749, section 4.4).
    case oauth2(OAuth2Client)

    /// The secrets to read; a user name comes before its password, and a client ID before its secret.
    package var sources: [SecretSource] {
        switch self {
        case .none: []
        case .header(_, _, let secret), .query(_, let secret), .bearer(let secret): [secret]
        case .basic(let user, let password): [user, password]
        case .oauth2(let client): [client.clientID, client.clientSecret]
        }
    }
}

/// Where to find a secret; the configuration itself never contains one.
package enum SecretSource: Equatable, Sendable {
    /// A value that is not secret, such as a user name, written in the configuration.
    case plain(String)
    case file(path: String)
    /// The name of a systemd credential, as set with `LoadCredential=` in the unit.
    case credential(name: String)

    package var description: String {
        switch self {
        case .plain(let text): text
        case .file(let path): path
        case .credential(let name): "credential:" + name
        }
    }
}
