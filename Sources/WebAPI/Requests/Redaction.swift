import HTTPTypes
package import WireText

/// The secrets of requests, to take them out of texts in which others may repeat them.
///
/// A server's message may hold the very key it refuses. A secret is found as it was sent, as an
/// escape or an encoding of ours spells it, and as the beginning that a cut has left of it.
package struct Redaction: Sendable {
    /// What is taken out, the longest first, so that no part of it stays.
    private let secrets: [String]

    /// Shorter ones are left, for taking them out would make a text unreadable.
    private static let shortest = 4
    /// The same for words within a value, such as the name of a cookie.
    private static let shortestWord = 6

    /// Takes nothing out.
    package static let none = Redaction([])

    /// Takes the secrets of requests out, and others.
    package init(_ requests: some Sequence<Request>, known: [String] = []) {
        var found = Set(known)
        for request in requests {
            for query in request.queries where query.isSecret {
                found.formUnion([query.value, query.encodedValue].compactMap(\.self))
            }
            for field in request.headers where field.isSecret {
                found.insert(field.value)
                // Behind the name of the scheme, as in "Bearer …".
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

    /// A text without the secrets.
    package func applied(to text: String) -> String {
        guard !secrets.isEmpty else { return text }
        let scalars = Array(
            secrets.reduce(text) { $0.replacing($1, with: SecretNames.mark) }.unicodeScalars)
        // What was cut may end with the beginning of a secret.
        let parts = scalars.split(separator: Self.cut, omittingEmptySubsequences: false)
        return parts.map(withoutBeginning).joined(separator: String(Self.cut))
    }

    /// A phrase without the secrets.
    package func applied(to phrase: Phrase) -> Phrase {
        phrase.mapTexts { applied(to: $0) }
    }

    /// What is at the end of a text that was cut.
    private static let cut: Unicode.Scalar = "…"

    /// A text without the beginning of a secret at its end.
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

    /// A secret as it may be in a text: as it is, escaped, or encoded.
    private static func spellings(of secret: String) -> [String] {
        [secret, Escaping.json.escaped(secret), Escaping.line.escaped(secret)]
            + [PercentEncoding.encoded(secret)]
    }

    private static func isScheme(_ word: String) -> Bool {
        ["bearer", "digest", "negotiate"].contains(word.lowercased())
    }
}

/// A value whose description leaves secrets out, as `dump` and debuggers then do.
public protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
    /// The description, for `dump` and debuggers.
    public var customMirror: Mirror {
        let text = (self as? any CustomDebugStringConvertible)?.debugDescription ?? description
        return Mirror(self, children: ["description": text], displayStyle: .struct)
    }
}

extension HTTPField {
    /// Whether no description may show the value.
    var isSecret: Bool {
        indexingStrategy == .disallow || SecretNames.contains(name.rawName)
    }
}

/// Which names of headers and queries mark a value that no description may show.
enum SecretNames {
    /// What is shown instead.
    static let mark = "***"

    /// Parts of names that tell, in small letters, without `-` and `_`.
    private static let parts: [[UInt8]] = [
        "authorization", "cookie", "token", "secret", "password", "passwd", "apikey", "accesskey",
        "privatekey", "subscriptionkey", "signature", "credential", "session", "authkey",
        "xauth",
    ].map { Array($0.utf8) }

    /// Whole names, likewise.
    private static let wholes = Set(
        ["key", "sig", "auth", "pwd", "xkey", "codeverifier"].map { Array($0.utf8) })

    /// Says whether a value under a name is to be kept out of descriptions.
    static func contains(_ name: String) -> Bool {
        let plain = name.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
            .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return wholes.contains(plain) || parts.contains { plain.firstRange(of: $0) != nil }
    }
}
