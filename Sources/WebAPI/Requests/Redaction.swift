import HTTPTypes

/// The secrets of requests, to take them out of texts in which others may repeat them.
///
/// A server's message may hold the very key it refuses.
struct Redaction {
    /// What is taken out, the longest first, so that no part of it stays.
    private let secrets: [String]

    /// Shorter ones are left, for taking them out would make a text unreadable.
    private static let shortest = 6

    init(_ requests: some Sequence<Request>) {
        var found: Set<String> = []
        for request in requests {
            for query in request.queries where query.isSecret {
                found.formUnion([query.value, query.encodedValue].compactMap(\.self))
            }
            for field in request.headers where field.isSecret {
                found.insert(field.value)
                // Behind the name of the scheme, as in "Bearer …", or the name of a cookie.
                found.formUnion(field.value.split { " =;,".contains($0) }.map(String.init))
            }
        }
        secrets = found.filter { $0.utf8.count >= Self.shortest }
            .sorted { $0.utf8.count > $1.utf8.count }
    }

    /// A text without the secrets.
    func applied(to text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: SecretNames.mark) }
    }
}

extension HTTPField {
    /// Whether no description may show the value.
    var isSecret: Bool {
        indexingStrategy == .disallow || SecretNames.contains(name.rawName)
    }
}
