import HTTPCatalog
import WebAPI
import WireText
import Yams

extension Codec<Authentication> {
    static let authentication = Section("auth", Authentication.none) {
        Setting(oneOf: .one) {
            Setting("header", \.self, .header, "A secret in a header field.")
            Setting("query", \.self, .query, "A secret in a query parameter.")
            Setting("basic", \.self, .basic, "A name and a password (RFC 7617).")
            Setting("bearer", \.self, .bearer, "A token (RFC 6750).")
            Setting(
                "oauth2", \.self, .oauth2,
                "A token that keywedge fetches as a client (RFC 6749, section 4.4).")
        }
    }.codec.omitting { $0 == .none }

    fileprivate static let header: Self = Section(
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
            guard case .header(let name, let prefix, let secret) = $0 else { return nil }
            return (name, prefix, secret)
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
        Setting(oneOf: .needed(secretText)) {
            Setting(
                "user", \.user,
                .plain(.text("a user's name without a colon", matching: .text(pattern: "^[^:]+$"))),
                "The user's name.")
            Setting("user_file", \.user, .secret, secretAbout)
        }
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
            "token_url", \.tokenURL, .webAddress, "The URL that issues tokens.",
            needed: "where tokens come from")
        Setting(oneOf: .needed(secretText)) {
            Setting("client_id", \.clientID, .plain(.nonEmptyText), "The client's name.")
            Setting("client_id_file", \.clientID, .secret, secretAbout)
        }
        Setting(
            "client_secret_file", \.clientSecret, .secret, secretAbout, needed: secretText)
        Setting("scope", \.scope, .nonEmptyText, "The scope of the token.")
        Setting(
            "send_as", \.sending, .choice, "How the client's own name and secret are sent.")
    }.codec.map(
        Authentication.oauth2, { if case .oauth2(let client) = $0 { client } else { nil } })
}

private let secretText = "the path of a file with the secret, or credential:NAME"
private let secretAbout = "A file with the secret, or credential:NAME of the service manager."

extension Codec<SecretSource> {
    /// Where to find a secret: the path of a file, or `credential:NAME` for a systemd credential.
    static let secret = either(
        Self(
            read: { $0.filePath().map(SecretSource.file) },
            write: { if case .file(let path) = $0 { Node(text: path) } else { nil } },
            schema: { _ in .text(pattern: "^(?!~/|credential:)[^\\u0000]*[^/\\u0000]$") }),
        Codec<String>.text(
            "credential: and the name of a credential, without a slash",
            matching: .string(pattern: "^credential:(?!\\.\\.?$)[^/]+$")
        ).map(
            { .credential(name: String($0.dropFirst("credential:".count))) },
            { if case .credential = $0 { $0.description } else { nil } }),
        isLong: { $0.text?.hasPrefix("credential:") == true })

    /// Makes a codec for a value that is written in the configuration file itself, such as a user name.
    fileprivate static func plain(_ text: Codec<String>) -> Self {
        text.map(SecretSource.plain, { if case .plain(let text) = $0 { text } else { nil } })
    }
}
