import WebAPI
import WireText

/// A token a client got for itself.
///
/// Rule: RFC 6749, section 5.1.
struct AccessToken: Equatable, Sendable {
    /// How long ahead of its end a token is no longer used: the request with it still has to arrive.
    static let margin = Duration.seconds(30)
    /// How long a token is used whose end nobody told.
    static let standardLifetime = Duration.seconds(300)

    /// The token.
    let text: String
    /// How long it is used, from when it was asked for.
    let lifetime: Duration

    /// Reads the answer to a request for a token; nil where there is none in it.
    init?(_ response: Response) {
        guard response.isSuccess, let json = try? response.jsonContent(),
            let object = json.object, let text = object["access_token"]?.string, !text.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
        if case .integer(let seconds) = object["expires_in"], (0...1_000_000_000).contains(seconds)
        {
            lifetime = max(.zero, .seconds(seconds) - Self.margin)
        } else {
            lifetime = Self.standardLifetime
        }
    }
}
