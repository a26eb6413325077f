package import WireText

/// Why a catalog was not published, followed or compared; whatever was there is as it was.
package enum FeedError: Error, Equatable, Sendable {
    /// The manifest says something else than a manifest does.
    case manifest(field: String, expected: String)
    /// A newer keywedge published the feed.
    case newerFormat(Int64)
    /// There is no signature, or not that of the key.
    case signature(isMissing: Bool)
    /// The manifest is older than the last one.
    case olderSequence(Int64, known: Int64)
    /// The manifest has the sequence of the last one, and another revision.
    case repeatedSequence(Int64)
    /// The feed is of another shop than before; nil is the whole catalog.
    case otherScope(String?, known: String?)
    /// A file has another size than the manifest says.
    case size(file: String, expected: Int64)
    /// A file has another SHA-256 than the manifest says.
    case digest(file: String)
    /// A file cannot be decompressed.
    case damaged(file: String)
    /// A row of a file is wrong.
    case row(file: String, line: Int, FeedRow.Problem)
    /// A product of the catalog would be refused by all that follow.
    case product(id: String, FeedRow.Problem)
    /// What the files give is not what the manifest says.
    case content(expected: Revision, found: Revision)
    /// The file would take more than half of what is free on the disk.
    case noSpace(file: String)
    /// Another process publishes into the folder.
    case publishing(folder: String)
    /// Another process writes to the catalog as a follower.
    case following(catalog: String)
    /// The folder has a feed, and the catalog no product.
    case empty
    /// A file holds no key of the kind that is needed.
    case key(path: String, expected: String)
    /// The web server did not give a file; how many seconds it asks to be left alone.
    case web(file: String, reason: String, wait: Duration?)
    /// A file cannot be read or written.
    case file(SystemCallError)

    /// Whether the file itself is at fault, and another one may do.
    var isOfContent: Bool {
        switch self {
        case .size, .digest, .damaged, .row, .content: true
        default: false
        }
    }
}

extension FeedError: CustomStringConvertible {
    /// The error as one sentence.
    package var description: String {
        switch self {
        case .manifest(let field, let expected):
            "The feed's manifest cannot be used: expected \(expected) for \(field)."
        case .newerFormat(let version):
            "The feed has format \(version), and this keywedge reads format \(FeedManifest.format); "
                + "expected a newer keywedge here."
        case .signature(true):
            "The feed has no signature; expected one by the key of --trust."
        case .signature(false):
            "The feed's signature is not that of the key of --trust over this manifest."
        case .olderSequence(let found, let known):
            "The feed has sequence \(found), and this catalog had \(known) already; expected no older one."
        case .repeatedSequence(let sequence):
            "The feed has sequence \(sequence), as this catalog had, with other products; expected a "
                + "higher one."
        case .otherScope(let found, let known):
            "The feed is that of \(Self.name(found)), and was that of \(Self.name(known)); expected the same."
        case .size(let file, let expected):
            "\(file) is not \(Int(expected).counted("byte")) long, as the manifest says."
        case .digest(let file):
            "\(file) does not have the SHA-256 that the manifest says."
        case .damaged(let file): "\(file) cannot be decompressed."
        case .row(let file, let line, let problem): "\(file), line \(line): \(problem)"
        case .product(let id, let problem): "The product \(id.quoted()): \(problem)"
        case .content(let expected, let found):
            "The feed's files give revision \(found.short)…; expected \(expected.short)…, as the manifest says."
        default: circumstances
        }
    }

    private var circumstances: String {
        switch self {
        case .noSpace(let file):
            "\(file) would take more than half of what is free on the disk."
        case .publishing(let folder):
            "Another process publishes into \(folder.quoted(upTo: .max)); expected one at a time."
        case .following(let catalog):
            "Another process follows a feed with \(catalog.quoted(upTo: .max)); expected one at a time."
        case .empty:
            "The catalog has no product, and all that follow would lose theirs; expected some, or "
                + "--allow-empty."
        case .key(let path, let expected):
            "\(path.quoted(upTo: .max)) holds no key; expected \(expected)."
        case .web(let file, let reason, _): "\(file) cannot be fetched: \(reason)."
        case .file(let error): error.sentence
        default: ""
        }
    }

    private static func name(_ scope: String?) -> String {
        scope.map { "the shop \($0.quoted())" } ?? "the whole catalog"
    }
}
