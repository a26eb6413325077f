extension HTTPCatalogDeclaration {
    /// A text that is another one where the same answer may mean another product, so that answers
    /// kept under an earlier declaration are not used.
    ///
    /// Rule: FNV-1a, 64 bits, of everything that decides what is asked and how it is read.
    var fingerprint: String {
        let parts: [Any] = [
            url, codes, variables, request, rules, followUp as Any, product, authentication,
        ]
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in parts.map({ String(describing: $0) }).joined(separator: "\n").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }
}
