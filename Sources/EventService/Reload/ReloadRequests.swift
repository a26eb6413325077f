package import WireText

/// Requests to read the configuration again, on their way to the reload service.
package final class ReloadRequests: Sendable {
    /// A client that waits for the outcome.
    package struct Request: Sendable {
        /// Gives the outcome; called once.
        package let answer: @Sendable (Result<[ReloadedPart], ReloadRefusal>) -> Void
    }

    private let stream: AsyncStream<Request>
    private let continuation: AsyncStream<Request>.Continuation

    /// Makes an empty queue.
    package init() { (stream, continuation) = AsyncStream.makeStream() }

    /// The requests until ``finish()``; for one consumer.
    package var all: some AsyncSequence<Request, Never> & Sendable { stream }

    /// Refuses all further requests.
    package func finish() { continuation.finish() }

    /// Asks for a reload, and returns the changes; empty if the configuration is the same.
    ///
    /// - Throws: The reason why the old configuration is kept.
    func reload() async throws(ReloadRefusal) -> [ReloadedPart] {
        let result = await withCheckedContinuation { waiting in
            let request = Request { waiting.resume(returning: $0) }
            if case .enqueued = continuation.yield(request) { return }
            waiting.resume(returning: .failure(.ending))
        }
        return try result.get()
    }
}

/// A part of the configuration that has changed.
package struct ReloadedPart: Decodable, Equatable, Sendable {
    /// The key at the top of the file, such as `scanners`.
    package let section: String
    /// Which scanner or sink; nil for the section as a whole.
    package let name: String?
    /// `added`, `removed` or `changed`.
    package let change: String

    /// The part as an object of an answer or an event.
    package var json: JSONValue {
        [
            "section": .string(section), "name": name.map(JSONValue.string) ?? .null,
            "change": .string(change),
        ]
    }

    /// The part in words.
    package var text: String {
        ([section] + (name.map { [Escaping.sentence.escaped($0)] } ?? []) + [change])
            .joined(separator: " ")
    }

    package init(section: String, name: String?, change: String) {
        self.section = section
        self.name = name
        self.change = change
    }
}

/// The reason why a daemon keeps its old configuration.
package struct ReloadRefusal: Error, Equatable, Sendable {
    /// A word for programs, in small letters and hyphens.
    package let code: String
    /// One sentence.
    package let reason: String
    /// The problems, a line each.
    package let problems: [String]

    private init(_ code: String, _ reason: String, _ problems: [String]) {
        self.code = code
        self.reason = reason
        self.problems = problems
    }

    /// The file is no configuration, or a file that it names cannot be used.
    package static func wrong(_ problems: [String]) -> Self {
        Self(
            "configuration-wrong", "The configuration is wrong; everything stays as it is.",
            problems)
    }

    /// Some keys can change only at a start.
    package static func needsRestart(_ keys: [String]) -> Self {
        Self(
            "restart-needed",
            "Some settings need a restart (systemctl restart keywedge); everything stays as it is.",
            keys.map { "\($0) has changed" })
    }

    /// The daemon is about to end.
    package static let ending = Self("ending", "The daemon is about to end.", [])
}
