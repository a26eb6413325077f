import WireText

package struct SecretReader: Sendable {
    /// The largest size of a secret, in bytes; a JSON Web Token takes a few thousand.
    private static let longest = 65_536

    private let credentialsFolder: String?

    /// Creates a reader; `credentialsFolder` is the value of `$CREDENTIALS_DIRECTORY`, if set.
    package init(credentialsFolder: String? = nil) {
        self.credentialsFolder = credentialsFolder
    }

    /// Reads a secret: one line of printable ASCII, without the newline at its end.
    package func secret(_ source: SecretSource) throws(SecretError) -> String {
        if case .plain(let text) = source { return text }
        let path = try path(of: source)
        let bytes: [UInt8]
        do throws(SystemCallError) {
            bytes = try SmallFile.line(path, limit: Self.longest)
        } catch {
            throw SecretError(
                error.isFileTooLarge
                    ? "The secret in \(path.quoted()) is too long; expected at most "
                        + "\(Self.longest) bytes."
                    : "The secret in \(path.quoted()) cannot be read: \(error.text).")
        }
        let place = source.description.quoted()
        guard !bytes.isEmpty else {
            throw SecretError("The secret in \(place) is empty; expected one line.")
        }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw SecretError(
                "The secret in \(place) cannot be sent; expected one line of ASCII characters.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package func path(of source: SecretSource) throws(SecretError) -> String {
        switch source {
        case .plain(let path), .file(let path): return path
        case .credential(let name):
            guard let credentialsFolder else {
                throw SecretError(
                    "The credential \(name.quoted()) cannot be read: the service manager has given "
                        + "none; expected LoadCredential=\(name) in the unit.")
            }
            return credentialsFolder + "/" + name
        }
    }
}

/// Why a secret cannot be used, as a sentence that does not quote the secret.
package struct SecretError: Error, Equatable, CustomStringConvertible {
    package let description: String

    fileprivate init(_ description: String) { self.description = description }
}
