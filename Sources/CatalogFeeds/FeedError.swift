package import Catalog
package import WebAPI
package import WireText

/// An error in publishing or following a feed, or in comparing a catalog with a feed.
package enum FeedError: Error, Sendable, CustomStringConvertible {
    case manifest(TransformError)
    /// The feed has this format, which only a newer version of keywedge can read.
    case newerFormat(Int)
    /// The signature is missing, or was made with another key.
    case signature(isMissing: Bool)
    /// The published feed is signed, but there is no key to sign the new one.
    case unsigned
    /// The manifest is older than the last one, or has the same sequence number but a different revision.
    case sequence(Int64, known: Int64)
    /// The feed's shop has changed from `known` to the first value; nil stands for the whole catalog.
    case scope(String?, known: String?)
    /// A file does not match the manifest.
    case content(of: String, FileProblem)
    case row(file: String, line: Int, InvalidRow.Reason)
    /// The product count or the revision of the rows differs from the one in the manifest.
    case rows(Int, Revision, expected: Int, Revision)
    /// The catalog contains a product that followers would refuse.
    case product(id: String, InvalidRow.Reason)
    /// Another process is publishing into the same folder, or is updating or comparing the same catalog.
    case busy(path: String)
    /// The published feed has products, but the catalog to publish has none.
    case empty
    case key(path: String, String)
    /// A file could not be fetched from the web server.
    ///
    /// `wait` is how long the server asked the client to wait; nil if it did not ask. The last value is the kind of
    /// connection error; nil if there was none, for instance because the server answered with an error status.
    case web(file: String, reason: String, wait: Duration?, ConnectionError.Kind?)
    case file(SystemCallError)

    package enum FileProblem: String, Sendable {
        case missing = "is missing"
        case size = "has another size than the manifest says"
        case digest = "has another SHA-256 than the manifest says"
        case damaged = "cannot be decompressed to what the manifest says"
        case noSpace = "would take more than half of what is free on the disk"
    }

    /// Whether a data file is wrong, missing or too large, so that another file may work.
    var isOfContent: Bool {
        switch self {
        case .content, .row, .rows: true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .manifest(let error): "The feed's manifest cannot be read: \(error)."
        case .newerFormat(let format):
            "The feed has format \(format); expected \(FeedManifest.presentFormat), or a newer keywedge."
        case .signature(true): "The feed has no signature; expected one by the trusted key."
        case .unsigned: "The feed is signed; expected --sign with its key, or another folder."
        case .signature(false): "The feed's signature is not that of the trusted key."
        case .sequence(let found, let known):
            "The feed has sequence \(found) "
                + (found < known ? "" : "with another revision than before ")
                + "and this catalog had \(known); expected a newer one."
        case .scope(let found, let known):
            "The feed is that of \(Self.name(found)); expected \(Self.name(known)), as before."
        case .content(let file, let problem): "\(file) \(problem.rawValue)."
        case .row(let file, let line, let problem): "\(file), line \(line): \(problem)"
        case .rows(let count, let revision, let expected, let expectedRevision):
            "The feed's rows give \(count.counted("product")), revision \(revision); expected "
                + "\(expected), revision \(expectedRevision), as the manifest says."
        case .product(let id, let problem): "The product \(id.quoted()): \(problem)"
        case .busy(let path):
            "Another process is using \(path.quoted(upTo: .max)); expected one at a time."
        case .empty:
            "The catalog has no products, and followers would lose theirs; expected some, or "
                + "--allow-empty."
        case .key(let path, let expected):
            "\(path.quoted(upTo: .max)) holds no key; expected \(expected)."
        case .web(let file, let reason, _, _): "\(file) cannot be fetched: \(reason)."
        case .file(let error): error.sentence
        }
    }

    private static func name(_ scope: String?) -> String {
        scope.map { "the shop \($0.quoted())" } ?? "the whole catalog"
    }
}
