import HTTPTypes

/// One request on its way through redirects.
struct Hop {
    /// What is sent.
    let request: Request

    /// Whether it goes elsewhere than the first request did; from there on nothing of ours goes
    /// along, not even where a redirect leads back.
    let leftOrigin: Bool

    init(request: Request, leftOrigin: Bool = false) {
        self.request = request
        self.leftOrigin = leftOrigin
    }
}

extension RedirectPolicy {
    /// What is done about a redirect.
    enum Decision {
        /// This request is sent.
        case follow(Hop)
        /// The redirect is the answer.
        case refuse(RefusedRedirect)
    }

    /// Says why a redirect was not followed.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request it is to.
    ///   - followed: How many redirects were followed on the way to it.
    /// - Returns: Why it was not; nil for a response that is no redirect.
    public func refusal(
        of response: Response, to request: Request, followed: Int
    ) -> RefusedRedirect? {
        let hop = Hop(request: request)
        guard case .refuse(let refusal) = decision(on: response, to: hop, followed: followed)
        else { return nil }
        return refusal
    }

    /// Decides whether a redirect is followed; nil for a response that is none.
    ///
    /// Rule: RFC 9110, section 15.4. For 301, 302 and 303 clients turn a `POST` into a `GET`. It
    /// would ask something else, so it is not sent.
    func decision(on response: Response, to hop: Hop, followed: Int) -> Decision? {
        guard [301, 302, 303, 307, 308].contains(response.status.code) else { return nil }
        guard let reference = response.headers[.location],
            let target = try? hop.request.location.resolving(reference)
        else { return .refuse(RefusedRedirect(target: nil, reason: .noTarget)) }
        let (from, to) = (hop.request.url.origin, target.address.origin)
        let reason = obstacle(
            from: from, to: to, hop.request.methodAndPayload, response.status.code, followed)
        if let reason { return .refuse(RefusedRedirect(target: to, reason: reason)) }
        let isSame = from == to
        // What was secret in our query is so in the server's that repeats it.
        let queries = target.queries.map { $0.marked(like: hop.request.queries) }
        return .follow(
            Hop(
                request: Request(
                    Location(address: target.address, queries: queries),
                    headers: isSame ? hop.request.headers : [:],
                    hop.request.methodAndPayload),
                leftOrigin: hop.leftOrigin || !isSame))
    }

    private func obstacle(
        from: Origin, to: Origin, _ method: MethodAndPayload, _ status: Int, _ followed: Int
    ) -> RefusedRedirect.Reason? {
        let asksOnly = method == .get || method == .head
        if maximum == 0 { return .notAllowed }
        if from.scheme == .https, to.scheme == .http { return .unencrypted }
        if from != to, !mayLeaveOrigin { return .otherOrigin }
        if !asksOnly, status <= 303 { return .otherMethod(method.method) }
        if from != to, !asksOnly { return .contentElsewhere(method: method.method) }
        return followed < maximum ? nil : .tooMany(maximum)
    }

    private var maximum: Int {
        switch self {
        case .refuse: 0
        case .sameOrigin(let maximum), .anyOrigin(let maximum): maximum
        }
    }

    private var mayLeaveOrigin: Bool {
        if case .anyOrigin = self { true } else { false }
    }
}
