import HTTPTypes
package import WireText

/// A queue of requests to read the configuration again, from the interface to the reload service.
package final class ReloadRequests: Sendable {
    /// Sends the outcome to the client that requested the reload; must be called exactly once.
    package typealias Request = @Sendable (Result<[ReloadedPart], ReloadRefusal>) -> Void

    private let stream: AsyncStream<Request>
    private let continuation: AsyncStream<Request>.Continuation

    package init() { (stream, continuation) = AsyncStream.makeStream() }

    /// All requests until ``finish()``; may be iterated only once.
    package var all: some AsyncSequence<Request, Never> & Sendable { stream }

    /// Refuses all further requests.
    package func finish() { continuation.finish() }

    /// Requests a reload and returns the changes; empty if the configuration is unchanged.
    ///
    /// - Throws: ``ReloadRefusal`` if the daemon continues with its old configuration.
    func reload() async throws(ReloadRefusal) -> [ReloadedPart] {
        let result = await withCheckedContinuation { waiting in
            if case .enqueued = continuation.yield({ waiting.resume(returning: $0) }) { return }
            waiting.resume(returning: .failure(.ending))
        }
        return try result.get()
    }
}

/// A change in the configuration, such as an added scanner.
package struct ReloadedPart: Decodable, Equatable, Sendable {
    /// The top-level key in the file, such as `scanners`.
    package let section: String
    /// The name of the scanner or sink; nil if the change concerns the section itself.
    package let name: String?
    /// `added`, `removed` or `changed`.
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

/// The daemon has refused a reload and continues with its old configuration.
package struct ReloadRefusal: Error, Equatable, Sendable {
    let status: HTTPResponse.Status
    /// A code for programs: lower-case letters and hyphens.
    package let code: String
    package let reason: String
    /// A message for each problem, without line breaks.
    package private(set) var problems: [String] = []

    /// The configuration is invalid, or a file that it names cannot be used.
    package static func wrong(_ problems: [String]) -> Self {
        Self(
            status: .unprocessableContent, code: "configuration-wrong",
            reason: "The configuration is wrong; everything stays as it is.", problems: problems)
    }

    /// Some of the changed keys take effect only at a restart.
    package static func needsRestart(_ keys: [String]) -> Self {
        Self(
            status: .conflict, code: "restart-needed",
            reason:
                "Some settings need a restart (systemctl restart keywedge); everything stays as "
                + "it is.", problems: keys.map { "\($0) has changed" })
    }

    package static let ending = Self(
        status: .serviceUnavailable, code: "ending", reason: "The daemon is about to end.")
}
