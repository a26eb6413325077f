package import HTTPService
import HTTPTypes
package import WireText

/// A queue of reload requests, from the HTTP interface to the service that reloads the configuration.
package final class ReloadRequests: Sendable {
    /// A closure that sends the outcome to the client that requested the reload; it must be called exactly once.
    ///
    /// After a failure, the daemon continues with its old configuration.
    package typealias Request = @Sendable (Result<[ReloadedPart], ProblemDetails>) -> Void

    /// All requests until ``finish()``; may be iterated only once.
    package let all: AsyncStream<Request>
    private let continuation: AsyncStream<Request>.Continuation

    init() { (all, continuation) = AsyncStream.makeStream() }

    /// Refuses all further requests.
    package func finish() { continuation.finish() }

    /// Requests a reload and returns the changes; empty if the configuration is unchanged.
    func reload() async throws(ProblemDetails) -> [ReloadedPart] {
        let result = await withCheckedContinuation { waiting in
            if case .enqueued = continuation.yield({ waiting.resume(returning: $0) }) { return }
            waiting.resume(returning: .failure(.ending))
        }
        return try result.get()
    }
}

/// A change in the configuration, such as an added scanner.
package struct ReloadedPart: Decodable, Equatable, Sendable {
    /// The top-level key in the configuration file, such as `scanners`.
    package let section: String
    /// The name of the scanner or sink; nil if the change does not concern a single scanner or sink.
    package let name: String?
    /// The kind of change: `added`, `removed` or `changed`.
    package let change: String

    package init(section: String, name: String?, change: String) {
        (self.section, self.name, self.change) = (section, name, change)
    }

    package var json: JSONValue {
        [
            "section": .string(section), "name": name.map(JSONValue.string) ?? .null,
            "change": .string(change),
        ]
    }

    package var text: String {
        ([section] + (name.map { [Escaping.sentence.escaped($0)] } ?? []) + [change])
            .joined(separator: " ")
    }
}

extension ProblemDetails {
    /// Returns the problem to report if the configuration, or a file that it names, is unusable.
    package static func wrongConfiguration(_ problems: [String]) -> Self {
        Self(
            .unprocessableContent, "configuration-wrong",
            "The configuration is wrong; everything stays as it is.", problems: problems)
    }

    /// Returns the problem to report if some of the changed keys take effect only after a restart.
    package static func needsRestart(_ keys: [String]) -> Self {
        Self(
            .conflict, "restart-needed",
            "Some settings need a restart (systemctl restart keywedge); everything stays as it is.",
            problems: keys.map { "\($0) has changed" })
    }

    package static let ending = Self(
        .serviceUnavailable, "ending", "The daemon is about to end.")
}
