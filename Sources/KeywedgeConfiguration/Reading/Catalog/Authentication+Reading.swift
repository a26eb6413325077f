import Catalog
import WebAPI

extension Authentication {
    enum Key: String, CaseIterable {
        case header, basic, bearer, oauth2
    }

    private enum HeaderKey: String, CaseIterable {
        case name, prefix
        case valueFile = "value_file"
    }

    private enum BasicKey: String, CaseIterable {
        case user
        case userFile = "user_file"
        case passwordFile = "password_file"
    }

    private enum BearerKey: String, CaseIterable {
        case tokenFile = "token_file"
    }

    /// Reads how a catalog knows who asks.
    ///
    /// It is nil where anything is wrong, which is reported.
    init?(reading reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let given = Key.allCases.compactMap { key in mapping[key].map { (key, $0) } }
        guard let (key, value) = given.first, given.count == 1 else {
            reader.report(
                expected: "one of header, basic, bearer and oauth2",
                found: given.isEmpty ? "none" : "\(given.count)")
            return nil
        }
        switch key {
        case .header: self.init(header: value)
        case .basic: self.init(basic: value)
        case .bearer: self.init(bearer: value)
        case .oauth2:
            guard let client = OAuth2Client(reading: value) else { return nil }
            self = .oauth2(client)
        }
    }

    private init?(header reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<HeaderKey>(reader) else { return nil }
        let name = reader.required(
            mapping[.name], "the name of a header field", HeaderKey.name.rawValue
        ) { $0.headerName() }
        let secret = reader.secret(mapping[.valueFile], HeaderKey.valueFile.rawValue)
        let prefix =
            mapping[.prefix].flatMap { reader -> String? in
                reader.value("printable ASCII, or nothing") {
                    $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? $0 : nil
                }
            } ?? ""
        guard let name, let secret else { return nil }
        self = .header(name: name, prefix: prefix, secret: secret)
    }

    private init?(basic reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<BasicKey>(reader) else { return nil }
        let user: SecretSource? =
            if let plain = mapping[.user] {
                plain.value("a user's name without a colon") {
                    $0.isEmpty || $0.contains(":") ? nil : .plain($0)
                }
            } else {
                reader.secret(mapping[.userFile], BasicKey.userFile.rawValue)
            }
        let password = reader.secret(mapping[.passwordFile], BasicKey.passwordFile.rawValue)
        guard let user, let password else { return nil }
        self = .basic(user: user, password: password)
    }

    private init?(bearer reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<BearerKey>(reader),
            let token = reader.secret(mapping[.tokenFile], BearerKey.tokenFile.rawValue)
        else { return nil }
        self = .bearer(token)
    }
}

extension Authentication.OAuth2Client {
    enum Key: String, CaseIterable {
        case tokenURL = "token_url"
        case clientID = "client_id"
        case clientIDFile = "client_id_file"
        case clientSecretFile = "client_secret_file"
        case scope
        case sending = "send_as"
    }

    /// Reads a client that gets tokens for itself.
    ///
    /// It is nil where anything is wrong, which is reported.
    init?(reading reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let url = reader.required(
            mapping[.tokenURL], "where tokens come from", Key.tokenURL.rawValue
        ) { reader in
            reader.value("an http or https URL") { (try? Location($0)) == nil ? nil : $0 }
        }
        let id: SecretSource? =
            if let plain = mapping[.clientID] {
                plain.nonEmptyText().map(SecretSource.plain)
            } else {
                reader.secret(mapping[.clientIDFile], Key.clientIDFile.rawValue)
            }
        let secret = reader.secret(mapping[.clientSecretFile], Key.clientSecretFile.rawValue)
        guard let url, let id, let secret else { return nil }
        self.init(tokenURL: url, clientID: id, clientSecret: secret)
        mapping.read(.scope, into: &scope) { $0.nonEmptyText() }
        mapping.read(.sending, into: &sending) { $0.choice(Sending.self) }
    }
}

extension ConfigurationReader {
    /// Where a secret is: a file, or `credential:NAME` of the service manager.
    fileprivate func secret(_ value: ConfigurationReader?, _ key: String) -> SecretSource? {
        required(value, "the path of a file with the secret, or credential:NAME", key) { reader in
            let prefix = "credential:"
            guard case .scalar(let text, _) = reader.tree.content, text.hasPrefix(prefix) else {
                return reader.filePath().map(SecretSource.file)
            }
            let expected = "credential: and the name of a credential, without a slash"
            return reader.value(expected) { text in
                let name = String(text.dropFirst(prefix.count))
                let isName = !name.isEmpty && !name.contains("/") && name != "." && name != ".."
                return isName ? .credential(name: name) : nil
            }
        }
    }

    fileprivate func headerName() -> String? {
        value("the name of a header field such as X-API-Key") { text in
            (try? HeaderField.make(text, "")) == nil ? nil : text
        }
    }
}
