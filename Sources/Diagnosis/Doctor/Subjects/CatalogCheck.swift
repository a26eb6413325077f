import Catalog
import CatalogFeeds
import Glibc
import HTTPCatalog
import KeywedgeConfiguration
import WireText

/// A check of the catalogs: the embedded catalog's file, and the configured web services.
struct CatalogCheck: DoctorCheck {
    /// The maximum time since a catalog's feed was last read; if it is exceeded, the check warns.
    private static let feedAge = Duration.seconds(86_400)

    let subject = Finding.Subject.catalog
    let judgesSettings = true
    let box: Box

    private var configuration: CatalogConfiguration { box.configuration.catalog }

    func findings() async -> [Finding] {
        var findings: [Finding] = []
        for source in configuration.sources {
            switch source {
            case .embedded(let path):
                findings += await Bounded.waiting { embedded(path) }
            case .http(let catalog): findings += await declared(catalog)
            }
        }
        return findings.isEmpty ? finding(.notTried, "no catalog is configured") : findings
    }

    private func embedded(_ path: String) -> [Finding] {
        guard files.facts(path) != nil else { return missing(path) }
        do {
            let catalog = try CatalogFile(path: files.place(path))
            let count = try catalog.count()
            guard count > 0 else { return missing(path, isEmpty: true) }
            let (barred, feed) = (barred(from: path), feed(path))
            let found = finding(.holds, "\(path): \(count.counted("product"))")
            return try (barred.isEmpty ? found : barred)
                + (feed.isEmpty ? age(catalog, path) : feed) + wrongCodes(catalog, path)
        } catch CatalogError.readOnly where geteuid() != 0,
            CatalogError.unfinishedLog where geteuid() != 0
        {
            return hidden(path)
        } catch {
            return files.isHidden(path)
                ? hidden(path) : finding(.fails, "\(error)", mend: Remedy(for: error))
        }
    }

    private func missing(_ path: String, isEmpty: Bool = false) -> [Finding] {
        if !isEmpty, files.isHidden(path) {
            return unseen("this user may not look for \(path)")
        }
        // Another catalog may have the products.
        let isOnly = configuration.sources.count == 1
        let found = isOnly ? "no scan finds a product" : "its products are missing"
        return finding(
            isEmpty && !isOnly ? .warns : .fails,
            isEmpty ? "\(path) has no products" : "there is no catalog at \(path): \(found)",
            mend: imported("Import the shop's list of products, a CSV file.", path))
    }

    /// Returns the remedy that imports products into the catalog.
    private func imported(_ advice: String, _ path: String) -> Remedy {
        Remedy(
            advice + " FILE.csv is that file, and the currency is that of its prices.",
            run: "keywedge catalog import FILE.csv --currency \(configuration.currency ?? "EUR")"
                + " --catalog \(path.shellWord)")
    }

    /// Returns the findings for a catalog file that the current user may not read.
    private func hidden(_ path: String) -> [Finding] {
        let barred = barred(from: path)
        return barred.isEmpty ? unseen("this user may not read \(path)") : barred
    }

    private func feed(_ path: String) -> [Finding] {
        guard let state = FollowerState.read(of: files.place(path)) else { return [] }
        let age = Duration.seconds(max(0, box.now - state.checked.seconds))
        let words = "\(path) follows \(state.source), read \(age.text) ago"
        guard state.expires.seconds < box.now || state.trouble != nil || age > Self.feedAge else {
            return finding(.holds, words)
        }
        var details = [state.trouble].compactMap(\.self)
        if state.expires.seconds < box.now {
            details.append("The feed expired at \(state.expires): prices may be old.")
        }
        return finding(
            .warns, words, details,
            mend: Remedy(
                "Find out why the follower cannot read the feed, or why it is not published "
                    + "(docs/feeds.md).", run: "systemctl status keywedge-follow"))
    }

    private func age(_ catalog: CatalogFile, _ path: String) throws -> [Finding] {
        let age = Duration.seconds(max(0, box.now - (try catalog.lastWritten() ?? box.now)))
        guard age > box.oldestCatalog else {
            return finding(.holds, "it was last written \(age.text) ago")
        }
        return finding(
            .warns, "\(path) was last written \(age.text) ago: prices may be old ones",
            mend: imported("Update it now, and every night from now on (docs/catalog.md).", path))
    }

    private func wrongCodes(_ catalog: CatalogFile, _ path: String) throws -> [Finding] {
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
            mend: imported(
                "Correct them in the list that the catalog is imported from (keywedge catalog check "
                    + "--catalog \(path.shellWord) shows all), and import it again.", path))
    }

    private func declared(_ catalog: HTTPCatalogConfiguration) async -> [Finding] {
        let name = catalog.declaration.name
        let secrets = catalog.declaration.authentication.sources + catalog.tls.files
        if let obstacle = secrets.lazy.flatMap({ secret($0, of: name) }).first { return [obstacle] }
        guard let check = box.endpoints(catalog) else {
            return finding(.notTried, "\(name): not asked")
        }
        let report = await check.run()
        let failed = report.findings.filter { $0.verdict == .fails }
        guard let first = failed.first else {
            return finding(.holds, "\(name) (\(catalog.declaration.url)) answers as declared")
        }
        return [
            Finding(
                subject, .fails,
                "\(name) (\(catalog.declaration.url)): \(first.subject.rawValue): \(first.text)",
                first.details + failed.dropFirst().map { "\($0.subject.rawValue): \($0.text)" },
                mend: failed.flatMap(\.remedies))
        ]
    }
}
