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
    /// The request that follows a redirect; `nil` where it is not followed.
    ///
    /// Rule: RFC 9110, section 15.4. 301 and 302 turn a `POST` into a `GET`, as clients always did.
    func next(after response: Response, of hop: Hop, followed: Int) -> Hop? {
        guard followed < maximum, [301, 302, 303, 307, 308].contains(response.status.code),
            let reference = response.headers[.location],
            let target = try? hop.request.location.resolving(reference)
        else { return nil }
        let method = Self.method(after: response.status.code, of: hop.request.methodAndPayload)
        let (from, to) = (hop.request.url.origin, target.address.origin)
        if from == to {
            var headers = hop.request.headers
            if method.payload == nil {
                for name in [HTTPField.Name.contentType, .contentEncoding, .contentLanguage] {
                    headers[name] = nil
                }
            }
            return Hop(
                request: Request(target, headers: headers, method), leftOrigin: hop.leftOrigin)
        }
        let isDowngrade = from.scheme == .https && to.scheme == .http
        guard case .anyOrigin = self, !isDowngrade, method == .get || method == .head else {
            return nil
        }
        return Hop(request: Request(target, headers: [:], method), leftOrigin: true)
    }

    private var maximum: Int {
        switch self {
        case .refuse: 0
        case .sameOrigin(let maximum), .anyOrigin(let maximum): maximum
        }
    }

    private static func method(after code: Int, of method: MethodAndPayload) -> MethodAndPayload {
        switch (code, method) {
        case (303, .head): .head
        case (303, _): .get
        case (301, .post), (302, .post): .get
        default: method
        }
    }
}
