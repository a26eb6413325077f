/// A method that ``MethodAndPayload`` has no case for, such as `QUERY` or `PROPFIND`.
public struct OtherMethod: Hashable, Sendable {
    /// The name as it is sent; letter case matters.
    public let name: String

    /// Takes a method's name.
    ///
    /// Rejected are names that are no token of RFC 9110, section 5.6.2, those that have a case of
    /// their own, and `CONNECT` and `TRACE`, which are no requests of this kind.
    ///
    /// - Parameter name: The name, in the letter case the server wants.
    public init?(_ name: String) {
        let isToken = name.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
        }
        let taken = [
            "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "TRACE",
        ]
        guard !name.isEmpty, isToken, !taken.contains(name.uppercased()) else { return nil }
        self.name = name
    }
}
