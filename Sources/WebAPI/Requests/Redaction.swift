import HTTPTypes
package import WireText

/// A filter that removes the secrets of requests from text, such as a server's message.
///
/// Secrets are also found if they are escaped or percent-encoded. If text was shortened in the middle of a secret, the
/// part that is left is removed, too, unless it has fewer than four characters.
package struct Redaction: Sendable {
    /// The strings to remove, longest first, because one secret can be part of another.
    private let secrets: [String]

    /// The minimum length of a secret in UTF-8 bytes; removing shorter ones would garble messages.
    private static let shortest = 4
    /// The minimum length in UTF-8 bytes of a name or value, such as a cookie's, inside a secret header value.
    private static let shortestWord = 6

    package static let none = Redaction([])

    /// Creates a redaction that removes the secrets in `requests`, and those in `known`.
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

    package func applied(to text: String) -> String {
        guard !secrets.isEmpty else { return text }
        let scalars = Array(
            secrets.reduce(text) { $0.replacing($1, with: SecretNames.mark) }.unicodeScalars)
        // Shortened text may end with the beginning of a secret.
        let parts = scalars.split(separator: Self.cut, omittingEmptySubsequences: false)
        return parts.map(withoutBeginning).joined(separator: String(Self.cut))
    }

    package func applied(to phrase: Phrase) -> Phrase {
        phrase.mapTexts { applied(to: $0) }
    }

    /// The character that marks the end of shortened text.
    private static let cut: Unicode.Scalar = "…"

    /// Replaces a secret's beginning at the end of the text with `***`, if that beginning has at least four characters.
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

    private static func spellings(of secret: String) -> [String] {
        [secret, Escaping.json.escaped(secret), Escaping.line.escaped(secret)]
            + [PercentEncoding.encoded(secret)]
    }

    private static func isScheme(_ word: String) -> Bool {
        ["bearer", "digest", "negotiate"].contains(word.lowercased())
    }
}

/// A value whose description leaves out secrets; `dump` and debuggers show the same description.
public protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
    /// A mirror that contains only the description, so that `dump` and debuggers show no secrets.
    public var customMirror: Mirror {
        let text = (self as? any CustomDebugStringConvertible)?.debugDescription ?? description
        return Mirror(self, children: ["description": text], displayStyle: .struct)
    }
}

extension HTTPField {
    /// Whether descriptions must leave out the field's value.
    var isSecret: Bool {
        indexingStrategy == .disallow || SecretNames.contains(name.rawName)
    }
}

/// The names of header fields and query items whose values must not appear in descriptions.
enum SecretNames {
    static let mark = "***"

    /// Parts of the names of secret values, in lower case and without `-` and `_`.
    private static let parts: [[UInt8]] = [
        "authorization", "cookie", "token", "secret", "password", "passwd", "apikey", "accesskey",
        "privatekey", "subscriptionkey", "signature", "credential", "session", "authkey",
        "xauth",
    ].map { Array($0.utf8) }

    /// Names whose values are secret, in lower case and without `-` and `_`; unlike ``parts``, they must match fully.
    private static let wholes = Set(
        ["key", "sig", "auth", "pwd", "xkey", "codeverifier"].map { Array($0.utf8) })

    static func contains(_ name: String) -> Bool {
        let plain = name.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
            .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return wholes.contains(plain) || parts.contains { plain.firstRange(of: $0) != nil }
    }
}
