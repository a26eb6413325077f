/// The SHA-256 hash of a server's public key.
///
/// Hashed is the DER of the certificate's SubjectPublicKeyInfo, as RFC 7469, section 2.4, and curl's
/// `--pinnedpubkey` have it. It is made by
/// `openssl x509 -pubkey -noout -in cert.pem | openssl pkey -pubin -outform der | openssl dgst
/// -sha256 -binary | base64`.
public struct PinnedKey: Hashable, Sendable {
    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    /// Takes a hash.
    ///
    /// - Parameter bytes: Exactly 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }
}

extension PinnedKey: CustomStringConvertible {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Reads a hash.
    ///
    /// - Parameter text: 44 characters of Base64, with `sha256//` in front or not.
    public init?(_ text: String) {
        let digits = text.hasPrefix("sha256//") ? text.dropFirst(8) : text[...]
        guard digits.utf8.count == 44, digits.hasSuffix("=") else { return nil }
        var bits: UInt32 = 0
        var bytes: [UInt8] = []
        for (index, digit) in digits.utf8.dropLast().enumerated() {
            guard let value = Self.alphabet.firstIndex(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            if index % 4 > 0 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - index % 4 * 2)))
            }
        }
        self.init(bytes)
    }

    /// The hash as `sha256//` and 44 characters of Base64.
    public var description: String {
        var text = "sha256//"
        for start in stride(from: 0, to: 32, by: 3) {
            let group = bytes[start..<min(start + 3, 32)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - group.count))
            for digit in 0...group.count {
                let index = Int(bits >> UInt32(18 - 6 * digit)) & 63
                text.unicodeScalars.append(Unicode.Scalar(Self.alphabet[index]))
            }
        }
        return text + "="
    }
}
