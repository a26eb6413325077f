/// Where an MQTT broker is.
package struct MQTTAddress: Hashable, Sendable, CustomStringConvertible {
    /// Whether the connection is secured by TLS.
    package let isSecure: Bool
    /// The host's name or address; an IPv6 address without its brackets.
    package let host: String
    /// The port.
    package let port: Int

    /// `mqtt://localhost`.
    package static let localhost = MQTTAddress(isSecure: false, host: "localhost", port: 1883)

    private init(isSecure: Bool, host: String, port: Int) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }

    /// Reads an address.
    ///
    /// - Parameter text: `mqtt://broker.lan`, `mqtts://broker.lan:8883`; without a port it is 1883,
    ///   and 8883 with TLS. No user, no password, no path.
    package init?(_ text: String) {
        guard let end = text.firstRange(of: "://") else { return nil }
        switch text[..<end.lowerBound].lowercased() {
        case "mqtt": isSecure = false
        case "mqtts": isSecure = true
        default: return nil
        }
        var rest = text[end.upperBound...]
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let name: Substring
        if rest.hasPrefix("[") {
            guard let close = rest.firstIndex(of: "]") else { return nil }
            name = rest[rest.index(after: rest.startIndex)..<close]
            rest = rest[rest.index(after: close)...]
            guard name.contains(":"), name.utf8.allSatisfy(Self.isOfAnAddress) else { return nil }
        } else {
            name = rest.prefix { $0 != ":" }
            rest = rest[name.endIndex...]
            guard !name.isEmpty, name.utf8.allSatisfy({ $0.isTopicCharacter }) else { return nil }
        }
        host = String(name)
        guard !rest.isEmpty else {
            port = isSecure ? 8883 : 1883
            return
        }
        guard rest.first == ":", let number = UInt16(rest.dropFirst()), number > 0,
            String(number) == rest.dropFirst()
        else { return nil }
        port = Int(number)
    }

    /// The address as it is written, always with its port.
    package var description: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "mqtts" : "mqtt")://\(host):\(port)"
    }

    private static func isOfAnAddress(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "0"..."9", "a"..."f", "A"..."F", ":", ".": true
        default: false
        }
    }
}
