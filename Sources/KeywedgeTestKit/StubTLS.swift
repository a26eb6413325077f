import Crypto
public import Foundation
import SwiftASN1
import X509

/// The TLS settings of a stub server.
public struct StubTLS: Sendable {
    /// The certificate that the server presents, with its private key.
    public var certificate: TestCertificate
    /// The authority that must have issued the client's certificate; nil to require no client certificate.
    public var clientAuthority: TestAuthority?
    /// Whether TLS 1.2 is the newest version that the server supports.
    public var isOld: Bool

    /// Creates settings; by default, the server requires no client certificate and supports TLS 1.3.
    public init(
        _ certificate: TestCertificate, clientAuthority: TestAuthority? = nil, isOld: Bool = false
    ) {
        self.certificate = certificate
        self.clientAuthority = clientAuthority
        self.isOld = isOld
    }
}

/// A certificate for tests, with its private key.
public struct TestCertificate: Sendable {
    /// The certificate in PEM format.
    public let certificate: [UInt8]
    /// The private key in PEM format.
    public let key: [UInt8]
}

/// A certificate authority for tests; only clients configured with ``certificate`` trust it.
public struct TestAuthority: Sendable {
    private let key: Certificate.PrivateKey
    private let name: DistinguishedName
    private let own: Certificate

    /// The authority's own certificate in PEM format.
    public let certificate: [UInt8]

    /// Creates an authority with a new key and a self-signed certificate.
    public init() throws {
        key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        name = try DistinguishedName { CommonName("keywedge test authority") }
        own = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: Date.now - 3600, notValidAfter: Date.now + 86400, issuer: name,
            subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
            }, issuerPrivateKey: key)
        certificate = Array(try own.serializeAsPEM().pemString.utf8)
    }

    /// Makes a certificate with a new private key, signed by this authority; `hosts` are DNS names and IPv4 addresses.
    ///
    /// By default, the certificate is valid from one hour ago until one day from now.
    public func certificate(
        for hosts: [String], validFrom: Date = .now - 3600, validUntil: Date = .now + 86400
    ) throws -> TestCertificate {
        let leafKey = P256.Signing.PrivateKey()
        let leaf = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(leafKey.publicKey), notValidBefore: validFrom,
            notValidAfter: validUntil, issuer: name,
            subject: try DistinguishedName { CommonName(hosts.first ?? "nobody") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                SubjectAlternativeNames(hosts.map(Self.name))
            }, issuerPrivateKey: key)
        return TestCertificate(
            certificate: Array(try leaf.serializeAsPEM().pemString.utf8),
            key: Array(leafKey.pemRepresentation.utf8))
    }

    private static func name(of host: String) -> GeneralName {
        let numbers = host.split(separator: ".").compactMap { UInt8($0) }
        return numbers.count == 4
            ? .ipAddress(ASN1OctetString(contentBytes: numbers[...])) : .dnsName(host)
    }
}
