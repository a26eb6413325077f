import WebAPI

/// A token a client got for itself.
///
/// Rule: RFC 6749, section 5.1.
struct AccessToken: Decodable, Equatable, Sendable {
    /// How long ahead of its end a token is no longer used: the request with it still has to arrive.
    static let margin = Duration.seconds(30)
    /// How long a token is used whose end nobody told.
    static let standardLifetime = Duration.seconds(300)

    /// The token.
    let text: String
    /// How long it is used, from when it was asked for.
    let lifetime: Duration

    private enum CodingKeys: String, CodingKey {
        case text = "access_token"
        case lifetime = "expires_in"
    }

    init(from decoder: any Decoder) throws {
        let answer = try decoder.container(keyedBy: CodingKeys.self)
        text = try answer.decode(String.self, forKey: .text)
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw TransformError.unexpectedValue(
                in: try answer.superDecoder(forKey: .text), expected: "visible ASCII characters")
        }
        // What is no number of seconds says nothing, and makes the token no worse.
        let seconds = try? answer.decode(Int64.self, forKey: .lifetime)
        if let seconds, (0...1_000_000_000).contains(seconds) {
            lifetime = max(.zero, .seconds(seconds) - Self.margin)
        } else {
            lifetime = Self.standardLifetime
        }
    }
}
