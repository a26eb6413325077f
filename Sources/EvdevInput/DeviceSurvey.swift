package import Keystrokes
package import WireText

/// One input device as `devices` shows it.
package struct SurveyedDevice: Hashable, Sendable {
    package var node: String
    /// What is known of it, or why it could not be opened.
    package var facts: Result<DeviceFacts, SystemCallError>
    /// Whether it would be taken; nil where it could not be opened.
    package var verdict: SelectionVerdict?
    /// Who has it open, ourselves left out: whoever holds the grab is among them.
    package var holders: [NodeHolder]

    package init(
        node: String, facts: Result<DeviceFacts, SystemCallError>, verdict: SelectionVerdict? = nil,
        holders: [NodeHolder] = []
    ) {
        self.node = node
        self.facts = facts
        self.verdict = verdict
        self.holders = holders
    }
}

/// Looks at all input devices without grabbing any.
package struct DeviceSurvey: Sendable {
    private let rules: SelectionRules
    private let places: DevicePlaces

    /// Makes a survey.
    ///
    /// - Parameters:
    ///   - rules: The rules that decide which devices are taken.
    ///   - places: Where the event nodes and udev's database are.
    package init(rules: SelectionRules = SelectionRules(), places: DevicePlaces = DevicePlaces()) {
        self.rules = rules
        self.places = places
    }

    /// The event node a path leads to.
    ///
    /// - Parameter path: A node, or a link to one, for instance in `/dev/input/by-id`.
    /// - Returns: The node; nil where the path leads to none.
    package func node(at path: String) -> String? {
        guard let number = EventNodes.device(at: path) else { return nil }
        return EventNodes.all(in: places.nodes).first { EventNodes.device(at: $0) == number }
    }

    /// What is attached now.
    ///
    /// - Returns: The devices in the order of their nodes' numbers; none where the folder is missing.
    package func devices() -> [SurveyedDevice] {
        let nodes = EventNodes.all(in: places.nodes)
        // Before any node is opened here: otherwise we would be among the holders.
        let holders = NodeHolders.find(nodes)
        let found = nodes.map { node in
            Result { () throws(SystemCallError) in
                DeviceFacts(of: try InputNode(path: node), rules: rules, places: places)
            }
        }
        var judged = DuplicateCheck(rules: rules)
        return zip(nodes, found).map { node, facts in
            SurveyedDevice(
                node: node, facts: facts,
                verdict: (try? facts.get()).map { judged.verdict(on: $0) },
                holders: holders[node] ?? [])
        }
    }
}

/// Verdicts on devices one after another: of two that are the same scanner, the second is refused.
struct DuplicateCheck {
    private let rules: SelectionRules
    private var taken: [(scanner: AttachedScanner, node: String)] = []

    init(rules: SelectionRules) {
        self.rules = rules
    }

    mutating func verdict(on facts: DeviceFacts) -> SelectionVerdict {
        let verdict = rules.verdict(on: facts)
        guard let rule = verdict.rule else { return verdict }
        let scanner = AttachedScanner(rule: rule, identity: facts.identity)
        if let first = taken.first(where: { $0.scanner.isSamePlace(as: scanner) }),
            !first.scanner.identity.isSameHardware(as: facts.identity)
        {
            return .refused(.duplicate(scanner: scanner.name, of: first.node))
        }
        taken.append((scanner, facts.node))
        return verdict
    }
}

/// What is known of one event node before it is decided whether it is a scanner.
package struct DeviceFacts: Hashable, Sendable {
    /// The node, for instance `/dev/input/event3`.
    package var node: String
    /// What the device says of itself.
    package var identity: DeviceIdentity
    /// Which keys it has.
    package var keys: KeyCapabilities
    /// Whether a udev rule marked it as a scanner (property ``UdevDatabase/mark``).
    package var isMarked: Bool
    /// Which of the configured paths lead to this node.
    package var paths: Set<String>

    /// Makes facts.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - identity: What the device says of itself.
    ///   - keys: Which keys it has.
    ///   - isMarked: Whether a udev rule marked it.
    ///   - paths: Which of the configured paths lead to this node.
    package init(
        node: String, identity: DeviceIdentity, keys: KeyCapabilities, isMarked: Bool = false,
        paths: Set<String> = []
    ) {
        self.node = node
        self.identity = identity
        self.keys = keys
        self.isMarked = isMarked
        self.paths = paths
    }
}
