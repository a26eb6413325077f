import WireText

/// Reads secrets from files and from the credentials of the service manager.
package struct SecretReader: Sendable {
    /// The longest secret that is read, in bytes; a JSON Web Token has a few thousand.
    static let longest = 65_536

    private let credentialsFolder: String?

    /// Makes a reader; `credentialsFolder` is what `$CREDENTIALS_DIRECTORY` names, the folder with the
    /// credentials of the service manager, or nil.
    package init(credentialsFolder: String? = nil) {
        self.credentialsFolder = credentialsFolder
    }

    /// Reads a secret: one line of ASCII characters, without the newline at the end of its file.
    ///
    /// - Throws: ``SecretError``.
    package func secret(_ source: SecretSource) throws(SecretError) -> String {
        if case .plain(let text) = source { return text }
        let path = try path(of: source)
        let bytes: [UInt8]
        do throws(SystemCallError) {
            bytes = try SmallFile.line(path, limit: Self.longest)
        } catch {
            guard !error.isFileTooLarge else { throw .tooLong(place: path, limit: Self.longest) }
            throw .unreadable(error)
        }
        guard !bytes.isEmpty else { throw .empty(place: source.description) }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .unfit(place: source.description)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The file of a secret or a certificate.
    ///
    /// - Throws: ``SecretError/noCredentials(name:)``.
    package func path(of source: SecretSource) throws(SecretError) -> String {
        switch source {
        case .plain(let path), .file(let path): return path
        case .credential(let name):
            guard let credentialsFolder else { throw .noCredentials(name: name) }
            return credentialsFolder + "/" + name
        }
    }
}
