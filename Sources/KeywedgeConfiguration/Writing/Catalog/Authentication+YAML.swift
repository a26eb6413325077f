import Catalog
import Yams

extension Authentication {
    var node: Node? {
        let (key, settings): (Key, [(String, Node?)])
        switch self {
        case .none: return nil
        case .header(let name, let prefix, let secret):
            (key, settings) = (
                .header,
                [
                    ("name", Node(text: name)), ("prefix", Node(text: prefix)),
                    ("value_file", secret.node),
                ]
            )
        case .basic(let user, let password):
            (key, settings) = (.basic, [user.pair("user"), ("password_file", password.node)])
        case .bearer(let secret): (key, settings) = (.bearer, [("token_file", secret.node)])
        case .oauth2(let client): (key, settings) = (.oauth2, client.pairs)
        }
        return Node(mapping: [(key.rawValue, Node(mapping: settings))])
    }
}

extension Authentication.OAuth2Client {
    fileprivate var pairs: [(String, Node?)] {
        [
            (Key.tokenURL.rawValue, Node(text: tokenURL)), clientID.pair("client_id"),
            (Key.clientSecretFile.rawValue, clientSecret.node),
            (Key.scope.rawValue, scope.map(Node.init(text:))),
            (Key.sending.rawValue, Node(word: sending.rawValue)),
        ]
    }
}

extension SecretSource {
    fileprivate var node: Node { Node(text: description) }

    /// The key for what may stand in the configuration, or the one for its file.
    fileprivate func pair(_ key: String) -> (String, Node?) {
        if case .plain(let text) = self { return (key, Node(text: text)) }
        return (key + "_file", node)
    }
}
