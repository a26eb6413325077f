import CatalogService
import HTTPService

extension BearerToken {
    /// Reads the token in a file, and says it where others can read it, too.
    ///
    /// - Parameter file: The file's path.
    /// - Returns: The token.
    /// - Throws: Where there is none in the file.
    static func read(from file: String) throws -> BearerToken {
        let token = try BearerToken(file: file)
        if let warning = warning(about: file) { StandardError.write("keywedge: \(warning)") }
        return token
    }
}

extension ScopeTokens {
    /// Reads the tokens of shops from a file, and says where others can read it, too.
    static func read(from file: String) throws -> ScopeTokens {
        let tokens = try ScopeTokens(file: file)
        if let warning = BearerToken.warning(about: file) {
            StandardError.write("keywedge: \(warning)")
        }
        return tokens
    }
}
