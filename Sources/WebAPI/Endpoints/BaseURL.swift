/// Where a service lives.
///
/// It can be written as a text. One that is no address is an ``AddressError`` when the request is made.
public struct BaseURL: Equatable, Sendable {
    let address: Result<Address, AddressError>

    /// Takes an address.
    ///
    /// - Parameter address: The address.
    public init(_ address: Address) {
        self.address = .success(address)
    }
}

extension BaseURL: ExpressibleByStringLiteral {
    /// Takes an address written as a text.
    public init(stringLiteral text: String) {
        address = Result { () throws(AddressError) in try Address(text) }
    }
}
