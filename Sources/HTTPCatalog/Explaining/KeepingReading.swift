import WireText

/// What becomes of an answer.
package enum KeepingReading: Hashable, Sendable {
    /// Why an answer is not kept.
    package enum Reason: Hashable, Sendable {
        /// The answer forbids it.
        case noStore
        /// It is a failure.
        case failure
    }

    /// It is kept: how long it is fresh, and how long beyond that it is used while it is asked for
    /// again, and where that fails.
    case kept(
        isProduct: Bool, fresh: Duration, whileRevalidating: Duration, ifError: Duration,
        hasTag: Bool)
    /// The catalog said that what was kept still holds: so long.
    case renewed(fresh: Duration)
    /// It is not kept.
    case notKept(Reason)
    /// What was kept so long ago stands in for it.
    case standsIn(age: Duration)
}

extension KeepingReading: CustomStringConvertible {
    /// What becomes of it.
    package var description: String {
        switch self {
        case .kept(let isProduct, let fresh, let meanwhile, let ifError, let hasTag):
            let what = isProduct ? "kept" : "kept that there is no such product"
            let stale =
                meanwhile > .zero || ifError > .zero
                ? ", stale for \(meanwhile.text) more while it is asked for again and for "
                    + "\(ifError.text) more where that fails"
                : ""
            return "\(what): fresh for \(fresh.text)\(stale)"
                + (hasTag ? ", with its entity tag" : "")
        case .renewed(let fresh): return "what was kept still holds: fresh for \(fresh.text)"
        case .notKept(.noStore): return "not kept: the answer says no-store"
        case .notKept(.failure): return "not kept: it is a failure"
        case .standsIn(let age): return "what was kept \(age.text) ago stands in"
        }
    }
}
