import Events
import FoundationEssentials
import Glibc
import WireText

/// The state that an MQTT sink keeps across restarts.
struct MQTTMemory: Codable, Equatable, Sendable {
    struct Missed: Codable, Equatable, Sendable {
        var first: UInt64
        var last: UInt64
        var count = 1
    }

    /// The broker's replies, as far as they concern a topic's subscribers.
    struct Audience: Codable, Equatable, Sendable {
        /// Whether the topic has ever had a subscriber.
        var isKnown = false
        /// The events since the last one that reached a subscriber; nil if the latest event reached one.
        var missed: Missed?
    }

    /// The announced entities' names, keyed by their discovery topics.
    private(set) var entities: [String: String] = [:]
    private(set) var topics: [String: Audience] = [:]
}

extension MQTTMemory {
    /// Returns messages that remove obsolete entities from Home Assistant, then announcements of all current ones.
    ///
    /// A removed entity stays in the memory until ``removed(_:)`` is called.
    mutating func announce(_ discovery: MQTTDiscovery?) -> [MQTTMessage] {
        let wanted = discovery?.entities(after: entities.values) ?? []
        let stale = Set(entities.keys).subtracting(wanted.map(\.message.topic)).sorted()
        for entity in wanted { entities[entity.message.topic] = entity.name }
        let removals = stale.map { MQTTMessage(topic: $0, payload: [], isRetained: true) }
        return removals + wanted.map(\.message)
    }

    /// Returns the announcement of an event's entity; nil if none is needed.
    mutating func announce(_ event: MQTTEvent, _ discovery: MQTTDiscovery?) -> MQTTMessage? {
        guard let entity = discovery?.entity(for: event), entities[entity.message.topic] == nil
        else { return nil }
        entities[entity.message.topic] = entity.name
        return entity.message
    }

    mutating func removed(_ topic: String) { entities[topic] = nil }

    func knowsSubscriber(of topic: String) -> Bool { topics[topic]?.isKnown ?? false }

    /// Records whether an event had a subscriber, and returns a warning if one is due.
    mutating func heard(_ event: MQTTEvent, bySomebody isHeard: Bool, sink: String) -> String? {
        let topic = event.message.topic
        var audience = topics[topic] ?? Audience()
        defer { topics[topic] = audience }
        guard isHeard else { return audience.missed(event) }
        audience.isKnown = true
        return audience.missed.take().map { missed in
            let range = missed.count == 1 ? "" : " to \(missed.last)"
            return "\(topic) has a subscriber now, as far as the broker reports; "
                + "\(missed.count.counted("event")) had none before: \(missed.first)\(range). "
                + "To send them again, and all after them: "
                + "keywedge journal replay --sink \(sink) --from \(missed.first - 1)"
        }
    }
}

extension MQTTMemory.Audience {
    /// Records an event without a subscriber; returns a warning only for the first of several in a row.
    fileprivate mutating func missed(_ event: MQTTEvent) -> String? {
        guard var missed else {
            self.missed = .init(first: event.sequence, last: event.sequence)
            return "the broker reports no subscriber of \(event.message.topic) for event "
                + "\(event.sequence) (\(event.type.rawValue))"
        }
        // Count an event only once, even if it is sent again.
        guard event.sequence > missed.last else { return nil }
        missed.last = event.sequence
        missed.count += 1
        self.missed = missed
        return nil
    }
}

struct MQTTMemoryFile: Sendable {
    /// The maximum size of the file in bytes; reading a larger file fails.
    private static let limit = 4_194_304

    let path: String

    /// Reads the sink's state from the file; returns an empty state if the file does not exist.
    func read() throws -> MQTTMemory {
        do {
            let bytes = try SmallFile.read(path, limit: Self.limit)
            return try JSONDecoder().decode(MQTTMemory.self, from: Data(bytes))
        } catch let error as SystemCallError where error.errno == ENOENT {
            return MQTTMemory()
        }
    }

    /// Replaces the file's content with `memory` atomically, even if the power fails.
    func write(_ memory: MQTTMemory) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let draft = path + ".new"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(draft, flags, 0o600)
        try require(descriptor >= 0, "open")
        defer { close(descriptor) }
        FolderOwner.give(descriptor, at: draft)
        var writer = DescriptorWriter(descriptor: descriptor, name: path)
        try writer.write([UInt8](try encoder.encode(memory)))
        try writer.flush()
        try require(fsync(descriptor) == 0, "fsync")
        try require(rename(draft, path) == 0, "rename")
    }

    private func require(_ isDone: Bool, _ operation: String) throws {
        if !isDone { throw SystemCallError(operation: operation, path: path, errno: errno) }
    }
}
