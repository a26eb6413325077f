import Barcodes
import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WebAPI
import WireText

extension EndpointCheck {
    /// The settings that may let a code be found, the likeliest first.
    func candidates(forKnown trial: EndpointTrial, _ code: String) -> [Candidate] {
        switch trial.failure?.code {
        case nil: forms(besides: trial, code) + shorterURLs
        case .unexpectedStatus: redirects(trial) + shorterURLs + forms(besides: trial, code)
        case .unreadableAnswer: redirects(trial) + shorterURLs
        case .answerTooLong: longerAnswers
        case .otherProduct: places(of: code, trial)
        case .unusableProduct: mappings(trial)
        case .brokenConnection: secure
        default: []
        }
    }

    /// What to do where no setting that was tried helps.
    func hint(for trial: EndpointTrial) -> Remedy {
        switch trial.failure?.code {
        case .throttled: throttled(trial.failure?.retryAfter)
        case .serverError, .reportedError:
            Remedy("The catalog itself is out of order: ask whoever runs it.")
        case .timedOut:
            remedy(
                "The catalog takes the connection and does not answer within "
                    + "\(Self.shown(timeout)): ask whoever runs it, or check the URL.", catalog,
                ["url"])
        case .unusableProduct, .otherProduct:
            remedy(
                "Compare the places with what the catalog answers (keywedge lookup --explain).",
                catalog, ["product"])
        case .unexpectedStatus where Self.target(of: trial) != nil:
            moved(trial)
        case nil where trial.match == nil:
            remedy(
                "If the catalog does not have that code, try one that it has (--known CODE). Else "
                    + "the URL may be wrong, or the catalog has the code in another form.",
                catalog, ["url"], ["codes", "ask"])
        default:
            remedy(
                "Compare URL and path with the service's documentation and with what it answers "
                    + "(keywedge lookup --explain).", catalog, ["url"], ["request", "path"])
        }
    }

    /// What to write where the catalog takes fewer requests than it was sent.
    ///
    /// A short wait is as good as a rate; a long one is a pause, after which all is as before.
    private func throttled(_ wait: Duration?) -> Remedy {
        guard (wait ?? .zero) <= .seconds(60) else {
            return Remedy(
                "The catalog takes no more requests for now, and none are sent until the time it "
                    + "names: try again then. Where its documentation names a rate, set it as quota."
            )
        }
        return remedy(
            "The catalog takes fewer requests than it was sent: keep to what it allows.",
            changed { catalog in
                catalog.declaration.resilience.quota = QuotaSettings(
                    requests: 1, per: max(wait ?? .zero, .seconds(1)))
            }, ["quota"])
    }

    /// The code in the forms that it was not asked in.
    private func forms(besides trial: EndpointTrial, _ code: String) -> [Candidate] {
        var texts = Set(trial.asked)
        let keys = decoder.decode(code, aim: nil).lookupKeys
        return CodeForm.all.compactMap { form in
            guard !catalog.declaration.codes.forms.contains(form),
                let text = keys.lazy.compactMap(form.text).first, texts.insert(text).inserted
            else { return nil }
            return Candidate(
                advice: "The catalog has the code as \(form.name): ask that as well.",
                catalog: changed { $0.declaration.codes.forms.append(form) },
                path: ["codes", "ask"])
        }
    }

    /// The URL with the end of its path left off.
    private var shorterURLs: [Candidate] {
        guard let address = try? Address(catalog.declaration.url) else { return [] }
        let segments = address.path.split(separator: "/")
        return segments.indices.reversed().map { segments[..<$0] }.map { rest in
            let path = rest.map { "/" + $0 }.joined()
            return Candidate(
                advice: "The URL has too much in it: the request's path stands behind it.",
                catalog: changed { $0.declaration.url = address.origin.description + path },
                path: ["url"])
        }
    }

    /// Where a redirect leads that is not followed.
    private func redirects(_ trial: EndpointTrial) -> [Candidate] {
        guard let exchange = trial.exchange, let reference = exchange.answerField("Location"),
            let base = try? Address(catalog.declaration.url)
        else { return [] }
        let follows: [Candidate] = [Redirects.sameOrigin, .anyOrigin].compactMap { redirects in
            guard redirects != catalog.declaration.redirects else { return nil }
            return Candidate(
                advice: "The catalog sends us on, which has to be allowed.",
                catalog: changed { $0.declaration.redirects = redirects }, path: ["redirects"])
        }
        guard let target = try? Location(reference).address else { return follows }
        let basePath = base.path == "/" ? "" : base.path
        let tail = String(exchange.request.url.path.dropFirst(basePath.count))
        guard target.path.hasSuffix(tail) else { return follows }
        let url = target.origin.description + target.path.dropLast(tail.count)
        return [
            Candidate(
                advice: "The catalog has moved there.",
                catalog: changed { $0.declaration.url = url }, path: ["url"])
        ] + follows
    }

    /// Where an answer sends us on to.
    private static func target(of trial: EndpointTrial) -> Location? {
        guard let exchange = trial.exchange, let status = exchange.status,
            (300...399).contains(status), let reference = exchange.answerField("Location")
        else { return nil }
        return try? exchange.request.location.resolving(reference)
    }

    /// What to write where the catalog sends us on, and following it did not help.
    private func moved(_ trial: EndpointTrial) -> Remedy {
        guard let exchange = trial.exchange, let target = Self.target(of: trial)?.address else {
            return remedy("The catalog sends us on.", catalog, ["url"])
        }
        let method = exchange.request.methodAndPayload.method
        guard target.origin != exchange.request.url.origin else {
            return remedy(
                "The catalog sends us on to another path, \(target.path.quoted()), which a "
                    + "\(method) does not follow: write the path that the service documents.",
                catalog, ["request", "path"])
        }
        return remedy(
            "The catalog sends us on to \(target.origin): if that is where it is now, write so. "
                + "A GET follows it with redirects: any-origin; what authenticates us never does.",
            changed { $0.declaration.url = Self.moved($0.declaration.url, to: target.origin) },
            ["url"])
    }

    private var longerAnswers: [Candidate] {
        [8 << 20, 64 << 20].filter { $0 > catalog.declaration.maximumAnswer }.map { limit in
            Candidate(
                advice: "The answers are longer than allowed: allow more.",
                catalog: changed { $0.declaration.maximumAnswer = limit }, path: ["max_answer"])
        }
    }

    /// The same port over TLS: a server that wants it breaks off or answers with an error.
    private var secure: [Candidate] {
        guard let origin = try? Address(catalog.declaration.url).origin, origin.scheme == .http,
            let other = try? Address("https://\(origin.host):\(origin.port)").origin
        else { return [] }
        return [
            Candidate(
                advice: "The server speaks TLS there.",
                catalog: changed { $0.declaration.url = Self.moved($0.declaration.url, to: other) },
                path: ["url"])
        ]
    }
}
