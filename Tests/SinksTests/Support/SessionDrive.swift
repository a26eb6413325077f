import Events

@testable import Sinks

/// An MQTT session that a test drives step by step, with simulated time and without socket, thread or libmosquitto.
struct SessionDrive {
    var now = ContinuousClock.now
    var session: MQTTSession
    /// The memory that the session last asked to keep; ``actions()`` lists this only if the entities have changed.
    private(set) var remembered = MQTTMemory()
    private var nextID: Int32 = 0
    private var sequence: UInt64 = 0

    init(
        _ hosts: [String] = ["a"], register: MQTTRegister = MQTTRegister("r"),
        memory: MQTTMemory = MQTTMemory(), change: (inout MQTTSettings) -> Void = { _ in }
    ) {
        var settings = MQTTSettings(addresses: hosts.compactMap { MQTTAddress("mqtt://\($0)") })
        change(&settings)
        let messages = MQTTMessages(settings, register)
        session = MQTTSession(settings, messages, sink: register.sink, at: now) { 0 }
        session.recall(memory)
        remembered = memory
    }

    /// Performs all actions up to the next wait, and returns them in words; messages are numbered from 1.
    mutating func actions() -> [String] {
        var words: [String] = []
        while true {
            switch session.next(at: now) {
            case .wait: return words
            case .stop: return words + ["stop"]
            case .publish(let message):
                nextID += 1
                words.append("publish \(message.shown) as \(nextID)")
                session.receive(.published(id: nextID), at: now)
            case .connect(let broker): words.append("connect \(broker.address.host)")
            case .settle(let index, .taken): words.append("taken \(index)")
            case .settle(let index, .refused(let reason)):
                words.append("refused \(index): \(reason)")
            case .finish(let outcome): words.append("finish \(outcome)")
            case .report(let notice): words.append("report \(notice)")
            case .remember(let memory):
                if memory.entities != remembered.entities { words.append("remember") }
                remembered = memory
            case .drop: words.append("drop")
            case .ping: words.append("ping")
            case .disconnect: words.append("disconnect")
            }
        }
    }

    /// Connects, and returns the actions before and after that.
    mutating func connect(receiveMaximum: Int = 65_535, retains: Bool = true) -> [String] {
        let first = actions()
        session.receive(.opened, at: now)
        session.receive(
            .accepted(MQTTLimits(receiveMaximum: receiveMaximum, retains: retains)), at: now)
        return first + actions()
    }

    mutating func deliver(_ count: Int) -> [String] {
        deliver((0..<count).map { ("e\($0)", .scan, "counter") })
    }

    /// Delivers events with these texts, types and scanners; their numbers continue from those delivered before.
    mutating func deliver(_ events: [(String, EventType, String?)]) -> [String] {
        let events = events.map { text, type, scanner in
            sequence += 1
            let place = "/keywedge/r" + (scanner.map { "/scanners/\($0)" } ?? "")
            let topic = "keywedge/r/\(scanner ?? "_")/\(type.rawValue)"
            return MQTTEvent(
                message: MQTTMessage(topic: topic, payload: Array(text.utf8)), type: type,
                place: EventPlace(source: place), sequence: sequence)
        }
        return (session.deliver(events) ? [] : ["not accepted"]) + actions()
    }

    mutating func acknowledge(_ ids: Int32..., as code: Int32 = 0) -> [String] {
        for id in ids { session.receive(.acknowledged(id: id, MQTTReason(code)), at: now) }
        return actions()
    }

    mutating func fail(_ failure: MQTTFailure = .ended) -> [String] {
        session.receive(.failed(failure), at: now)
        return actions()
    }

    mutating func wait(_ time: Duration) -> [String] {
        now += time
        return actions()
    }
}

extension MQTTMessage {
    /// The message's text or, for the configuration of an entity, its topic.
    fileprivate var shown: String {
        guard topic.hasSuffix("/config") else { return String(decoding: payload, as: UTF8.self) }
        return (payload.isEmpty ? "no " : "") + "\(topic)" + (isRetained ? "" : ", not kept")
    }
}
