public import Events
public import WireText

/// An event before it has its number: what it says, but not yet its place among the others.
public struct EventDraft: Sendable {
    /// The type.
    public var type: EventType
    /// The scanner it is about; nil for the daemon itself.
    public var scanner: String?
    /// When it happened.
    public var time: EventTime
    /// What tells it from others of the same time; part of an `id` derived from the content, hence
    /// empty where the content is private.
    public var content: String
    /// The data.
    public var data: JSONObject

    /// Makes a draft.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - scanner: The scanner it is about.
    ///   - time: When it happened.
    ///   - content: What tells it from others of the same time.
    ///   - data: The data.
    public init(
        _ type: EventType, scanner: String? = nil, time: EventTime, content: String = "",
        data: JSONObject = JSONObject()
    ) {
        self.type = type
        self.scanner = scanner
        self.time = time
        self.content = content
        self.data = data
    }
}
