package import Events
package import WebAPI

/// The daemon's status at one moment, as `GET /v1/status` returns it.
///
/// The JSON contains the property names in snake case.
package struct DaemonStatus: Codable, Sendable {
    /// A socket's path or an address where the daemon should listen, and the reason if it does not.
    package struct Place: Codable, Equatable, Sendable {
        package let place: String
        @Field package var trouble: String?

        package init(_ place: String, trouble: String?) {
            (self.place, self.trouble) = (place, trouble)
        }
    }

    package let register: String
    package let version: String
    package let started: EventTime
    package let time: EventTime
    @Field package var streams: Int
    @Field package var listen: [Place]
    /// The configured scanners, then all others that sent something, sorted by name.
    @Field package var scanners: [ScannerStatus]
    /// The number of lookups with each status.
    @Field package var lookups: [String: Int]
    @Field package var sources: [SourceStatus]
    package var journal: JournalStatus
    @Field package var sinks: [SinkStatus]
    /// The sinks that have events waiting but are no longer configured, sorted by name.
    @Field package var formerSinks: [ReaderStatus]
    @Field package var consumers: [ReaderStatus]
}

extension DaemonStatus {
    package init(_ response: Response) throws(TransformError) {
        self = try response.decoded(keys: .snakeCase)
    }
}

package struct ScannerStatus: Codable, Equatable, Sendable {
    package struct Rejection: Codable, Equatable, Sendable {
        package let time: EventTime
        package let reason: String
    }

    package struct LostKeys: Codable, Equatable, Sendable, HasEmptyValue {
        @Field package var count: Int
        @Field package var last: EventTime?

        package init() {}
    }

    package struct LayoutSuspicion: Codable, Equatable, Sendable, HasEmptyValue {
        @Field package var count: Int
        @Field package var last: EventTime?
        /// The message about the last suspicious scan; it names the likely layout.
        @Field package var message: String?

        package init() {}
    }

    package let name: String
    /// The interface, as in the scanner's events, such as `keyboard`; nil before its first event.
    @Field package var interface: String?
    /// The vendor and product numbers, such as `0c2e`; nil before the scanner's first event.
    @Field package var vendor: String?
    @Field package var product: String?
    /// When the daemon claimed the scanner; nil if the scanner is not claimed now.
    @Field package var heldSince: EventTime?
    @Field package var scans: Int
    /// The number of scans whose content was left out, such as those of payment cards.
    @Field package var redacted: Int
    /// The time of the last scan; redacted scans count too.
    @Field package var lastScan: EventTime?
    @Field package var rejections: [String: Int]
    @Field package var lastRejection: Rejection?
    @Field package var lostKeys: LostKeys
    /// Scans that suggest that the scanner types on another layout.
    @Field package var layoutSuspicion: LayoutSuspicion
    /// The text of the last scan; nil if that scan was redacted, or if the client did not ask for codes.
    @Field package var lastText: String?
}

/// What `keywedge status` and the metrics show about a product source: its kind, state and recent failures.
package struct SourceStatus: Codable, Equatable, Sendable {
    /// The feed that a catalog follows, as the follower last recorded it.
    package struct Feed: Codable, Equatable, Sendable {
        package let source: String
        package let checked: EventTime
        /// The time by which the feed should be published again; after that, prices may be out of date.
        package let expires: EventTime
        @Field package var expired: Bool
        @Field package var trouble: String?

        package init(source: String, checked: EventTime, expires: EventTime, trouble: String?) {
            (self.source, self.checked) = (source, checked)
            (self.expires, self.trouble) = (expires, trouble)
        }
    }

    package struct Failure: Codable, Equatable, Sendable {
        package let time: EventTime
        package let code: String
    }

    /// The source's name in events and messages.
    package let name: String
    /// `embedded` for a file on this box, `http` for a web service.
    package let kind: String
    /// `ready`, or one word for why the source cannot answer now.
    package let state: String
    /// A description of the problem; nil if the state says enough.
    @Field package var trouble: String?
    /// The seconds until the source is asked again; nil if the next lookup asks it.
    @Field package var retryAfterS: Double?
    @Field package var products: Int?
    /// When the source's products last changed, and how many seconds ago; nil if unknown.
    @Field package var changed: EventTime?
    @Field package var ageS: Double?
    @Field package var feed: Feed?
    /// The number of lookups that the source could not answer, for each failure code.
    @Field package var failures: [String: Int]
    @Field package var lastFailure: Failure?

    package init(
        name: String, kind: String, state: String = SourceStatus.ready, trouble: String? = nil,
        retryAfter: Duration? = nil
    ) {
        (self.name, self.kind, self.state, self.trouble) = (name, kind, state, trouble)
        retryAfterS = retryAfter.map { max(0, ($0 / .milliseconds(1)).rounded(.down) / 1_000) }
    }

    package static let ready = "ready"
}

package struct JournalStatus: Codable, Equatable, Sendable {
    package struct Place: Codable, Equatable, Sendable {
        package let sequence: String
        package let time: EventTime
    }

    package let file: String
    /// `open`, `full` or `trouble`.
    package var state: String
    @Field package var trouble: String?
    /// The number of events that wait in memory because the disk does not accept them.
    @Field package var waiting: Int
    /// The journal's epoch; like the properties below, nil if the journal cannot be read.
    @Field package var epoch: String?
    @Field package var events: Int?
    @Field package var sizeBytes: Int?
    /// The number of dead letters of all sinks, including removed ones.
    @Field package var deadLetters: Int?
    @Field package var oldest: Place?
    @Field package var newest: Place?
}

/// A consumer or a former sink, and its position in the journal.
package struct ReaderStatus: Codable, Equatable, Sendable {
    package let name: String
    @Field package var cursor: String?
    /// The number of events that the reader has not accepted, and how many seconds the oldest of them has waited.
    @Field package var lagEvents: Int?
    @Field package var lagS: Double?
}

/// A sink's status; its cursor and lag are nil if unknown, or if the sink does not read the journal.
package struct SinkStatus: Codable, Equatable, Sendable {
    package struct Failure: Codable, Equatable, Sendable {
        package let message: String
        /// The time when this message first occurred.
        package let time: EventTime

        package init(message: String, time: EventTime) {
            (self.message, self.time) = (message, time)
        }
    }

    package let name: String
    /// `ok`; `trouble` if something keeps the sink's events back; `refused` if the sink has dead letters, which wait
    /// until someone resends or drops them.
    @Field package var state: String
    @Field package var trouble: Failure?
    /// The most recent failure, even if it is over.
    @Field package var lastError: Failure?
    @Field package var cursor: String?
    @Field package var lagEvents: Int?
    @Field package var lagS: Double?
    @Field package var deadLetters: Int?
    /// Whether the sink reads the journal at its own pace; not sent to clients.
    package var isDurable = false

    private enum CodingKeys: CodingKey {
        case name, state, trouble, lastError, cursor, lagEvents, lagS, deadLetters
    }

    package init(name: String, isDurable: Bool) {
        (self.name, self.isDurable) = (name, isDurable)
    }
}

/// A property of the status, which clients read as empty if a daemon of another version does not send it.
///
/// The daemon always sends the property, as null if it has no value.
@propertyWrapper
package struct Field<Value: HasEmptyValue & Codable & Equatable & Sendable>: Codable, Equatable,
    Sendable
{
    package var wrappedValue: Value

    package init() { wrappedValue = Value() }

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a field, empty if the key is missing; the code that the compiler generates for `Codable` calls this.
    package func decode<Value>(_: Field<Value>.Type, forKey key: Key) throws -> Field<Value> {
        Field(wrappedValue: try decodeIfPresent(Value.self, forKey: key) ?? Value())
    }
}

package protocol HasEmptyValue { init() }

extension Int: HasEmptyValue {}
extension Bool: HasEmptyValue {}
extension String: HasEmptyValue {}
extension Array: HasEmptyValue {}
extension Dictionary: HasEmptyValue {}
extension Optional: HasEmptyValue { package init() { self = nil } }

extension EventTime: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = EventTime(rfc3339: text) else {
            throw TransformError.unexpectedValue(in: decoder, expected: "a time")
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
