import HTTPService

/// The network restrictions of the daemon's systemd unit; they do not apply to commands that a user runs.
///
/// Rule: systemd.resource-control(5), `IPAddressAllow=` and `IPAddressDeny=`: addresses in the first list are allowed,
/// other addresses in the second list are denied, and all others are allowed.
package struct UnitNetwork: Sendable {
    private let allowed: [AddressRange]
    private let denied: [AddressRange]
    private let files: BoxFiles
    private let addresses: @Sendable (String) async -> [String]

    /// Reads the restrictions from a unit's properties; `addresses` looks up the addresses of a host name.
    package init(
        _ unit: UnitState, files: BoxFiles = BoxFiles(),
        addresses: @escaping @Sendable (String) async -> [String] = Self.lookedUp
    ) {
        let ranges = { (property: String) in
            (unit[property] ?? "").split(separator: " ").compactMap { AddressRange($0) }
        }
        (allowed, denied) = (ranges("IPAddressAllow"), ranges("IPAddressDeny"))
        self.files = files
        self.addresses = addresses
    }

    /// Returns a message that lists the denied addresses, and a drop-in `name` that allows them; nil if none is denied.
    func denial(of hosts: [String], to name: String) async -> (text: String, remedy: Remedy)? {
        let (servers, nameServers) = await denied(hosts)
        let all = servers + nameServers
        guard !all.isEmpty else { return nil }
        let words = servers + nameServers.map { "the name server \($0)" }
        let advice =
            "Allow it. If the addresses change, as those of services on the internet do, "
            + "IPAddressAllow=any allows all of them, and everything else."
        return (
            "\(UnitState.daemon) keeps the daemon from \(words.joined(separator: ", "))"
                + " (IPAddressDeny=), which this command reaches",
            .dropIn(advice, name, ["IPAddressAllow=\(all.joined(separator: " "))"])
        )
    }

    /// Returns the denied addresses of the hosts and of the necessary name servers.
    func denied(_ hosts: [String]) async -> (servers: [String], nameServers: [String]) {
        var servers: [String] = []
        var needsNames = false
        for host in hosts {
            let bare = host.filter { $0 != "[" && $0 != "]" }
            if AddressRange(bare) != nil {
                servers.append(bare)
            } else {
                servers += await addresses(host)
                needsNames = needsNames || !isInHosts(host)
            }
        }
        return (denied(among: servers), needsNames ? denied(among: nameServers) : [])
    }

    private func denied(among list: [String]) -> [String] {
        var seen: Set<String> = []
        return list.filter { text in
            guard let address = AddressRange(text), seen.insert(text).inserted else { return false }
            return !allowed.contains { $0.contains(address) }
                && denied.contains { $0.contains(address) }
        }
    }

    private var nameServers: [String] {
        fields("/etc/resolv.conf").compactMap { fields in
            fields.first == "nameserver" && fields.count > 1 ? fields[1] : nil
        }
    }

    private func isInHosts(_ host: String) -> Bool {
        fields("/etc/hosts").contains {
            $0.dropFirst().contains { $0.lowercased() == host.lowercased() }
        }
    }

    private func fields(_ path: String) -> [[String]] {
        (files.text(path) ?? "").split(whereSeparator: \.isNewline).map { line in
            line.prefix { $0 != "#" && $0 != ";" }.split(whereSeparator: \.isWhitespace).map(
                String.init)
        }
    }

    /// Looks up a host's addresses with the system's resolver; returns an empty list if the lookup fails.
    @Sendable package static func lookedUp(_ host: String) async -> [String] {
        let shown = await Box.output(of: ["getent", "ahosts", host]) ?? ""
        return shown.split(separator: "\n").compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
    }
}

/// A range of network addresses, as `systemctl show` prints it.
struct AddressRange: Equatable, Sendable {
    /// The first address of the range, in network byte order: 4 bytes for IPv4, 16 for IPv6.
    private let bytes: [UInt8]
    private let length: Int

    /// Parses an address or a range, such as `192.0.2.10` or `2001:db8::/32`; nil for other text.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        // A link-local address may end with the name of its interface, as in fe80::1%eth0.
        let address = String(parts.first?.prefix { $0 != "%" } ?? "")
        guard let bytes = LoopbackAddress.bytes(of: address),
            let length = parts.count == 2 ? Int(parts[1]) : bytes.count * 8,
            (0...bytes.count * 8).contains(length)
        else { return nil }
        (self.bytes, self.length) = (bytes, length)
    }

    func contains(_ other: AddressRange) -> Bool {
        guard bytes.count == other.bytes.count, length <= other.length else { return false }
        return (0..<length).allSatisfy { bit in
            let difference: UInt8 = bytes[bit / 8] ^ other.bytes[bit / 8]
            return difference & (0x80 >> (bit % 8)) == 0
        }
    }
}
