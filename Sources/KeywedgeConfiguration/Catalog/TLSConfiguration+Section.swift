import WebAPI
import WireText

extension TLSConfiguration {
    static let section = Section("tls", TLSConfiguration()) {
        Setting(
            "ca_file", \.authorityFile, .secret,
            "A file with authorities to trust besides those of the system, or credential:NAME.")
        Setting(
            "only_ca_file", \.trustsOnlyThese, .flag,
            "Whether to distrust the authorities of the system.")
        Setting(
            "certificate_file", \.certificateFile, .secret,
            "A file with a certificate to show, or credential:NAME.")
        Setting(
            "key_file", \.keyFile, .secret,
            "A file with the key of that certificate, or credential:NAME.")
        Setting(
            "pinned_keys", \.pinnedKeys, .oneOrMany("keys to pin", of: .pinnedKey),
            "The keys of which the server must have one, as curl writes them.")
        Setting("minimum", \.minimum, .choice, "The oldest version of TLS that is accepted.")
    } check: { tls, section in
        if (tls.certificateFile == nil) != (tls.keyFile == nil) {
            section.reader.report(
                expected: "certificate_file and key_file, or neither",
                found: tls.certificateFile == nil ? "key_file alone" : "certificate_file alone")
        }
        if tls.trustsOnlyThese, tls.authorityFile == nil {
            section.reader.report(expected: "ca_file beside only_ca_file", found: "none")
        }
    }
}

extension Codec<PinnedKey> {
    fileprivate static let pinnedKey = text(
        "sha256// and the 44 characters of a hash in base64, as curl writes it",
        .string(pattern: "^sha256//[A-Za-z0-9+/]{43}=$"), read: PinnedKeyText.key,
        write: PinnedKeyText.text)
}

/// Pinned keys as curl writes them: `sha256//` and base64.
enum PinnedKeyText {
    private static let prefix = "sha256//"

    static func key(_ text: String) -> PinnedKey? {
        guard text.hasPrefix(prefix) else { return nil }
        let digits = text.utf8.dropFirst(prefix.utf8.count)
        guard digits.count == 44, digits.last == UInt8(ascii: "=") else { return nil }
        var bits: UInt32 = 0
        var count = 0
        var bytes: [UInt8] = []
        for digit in digits.dropLast() {
            guard let value = value(digit) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return PinnedKey(bytes)
    }

    static func text(_ key: PinnedKey) -> String {
        var text = prefix
        for start in stride(from: 0, to: key.bytes.count, by: 3) {
            let group = key.bytes[start..<min(start + 3, key.bytes.count)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - group.count))
            for position in 0..<4 {
                let digit = digits[Int(bits >> UInt32(18 - 6 * position)) & 63]
                text.unicodeScalars.append(
                    position <= group.count ? Unicode.Scalar(digit) : "=")
            }
        }
        return text
    }

    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func value(_ digit: UInt8) -> UInt32? {
        digits.firstIndex(of: digit).map(UInt32.init)
    }
}
