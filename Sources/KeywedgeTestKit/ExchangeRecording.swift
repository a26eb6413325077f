import WireText

/// Exchanges as a file: JSON to read, to compare and to keep beside the tests.
///
/// Responses alone are kept, and errors of connections as their sentence; a request's content is
/// kept to find the exchange again. Secrets in URLs and header fields are left out, those in contents
/// are not.
public struct ExchangeRecording: Sendable, Equatable {
    /// The exchanges, in order.
    public var exchanges: [RecordedExchange]

    /// Makes a recording.
    ///
    /// - Parameter exchanges: The exchanges, in order.
    public init(_ exchanges: [RecordedExchange] = []) {
        self.exchanges = exchanges
    }

    /// The recording as JSON, one exchange a line.
    public var text: String {
        let lines = exchanges.map { JSONWriter.text(of: $0.json) }
        return "[\n" + lines.joined(separator: ",\n") + "\n]\n"
    }

    /// Reads a recording.
    ///
    /// - Parameter text: What ``text`` gave.
    /// - Throws: ``RecordingError``.
    public init(_ text: String) throws(RecordingError) {
        let json: JSONValue
        do {
            json = try JSONReader.read(Array(text.utf8), maximumDepth: 16)
        } catch {
            throw .syntax(error)
        }
        guard let elements = json.array else { throw .exchange(index: 0) }
        exchanges = []
        for (index, element) in elements.enumerated() {
            guard let exchange = RecordedExchange(element) else { throw .exchange(index: index) }
            exchanges.append(exchange)
        }
    }
}
