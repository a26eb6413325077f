/// A redirect that was not followed, and why.
public struct RefusedRedirect: Hashable, Sendable {
    /// Why a redirect is not followed.
    public enum Reason: Hashable, Sendable {
        /// None is to be.
        case notAllowed
        /// It leads to another scheme, host or port, and that is not allowed.
        case otherOrigin
        /// It leads to another scheme, host or port, where no content of ours goes; with the method.
        case contentElsewhere(method: String)
        /// It leads from `https` to `http`.
        case unencrypted
        /// It would turn a method such as `POST` into a `GET` that says nothing of the question.
        case otherMethod(String)
        /// As many in a row as are allowed were followed.
        case tooMany(Int)
        /// It does not say where to go, or not by a URL.
        case noTarget
    }

    /// Where it leads; nil where it does not say.
    public let target: Origin?

    /// Why it is not followed.
    public let reason: Reason

    /// Makes a refusal.
    ///
    /// - Parameters:
    ///   - target: Where it leads.
    ///   - reason: Why it is not followed.
    public init(target: Origin?, reason: Reason) {
        self.target = target
        self.reason = reason
    }
}

extension RefusedRedirect: CustomStringConvertible {
    /// The end of a sentence, which shows neither the path nor the query: they may hold secrets.
    public var description: String {
        guard let target else { return "leads nowhere: its Location is missing or no URL" }
        return "leads to \(target), which is not followed: \(reason)"
    }
}

extension RefusedRedirect.Reason: CustomStringConvertible {
    /// The reason as a clause.
    public var description: String {
        switch self {
        case .notAllowed: "redirects are refused"
        case .otherOrigin: "redirects to another scheme, host or port are refused"
        case .contentElsewhere(let method): "a \(method) is not sent to another host"
        case .unencrypted: "redirects from https to http always are refused"
        case .otherMethod(let method): "it would turn the \(method) into a GET without its question"
        case .tooMany(let count): "\(count) redirects in a row were followed already"
        case .noTarget: "it does not say where to go"
        }
    }
}
