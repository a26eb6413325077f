import Glibc
import HTTPTypes
package import HummingbirdCore
package import WireText

/// The secret token that a client must send in the `Authorization` header.
///
/// Rule: RFC 6750, section 2.1.
package struct BearerToken: Sendable {
    /// The minimum length of a token, in characters; enough for 96 random bits in Base64.
    static let shortest = 16
    /// The maximum length of a token, in characters, so that the token fits into a header field.
    static let longest = 4096

    private let bytes: [UInt8]

    /// Creates a token; nil if the text is not a bearer token of 16 to 4096 characters.
    package init?(_ text: String) {
        guard (Self.shortest...Self.longest).contains(text.utf8.count),
            text.wholeMatch(of: /[A-Za-z0-9._~+\/-]+=*/) != nil
        else { return nil }
        bytes = Array(text.utf8)
    }

    /// Reads a token from a file with a single line, such as a systemd credential.
    package init(file: String) throws(TokenError) {
        let content: [UInt8]
        do {
            content = try SmallFile.line(file, limit: Self.longest + 2)
        } catch {
            throw .unreadable(error)
        }
        guard let token = BearerToken(String(decoding: content, as: UTF8.self)) else {
            throw .unfit(path: file, isShort: content.count < Self.shortest)
        }
        self = token
    }

    /// Returns a warning if every user of the machine can read the token's file; otherwise nil.
    package static func warning(about file: String) -> String? {
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IROTH != 0 else { return nil }
        return
            "Every user of this box can read the token in \(file.quoted(upTo: .max)); expected its "
            + "owner alone, as after \"chmod 600\"."
    }

    /// Whether the value of an `Authorization` header contains this token.
    ///
    /// The comparison takes equally long for all tokens of the same length, so that timing does not reveal the token.
    package func isShown(in authorization: String) -> Bool {
        let parts = authorization.utf8.split(separator: 0x20, maxSplits: 1)
        guard parts.count == 2, String(Substring(parts[0])).lowercased() == "bearer" else {
            return false
        }
        let shown = parts[1].drop { $0 == 0x20 }
        var difference = UInt(truncatingIfNeeded: shown.count ^ bytes.count)
        for (index, byte) in shown.enumerated() {
            difference |= UInt(byte ^ bytes[index % bytes.count])
        }
        return difference == 0
    }

    package var headerValue: String { "Bearer " + String(decoding: bytes, as: UTF8.self) }
}

extension BearerToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "a token" }
    package var customMirror: Mirror {
        Mirror(self, children: ["token": description], displayStyle: .struct)
    }
}

extension BearerToken? {
    /// Whether this `Authorization` header contains the token; true if no token is configured.
    package func knows(_ authorization: String?) -> Bool {
        map { authorization.map($0.isShown) ?? false } ?? true
    }

    /// Throws if a token is configured and the request has no token or a different one.
    package func check(_ request: Request) throws(ProblemDetails) {
        let shown = request.headers[.authorization]
        guard !knows(shown) else { return }
        throw shown == nil ? .noToken : .wrongToken
    }
}

package enum TokenError: Error, Equatable, Sendable {
    case unreadable(SystemCallError)
    case unfit(path: String, isShort: Bool)
}

extension TokenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let error): error.sentence
        case .unfit(let path, let isShort):
            "The token in \(path.quoted(upTo: .max)) "
                + (isShort
                    ? "is too short; expected at least \(BearerToken.shortest) characters, such as "
                        + "\"head -c 24 /dev/urandom | base64\" makes."
                    : "is invalid; expected one line of letters, digits and any of -._~+/=.")
        }
    }
}
