import Catalog
public import WebAPI
import WireText

/// Why a catalog was not synchronised; it is as it was.
public enum SyncError: Error, Sendable {
    /// The service gave no changes.
    case call(CallError, url: String)
    /// The service forgot the revision it had just named, again and again.
    case unsteady(url: String)
    /// The service has more to tell than any catalog could have.
    case endless(url: String)
    /// All products are gone at the service.
    case emptied(url: String)
    /// Another process is reading pages for this catalog.
    case busy(path: String)
    /// The changes cannot be put aside, or the new catalog not put into its place.
    case file(FileError)
}

extension SyncError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .call(let error, let url):
            "The catalog at \(url) cannot be read: \(error.reason)."
        case .unsteady(let url):
            "The catalog at \(url) was replaced again and again while it was read; "
                + "expected it left alone."
        case .endless(let url):
            "The catalog at \(url) has changes without end; expected a last page."
        case .emptied(let url):
            "The catalog at \(url) has no products any more; expected some, or --anew to take "
                + "all of its products away here too."
        case .busy(let path):
            "Another process synchronises the catalog: it has \"\(Escaping.line.escaped(path))\"; "
                + "expected one at a time."
        case .file(let error): "\(error)"
        }
    }
}
