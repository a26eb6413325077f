package import CatalogFeeds
import WebAPI
import WireText

/// Remedies for errors in publishing or following a feed.
extension Remedy {
    /// Creates the remedy for a catalog that cannot be published; nil if no remedy is known.
    package init?(publishing error: FeedError, of catalog: String, into folder: String) {
        let source = "--catalog \(catalog.shellWord)"
        switch error {
        case .unsigned:
            self.init(
                "Sign it with the key that the followers trust.",
                run: "keywedge catalog publish \(folder.shellWord) \(source) --sign KEY.pem")
        case .scope(let scope, _):
            self.init(
                "Each shop's feed has a folder of its own.",
                run: "keywedge catalog publish OTHER-FOLDER \(source)"
                    + (scope.map { " --scope \($0.shellWord)" } ?? ""))
        case .empty, .product:
            self.init(
                "Import the shop's list of products again.",
                run: "keywedge catalog import FILE.csv \(source)")
        case .manifest, .newerFormat:
            self.init(
                "Publish into another folder, or with the keywedge that made this one.",
                run: "keywedge catalog publish OTHER-FOLDER \(source)")
        default: self.init(for: error)
        }
    }

    /// Creates the remedy for a feed that a catalog cannot follow; nil if no remedy is known.
    package init?(following error: FeedError, from feed: String, into catalog: String) {
        switch error {
        case .signature(isMissing: true):
            self.init(
                "Its publisher has to sign it with that key.",
                run: "keywedge catalog publish FOLDER --sign KEY.pem")
        case .signature(isMissing: false):
            self.init(
                "The feed or its server may be forged, and the catalog stays as it was. Trust another key "
                    + "only if the publisher confirms it, on another way than this feed.")
        case .sequence:
            self.init(
                "Ask its publisher whether this is the newest one; an older one is never taken. See what "
                    + "the catalog had.", run: "cat \("\(catalog).feed.json".shellWord)")
        case .scope:
            self.init(
                "Name the feed that this catalog followed, or let the catalog forget that one.",
                run: "rm \("\(catalog).feed.json".shellWord)",
                "keywedge catalog follow \(feed.shellWord) --catalog \(catalog.shellWord)")
        case .newerFormat: self.init("Install a newer keywedge.", run: "keywedge --version")
        case .content(_, .noSpace): self.init("Make room.", run: "df -h \(catalog.shellWord)")
        case .manifest:
            let manifest = "\(feed)/feed.json".shellWord
            self.init(
                "See what is there, and name the place that keywedge catalog publish writes to.",
                run: feed.contains("://") ? "curl -sS \(manifest)" : "head -c 500 \(manifest)")
        case .content, .row, .rows:
            self.init(
                "Perhaps it was copied in part: copy feed.json last. If that does not help, its publisher "
                    + "has to publish it into a new folder.",
                run: "keywedge catalog publish NEW-FOLDER")
        case .web(_, _, _, .certificateNotTrusted), .web(_, _, _, .certificateNotVerified):
            self.init(
                "Name the certificate of the authority that signed the server's: --ca FILE.")
        case .web(let file, _, _, .noCommonTLS), .web(let file, _, _, .tlsFailed),
            .web(let file, _, _, .malformed), .web(let file, _, _, .closed):
            self.init(
                "See whether the port is for TLS: name it with https:// if it is. http:// would send "
                    + "a token readable to anyone.", run: "curl -sSI \(file.shellWord)")
        case .web(let file, _, _, .clientCertificateRefused),
            .web(let file, _, _, .handshakeRefused),
            .web(let file, _, _, .certificateForAnotherHost):
            self.init(
                "Check the server, its name and its port.", run: "curl -sSI \(file.shellWord)")
        case .web(let file, _, _, let kind):
            let host = (try? Address(file).origin.host) ?? file
            self =
                kind.map { .connecting(to: host, $0) }
                ?? Remedy("See what the server answers; --token-file names a token for it.")
            if commands.isEmpty { commands = ["curl -sSI \(file.shellWord)"] }
        default: self.init(for: error)
        }
    }
}
