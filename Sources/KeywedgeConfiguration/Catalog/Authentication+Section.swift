import HTTPCatalog
import WebAPI
import WireText

extension Codec<Authentication> {
    static let authentication = Section("auth", Authentication.none) {
        Setting(
            \.self,
            oneOf: [
                Alternative("header", .header, "A header field of its own."),
                Alternative("query", .query, "An item of the query."),
                Alternative("basic", .basic, "A name and a password (RFC 7617)."),
                Alternative("bearer", .bearer, "A token (RFC 6750)."),
                Alternative(
                    "oauth2", .oauth2,
                    "A token that keywedge fetches as a client (RFC 6749, section 4.4)."),
            ], .one)
    }.codec.omitting { $0 == .none }

    private typealias Header = (name: String, prefix: String, secret: SecretSource)

    fileprivate static let header: Self = Section<Header>(
        "auth-header", (name: "", prefix: "", secret: SecretSource.plain(""))
    ) {
        Setting(
            "name", \.name,
            .text("the name of a header field such as X-API-Key", .text(minimum: 1)) {
                (try? HeaderField.make($0, "")) != nil
            }, "The name of the header field.", needed: "the name of a header field")
        Setting(
            "prefix", \.prefix,
            .text("printable ASCII, or nothing", matching: .text(pattern: "^[ -~]*$")),
            "The text before the secret.")
        Setting("value_file", \.secret, .secret, secretAbout, needed: secretText)
    }.codec.map(
        { .header(name: $0.name, prefix: $0.prefix, secret: $0.secret) },
        {
            if case .header(let name, let prefix, let secret) = $0 {
                (name, prefix, secret)
            } else {
                nil
            }
        })

    fileprivate static let query: Self = Section(
        "auth-query", (name: "", secret: SecretSource.plain(""))
    ) {
        Setting(
            "name", \.name, .nonEmptyText, "The name of the item.",
            needed: "the name of an item of the query")
        Setting("value_file", \.secret, .secret, secretAbout, needed: secretText)
    }.codec.map(
        { .query(name: $0.name, secret: $0.secret) },
        { if case .query(let name, let secret) = $0 { (name, secret) } else { nil } })

    fileprivate static let basic: Self = Section(
        "auth-basic", (user: SecretSource.plain(""), password: SecretSource.plain(""))
    ) {
        Setting(
            \.user,
            oneOf: [
                Alternative(
                    "user",
                    .plain(
                        .text("a user's name without a colon", matching: .text(pattern: "^[^:]+$"))),
                    "The user's name."),
                Alternative("user_file", .secret, secretAbout),
            ], .needed(secretText))
        Setting("password_file", \.password, .secret, secretAbout, needed: secretText)
    }.codec.map(
        { .basic(user: $0.user, password: $0.password) },
        { if case .basic(let user, let password) = $0 { (user, password) } else { nil } })

    fileprivate static let bearer: Self = Section("auth-bearer", SecretSource.plain("")) {
        Setting("token_file", \.self, .secret, secretAbout, needed: secretText)
    }.codec.map(
        Authentication.bearer, { if case .bearer(let token) = $0 { token } else { nil } })

    fileprivate static let oauth2: Self = Section(
        "auth-oauth2",
        Authentication.OAuth2Client(
            tokenURL: "", clientID: .plain(""), clientSecret: .plain(""))
    ) {
        Setting(
            "token_url", \.tokenURL, .webAddress, "Where tokens come from.",
            needed: "where tokens come from")
        Setting(
            \.clientID,
            oneOf: [
                Alternative(
                    "client_id",
                    .plain(.nonEmptyText), "The client's name."),
                Alternative("client_id_file", .secret, secretAbout),
            ], .needed(secretText))
        Setting(
            "client_secret_file", \.clientSecret, .secret, secretAbout, needed: secretText)
        Setting("scope", \.scope, .nonEmptyText, "What the token is for.")
        Setting(
            "send_as", \.sending, .choice, "How the client's own name and secret are sent.")
    }.codec.map(
        Authentication.oauth2, { if case .oauth2(let client) = $0 { client } else { nil } })
}

private let secretText = "the path of a file with the secret, or credential:NAME"
private let secretAbout = "A file with the secret, or credential:NAME of the service manager."

extension Codec<SecretSource> {
    /// Where to find a secret: the path of a file, or `credential:NAME` for a systemd credential.
    static let secret = Self(
        read: { reader in
            let prefix = "credential:"
            guard reader.tree.text?.hasPrefix(prefix) == true else {
                return reader.filePath().map(SecretSource.file)
            }
            let expected = "credential: and the name of a credential, without a slash"
            return reader.value(expected) { text in
                let name = String(text.dropFirst(prefix.count))
                let isName = !name.isEmpty && !name.contains("/") && name != "." && name != ".."
                return isName ? .credential(name: name) : nil
            }
        },
        write: { secret in
            if case .plain = secret {
                nil
            } else {
                Codec<String>.nonEmptyText.write(secret.description)
            }
        },
        schema: { _ in
            .any(
                of: .text(pattern: "^(?!~/|credential:)[^\\u0000]*[^/\\u0000]$"),
                .string(pattern: "^credential:(?!\\.\\.?$)[^/]+$"))
        })

    /// A value in the configuration itself, such as a user name, instead of a secret in a file.
    fileprivate static func plain(_ text: Codec<String>) -> Self {
        text.map(SecretSource.plain, { if case .plain(let text) = $0 { text } else { nil } })
    }
}
