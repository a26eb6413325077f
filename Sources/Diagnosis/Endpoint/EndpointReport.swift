import KeywedgeConfiguration
import WireText

/// What trying a catalog came to, step by step.
package struct EndpointReport: Equatable, Sendable {
    /// What is tried, in this order.
    package enum Step: String, CaseIterable, Sendable {
        /// The host's name has an address.
        case name
        /// Somebody takes the connection.
        case connection
        /// The connection is secure, and the server is who it says.
        case tls
        /// The catalog knows us.
        case authentication
        /// A code that the catalog has is found.
        case knownCode = "known code"
        /// A code that no catalog has is not found.
        case unknownCode = "unknown code"
        /// The daemon's unit lets it reach the catalog; told only where it does not.
        case unit = "daemon"
    }

    /// How a step ended.
    package enum Verdict: String, Sendable {
        case holds = "ok"
        /// It does not.
        case fails = "FAILED"
        /// It was not tried, for the reason that is told.
        case notTried = "-"
    }

    /// One step.
    package struct Finding: Equatable, Sendable {
        /// What was tried.
        package var step: Step
        /// How it ended.
        package var verdict: Verdict
        /// What was seen, in a sentence without its full stop.
        package var text: String
        /// What was read, a line each.
        package var details: [String] = []
        /// What mends it: the first is the likeliest.
        package var remedies: [Remedy] = []
    }

    /// The catalog's name.
    package var catalog: String
    /// Where it is.
    package var url: String
    /// The steps, in order.
    package var findings: [Finding]

    /// Whether nothing failed.
    package var holds: Bool { !findings.contains { $0.verdict == .fails } }
}

extension EndpointReport {
    /// The report as lines for people; safe to print.
    package var lines: [String] {
        ["\(catalog)  \(url)"].map(Escaping.sentence.escaped) + findings.flatMap(\.lines)
    }
}

extension EndpointReport.Finding {
    /// The finding with all its texts changed.
    func mapped(_ change: (String) -> String) -> EndpointReport.Finding {
        var finding = self
        finding.text = change(text)
        finding.details = details.map(change)
        for index in remedies.indices {
            finding.remedies[index].advice = change(remedies[index].advice)
            finding.remedies[index].setting = remedies[index].setting.map(change)
            finding.remedies[index].standing = remedies[index].standing.map(change)
        }
        return finding
    }

    fileprivate var lines: [String] {
        let label = verdict.rawValue.padded(to: 8) + step.rawValue.padded(to: 16)
        let below = details.map(Escaping.sentence.escaped) + remedies.flatMap(\.lines)
        return ["  " + label + Escaping.sentence.escaped(text)]
            + below.map { "          " + $0 }
    }
}

extension String {
    /// The text with spaces behind it, at least one.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}

extension EndpointCheck {
    /// A setting that mends what failed; where it is the one that stands there already, it is not
    /// proposed but shown as what has to be looked at.
    ///
    /// - Parameters:
    ///   - advice: What it is for, and what has to be there beside it.
    ///   - changed: The catalog's configuration with the setting in it.
    ///   - paths: Where the setting is in it: keys from the top down.
    /// - Returns: The remedy.
    func remedy(
        _ advice: String, _ changed: HTTPCatalogConfiguration, _ paths: [String]...
    ) -> Remedy {
        var remedy = Remedy(advice)
        let (setting, standing) = (changed.lines(of: paths), catalog.lines(of: paths))
        if setting == standing { remedy.standing = standing } else { remedy.setting = setting }
        return remedy
    }
}
