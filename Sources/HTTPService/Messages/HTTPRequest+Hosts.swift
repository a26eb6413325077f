package import HTTPTypes

extension HTTPRequest {
    /// The values of all fields `Host`: the first is the authority here, and others stay fields.
    package var hosts: [String] {
        let others = HTTPField.Name("Host").map { headerFields[values: $0] } ?? []
        return [authority].compactMap(\.self) + others
    }
}
