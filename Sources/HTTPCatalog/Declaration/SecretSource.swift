/// Where a secret is: never in the configuration itself.
package enum SecretSource: Hashable, Sendable {
    /// No secret: a user's name, as it stands in the configuration.
    case plain(String)
    /// A file of its own.
    case file(path: String)
    /// A credential of the service manager, by its name: a file in `$CREDENTIALS_DIRECTORY`
    /// (systemd.exec(5), `LoadCredential=`).
    case credential(name: String)

    /// Where the secret is, for messages.
    package var description: String {
        switch self {
        case .plain(let text): text
        case .file(let path): path
        case .credential(let name): "credential:" + name
        }
    }
}
