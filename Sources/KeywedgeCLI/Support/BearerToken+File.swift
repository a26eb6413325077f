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
