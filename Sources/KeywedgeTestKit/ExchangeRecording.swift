import Synchronization
public import WebAPI
public import WireText

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
    /// - Throws: ``ExchangeRecordingError``.
    public init(_ text: String) throws(ExchangeRecordingError) {
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

/// Why a text is no recording of exchanges.
public enum ExchangeRecordingError: Error, Equatable, Sendable {
    /// It is no JSON.
    case syntax(JSONSyntaxError)
    /// What should be an exchange is none; 0-based, its place.
    case exchange(index: Int)
}

extension ExchangeRecordingError: CustomStringConvertible {
    /// One sentence without its full stop.
    public var description: String {
        switch self {
        case .syntax(let error): "the recording is no JSON: \(error)"
        case .exchange(let index):
            "entry \(index + 1) of the recording is no exchange; expected method, url and status"
        }
    }
}

/// A transport that keeps what goes over another one.
public final class RecordingTransport: Transport {
    private let base: any Transport
    private let exchanges = Mutex<[RecordedExchange]>([])

    /// Makes a transport.
    ///
    /// - Parameter base: The transport that does the work.
    public init(_ base: any Transport) {
        self.base = base
    }

    /// All exchanges so far, in the order in which they ended.
    public var recording: ExchangeRecording { ExchangeRecording(exchanges.withLock { $0 }) }

    /// Sends the request over the other transport and keeps what came of it.
    public func output(for request: Request, within limit: Duration) async -> Output {
        let output = await base.output(for: request, within: limit)
        exchanges.withLock { $0.append(RecordedExchange(request, output)) }
        return output
    }
}

/// A transport that gives again what was recorded, without a network.
///
/// A request is known by its method, URL and content, secrets aside. Of several exchanges for the
/// same request each is given once, in order, and the last one from then on.
public final class ReplayingTransport: Transport {
    private let rest: Mutex<[RecordedExchange]>

    /// Makes a transport.
    ///
    /// - Parameter recording: What was recorded.
    public init(_ recording: ExchangeRecording) {
        rest = Mutex(recording.exchanges)
    }

    /// Gives what was recorded for the request, or an error that names it.
    public func output(for request: Request, within limit: Duration) async -> Output {
        rest.withLock { rest in
            guard let index = rest.firstIndex(where: { $0.isFor(request) }) else {
                return .noResponse(
                    ConnectionError(
                        .other, during: .connect,
                        underlying: "nothing was recorded for \(request)"))
            }
            let exchange = rest[index]
            if rest[(index + 1)...].contains(where: { $0.isFor(request) }) {
                rest.remove(at: index)
            }
            return exchange.output
        }
    }
}
