import Dispatch
import EventService
import Glibc
import HTTPCatalog
import KeywedgeConfiguration
import ScannerInput
import WireText

protocol DoctorCheck: Sendable {
    var subject: Finding.Subject { get }
    var box: Box { get }
    /// Whether the check is skipped if the configuration has a mistake.
    var judgesSettings: Bool { get }

    /// Runs the check without changing anything; returns at least one finding.
    func findings() async -> [Finding]
}

extension DoctorCheck {
    var judgesSettings: Bool { false }
    var files: BoxFiles { box.files }
    var user: BoxUser? { box.user }
    var file: String { box.file }
    var status: DaemonStatus? { box.status }

    func finding(
        _ verdict: Finding.Verdict, _ text: String, _ details: [String] = [],
        mend remedies: Remedy?...
    ) -> [Finding] {
        [Finding(subject, verdict, text, details, mend: remedies.compactMap(\.self))]
    }

    func scannerSetting(_ advice: String, of name: String, _ lines: [String]) -> Remedy {
        let name = box.configured(name)?.name ?? name
        return Remedy(
            advice, into: file,
            setting: ["scanners:", "  - name: \(name.yamlWord)"] + lines.map { "    " + $0 })
    }

    /// Reports a lack of permission; `what` is a clause such as `this user may not read FILE`.
    func unseen(_ what: String) -> [Finding] {
        let isMounted = "not even root may, so see how it is mounted (findmnt)"
        return finding(
            .unseen, "\(what): \(geteuid() == 0 ? isMounted : "run keywedge doctor as root")")
    }

    /// Reports a failure if the daemon's user may not use a file that the sink or catalog `name` needs.
    func barred(
        from path: String, _ use: BoxUser.Use = .reading, of name: String? = nil,
        mend: Remedy? = nil
    ) -> [Finding] {
        guard let user, let obstacle = user.obstacle(to: use, path, files) else { return [] }
        let label = name.map { "\($0): " } ?? ""
        return finding(
            .fails, "\(label)the daemon's user \(user.name) may not \(use.verb) \(path)",
            mend: mend ?? .opening(obstacle, for: user, use, files))
    }

    /// Reports why the daemon cannot read the secret of a sink or catalog, or why that cannot be checked.
    func secret(_ source: SecretSource, of name: String, missing: Remedy? = nil) -> [Finding] {
        switch source {
        case .plain: return []
        case .file(let path):
            let usual = Remedy("Write the secret that the other side expects into \(path).")
            let absent = absent(path, of: name, mend: missing ?? usual)
            return absent.isEmpty ? barred(from: path, of: name) : absent
        case .credential(let credential):
            guard let folder = box.credentialsFolder else {
                let text = "\(name): systemd gives the daemon \(source.description) when it runs"
                return finding(.notTried, text)
            }
            return absent(
                "\(folder)/\(credential)", of: name,
                mend: .dropIn(
                    "Give it to the unit: put the secret into /etc/keywedge/\(credential).",
                    "\(name)-\(credential)",
                    ["LoadCredential=\(credential):/etc/keywedge/\(credential)"]))
        }
    }

    private func absent(_ path: String, of name: String, mend remedy: Remedy) -> [Finding] {
        if files.isHidden(path) { return unseen("\(name): this user may not read \(path)") }
        guard files.facts(path) == nil else { return [] }
        return finding(.fails, "\(name): its file \(path) does not exist", mend: remedy)
    }
}

/// A series of checks that run one after another; a check that hangs is abandoned.
package struct Doctor: Sendable {
    let checks: [any DoctorCheck]
    /// The time after which a check that has not ended is abandoned.
    var limit = Duration.seconds(60)
}

extension Doctor {
    /// Creates a doctor that checks everything in `box`; if `scan` is not nil, it judges only that scan.
    package init(_ box: Box, seen scan: ScanFinding.Seen? = nil) {
        self.init(
            checks: scan.map { [ScanFinding(box: box, seen: $0)] } ?? [
                ConfigurationCheck(box: box), RightsCheck(box: box), DevicesCheck(box: box),
                ScansCheck(box: box), CatalogCheck(box: box), JournalCheck(box: box),
                SinksCheck(box: box), InterfaceCheck(box: box), ClockCheck(box: box),
                UnitCheck(box: box), VersionCheck(box: box),
            ])
    }

    /// Runs all checks, and passes the findings of each check to `tell` as soon as the check ends.
    package func run(_ tell: (Finding) throws -> Void = { _ in }) async throws -> Report {
        var report = Report()
        for check in checks {
            let isBlind = check.judgesSettings && check.box.error != nil
            var findings =
                isBlind
                ? check.finding(
                    .notTried, "the settings are unknown until the configuration is right")
                : await Bounded.run(within: limit) { await check.findings() }
                    ?? check.finding(
                        .unseen, "given up after \(limit.text): something does not answer")
            if check.box.unit == nil {
                for index in findings.indices {
                    findings[index].remedies = findings[index].remedies.map(\.withoutUnits)
                }
            }
            try findings.forEach(tell)
            report.findings += findings
        }
        return report
    }
}

/// Functions for operations that may hang, such as access to a disk that no longer answers.
package enum Bounded {
    /// Runs an operation, and returns its result; nil if the time limit is exceeded.
    package static func run<Result: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () async -> Result
    ) async -> Result? {
        let (results, first) = AsyncStream<Result?>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        let worker = Task { first.yield(await work()) }
        let time = DispatchTime.now() + .milliseconds(Int(limit.wholeMilliseconds))
        DispatchQueue.global().asyncAfter(deadline: time) {
            // Yield nil before cancelling, because cancelled work may return an incomplete result.
            first.yield(nil)
            worker.cancel()
        }
        // Read the stream in a separate task, because a stream yields nothing to a cancelled task.
        return await Task { await results.first { _ in true } ?? nil }.value
    }

    /// Runs a blocking operation on a thread outside Swift's thread pool, and returns its result.
    package static func waiting<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }
}
