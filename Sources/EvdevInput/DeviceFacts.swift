public import Keystrokes

/// What is known of one event node before it is decided whether it is a scanner.
public struct DeviceFacts: Hashable, Sendable {
    /// The node, for instance `/dev/input/event3`.
    public var node: String
    /// What the device says of itself.
    public var identity: DeviceIdentity
    /// Which keys it has.
    public var keys: KeyCapabilities
    /// Whether a udev rule marked it as a scanner (property ``UdevDatabase/mark``).
    public var isMarked: Bool
    /// Which of the configured paths lead to this node.
    public var paths: Set<String>

    /// Makes facts.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - identity: What the device says of itself.
    ///   - keys: Which keys it has.
    ///   - isMarked: Whether a udev rule marked it.
    ///   - paths: Which of the configured paths lead to this node.
    public init(
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
