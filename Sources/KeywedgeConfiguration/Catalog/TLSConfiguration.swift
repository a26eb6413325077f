package import HTTPCatalog
package import WebAPI
import WireText

/// The TLS settings of a connection; ``section`` explains each of them.
///
/// Certificates are always verified, and the TLS version is at least 1.2.
package struct TLSConfiguration: Equatable, Sendable {
    package var authorityFile: SecretSource?
    package var trustsOnlyThese = false
    package var certificateFile: SecretSource?
    package var keyFile: SecretSource?
    package var pinnedKeys: [PinnedKey] = []
    package var minimum = TLSOptions.Version.tls12

    package var files: [SecretSource] {
        [authorityFile, certificateFile, keyFile].compactMap(\.self)
    }

    /// Reads the certificate and key files, and returns the TLS options for a transport.
    package func options(
        for name: String, _ secrets: SecretReader
    ) throws(CatalogOpeningError) -> TLSOptions {
        func bytes(_ source: SecretSource) throws(CatalogOpeningError) -> [UInt8] {
            let reason: String
            do {
                // The limit is generous: the system's file of certificate authorities has about 200,000 bytes.
                return try SmallFile.read(try secrets.path(of: source), limit: 4 << 20)
            } catch let error as SystemCallError {
                reason = "\(source.description.quoted()) cannot be read: \(error.text)"
            } catch {
                reason = String("\(error)".dropLast())
            }
            throw CatalogOpeningError(catalog: name, reason: reason)
        }
        var options = TLSOptions(minimumVersion: minimum, pinnedKeys: Set(pinnedKeys))
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

    static let section = Section("tls", TLSConfiguration()) {
        fileSettings
        Setting(
            "pinned_keys", \.pinnedKeys,
            .oneOrMany(
                "keys to pin",
                of: .text(
                    "sha256// and the 44 characters of a hash in base64, as curl writes it",
                    .string(pattern: "^sha256//[A-Za-z0-9+/]{43}=$"),
                    read: { text in PinnedKey(text).flatMap { $0.description == text ? $0 : nil } },
                    write: \.description)),
            "The accepted keys of the server, as curl writes them.")
        Setting("minimum", \.minimum, .choice, "The oldest version of TLS that is accepted.")
    } check: { tls, section in
        tls.report(to: section)
    }

    static let fileSettings: [Setting<TLSConfiguration>] = [
        Setting(
            "ca_file", \.authorityFile, .secret,
            "A file with authorities to trust besides those of the system, or credential:NAME."),
        Setting(
            "only_ca_file", \.trustsOnlyThese, .flag,
            "Whether to trust only the authorities in ca_file."),
        Setting(
            "certificate_file", \.certificateFile, .secret,
            "A file with the client certificate, or credential:NAME."),
        Setting(
            "key_file", \.keyFile, .secret,
            "A file with the key of that certificate, or credential:NAME."),
    ]

    /// Reports a certificate or key without the other, and `only_ca_file` without `ca_file`.
    func report(to reader: ConfigurationReader) {
        reader.reportUnpaired(certificate: certificateFile, key: keyFile)
        if trustsOnlyThese, authorityFile == nil {
            reader.report(expected: "ca_file beside only_ca_file", found: "none")
        }
    }
}

extension ConfigurationReader {
    func reportUnpaired<File>(certificate: File?, key: File?) {
        guard (certificate == nil) != (key == nil) else { return }
        report(
            expected: "certificate_file and key_file, or neither",
            found: certificate == nil ? "key_file alone" : "certificate_file alone")
    }
}
