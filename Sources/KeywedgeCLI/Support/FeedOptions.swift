import ArgumentParser
import CatalogFeeds
import HTTPService
import WebAPI
import WireText

/// What reading a feed needs beside its place.
struct FeedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take only a feed that this key has signed: a public key in PEM.", valueName: "file"))
    var trust: String?

    @Option(
        help: ArgumentHelp("The token that is shown to the server; one line.", valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Trust the authorities in this PEM file instead of the system's.", valueName: "file"))
    var ca: String?

    /// Whether none is given.
    var isEmpty: Bool { trust == nil && tokenFile == nil && ca == nil }

    /// How large a file with authorities may be, in bytes: the system's own is a quarter of that.
    private static let authoritiesSize = 1 << 20

    /// What keeps a catalog as the feed at a place.
    ///
    /// - Parameters:
    ///   - place: An address, or a folder.
    ///   - path: The catalog's file.
    /// - Returns: The follower.
    /// - Throws: ``Failure``.
    func follower(of place: String, into path: String) throws -> FeedFollower {
        try orFail {
            FeedFollower(
                of: try source(place), trusting: try trust.map(FeedKey.readPublic), into: path,
                now: { HTTPDate.now.secondsSince1970 })
        }
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
