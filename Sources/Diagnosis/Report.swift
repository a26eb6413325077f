package import WireText

/// The findings about this computer (`doctor`) or about an HTTP catalog (`catalog check --endpoint`).
package struct Report: Equatable, Sendable {
    package internal(set) var findings: [Finding] = []

    /// The worst verdict; from worst to best: failed, warning, not seen, ok.
    package var worst: Finding.Verdict {
        let verdicts = Set(findings.map(\.verdict))
        return [.fails, .warns, .unseen].first(where: verdicts.contains) ?? .holds
    }

    package func count(_ verdict: Finding.Verdict) -> Int {
        findings.count { $0.verdict == verdict }
    }

    /// Returns the report as one JSON object that includes the members of `object`.
    package func json(_ object: JSONObject) -> JSONObject {
        var json: JSONObject = ["verdict": .string(worst.word)]
        for member in object.members { json.append(member.key, member.value) }
        json.append("failed", .integer(Int64(count(.fails))))
        json.append("warnings", .integer(Int64(count(.warns))))
        json.append("not_seen", .integer(Int64(count(.unseen))))
        json.append("findings", .array(findings.map { .object($0.json) }))
        return json
    }
}

/// One result of a check: a verdict, a message, and remedies.
package struct Finding: Equatable, Sendable {
    /// The topic of a finding: a subject of `doctor`, or a step in the test of an HTTP catalog.
    package enum Subject: String, Sendable {
        case configuration
        /// The udev rule, and the permissions that it sets.
        case rights
        /// The devices that are scanners, and the processes that have them open.
        case devices
        /// The scans since the daemon started or, with `--scan`, the scan of the symbol on the screen.
        case scans
        case catalog
        case journal
        case sinks
        case interface
        case time
        case unit
        /// The version of the running daemon, compared with the installed version.
        case version

        case name
        case connection
        case tls
        case authentication
        /// The lookups of codes that the catalog should know.
        case knownCode = "known code"
        /// The lookup of a code that no product has; the catalog should answer "not found".
        case unknownCode = "unknown code"
        /// The network restrictions of the daemon's unit; reported only if they block the connection.
        case daemon
    }

    package enum Verdict: String, Sendable {
        case holds = "ok"
        /// The subject works, but needs attention.
        case warns = "warning"
        case fails = "FAILED"
        /// The check was impossible: this user lacks a permission, or a process or device did not answer.
        case unseen = "not seen"
        /// The check was skipped for the reason in the finding's text.
        case notTried = "-"
    }

    package var subject: Subject
    package var verdict: Verdict
    /// The observation, as a sentence without a full stop.
    package var text: String
    package var details: [String]
    /// Alternative remedies, likeliest first; one of them is enough.
    package var remedies: [Remedy]

    init(
        _ subject: Subject, _ verdict: Verdict, _ text: String, _ details: [String] = [],
        mend remedies: [Remedy] = []
    ) {
        self.subject = subject
        self.verdict = verdict
        self.text = text
        self.details = details
        self.remedies = remedies
    }

    package var isWell: Bool { verdict == .holds || verdict == .notTried }

    /// The finding as lines of text, escaped for the terminal.
    package var lines: [String] {
        let label =
            "\(verdict.sign) \(verdict.rawValue)".padded(to: 12) + subject.rawValue.padded(to: 15)
        let room = String(repeating: " ", count: 12)
        let details = details.map { room + Escaping.sentence.escaped($0) }
        let remedies = remedies.enumerated().flatMap { index, remedy in
            remedy.lines.enumerated().map { line, text in
                room + (line == 0 ? (index == 0 ? "→ " : "→ or: ") : "  ") + text
            }
        }
        return [label + Escaping.sentence.escaped(text)] + details + remedies
    }

    fileprivate var json: JSONObject {
        [
            "subject": .string(subject.rawValue), "verdict": .string(verdict.word),
            "message": .string(text), "details": .lines(details),
            "remedies": .array(remedies.map { .object($0.json) }),
        ]
    }
}

extension Finding.Verdict {
    fileprivate var word: String {
        self == .notTried ? "not-tried" : rawValue.lowercased().replacing(" ", with: "-")
    }

    /// The symbol printed before the verdict; a space for `notTried`.
    fileprivate var sign: String {
        [.holds: "✓", .warns: "!", .fails: "✗", .unseen: "?"][self] ?? " "
    }
}
