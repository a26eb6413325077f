/// How a catalog knows who asks.
package enum Authentication: Hashable, Sendable {
    /// A client that gets tokens for itself.
    package struct OAuth2Client: Hashable, Sendable {
        /// How the client's own name and secret are sent.
        package enum Sending: String, CaseIterable, Hashable, Sendable {
            /// As HTTP Basic (RFC 6749, section 2.3.1).
            case basic
            /// In the body of the request.
            case form
        }

        /// Where tokens come from: an http or https URL.
        package var tokenURL: String
        /// The client's name.
        package var clientID: SecretSource
        /// The client's secret.
        package var clientSecret: SecretSource
        /// What the token is for; nil where the service asks for no scope.
        package var scope: String?
        /// How the client's own name and secret are sent.
        package var sending: Sending

        /// Makes a client.
        ///
        /// - Parameters:
        ///   - tokenURL: Where tokens come from.
        ///   - clientID: The client's name.
        ///   - clientSecret: The client's secret.
        ///   - scope: What the token is for.
        ///   - sending: How the client's own name and secret are sent.
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
    /// A header field of its own, with something ahead of the secret or nothing: `Token `.
    case header(name: String, prefix: String, secret: SecretSource)
    /// An item of the query; whoever logs addresses on the way sees it.
    case query(name: String, secret: SecretSource)
    /// HTTP Basic (RFC 7617).
    case basic(user: SecretSource, password: SecretSource)
    /// A bearer token (RFC 6750).
    case bearer(SecretSource)
    /// A bearer token from the client credentials grant (RFC 6749, section 4.4).
    case oauth2(OAuth2Client)
}
