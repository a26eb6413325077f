import Catalog
import WireText
import Yams

extension HTTPCatalogConfiguration {
    /// The declaration with all its defaults.
    var node: Node {
        let declaration = declaration
        let resilience = declaration.resilience
        return Node(mapping: [
            (Key.name.rawValue, Node(text: declaration.name)),
            (Key.url.rawValue, Node(text: declaration.url)),
            (Key.auth.rawValue, declaration.authentication.node),
            (Key.tls.rawValue, tls.node),
            (Key.codes.rawValue, declaration.codes.node),
            (
                Key.variables.rawValue,
                Node(fields: declaration.variables.map { ($0.name, $0.value) })
            ),
            (Key.request.rawValue, declaration.request.node),
            (Key.notFound.rawValue, declaration.rules.notFound?.node),
            (Key.failed.rawValue, declaration.rules.failed?.node),
            (Key.throttled.rawValue, declaration.rules.throttled?.node),
            (Key.messages.rawValue, Node(texts: declaration.rules.messages.map(\.description))),
            (Key.then.rawValue, declaration.followUp?.node),
            (Key.product.rawValue, declaration.product.node),
            (Key.rateLimit.rawValue, declaration.rateLimit.node),
            (Key.redirects.rawValue, Node(word: declaration.redirects.rawValue)),
            (Key.maximumAnswer.rawValue, Node(word: String(declaration.maximumAnswer))),
            (Key.attemptTimeout.rawValue, Node(duration: resilience.attemptTimeout)),
            (Key.connectTimeout.rawValue, Node(duration: resilience.connectTimeout)),
            (Key.attempts.rawValue, Node(word: String(resilience.attempts))),
            (Key.backoff.rawValue, Node(duration: resilience.backoff)),
            (Key.retryTokens.rawValue, Node(word: String(resilience.retryTokens))),
            (Key.breaker.rawValue, resilience.breaker.node),
            (Key.cache.rawValue, resilience.cache.node),
            (Key.quota.rawValue, resilience.quota?.node),
            (Key.writeBack.rawValue, Node(word: String(writesBack))),
        ])
    }
}

extension Node {
    /// A duration.
    init(duration: Duration) {
        self.init(word: DurationText.text(duration))
    }

    /// Names with texts; nil for none.
    init?(fields: [(String, String)]) {
        guard !fields.isEmpty else { return nil }
        self.init(mapping: fields.map { ($0, Node(text: $1)) })
    }

    /// A list of texts; nil for none.
    init?(texts: [String]) {
        guard !texts.isEmpty else { return nil }
        self.init(texts.map(Node.init(text:)), .implicit, .flow)
    }
}

extension TLSConfiguration {
    var node: Node? {
        guard self != TLSConfiguration() else { return nil }
        return Node(mapping: [
            (Key.authorityFile.rawValue, authorityFile.map(Node.init(text:))),
            (Key.trustsOnlyThese.rawValue, Node(word: String(trustsOnlyThese))),
            (Key.certificateFile.rawValue, certificateFile.map(Node.init(text:))),
            (Key.keyFile.rawValue, keyFile.map(Node.init(text:))),
            (Key.pinnedKeys.rawValue, Node(texts: pinnedKeys.map(PinnedKeyText.text))),
            (Key.minimum.rawValue, Node(text: minimum.rawValue)),
        ])
    }
}
