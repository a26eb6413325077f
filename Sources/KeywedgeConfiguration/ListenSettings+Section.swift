import EventService
import HTTPService
import WebAPI
import WireText

extension ListenSettings {
    static let section = Section("listen", ListenSettings()) {
        Setting(
            "socket", \.socket, .path,
            "The unix socket, for its owner and its group.")
        Setting(
            "http", \.http, .listenAddress,
            "Where it listens beside that, as 127.0.0.1:8691; off unless given.")
        Setting(
            "hosts", \.hosts, .hosts,
            "Names under which it may be asked there, beside its address and localhost.")
        Setting(
            "origins", \.origins, .origins,
            "The origins of pages that may read events, as https://pos.example.")
        Setting(
            "token_file", \.tokenFile, .path, "A file with the token that clients of http show.")
        Setting(
            "certificate_file", \.certificateFile, .path,
            "A file with the certificate that http shows.")
        Setting("key_file", \.keyFile, .path, "A file with the key of that certificate.")
    } check: { listen, section in
        if (listen.certificateFile == nil) != (listen.keyFile == nil) {
            section.reader.report(
                expected: "certificate_file and key_file, or neither",
                found: listen.certificateFile == nil
                    ? "key_file alone" : "certificate_file alone")
        }
        if let http = listen.http, !http.isLoopback,
            listen.tokenFile == nil || listen.certificateFile == nil
        {
            section.reader.report(
                expected: "token_file, certificate_file and key_file beside an address that is not "
                    + "of this box alone",
                found: "not all of them")
        }
        if listen.http == nil, listen.tokenFile != nil || listen.certificateFile != nil {
            section.reader.report(
                expected: "http beside token_file and certificate_file", found: "none")
        }
    }
}

extension Codec<ListenAddress> {
    fileprivate static let listenAddress = text(
        "an address such as 127.0.0.1:8691",
        .string(pattern: "^([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5}$"),
        read: { ListenAddress($0) }, write: \.description)
}

extension Codec<[String]> {
    fileprivate static let hosts = list(
        "a list of names such as [register-3.lan]",
        of: .text("a name such as register-3.lan", .string(pattern: "^[A-Za-z0-9._-]+$")) { name in
            !name.isEmpty && ListenAddress(name + ":1")?.host == name
        }, onOneLine: true)

    fileprivate static let origins = list(
        "a list of origins such as [https://pos.example]",
        of: .text(
            "an origin such as https://pos.example", .string(pattern: "^https?://[^/?#@]+$"),
            where: isOrigin), onOneLine: true)

    /// Whether a text is an origin as browsers write it: no path, no port that goes without saying.
    @Sendable private static func isOrigin(_ text: String) -> Bool {
        guard let address = try? Address(text) else { return false }
        return address.origin.description == text
    }
}
