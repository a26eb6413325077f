package import HTTPCatalog
package import WebAPI
import WireText

/// How HTTPS connections are secured.
///
/// Certificates are always verified, and TLS is at least 1.2.
package struct TLSConfiguration: Equatable, Sendable {
    /// The oldest version that is accepted.
    package enum Version: String, CaseIterable, Sendable {
        case tls12 = "1.2"
        case tls13 = "1.3"
    }

    /// The largest file with certificates that is read, in bytes; the system's own has some 200,000.
    private static let longest = 4 << 20

    /// A file with authorities to trust, besides those of the system unless ``trustsOnlyThese``.
    package var authorityFile: SecretSource?
    /// Whether to distrust the authorities of the system.
    package var trustsOnlyThese: Bool
    /// A file with a certificate to show.
    package var certificateFile: SecretSource?
    /// A file with the key of that certificate.
    package var keyFile: SecretSource?
    /// The keys of which the server must have one; empty for any.
    package var pinnedKeys: [PinnedKey]
    /// The oldest version that is accepted.
    package var minimum: Version

    package init(
        authorityFile: SecretSource? = nil, trustsOnlyThese: Bool = false,
        certificateFile: SecretSource? = nil, keyFile: SecretSource? = nil,
        pinnedKeys: [PinnedKey] = [], minimum: Version = .tls12
    ) {
        self.authorityFile = authorityFile
        self.trustsOnlyThese = trustsOnlyThese
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.pinnedKeys = pinnedKeys
        self.minimum = minimum
    }

    /// The files that are configured.
    package var files: [SecretSource] {
        [authorityFile, certificateFile, keyFile].compactMap(\.self)
    }

    /// Reads the files; `name` is whose they are, for the error.
    ///
    /// - Throws: ``CatalogOpeningError``.
    package func options(
        for name: String, _ secrets: SecretReader
    ) throws(CatalogOpeningError) -> TLSOptions {
        func bytes(_ source: SecretSource) throws(CatalogOpeningError) -> [UInt8] {
            try Self.bytes(source, secrets, for: name)
        }
        var options = TLSOptions(pinnedKeys: Set(pinnedKeys))
        if minimum == .tls13 { options.minimumVersion = .tls13 }
        if let authorityFile {
            let authority = try bytes(authorityFile)
            options.trust = trustsOnlyThese ? .only([authority]) : .systemAnd([authority])
        }
        if let certificateFile, let keyFile {
            options.clientCertificate = TLSOptions.ClientCertificate(
                chain: try bytes(certificateFile), key: try bytes(keyFile))
        }
        return options
    }

    private static func bytes(
        _ source: SecretSource, _ secrets: SecretReader, for name: String
    ) throws(CatalogOpeningError) -> [UInt8] {
        let reason: String
        do {
            return try SmallFile.read(try secrets.path(of: source), limit: longest)
        } catch let error as SystemCallError {
            let place = source.description.quoted()
            reason =
                error.isFileTooLarge
                ? "\(place) is longer than \(longest) bytes"
                : "\(place) cannot be read: \(error.text)"
        } catch {
            reason = String("\(error)".dropLast())
        }
        throw CatalogOpeningError(catalog: name, reason: reason)
    }
}
