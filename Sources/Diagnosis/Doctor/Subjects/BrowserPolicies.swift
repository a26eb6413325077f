import EventService
import WireText

extension InterfaceCheck {
    /// A browser counts as installed if its policy folder or one of its programs exists.
    private static let browsers = [
        (policies: "/etc/chromium/policies/managed", programs: ["/usr/bin/chromium"]),
        (
            policies: "/etc/opt/chrome/policies/managed",
            programs: ["/opt/google/chrome/chrome", "/usr/bin/google-chrome"]
        ),
    ]
    /// The policies that let pages send requests to this box; older browser versions know only the first.
    private static let policies = [
        "LocalNetworkAccessAllowedForUrls", "LoopbackNetworkAllowedForUrls",
    ]

    /// Checks that browser policies let the listed pages send requests to this box.
    func origins(_ settings: ListenSettings) -> [Finding] {
        // A page that this box itself serves needs no policy.
        let origins = settings.origins.filter { !Self.isOfThisBox($0) }
        guard let http = settings.http, !origins.isEmpty else { return [] }
        let browsers = Self.browsers.filter { browser in
            ([browser.policies] + browser.programs).contains { files.facts($0) != nil }
        }
        guard !browsers.isEmpty else {
            return finding(
                .notTried,
                "no Chromium is installed here: its policy for pages that ask \(http) was not looked at"
            )
        }
        return browsers.flatMap { policies(in: $0.policies, origins) }
    }

    private func policies(in folder: String, _ origins: [String]) -> [Finding] {
        let names = files.names(in: folder).filter { $0.hasSuffix(".json") }
        let hidden = ([folder] + names.map { "\(folder)/\($0)" }).first(where: files.isHidden)
        if let hidden {
            return unseen("this user may not read \(hidden)")
        }
        let set = Self.policies.flatMap { policy in
            names.compactMap { setting(policy, in: "\(folder)/\($0)") }
        }
        let patterns = set.flatMap(\.urls)
        let missing = origins.filter { origin in
            !patterns.contains { Self.matches($0, origin) }
        }
        guard !missing.isEmpty else {
            return finding(.holds, "\(folder) lets \(origins.joined(separator: ", ")) ask this box")
        }
        let text =
            "\(folder) does not let \(missing.joined(separator: ", ")) ask this box: the browser "
            + "asks a person for leave, or refuses"
        // If two files set a policy, the browser uses only one of them, so add to the file that already sets it.
        var there =
            set.first
            ?? Setting(
                policy: Self.policies[0], file: "\(folder)/keywedge.json", object: JSONObject(),
                urls: [])
        there.object.append(there.policy, .lines(there.urls + missing))
        let lines = JSONWriter.indentedText(of: .object(there.object))
            .split(separator: "\n").map(String.init)
        let advice = "Allow it, and start the browser anew; its page chrome://policy shows it."
        return finding(
            .fails, text,
            mend: Remedy(advice, file: there.file, containing: lines, run: []))
    }

    private struct Setting {
        var policy: String
        var file: String
        var object: JSONObject
        var urls: [String]
    }

    private func setting(_ policy: String, in path: String) -> Setting? {
        guard let text = files.text(path),
            let object = try? JSONReader.read(Array(text.utf8)).object,
            let urls = object[policy]?.array
        else { return nil }
        return Setting(
            policy: policy, file: path, object: object, urls: urls.compactMap(\.string))
    }

    /// Whether a policy's pattern (`*`, an origin, a host, or a domain such as `[*.]example.com`) matches an origin.
    ///
    /// Rule: the URL patterns of Chromium's enterprise policies; ports and paths in patterns are not supported.
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

    private static func isOfThisBox(_ origin: String) -> Bool {
        ["127.0.0.1", "localhost", "[::1]"].contains { matches($0, origin) }
    }
}
