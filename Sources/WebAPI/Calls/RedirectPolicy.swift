/// Whether redirects are followed.
///
/// A `GET` and a `HEAD` are; any other method only by 307 and 308, which keep it, and only within
/// the origin.
public enum RedirectPolicy: Hashable, Sendable {
    /// None is; a redirect is a response like any other.
    case refuse
    /// Those to the same origin are, up to this many in a row.
    case sameOrigin(maximum: Int)
    /// Those to any origin are, up to this many in a row.
    ///
    /// To another origin only `GET` and `HEAD` go on, and they carry no header of ours, nor anything
    /// an interceptor would add. From `https` to `http` none is followed.
    case anyOrigin(maximum: Int)
}
