import HTTPTypes
package import WireText

/// Removes the secrets of requests from text that may repeat them.
///
/// A server's message may contain the very key that it refuses. A secret is found as it was sent, in our escaped and
/// encoded spellings, and even if it is cut off at the end of shortened text.
package struct Redaction: Sendable {
    /// The texts to remove, the longest first, so a secret that contains another is removed whole.
    private let secrets: [String]

    /// Shorter secrets stay, because removing them would make messages unreadable.
    private static let shortest = 4
    /// The same limit for words within a value, such as the name of a cookie.
    private static let shortestWord = 6

    /// Removes nothing.
    package static let none = Redaction([])

    /// Makes a redaction of the secrets in requests and of other known secrets.
    package init(_ requests: some Sequence<Request>, known: [String] = []) {
        var found = Set(known)
        for request in requests {
            for query in request.queries where query.isSecret {
                found.formUnion([query.value, query.encodedValue].compactMap(\.self))
            }
            for field in request.headers where field.isSecret {
                found.insert(field.value)
                // The words after the name of the scheme, as in "Bearer …".
                let words = field.value.split(separator: " ").dropFirst()
                found.formUnion(words.map(String.init))
                found.formUnion(
                    field.value.split { " =;,".contains($0) }.map(String.init)
                        .filter { $0.utf8.count >= Self.shortestWord && !Self.isScheme($0) })
            }
        }
        secrets = Set(found.filter { $0.utf8.count >= Self.shortest }.flatMap(Self.spellings))
            .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    /// Returns text without the secrets.
    package func applied(to text: String) -> String {
        guard !secrets.isEmpty else { return text }
        let scalars = Array(
            secrets.reduce(text) { $0.replacing($1, with: SecretNames.mark) }.unicodeScalars)
        // A shortened text may end with the beginning of a secret.
        let parts = scalars.split(separator: Self.cut, omittingEmptySubsequences: false)
        return parts.map(withoutBeginning).joined(separator: String(Self.cut))
    }

    /// Returns a phrase without the secrets.
    package func applied(to phrase: Phrase) -> Phrase {
        phrase.mapTexts { applied(to: $0) }
    }

    /// The character that marks shortened text.
    private static let cut: Unicode.Scalar = "…"

    /// Returns text without the beginning of a secret at its end.
    private func withoutBeginning(_ text: ArraySlice<Unicode.Scalar>) -> String {
        for secret in secrets {
            let secret = Array(secret.unicodeScalars.dropLast())
            let longest = min(secret.count, text.count)
            for length in stride(from: longest, through: Self.shortest, by: -1)
            where text.suffix(length).elementsEqual(secret.prefix(length)) {
                return Self.text(text.dropLast(length)) + SecretNames.mark
            }
        }
        return Self.text(text)
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    /// Returns the spellings in which a secret may appear: as it is, escaped, or encoded.
    private static func spellings(of secret: String) -> [String] {
        [secret, Escaping.json.escaped(secret), Escaping.line.escaped(secret)]
            + [PercentEncoding.encoded(secret)]
    }

    private static func isScheme(_ word: String) -> Bool {
        ["bearer", "digest", "negotiate"].contains(word.lowercased())
    }
}

/// A value whose description leaves out secrets; `dump` and debuggers show that description, too.
public protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
    /// The description, for `dump` and debuggers.
    public var customMirror: Mirror {
        let text = (self as? any CustomDebugStringConvertible)?.debugDescription ?? description
        return Mirror(self, children: ["description": text], displayStyle: .struct)
    }
}

extension HTTPField {
    /// Whether descriptions must leave out the value.
    var isSecret: Bool {
        indexingStrategy == .disallow || SecretNames.contains(name.rawName)
    }
}

/// The names of header fields and query items whose values descriptions must leave out.
enum SecretNames {
    /// The text that replaces a secret.
    static let mark = "***"

    /// Parts of names that mean secrets, in lower case, without `-` and `_`.
    private static let parts: [[UInt8]] = [
        "authorization", "cookie", "token", "secret", "password", "passwd", "apikey", "accesskey",
        "privatekey", "subscriptionkey", "signature", "credential", "session", "authkey",
        "xauth",
    ].map { Array($0.utf8) }

    /// Whole names that mean secrets, likewise.
    private static let wholes = Set(
        ["key", "sig", "auth", "pwd", "xkey", "codeverifier"].map { Array($0.utf8) })

    /// Whether descriptions must leave out the value of a name.
    static func contains(_ name: String) -> Bool {
        let plain = name.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
            .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return wholes.contains(plain) || parts.contains { plain.firstRange(of: $0) != nil }
    }
}
