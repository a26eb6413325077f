import Crypto
public import Foundation
import SwiftASN1
import X509

/// How a stub server sets up TLS.
public struct StubTLS: Sendable {
    /// What it shows to clients.
    public var certificate: TestCertificate
    /// The authority whose client certificates it wants; nil if it wants none.
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

/// A certificate made for a test, with its key.
public struct TestCertificate: Sendable {
    /// The certificate, as PEM.
    public let certificate: [UInt8]
    /// The private key, as PEM.
    public let key: [UInt8]
}

/// A certificate authority made for a test; nobody trusts it who is not told to.
public struct TestAuthority: Sendable {
    private let key: Certificate.PrivateKey
    private let name: DistinguishedName
    private let own: Certificate

    /// The authority's certificate, as PEM.
    public let certificate: [UInt8]

    /// Makes an authority.
    ///
    /// - Throws: What making certificates throws.
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

    /// Makes a certificate that is signed by this authority.
    ///
    /// - Parameters:
    ///   - hosts: The DNS names and IPv4 addresses it is for.
    ///   - validFrom: From when it is valid; for an hour if nothing is said.
    ///   - validUntil: Until when it is valid; for a day if nothing is said.
    /// - Returns: The certificate and its key.
    /// - Throws: What making certificates throws.
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
