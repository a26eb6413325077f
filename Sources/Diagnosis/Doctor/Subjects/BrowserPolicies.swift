import EventService
import WireText

extension InterfaceCheck {
    /// Each browser's policy folder, followed by the paths of its programs.
    private static let browsers = [
        ["/etc/chromium/policies/managed", "/usr/bin/chromium"],
        [
            "/etc/opt/chrome/policies/managed", "/opt/google/chrome/chrome",
            "/usr/bin/google-chrome",
        ],
    ]
    /// The policies that let pages reach this computer; older browsers know only the first one.
    private static let policies = [
        "LocalNetworkAccessAllowedForUrls", "LoopbackNetworkAllowedForUrls",
    ]

    private struct Setting {
        var policy: String
        var file: String
        /// The JSON object in ``file``, with all policies that the file sets.
        var object: JSONObject
        var urls: [String] { object[policy]?.array?.compactMap(\.string) ?? [] }
    }

    /// Checks that browser policies let pages of the configured origins send requests to this computer.
    func origins(_ settings: ListenSettings) -> [Finding] {
        // A page that this box itself serves needs no policy.
        let origins = settings.origins.filter { origin in
            !["127.0.0.1", "localhost", "[::1]"].contains { Self.matches($0, origin) }
        }
        guard let http = settings.http, !origins.isEmpty else { return [] }
        let browsers = Self.browsers.filter { $0.contains { files.facts($0) != nil } }
        guard !browsers.isEmpty else {
            return finding(
                .notTried,
                "no Chromium is installed here: its policy for pages that ask \(http) was not looked at"
            )
        }
        return browsers.flatMap { policies(in: $0[0], origins) }
    }

    private func policies(in folder: String, _ origins: [String]) -> [Finding] {
        let paths = files.names(in: folder).filter { $0.hasSuffix(".json") }
            .map { "\(folder)/\($0)" }
        if let hidden = ([folder] + paths).first(where: files.isHidden) {
            return unseen("this user may not read \(hidden)")
        }
        let settings = Self.policies.flatMap { policy in
            paths.compactMap { setting(policy, in: $0) }
        }
        let missing = origins.filter { origin in
            !settings.flatMap(\.urls).contains { Self.matches($0, origin) }
        }
        guard !missing.isEmpty else {
            return finding(.holds, "\(folder) lets \(origins.joined(separator: ", ")) ask this box")
        }
        // If two files set a policy, the browser uses only one of them, so add to the file that already sets it.
        var written =
            settings.first
            ?? Setting(
                policy: Self.policies[0], file: "\(folder)/keywedge.json", object: JSONObject())
        written.object.append(written.policy, .lines(written.urls + missing))
        let lines = JSONWriter.indentedText(of: .object(written.object))
        return finding(
            .fails,
            "\(folder) does not let \(missing.joined(separator: ", ")) ask this box: the browser "
                + "asks a person for leave, or refuses",
            mend: Remedy(
                "Allow it, and start the browser anew; its page chrome://policy shows it.",
                file: written.file, containing: lines.split(separator: "\n").map(String.init),
                run: []))
    }

    private func setting(_ policy: String, in path: String) -> Setting? {
        guard let text = files.text(path),
            let object = try? JSONReader.read(Array(text.utf8)).object, object[policy]?.array != nil
        else { return nil }
        return Setting(policy: policy, file: path, object: object)
    }

    /// Whether a policy's pattern (`*`, an origin, a host, or a domain such as `[*.]example.com`) matches an origin.
    ///
    /// Rule: the URL patterns of Chromium's enterprise policies; ports and paths in host patterns are not supported.
    static func matches(_ pattern: String, _ origin: String) -> Bool {
        let bare = pattern.hasSuffix("/") ? String(pattern.dropLast()) : pattern
        guard bare != "*", bare != origin, let scheme = origin.firstRange(of: "://") else {
            return true
        }
        let host = origin[scheme.upperBound...].prefix { $0 != ":" }
        let parts = bare.firstRange(of: "://").map {
            (bare[..<$0.lowerBound], bare[$0.upperBound...])
        }
        if let parts, parts.0 != origin[..<scheme.lowerBound] { return false }
        let wanted = parts?.1 ?? bare[...]
        guard wanted.hasPrefix("[*.]") else { return wanted == host || wanted == "*" }
        let domain = wanted.dropFirst(4)
        return host == domain || host.hasSuffix(".\(domain)")
    }
}
