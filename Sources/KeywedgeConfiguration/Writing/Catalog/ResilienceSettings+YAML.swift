import Catalog
import Yams

extension BreakerSettings {
    var node: Node {
        Node(mapping: [
            (Key.window.rawValue, Node(duration: window)),
            (Key.minimumCalls.rawValue, Node(word: String(minimumCalls))),
            (Key.failurePercent.rawValue, Node(word: String(failurePercent))),
            (Key.openFor.rawValue, Node(duration: openFor)),
            (Key.openAtMost.rawValue, Node(duration: openAtMost)),
        ])
    }
}

extension CacheSettings {
    var node: Node {
        Node(mapping: [
            (Key.fresh.rawValue, Node(duration: fresh)),
            (Key.staleWhileRevalidate.rawValue, Node(duration: staleWhileRevalidate)),
            (Key.staleIfError.rawValue, Node(duration: staleIfError)),
            (Key.notFound.rawValue, Node(duration: notFound)),
            (Key.entries.rawValue, Node(word: String(entries))),
            (Key.obeysHeaders.rawValue, Node(word: String(obeysHeaders))),
        ])
    }
}

extension QuotaSettings {
    var node: Node {
        Node(
            mapping: [
                (Key.requests.rawValue, Node(word: String(requests))),
                (Key.per.rawValue, Node(duration: per)),
            ], .flow)
    }
}

extension RateLimitFields {
    var node: Node? {
        guard self != RateLimitFields() else { return nil }
        return Node(mapping: [
            (Key.remaining.rawValue, remaining.map(Node.init(text:))),
            (Key.reset.rawValue, reset.map(Node.init(text:))),
            (Key.resetUnit.rawValue, Node(word: resetUnit.rawValue)),
        ])
    }
}
