import WebAPI

extension TLSConfiguration {
    enum Key: String, CaseIterable {
        case authorityFile = "ca_file"
        case trustsOnlyThese = "only_ca_file"
        case certificateFile = "certificate_file"
        case keyFile = "key_file"
        case pinnedKeys = "pinned_keys"
        case minimum
    }

    /// Reads how connections are secured; what is wrong is reported and has its default.
    init?(reading reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        self.init()
        mapping.read(.authorityFile, into: &authorityFile) { $0.filePath() }
        mapping.read(.trustsOnlyThese, into: &trustsOnlyThese) { $0.flag() }
        mapping.read(.certificateFile, into: &certificateFile) { $0.filePath() }
        mapping.read(.keyFile, into: &keyFile) { $0.filePath() }
        mapping.read(.pinnedKeys, into: &pinnedKeys) { reader in
            reader.oneOrMany("keys to pin") { $0.pinnedKey() }
        }
        mapping.read(.minimum, into: &minimum) { $0.choice(Version.self) }
        check(reader)
    }

    private func check(_ reader: ConfigurationReader) {
        if (certificateFile == nil) != (keyFile == nil) {
            reader.report(
                expected: "certificate_file and key_file, or neither",
                found: certificateFile == nil ? "key_file alone" : "certificate_file alone")
        }
        if trustsOnlyThese, authorityFile == nil {
            reader.report(expected: "ca_file beside only_ca_file", found: "none")
        }
    }
}

extension ConfigurationReader {
    fileprivate func pinnedKey() -> PinnedKey? {
        value("sha256// and the 44 characters of a hash in base64, as curl writes it") {
            PinnedKeyText.key($0)
        }
    }
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
