import Catalog
import HTTPService
package import WebAPI
package import WireText

/// Why a catalog was not synchronised; it is as it was.
package enum SyncError: Error, Sendable {
    /// The service gave no changes.
    case call(CallError, url: String)
    /// The service forgot the revision it had just named, again and again.
    case unsteady(url: String)
    /// The service has more to tell than any catalog could have.
    case endless(url: String)
    /// The service is at an older revision than before, or names changes and the same one.
    case disordered(before: String, now: String, url: String)
    /// All products are gone at the service.
    case emptied(url: String)
    /// The service gets its products from the catalog that is to follow it.
    case loop(url: String)
    /// The products come through more services than a chain has.
    case chain(url: String)
    /// The service has no digests of its catalog, or of something else than this keywedge.
    case incomparable(url: String)
    /// There is a catalog now where a new one was to be made.
    case appeared(path: String)
    /// Another process is reading pages for this catalog.
    case busy(path: String)
    /// The changes cannot be put aside, or the new catalog not put into its place.
    case file(SystemCallError)
}

extension SyncError {
    /// How long the service asks to be left alone; nil where it does not.
    ///
    /// - Parameter now: The date here, for a service that tells a date and not its own.
    /// - Returns: The time from the answer on.
    package func wait(now: HTTPDate = .now) -> Duration? {
        guard case .call(let error, _) = self,
            case .throttled(_, let wait, _)? = error.transformError
        else { return nil }
        return wait?.wait(now: now)
    }
}

extension SyncError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .call(let error, let url):
            "The catalog at \(url) cannot be read: \(error.reasonText)."
        case .unsteady(let url):
            "The catalog at \(url) was replaced again and again while it was read; "
                + "expected it left alone."
        case .endless(let url):
            "The catalog at \(url) has changes without end; expected a last page."
        case .disordered(let before, let now, let url):
            "The catalog at \(url) has changes that lead from revision \(before) to \(now); "
                + "expected a later one, or --anew to read everything again."
        case .emptied(let url):
            "The catalog at \(url) has no products any more; expected some, or --allow-empty to "
                + "take all of its products away here too."
        case .loop(let url):
            "The catalog at \(url) follows this one, itself or through others, so that this one "
                + "cannot follow it; expected a chain that begins with a catalog that follows none."
        case .chain(let url):
            "The catalog at \(url) does not say right through which others its products come; "
                + "expected at most \(ServiceChain.longest)."
        case .incomparable(let url):
            "The catalog at \(url) cannot be compared; expected the service of a keywedge of the "
                + "same version."
        case .appeared(let path):
            "Another process has made the catalog \(path.quoted(upTo: .max)) meanwhile; "
                + "expected one at a time."
        case .busy(let path):
            "Another process synchronises the catalog: it has \(path.quoted(upTo: .max)); "
                + "expected one at a time."
        case .file(let error): error.sentence
        }
    }
}
