package import Events
package import WebAPI

/// The daemon's status at one moment, as `GET /v1/status` returns it.
package struct DaemonStatus: Codable, Sendable {
    /// A socket path or address to listen at; ``trouble`` is nil if the daemon listens there.
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
    /// The configured scanners, then any other scanners with events; these others are sorted by name.
    @Field package var scanners: [ScannerStatus]
    /// The number of lookups by status, such as `found`.
    @Field package var lookups: [String: Int]
    @Field package var sources: [SourceStatus]
    package var journal: JournalStatus
    @Field package var sinks: [SinkStatus]
    /// The sinks that are no longer configured but still have events waiting, sorted by name.
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
        /// The warning about the last suspicious scan; it names the likely layout.
        @Field package var message: String?

        package init() {}
    }

    package let name: String
    /// The interface type: `keyboard`, `hid-pos` or `serial`; nil before the first event.
    @Field package var interface: String?
    @Field package var vendor: String?
    @Field package var product: String?
    /// When the daemon claimed the scanner; nil if the scanner is not claimed now.
    @Field package var heldSince: EventTime?
    @Field package var scans: Int
    /// The number of scans whose content the daemon withheld because it was personal.
    @Field package var redacted: Int
    /// The time of the last scan, even if that scan was redacted.
    @Field package var lastScan: EventTime?
    @Field package var rejections: [String: Int]
    @Field package var lastRejection: Rejection?
    @Field package var lostKeys: LostKeys
    /// The scans that suggest a wrong layout: their number, and the last warning about them.
    @Field package var layoutSuspicion: LayoutSuspicion
    /// The text of the last scan; nil if that scan was redacted, or if the client did not request codes.
    @Field package var lastText: String?
}

package struct SourceStatus: Codable, Equatable, Sendable {
    /// The feed that a catalog follows, as `keywedge catalog follow` last recorded it.
    package struct Feed: Codable, Equatable, Sendable {
        package let source: String
        package let checked: EventTime
        /// When the publisher should publish the feed again; after this time, prices may be out of date.
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

    package let name: String
    /// The kind of source: `embedded` for a file on this computer, or `http` for a web service.
    package let kind: String
    /// `ready`, or a keyword for the reason why the source cannot answer now, such as `missing`.
    package let state: String
    @Field package var trouble: String?
    /// The seconds until lookups query the source again; nil if the next lookup queries it.
    @Field package var retryAfterS: Double?
    @Field package var products: Int?
    @Field package var changed: EventTime?
    @Field package var ageS: Double?
    @Field package var feed: Feed?
    /// The number of lookups that the source could not answer, by failure code.
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
    /// The journal's state: `open`, `full` (drops events) or `trouble` (cannot write now).
    package var state: String
    @Field package var trouble: String?
    /// The number of events that wait in memory while ``state`` is `trouble`; otherwise 0.
    @Field package var waiting: Int
    /// The journal's epoch; like all following properties, nil if the journal cannot be read in time.
    @Field package var epoch: String?
    @Field package var events: Int?
    @Field package var sizeBytes: Int?
    /// The number of dead letters of all sinks, including former sinks.
    @Field package var deadLetters: Int?
    @Field package var oldest: Place?
    @Field package var newest: Place?
}

/// A consumer or a former sink, and its position in the journal.
package struct ReaderStatus: Codable, Equatable, Sendable {
    package let name: String
    @Field package var cursor: String?
    /// The number of events that the reader has not accepted yet.
    @Field package var lagEvents: Int?
    /// The number of seconds that the oldest unaccepted event has waited; 0 if all are accepted.
    @Field package var lagS: Double?
}

/// A sink's status; only sinks that read from the journal have a cursor and a lag.
package struct SinkStatus: Codable, Equatable, Sendable {
    package struct Failure: Codable, Equatable, Sendable {
        package let message: String
        /// When the message was reported; unchanged while the same trouble lasts.
        package let time: EventTime

        package init(message: String, time: EventTime) {
            (self.message, self.time) = (message, time)
        }
    }

    package let name: String
    /// The sink's state: `ok`, `trouble` (it cannot deliver) or `refused` (it has dead letters).
    @Field package var state: String
    @Field package var trouble: Failure?
    /// The most recent failure or warning, even if the sink has recovered from it.
    @Field package var lastError: Failure?
    @Field package var cursor: String?
    @Field package var lagEvents: Int?
    @Field package var lagS: Double?
    @Field package var deadLetters: Int?
    /// Whether the sink reads from the journal at its own pace; clients do not receive this property.
    package var isDurable = false

    private enum CodingKeys: CodingKey {
        case name, state, trouble, lastError, cursor, lagEvents, lagS, deadLetters
    }

    package init(name: String, isDurable: Bool) {
        (self.name, self.isDurable) = (name, isDurable)
    }
}

/// A status property that decodes as empty if a daemon of another version does not send it.
///
/// This version always sends the property, as null if it has no value.
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
    /// Decodes a field, or returns an empty one if the value is missing or null.
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

    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
