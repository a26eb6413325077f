import Dispatch
import Glibc
import WebAPI
import WireText

/// The addresses that the daemon reaches when systemd runs it: fewer than a command reaches that a person
/// runs.
package struct UnitNetwork: Sendable {
    /// The name of the daemon's unit.
    static let unit = "keywedge.service"

    /// The folders of units, in the order of their precedence.
    ///
    /// Rule: systemd.unit(5), "Unit File Load Path".
    var folders = [
        "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
        "/usr/lib/systemd/system", "/lib/systemd/system",
    ]
    /// The file that names the name servers (resolv.conf(5)).
    var resolver = "/etc/resolv.conf"
    /// The file with the names that need no name server (hosts(5)).
    var hosts = "/etc/hosts"
    /// The addresses of a host's name.
    var addresses: @Sendable (String) async -> [String] = Self.lookedUp

    /// That of this box.
    package init() {}

    /// The addresses that the daemon needs to talk to some hosts, and that the unit denies to it.
    ///
    /// They are those of the hosts and of name servers; none if no unit is installed.
    ///
    /// - Parameter hosts: Names or addresses.
    /// - Returns: The denied addresses.
    func denied(_ hosts: [String]) async -> (servers: [String], nameServers: [String]) {
        guard let rules else { return ([], []) }
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
        let denied = { (list: [String]) in
            var seen: Set<String> = []
            return list.filter { text in
                seen.insert(text).inserted && AddressRange(text).map { !rules.allows($0) } ?? false
            }
        }
        return (denied(servers), needsNames ? denied(nameServers) : [])
    }

    /// The rules of the installed unit; nil if none is installed.
    private var rules: AddressRules? {
        let units = folders.compactMap { Self.text("\($0)/\(Self.unit)") }
        guard let unit = units.first else { return nil }
        // Of drop-ins with the same name the first counts, and then they go by their names.
        var dropIns: [String: String] = [:]
        for folder in folders {
            let folder = "\(folder)/\(Self.unit).d"
            for name in Self.names(in: folder) where name.hasSuffix(".conf") {
                dropIns[name] = dropIns[name] ?? Self.text("\(folder)/\(name)")
            }
        }
        return AddressRules([unit] + dropIns.sorted { $0.key < $1.key }.map(\.value))
    }

    private var nameServers: [String] {
        Self.fields(resolver).compactMap { fields in
            fields.first == "nameserver" && fields.count > 1 ? fields[1] : nil
        }
    }

    private func isInHosts(_ host: String) -> Bool {
        Self.fields(hosts).contains {
            $0.dropFirst().contains { $0.lowercased() == host.lowercased() }
        }
    }

    /// The words of each line, without comments.
    private static func fields(_ path: String) -> [[String]] {
        (text(path) ?? "").split(whereSeparator: \.isNewline).map { line in
            line.prefix { $0 != "#" && $0 != ";" }.split(whereSeparator: \.isWhitespace).map(
                String.init)
        }
    }
}

extension UnitNetwork {
    /// The longest file that is read, in bytes.
    private static let longest = 1 << 20

    private static func text(_ path: String) -> String? {
        (try? SmallFile.read(path, limit: longest)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    /// Looks a name up with the system's resolver, which cannot be interrupted, on a thread of its own.
    @Sendable private static func lookedUp(_ host: String) async -> [String] {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: resolved(host))
            }
        }
    }

    private static func resolved(_ host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: [String] = []
        var next = found
        while let entry = next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil,
                0, NI_NUMERICHOST) == 0
            {
                let end = text.firstIndex(of: 0) ?? text.endIndex
                addresses.append(
                    String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}
