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
    ///
    /// - Parameter name: A header's or query item's name; letter case does not matter.
    /// - Returns: Whether it tells of a secret.
    static func contains(_ name: String) -> Bool {
        let plain = name.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
            .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return wholes.contains(plain) || parts.contains { plain.firstRange(of: $0) != nil }
    }
}
