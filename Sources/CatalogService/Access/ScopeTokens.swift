package import Catalog
import Crypto
import HTTPService
package import WireText

/// The tokens of shops: who shows one sees what that shop has, and nothing else.
package struct ScopeTokens: Sendable {
    /// How large a file of tokens may be, in bytes: those of ten thousand shops are a tenth of that.
    private static let largest = 8 << 20

    /// By the digest of the token, so that how long a search takes says nothing of any token.
    private let scopes: [SHA256Digest: CatalogScope]

    /// Reads a file with a line `SCOPE TOKEN` for each token; a shop may have several.
    ///
    /// Empty lines, and those that begin with `#`, say nothing.
    ///
    /// - Parameter file: The file's path.
    /// - Throws: ``ScopeTokensError``.
    package init(file: String) throws(ScopeTokensError) {
        let content: [UInt8]
        do {
            content = try SmallFile.read(file, limit: Self.largest)
        } catch {
            throw .unreadable(error)
        }
        var scopes: [SHA256Digest: CatalogScope] = [:]
        let lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
            guard words.count == 2,
                let scope = CatalogScope(String(decoding: first, as: UTF8.self)),
                BearerToken(String(decoding: words[1], as: UTF8.self)) != nil
            else { throw .unfit(path: file, line: index + 1) }
            let before = scopes.updateValue(scope, forKey: SHA256.hash(data: words[1]))
            if let before, before != scope {
                throw .shared(path: file, line: index + 1, with: before)
            }
        }
        guard !scopes.isEmpty else { throw .empty(path: file) }
        self.scopes = scopes
    }

    /// The shops that have a token, in alphabetical order.
    var shops: [CatalogScope] { Set(scopes.values).sorted { $0.name < $1.name } }

    /// The shop whose token the value of an `Authorization` header shows; nil where it is none of them.
    func scope(shownIn authorization: String) -> CatalogScope? {
        BearerToken.shown(in: authorization).flatMap { scopes[SHA256.hash(data: Array($0))] }
    }
}

/// Why a file has no tokens of shops.
package enum ScopeTokensError: Error, Equatable, Sendable {
    /// The file cannot be read.
    case unreadable(SystemCallError)
    /// A line is not a shop and its token.
    case unfit(path: String, line: Int)
    /// A line has the token that another shop has.
    case shared(path: String, line: Int, with: CatalogScope)
    /// There is no token in the file.
    case empty(path: String)
}

extension ScopeTokensError: CustomStringConvertible {
    /// One sentence; it never quotes a token.
    package var description: String {
        switch self {
        case .unreadable(let error): error.sentence
        case .unfit(let path, let line):
            "Line \(line) of \(path.quoted(upTo: .max)) is not the name of a shop and its token, of at "
                + "least \(BearerToken.shortest) letters, digits and any of -._~+/=."
        case .shared(let path, let line, let scope):
            "Line \(line) of \(path.quoted(upTo: .max)) has the token of shop \(scope); expected one "
                + "of its own for each shop."
        case .empty(let path): "There is no token in \(path.quoted(upTo: .max))."
        }
    }
}
