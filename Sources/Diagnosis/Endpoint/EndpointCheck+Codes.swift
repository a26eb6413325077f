import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WireText

extension EndpointCheck {
    /// A setting that may mend what failed.
    struct Candidate {
        /// What it is for.
        let advice: String
        /// The catalog with it.
        let catalog: HTTPCatalogConfiguration
        /// Where it is.
        let path: [String]
    }

    /// The most settings that are tried for one step: each is a request or two to the catalog.
    static let candidateLimit = 12

    /// What came of the codes the catalog has, without what mends it.
    func knownFindings(_ known: [KnownTrial]) -> [EndpointReport.Finding] {
        guard let first = known.first else {
            return [
                finding(
                    .knownCode, .notTried,
                    "not tried: name a code that the catalog has with --known CODE")
            ]
        }
        let judged = judged(known)
        guard !judged.isEmpty else {
            return [
                finding(
                    .knownCode, .notTried,
                    "\(first.known.code.quoted()) is in the embedded catalog and not in this one; "
                        + "name a code that it has with --known CODE")
            ]
        }
        return judged.map(found)
    }

    /// The findings with what mends the first that failed.
    func mended(
        _ findings: [EndpointReport.Finding], _ known: [KnownTrial]
    ) async -> [EndpointReport.Finding] {
        guard let index = findings.firstIndex(where: { $0.verdict == .fails }) else {
            return findings
        }
        var findings = findings
        findings[index].remedies = await remedies(forKnown: judged(known)[index], known)
        return findings
    }

    /// The codes by which the catalog is judged: what is a guess says nothing where it is not found,
    /// or where somebody knows better.
    private func judged(_ known: [KnownTrial]) -> [KnownTrial] {
        let named = known.filter { !$0.known.isGuess }
        return named.isEmpty ? known.filter { !$0.isUnluckyGuess } : named
    }

    /// What came of one code the catalog has.
    func found(_ asked: KnownTrial) -> EndpointReport.Finding {
        let (code, trial) = (asked.known.code.quoted(), asked.trial)
        let texts = trial.asked.map { $0.quoted() }.joined(separator: ", ")
        guard let product = trial.match?.product else {
            let text = trial.failure?.sentence ?? "\(code), asked as \(texts), is not found"
            return finding(.knownCode, .fails, text)
        }
        let name = product.name.map { " " + $0.quoted() } ?? ""
        var text = "\(code), asked as \(texts), is \(product.id.quoted())\(name)"
        let limit = catalog.declaration.resilience.attemptTimeout
        var verdict = EndpointReport.Verdict.fails
        if let wrong = wrongPrice(asked) {
            text += ", but " + wrong
        } else if trial.took > limit {
            text +=
                ", in \(Self.shown(trial.took)), but a lookup waits for "
                + "\(Self.shown(limit)) only"
        } else {
            text += ", in \(Self.shown(trial.took))"
            verdict = .holds
        }
        var finding = finding(.knownCode, verdict, text)
        finding.details = details(trial)
        return finding
    }

    /// What was read of a product, a line each field, and the places that gave nothing.
    private func details(_ trial: EndpointTrial) -> [String] {
        var fields: [(name: String, places: [String])] = []
        for place in trial.places {
            if let index = fields.firstIndex(where: { $0.name == place.field }) {
                fields[index].places.append("\(place)")
            } else {
                fields.append((place.field, ["\(place)"]))
            }
        }
        for name in ["name", "price", "unit"] where !fields.contains(where: { $0.name == name }) {
            fields.append((name, ["no place is declared"]))
        }
        return fields.map { $0.name.padded(to: 10) + $0.places.joined(separator: "; ") }
    }

    /// What came of the code that nothing has.
    func unknownFinding(
        _ code: String?, _ trial: EndpointTrial?, known: [KnownTrial]
    ) async -> EndpointReport.Finding {
        guard let trial, let code else {
            return finding(
                .unknownCode, .notTried,
                "not tried: name a code that the catalog has not with --unknown CODE")
        }
        let quoted = code.quoted()
        switch trial.answer.outcome {
        case .notFound, .skipped: return finding(.unknownCode, .holds, "\(quoted) is not found")
        case .found(let match):
            return finding(
                .unknownCode, .fails,
                "\(quoted), which no product has, is \(match.product.id.quoted())",
                await remedies(forUnknown: code, trial, known: known))
        case .failed(let failure):
            return finding(
                .unknownCode, .fails, failure.sentence,
                await remedies(forUnknown: code, trial, known: known))
        }
    }

    private func slowAnswer(_ took: Duration) -> Remedy {
        let limit = Self.roomy(took, within: deadline)
        return remedy(
            "Wait longer.\(deadlineBeyond(limit))",
            changed { $0.declaration.resilience.attemptTimeout = limit }, ["attempt_timeout"])
    }

    /// The settings with which a code is found, with its price; a hint where none of them does it.
    private func remedies(forKnown failed: KnownTrial, _ known: [KnownTrial]) async -> [Remedy] {
        let isFound = failed.trial.match != nil
        if isFound, wrongPrice(failed) == nil { return [slowAnswer(failed.trial.took)] }
        let candidates =
            isFound
            ? candidates(forPriceOf: failed)
            : candidates(forKnown: failed.trial, failed.known.code)
        for candidate in chosen(candidates) {
            guard await areRight(known, in: candidate.catalog) else { continue }
            let others = isFound ? otherPlaces(ofPriceIn: known, besides: candidate.catalog) : ""
            return [remedy(candidate.advice + others, candidate.catalog, candidate.path)]
        }
        return [isFound ? hint(forPriceOf: failed) : hint(for: failed.trial)]
    }

    /// The settings with which a code is not found, and the others still are.
    private func remedies(
        forUnknown code: String, _ failed: EndpointTrial, known: [KnownTrial]
    ) async -> [Remedy] {
        let found = known.filter { $0.trial.match != nil }
        for candidate in chosen(candidates(forUnknown: failed, found)) {
            guard let second = try? await trial(code, in: candidate.catalog),
                second.failure == nil, second.match == nil,
                await areRight(found, in: candidate.catalog)
            else { continue }
            let care =
                found.isEmpty
                ? " Make sure first that a code the catalog has is found (--known CODE): a wrong "
                    + "URL looks the same." : ""
            return [remedy(candidate.advice + care, candidate.catalog, candidate.path)]
        }
        return [hint(for: failed)]
    }

    /// The candidates that are tried: none that stands there already, none twice.
    private func chosen(_ candidates: [Candidate]) -> [Candidate] {
        var chosen: [Candidate] = []
        for candidate in candidates where candidate.catalog != catalog {
            if !chosen.contains(where: { $0.catalog == candidate.catalog }) {
                chosen.append(candidate)
            }
        }
        return Array(chosen.prefix(Self.candidateLimit))
    }

    /// Whether every code that the catalog has is found with other settings, with its price.
    ///
    /// A code of which it is a guess that the catalog has it must be found where it was before.
    private func areRight(
        _ known: [KnownTrial], in other: HTTPCatalogConfiguration
    ) async -> Bool {
        let hasNamed = known.contains { !$0.known.isGuess }
        for asked in known {
            guard !asked.known.isGuess || asked.trial.match != nil || !hasNamed else { continue }
            guard let second = try? await trial(asked.known.code, in: other) else { return false }
            let again = KnownTrial(known: asked.known, trial: second)
            guard again.isRight || again.isUnluckyGuess else { return false }
        }
        return true
    }
}

extension KnownTrial {
    /// Whether it was a guess that the catalog has the code, and it has not.
    var isUnluckyGuess: Bool { known.isGuess && trial.failure == nil && trial.match == nil }
}
