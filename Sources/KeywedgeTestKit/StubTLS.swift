/// How a stub server sets up TLS.
public struct StubTLS: Sendable {
    /// What it shows to clients.
    public var certificate: TestCertificate

    /// The authority whose client certificates it wants; `nil` where it wants none.
    public var clientAuthority: TestAuthority?

    /// Whether it speaks nothing newer than TLS 1.2.
    public var isOld: Bool

    /// Makes a set-up.
    ///
    /// - Parameters:
    ///   - certificate: What it shows to clients.
    ///   - clientAuthority: The authority whose client certificates it wants.
    ///   - isOld: Whether it speaks nothing newer than TLS 1.2.
    public init(
        _ certificate: TestCertificate, clientAuthority: TestAuthority? = nil, isOld: Bool = false
    ) {
        self.certificate = certificate
        self.clientAuthority = clientAuthority
        self.isOld = isOld
    }
}
