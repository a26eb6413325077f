/// A certificate made for a test, with its key.
public struct TestCertificate: Sendable {
    /// The certificate, as PEM.
    public let certificate: [UInt8]

    /// The private key, as PEM.
    public let key: [UInt8]
}
