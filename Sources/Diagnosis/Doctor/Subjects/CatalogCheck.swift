import Catalog
import CatalogFeeds
import HTTPCatalog
package import KeywedgeConfiguration
import WireText

/// The catalogs: the file on the box, and the declared services.
package struct CatalogCheck: DoctorCheck {
    /// How old a catalog may be before somebody should look.
    package static let standardAge = Duration.seconds(30 * 86_400)

    /// How long a follower may not have read its feed before somebody should look.
    private static let feedAge = Duration.seconds(86_400)

    package let subject = DoctorReport.Subject.catalog
    private let configuration: CatalogConfiguration
    private let file: String?
    private let oldest: Duration
    private let now: Int64
    private let user: BoxUser?
    private let files: BoxFiles
    private let endpoints: @Sendable (HTTPCatalogConfiguration) -> EndpointCheck?

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - configuration: The catalogs.
    ///   - file: The configuration, where it is not the one that commands find by themselves.
    ///   - oldest: How old the file may be.
    ///   - now: The time, in seconds since 1970.
    ///   - user: The user that the daemon runs as.
    ///   - files: The box's files.
    ///   - endpoints: Makes the check of a declared service; nil where it is not to be asked.
    package init(
        _ configuration: CatalogConfiguration, file: String? = nil,
        oldest: Duration = standardAge, now: Int64,
        user: BoxUser?, files: BoxFiles = BoxFiles(),
        endpoints: @escaping @Sendable (HTTPCatalogConfiguration) -> EndpointCheck?
    ) {
        self.configuration = configuration
        self.file = file
        self.oldest = oldest
        self.now = now
        self.user = user
        self.files = files
        self.endpoints = endpoints
    }

    package func findings() async -> [DoctorReport.Finding] {
        var findings: [DoctorReport.Finding] = []
        for source in configuration.sources {
            switch source {
            case .embedded(let path):
                findings += await Bounded.waiting { embedded(path) }
            case .http(let catalog): findings.append(await declared(catalog))
            }
        }
        return findings.isEmpty ? [finding(.notTried, "no catalog is configured")] : findings
    }

    private func embedded(_ path: String) -> [DoctorReport.Finding] {
        guard let facts = files.facts(path) else { return [missing(path)] }
        do {
            let catalog = try CatalogFile(path: files.place(path))
            let count = try catalog.count()
            guard count > 0 else { return [missing(path, isEmpty: true)] }
            return [
                closed(path) ?? finding(.holds, "\(path): \(count.counted("product"))"),
                feed(path) ?? age(path, facts), try wrongCodes(catalog, path),
            ]
        } catch {
            return [unusable(path, error)]
        }
    }

    private func missing(_ path: String, isEmpty: Bool = false) -> DoctorReport.Finding {
        if !isEmpty, files.trouble(path) == 13 {
            return finding(.unseen, "this user may not look for \(path): \(Remedy.asRoot)")
        }
        return finding(
            .fails,
            isEmpty
                ? "\(path) has no product"
                : "there is no catalog at \(path): no scan finds a product",
            mend: [imported("Make it of the shop's list of products, a CSV file.")])
    }

    /// The command that makes the catalog; `FILE.csv` is the shop's to name.
    private func imported(_ advice: String) -> Remedy {
        Remedy(
            advice + " FILE.csv is that file, and the currency is that of its prices.",
            run: importing)
    }

    private var importing: String {
        let currency = configuration.currency == nil ? " --currency EUR" : ""
        let other = file.map { " --config \($0.shellWord)" } ?? ""
        return "keywedge catalog import FILE.csv\(currency)\(other)"
    }

    private func unusable(_ path: String, _ error: any Error) -> DoctorReport.Finding {
        guard files.text(path) != nil else {
            return finding(.unseen, "this user may not read \(path): \(Remedy.asRoot)")
        }
        return finding(
            .fails, "\(error)",
            mend: [
                Remedy(
                    "Put it aside and make it anew of the shop's list of products, FILE.csv.",
                    run: "mv \(path.shellWord) \(path.shellWord).broken", importing)
            ])
    }

    private func closed(_ path: String) -> DoctorReport.Finding? {
        guard let user, let obstacle = user.obstacle(to: .reading, path, files) else { return nil }
        return finding(
            .fails, "\(path) can be read here, but not by the daemon's user \(user.name)",
            mend: [.opening(obstacle, for: user, files)])
    }

    /// The feed that the catalog follows; nil if it follows none.
    private func feed(_ path: String) -> DoctorReport.Finding? {
        guard let state = FollowerState.read(of: files.place(path)) else { return nil }
        let age = Duration.seconds(max(0, now - state.checked.seconds))
        let words = "\(path) follows \(state.source), read \(age.text) ago"
        guard state.expires.seconds < now || state.trouble != nil || age > Self.feedAge else {
            return finding(.holds, words)
        }
        var details = [state.trouble].compactMap(\.self)
        if state.expires.seconds < now {
            details.append("The feed expired at \(state.expires): prices may be old.")
        }
        return finding(
            .warns, words, details,
            mend: [
                Remedy(
                    "Look why the follower cannot read the feed, or why nobody publishes it "
                        + "(docs/feeds.md).", run: "systemctl status keywedge-follow")
            ])
    }

    private func age(_ path: String, _ facts: BoxFiles.Facts) -> DoctorReport.Finding {
        let changed = max(facts.changed, files.facts(path + "-wal")?.changed ?? 0)
        let age = Duration.seconds(max(0, now - changed))
        guard age > oldest else { return finding(.holds, "it was changed \(age.text) ago") }
        return finding(
            .warns, "\(path) was changed \(age.text) ago: prices may be old ones",
            mend: [
                imported("Bring it up to date, and have it done every night (docs/catalog.md).")
            ])
    }

    private func wrongCodes(
        _ catalog: CatalogFile, _ path: String
    ) throws -> DoctorReport.Finding {
        var wrong: [String] = []
        var count = 0
        try catalog.check { found in
            count += 1
            if wrong.count < 5 { wrong.append("\(found)") }
        }
        guard count > 0 else {
            return finding(.holds, "its codes have right check digits, each of one product")
        }
        if count > wrong.count { wrong.append("… and \(count - wrong.count) more") }
        return finding(
            .warns, "\(count.counted("code")) in \(path) cannot be right", wrong,
            mend: [
                imported(
                    "Put them right in the list that the catalog is made of (keywedge catalog check "
                        + "shows all), and import it again.")
            ])
    }
}

extension CatalogCheck {
    /// A service: as `catalog check --endpoint` tries it.
    private func declared(_ catalog: HTTPCatalogConfiguration) async -> DoctorReport.Finding {
        let name = catalog.declaration.name
        guard let check = endpoints(catalog) else {
            return finding(.notTried, "\(name): not asked")
        }
        let report = await check.run()
        let failed = report.findings.filter { $0.verdict == .fails }
        guard let first = failed.first else {
            return finding(.holds, "\(name) (\(catalog.declaration.url)) answers as declared")
        }
        return finding(
            .fails, "\(name) (\(catalog.declaration.url)): \(first.step.rawValue): \(first.text)",
            first.details + failed.dropFirst().map { "\($0.step.rawValue): \($0.text)" },
            mend: failed.flatMap(\.remedies))
    }
}
