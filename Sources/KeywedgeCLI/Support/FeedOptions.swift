import ArgumentParser
import CatalogFeeds
import Diagnosis
import HTTPService
import WebAPI
import WireText

/// The options for reading a feed, besides its location.
struct FeedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Accept only a feed signed with this key: a public key in PEM.", valueName: "file"))
    var trust: String?

    @Option(
        help: ArgumentHelp("The file with the token for the server; one line.", valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Trust the authorities in this PEM file instead of the system's.", valueName: "file"))
    var ca: String?

    /// Whether no option is given.
    var isEmpty: Bool { trust == nil && tokenFile == nil && ca == nil }

    /// The maximum size in bytes of a file with certificate authorities: four times the size of the system's own.
    private static let authoritiesSize = 1 << 20

    /// Makes the follower that keeps a catalog equal to a feed.
    func follower(of place: String, into path: String) throws -> FeedFollower {
        FeedFollower(
            of: try source(place), trusting: try trust.map(FeedKey.readPublic), into: path,
            now: { HTTPDate.now.secondsSince1970 })
    }

    private func source(_ place: String) throws -> FeedSource {
        guard place.contains("://") else {
            guard tokenFile == nil, ca == nil else {
                throw Failure(
                    "--token-file and --ca are for addresses; \(place.quoted()) is a folder")
            }
            return .folder(place)
        }
        let address = try Address(place)
        var tls = TLSOptions()
        if let ca { tls.trust = .only([try SmallFile.read(ca, limit: Self.authoritiesSize)]) }
        let transport = try AsyncHTTPClientTransport(
            tls: tls, limits: TransportLimits(responseBytes: WebFeed.largestAnswer))
        let token = try tokenFile.map { try BearerToken.read(from: $0).headerValue }
        return .web(try WebFeed(at: address, over: transport, authorization: token))
    }
}

extension BearerToken {
    /// Reads the token in a file, and warns if other users can read the file.
    static func read(from file: String) throws -> BearerToken {
        let token = try BearerToken(file: file)
        if let warning = warning(about: file) { StandardError.write("\(warning)") }
        return token
    }
}

extension Failure {
    /// Adds the feed and the next command to an error of following the feed or comparing with it.
    static func following(_ feed: String, into catalog: String, _ error: any Error) -> any Error {
        guard let error = error as? FeedError else { return unlessCancelled(error) }
        return Failure(error, of: feed, Remedy(following: error, from: feed, into: catalog))
    }

    /// Adds the feed to an error, unless the error already names one of its files.
    init(_ error: FeedError, of feed: String, _ remedy: Remedy?) {
        switch error {
        case .file, .web: self.init("\(error)", remedy)
        default: self.init("\(Escaping.line.escaped(feed)): \(error)", remedy)
        }
    }
}
