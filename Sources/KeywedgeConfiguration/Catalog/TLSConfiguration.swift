package import WebAPI

/// How the connections to a catalog are secured, beyond what always holds: certificates are
/// verified, and TLS is at least 1.2.
package struct TLSConfiguration: Equatable, Sendable {
    /// The oldest version that is accepted.
    package enum Version: String, CaseIterable, Sendable {
        case tls12 = "1.2"
        case tls13 = "1.3"
    }

    /// A file with authorities that are trusted, besides those of the system unless `onlyThese`.
    package var authorityFile: String?
    /// Whether the authorities of the system are not trusted.
    package var trustsOnlyThese: Bool
    /// A file with a certificate to show.
    package var certificateFile: String?
    /// A file with the key of that certificate.
    package var keyFile: String?
    /// The keys of which the server must have one; empty for any.
    package var pinnedKeys: [PinnedKey]
    /// The oldest version that is accepted.
    package var minimum: Version

    package init(
        authorityFile: String? = nil, trustsOnlyThese: Bool = false,
        certificateFile: String? = nil, keyFile: String? = nil, pinnedKeys: [PinnedKey] = [],
        minimum: Version = .tls12
    ) {
        self.authorityFile = authorityFile
        self.trustsOnlyThese = trustsOnlyThese
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.pinnedKeys = pinnedKeys
        self.minimum = minimum
    }
}
