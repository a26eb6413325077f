import Catalog
import Synchronization
import WebAPI

/// The steps of a lookup as lines.
final class Steps: Sendable {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func add(_ step: LookupStep) {
        let line =
            switch step {
            case .asking(let codes): "asking \(codes.joined(separator: ", "))"
            case .kept(.nothing): "kept nothing"
            case .kept(let kept): "kept \(kept)"
            case .sent(let request, let attempt): "sent \(attempt) \(request)"
            case .received(.response(let response), _): "received \(response)"
            case .received(.noResponse(let error), _): "received \(error)"
            case .understood(let text): "understood \(text)"
            case .field(let name, let place, let value): "field \(name) from \(place): \(value)"
            case .waiting(let time): "waiting \(time)"
            case .stored(let time): "stored for \(time)"
            }
        state.withLock { $0.append(line) }
    }
}
