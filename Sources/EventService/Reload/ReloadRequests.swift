package import WireText

/// Requests to take the configuration anew, on their way to whoever does it.
package final class ReloadRequests: Sendable {
    /// Somebody who waits for what becomes of it.
    package struct Request: Sendable {
        /// Tells it; called once.
        package let answer: @Sendable (Result<[ReloadedPart], ReloadRefusal>) -> Void
    }

    private let stream: AsyncStream<Request>
    private let continuation: AsyncStream<Request>.Continuation

    /// Makes a queue in which nothing waits.
    package init() { (stream, continuation) = AsyncStream.makeStream() }

    /// The requests, one after another, until ``finish()``; for one consumer.
    package var all: some AsyncSequence<Request, Never> & Sendable { stream }

    /// No more requests are taken.
    package func finish() { continuation.finish() }

    /// Asks, and waits for the answer.
    ///
    /// - Returns: What changed; nothing where the configuration is as it was.
    /// - Throws: Why nothing changed.
    func reload() async throws(ReloadRefusal) -> [ReloadedPart] {
        let result = await withCheckedContinuation { waiting in
            let request = Request { waiting.resume(returning: $0) }
            if case .enqueued = continuation.yield(request) { return }
            waiting.resume(returning: .failure(.ending))
        }
        return try result.get()
    }
}

/// A part of the configuration that is otherwise from now on.
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

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - section: The key at the top of the file.
    ///   - name: Which scanner or sink.
    ///   - change: `added`, `removed` or `changed`.
    package init(section: String, name: String?, change: String) {
        self.section = section
        self.name = name
        self.change = change
    }
}

/// Why the configuration was not taken: everything stays as it is.
package struct ReloadRefusal: Error, Equatable, Sendable {
    /// What it is, in small letters and hyphens.
    package let code: String
    /// One sentence.
    package let reason: String
    /// What is wrong, a line each.
    package let problems: [String]

    private init(_ code: String, _ reason: String, _ problems: [String]) {
        self.code = code
        self.reason = reason
        self.problems = problems
    }

    /// The file is no configuration, or what it names cannot be used.
    ///
    /// - Parameter problems: What is wrong, a line each.
    /// - Returns: The refusal.
    package static func wrong(_ problems: [String]) -> Self {
        Self(
            "configuration-wrong", "The configuration is wrong; everything stays as it is.",
            problems)
    }

    /// Some of it is only taken at a start.
    ///
    /// - Parameter keys: Their keys.
    /// - Returns: The refusal.
    package static func needsRestart(_ keys: [String]) -> Self {
        Self(
            "restart-needed",
            "Some settings are taken at a start only (systemctl restart keywedge); everything "
                + "stays as it is.", keys.map { "\($0) is otherwise" })
    }

    /// The daemon ends.
    package static let ending = Self("ending", "The daemon is about to end.", [])
}
