import EventService
import KeywedgeConfiguration
import WebAPI

extension EventClient {
    /// Asks the daemon at its socket; one that cannot be reached is the failure of the command.
    ///
    /// - Parameters:
    ///   - socket: The socket; else the configured one.
    ///   - option: Where the configuration is.
    ///   - body: Asks.
    /// - Returns: What it gives.
    /// - Throws: `Failure`, or that the command was stopped.
    static func asking<Answer>(
        socket: String?, _ option: ConfigurationOption,
        _ body: (EventClient) async throws -> Answer
    ) async throws -> Answer {
        let configured = try socket ?? option.load().listen?.socket
        do {
            return try await body(EventClient(socket: configured ?? ListenSettings.standardSocket))
        } catch let error as ConnectionError where error.kind != .cancelled {
            throw Failure("the daemon cannot be reached: \(error)")
        } catch {
            throw Failure.unlessCancelled(error)
        }
    }
}
