import Barcodes
import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WebAPI
import WireText

extension EndpointCheck {
    /// Asks for codes the catalog has and for one it has not.
    func ask() async -> [EndpointReport.Finding] {
        do {
            var known: [KnownTrial] = []
            for code in codes.known {
                let trial = try await trial(code.code, in: catalog)
                if let refused = await authentication(trial) { return [refused] }
                known.append(KnownTrial(known: code, trial: trial))
            }
            let code = unknownCode
            let unknown: EndpointTrial? =
                if let code { try await trial(code, in: catalog) } else { nil }
            if let unknown, let refused = await authentication(unknown) { return [refused] }
            return [accepted(known, unknown)] + (await findings(known, code, unknown))
        } catch {
            return [finding(.authentication, .fails, "\(error)")]
        }
    }

    /// What came of the codes.
    private func findings(
        _ known: [KnownTrial], _ code: String?, _ unknown: EndpointTrial?
    ) async -> [EndpointReport.Finding] {
        if let code, ignoresTheCode(known, unknown) {
            let text = ignored(known, code)
            return knownFindings(known)
                + [finding(.unknownCode, .fails, text, [unreadCode])]
        }
        let first = await mended(knownFindings(known), known)
        let second =
            first.contains { $0.verdict == .fails }
            ? finding(.unknownCode, .notTried, "not tried: an earlier step failed")
            : await unknownFinding(code, unknown, known: known)
        return first + [second]
    }

    /// The code that nothing should have, in a form the catalog is asked in.
    private var unknownCode: String? {
        if let unknown = codes.unknown { return unknown }
        return EndpointCodes.unused.first { code in
            !catalog.declaration.codes.texts(of: decoder.decode(code, aim: nil)).isEmpty
        }
    }

    private func accepted(
        _ known: [KnownTrial], _ unknown: EndpointTrial?
    ) -> EndpointReport.Finding {
        let trials = known.map(\.trial) + [unknown].compactMap(\.self)
        guard trials.contains(where: { $0.exchange?.status != nil }) else {
            return finding(.authentication, .notTried, "not known: there was no answer")
        }
        if case .none = catalog.declaration.authentication {
            return finding(.authentication, .holds, "none is set, and the catalog wants none")
        }
        return finding(.authentication, .holds, "the catalog knows us")
    }

    /// What is wrong with authentication; nil where nothing is seen to be.
    private func authentication(_ trial: EndpointTrial) async -> EndpointReport.Finding? {
        guard let failure = trial.failure else { return nil }
        switch failure.code {
        case .unauthorized:
            return finding(
                .authentication, .fails, failure.sentence, await credentials(refusedBy: trial))
        case .unreadableSecret:
            return finding(
                .authentication, .fails, failure.sentence,
                [
                    remedy(
                        "Put the secret into its file, one line that the user keywedge runs as may "
                            + "read, or name another file.", catalog, ["auth"])
                ])
        default: return nil
        }
    }

    private func credentials(refusedBy trial: EndpointTrial) async -> [Remedy] {
        switch catalog.declaration.authentication {
        case .none: return [missingCredentials(trial)]
        case .oauth2(var client) where trial.exchange == nil:
            client.sending = client.sending == .basic ? .form : .basic
            let other = changed { $0.declaration.authentication = .oauth2(client) }
            if let code = codes.known.first?.code ?? unknownCode,
                let second = try? await self.trial(code, in: other),
                second.failure?.code != .unauthorized
            {
                return [
                    remedy(
                        "The service wants the client's name and secret sent otherwise.", other,
                        ["auth", "oauth2", "send_as"])
                ]
            }
            return [
                remedy(
                    "The service that gives tokens does not know the client: put its id and secret "
                        + "into place, one line each.", catalog, ["auth"])
            ]
        default:
            let isForbidden = trial.exchange?.status == 403
            return [
                remedy(
                    (isForbidden
                        ? "The catalog may know us, but does not let us read products: give the key "
                            + "that right, or use another one. It is read from here:"
                        : "The catalog does not take the secret: put the right one into its file, "
                            + "or name another one."), catalog, ["auth"])
            ]
        }
    }

    /// What to set where the catalog wants to know who asks, by what it says it takes.
    private func missingCredentials(_ trial: EndpointTrial) -> Remedy {
        let scheme = trial.exchange?.answerField("WWW-Authenticate")?.lowercased() ?? ""
        let authentication: Authentication =
            if scheme.hasPrefix("bearer") {
                .bearer(.file(path: file(".token")))
            } else if scheme.hasPrefix("basic") {
                .basic(
                    user: .file(path: file(".user")), password: .file(path: file(".password")))
            } else {
                .header(
                    name: "X-API-Key", prefix: "", secret: .file(path: file(".key")))
            }
        let says = scheme.isEmpty ? " How it wants it sent, its documentation says." : ""
        return remedy(
            "The catalog wants to know who asks: put the secret it gave you into a file.\(says)",
            changed { $0.declaration.authentication = authentication }, ["auth"])
    }
}

extension LookupFailure {
    /// The reason without its full stop.
    var sentence: String {
        let reason = reason.description
        return reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }
}
