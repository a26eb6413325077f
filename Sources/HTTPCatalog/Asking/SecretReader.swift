import Glibc
import WireText

/// Reads secrets from where they are kept.
package struct SecretReader: Sendable {
    /// The longest secret that is read, in bytes; a JSON Web Token has a few thousand.
    static let longest = 65_536

    private let credentialsFolder: String?

    /// Makes a reader.
    ///
    /// - Parameter credentialsFolder: The folder with the credentials the service manager hands
    ///   over: what `$CREDENTIALS_DIRECTORY` says; nil where there is none.
    package init(credentialsFolder: String? = nil) {
        self.credentialsFolder = credentialsFolder
    }

    /// Reads a secret: the content of its file without the newline at its end.
    ///
    /// - Parameter source: Where it is.
    /// - Returns: The secret: one line of ASCII characters.
    /// - Throws: ``SecretError``.
    package func secret(_ source: SecretSource) throws(SecretError) -> String {
        let path: String
        switch source {
        case .plain(let text): return text
        case .file(let file): path = file
        case .credential(let name):
            guard let credentialsFolder else { throw .noCredentials(name: name) }
            path = credentialsFolder + "/" + name
        }
        var bytes = try Self.bytes(path)[...]
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        guard !bytes.isEmpty else { throw .empty(place: source.description) }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .unfit(place: source.description)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func bytes(_ path: String) throws(SecretError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= longest {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
        throw .tooLong(place: path, limit: longest)
    }

    private static func unreadable(_ path: String) -> SecretError {
        .unreadable(SystemCallError(operation: "read", path: path, errno: errno))
    }
}
