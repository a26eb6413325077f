internal import Keystrokes
package import WireText

/// One input device as `devices` shows it.
package struct SurveyedDevice: Hashable, Sendable {
    package var node: String
    /// The facts, or why it could not be opened.
    package var facts: Result<DeviceFacts, SystemCallError>
    /// Whether it would be claimed; nil if it could not be opened.
    package var verdict: SelectionVerdict?
    /// The scanner it would be; nil if it would not be claimed.
    package var scanner: AttachedScanner?
    /// The other processes that have it open, including the one that claimed it, if any.
    package var holders: [NodeHolder]

    package init(
        node: String, facts: Result<DeviceFacts, SystemCallError>,
        verdict: SelectionVerdict? = nil, scanner: AttachedScanner? = nil,
        holders: [NodeHolder] = []
    ) {
        self.node = node
        self.facts = facts
        self.verdict = verdict
        self.scanner = scanner
        self.holders = holders
    }
}

/// Looks at all input devices without claiming any.
package struct DeviceSurvey: Sendable {
    private let rules: SelectionRules
    private let places: DevicePlaces
    private let kernel = KernelDevices()

    package init(rules: SelectionRules = SelectionRules(), places: DevicePlaces = DevicePlaces()) {
        self.rules = rules
        self.places = places
    }

    /// The event node that a path leads to, also through links; nil if it leads to none.
    package func node(at path: String) -> String? {
        guard let number = kernel.number(at: path) else { return nil }
        return EventNodes.all(in: places.nodes).first { kernel.number(at: $0) == number }
    }

    /// The attached devices, in the order of their numbers; empty if the folder is missing.
    package func devices() -> [SurveyedDevice] {
        let nodes = EventNodes.all(in: places.nodes)
        // Before this process opens any node, or it would be among the holders.
        let holders = NodeHolders.find(nodes)
        let devices = nodes.map { node in
            SurveyedDevice(node: node, facts: facts(of: node), holders: holders[node] ?? [])
        }
        return rules.judged(devices)
    }

    private func facts(of node: String) -> Result<DeviceFacts, SystemCallError> {
        Result { () throws(SystemCallError) in
            let device = try kernel.open(node)
            return DeviceFacts(
                of: device.identity, device.keys, number: device.number, at: node, rules: rules,
                places: places, devices: kernel)
        }
    }
}

extension SelectionRules {
    /// The devices with the verdict on each, and with the name that each scanner would get.
    package func judged(_ devices: [SurveyedDevice]) -> [SurveyedDevice] {
        var attached: [AttachedScanner] = []
        return devices.map { device in
            var device = device
            guard case .success(let facts) = device.facts else { return device }
            let verdict = verdict(on: facts)
            device.verdict = verdict
            device.scanner = verdict.rule.map {
                AttachedScanner(rule: $0, identity: facts.identity, besides: attached)
            }
            if let scanner = device.scanner { attached.append(scanner) }
            return device
        }
    }
}
