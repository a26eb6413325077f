import Catalog
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

    /// What came of the code the catalog has.
    func knownFinding(_ trial: EndpointTrial?) async -> EndpointReport.Finding {
        guard let trial, let code = codes.known else {
            return finding(
                .knownCode, .notTried,
                "not tried: name a code that the catalog has with --known CODE")
        }
        let asked = trial.asked.map { $0.quoted() }.joined(separator: ", ")
        if let match = trial.match {
            let limit = catalog.declaration.resilience.attemptTimeout
            let product = match.product
            let name = product.name.map { " " + $0.quoted() } ?? ""
            let text =
                "\(code.quoted()), asked as \(asked), is "
                + "\(product.id.quoted())\(name), in \(Self.shown(trial.took))"
            guard trial.took > limit else { return finding(.knownCode, .holds, text) }
            return finding(
                .knownCode, .fails, text + ", but a lookup waits for \(Self.shown(limit)) only",
                [slowAnswer(trial.took)])
        }
        if trial.failure == nil, codes.isGuess {
            return finding(
                .knownCode, .notTried,
                "\(code.quoted()) is in the embedded catalog and not in this one; name a "
                    + "code that it has with --known CODE")
        }
        let text =
            trial.failure?.sentence ?? "\(code.quoted()), asked as \(asked), is not found"
        return finding(.knownCode, .fails, text, await remedies(forKnown: code, trial))
    }

    /// What came of the code that nothing has.
    func unknownFinding(
        _ code: String?, _ trial: EndpointTrial?, known: EndpointTrial?
    ) async -> EndpointReport.Finding {
        guard let trial, let code else {
            return finding(
                .unknownCode, .notTried,
                "not tried: name a code that the catalog has not with --unknown CODE")
        }
        let quoted = code.quoted()
        switch trial.answer.outcome {
        case .notFound: return finding(.unknownCode, .holds, "\(quoted) is not found")
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
        Remedy(
            "Wait longer; the deadline of the whole catalog (1500ms unless told) has to be longer "
                + "still.",
            changed { $0.declaration.resilience.attemptTimeout = Self.roomy(took) },
            ["attempt_timeout"])
    }

    /// The settings with which a code is found; a hint where none of them does it.
    private func remedies(forKnown code: String, _ failed: EndpointTrial) async -> [Remedy] {
        for candidate in candidates(forKnown: failed, code).prefix(Self.candidateLimit) {
            guard let second = try? await trial(code, in: candidate.catalog), second.match != nil
            else { continue }
            return [Remedy(candidate.advice, candidate.catalog, candidate.path)]
        }
        return [hint(for: failed)]
    }

    /// The settings with which a code is not found, and the other one still is.
    private func remedies(
        forUnknown code: String, _ failed: EndpointTrial, known: EndpointTrial?
    ) async -> [Remedy] {
        let known = known?.match == nil ? nil : known
        for candidate in candidates(forUnknown: failed, known).prefix(Self.candidateLimit) {
            guard let second = try? await trial(code, in: candidate.catalog),
                second.failure == nil, second.match == nil
            else { continue }
            if known != nil, let code = codes.known {
                guard let third = try? await trial(code, in: candidate.catalog),
                    third.match != nil
                else { continue }
                return [Remedy(candidate.advice, candidate.catalog, candidate.path)]
            }
            return [
                Remedy(
                    candidate.advice + " Make sure first that a code the catalog has is found "
                        + "(--known CODE): a wrong URL looks the same.", candidate.catalog,
                    candidate.path)
            ]
        }
        return [hint(for: failed)]
    }
}
