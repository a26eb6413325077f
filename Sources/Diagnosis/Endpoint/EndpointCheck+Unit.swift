import HTTPCatalog
import KeywedgeConfiguration
import WebAPI

extension EndpointCheck {
    /// What the unit keeps the daemon from, although this command has reached it; nil where the
    /// daemon reaches all of it, and where no unit is installed.
    func unitFinding() async -> EndpointReport.Finding? {
        guard let unit else { return nil }
        let (servers, nameServers) = await unit.denied(hosts)
        let denied = servers + nameServers.filter { !servers.contains($0) }
        guard !denied.isEmpty else { return nil }
        var words: [String] = []
        if !servers.isEmpty { words.append(servers.joined(separator: ", ")) }
        if !nameServers.isEmpty {
            let what = nameServers.count == 1 ? "the name server" : "the name servers"
            words.append("\(what) \(nameServers.joined(separator: ", "))")
        }
        return finding(
            .unit, .fails,
            "\(UnitNetwork.unit) keeps the daemon from \(words.joined(separator: " and "))"
                + " (IPAddressDeny=), which this command reaches", [dropIn(denied)])
    }

    private func dropIn(_ denied: [String]) -> Remedy {
        let name = catalog.declaration.name
        let changes = denied.contains { AddressRange($0).map { !$0.isPrivate } ?? false }
        let care =
            changes
            ? " The addresses of a service on the internet change: IPAddressAllow=any allows all "
                + "of them, and everything else." : ""
        return Remedy(
            "Allow it.\(care)",
            file: "/etc/systemd/system/\(UnitNetwork.unit).d/\(name).conf",
            containing: ["[Service]", "IPAddressAllow=\(denied.joined(separator: " "))"],
            run: ["systemctl daemon-reload", "systemctl restart keywedge"])
    }

    /// The hosts that the catalog is reached at: its own, and the one that gives tokens.
    private var hosts: [String] {
        var urls = [catalog.declaration.url]
        if case .oauth2(let client) = catalog.declaration.authentication {
            urls.append(client.tokenURL)
        }
        return urls.compactMap { (try? Location($0))?.address.origin.host }
    }
}
