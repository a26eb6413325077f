import Logging
import ScannerInput
import ServiceLifecycle
import Synchronization
import WebAPI
import WireText

/// The time limits for the steps of the daemon's shutdown.
///
/// Their total is always shorter than the systemd unit's `TimeoutStopSec`.
package struct EndingLimits: Equatable, Sendable {
    /// The longest time that lookups may delay the shutdown, even if the configured deadline is longer.
    private static let longestLookup = Duration.seconds(3)

    /// The time limit for lookups; a scan whose lookup takes longer is published without a product.
    let lookups: Duration
    /// The time limit for handing over the scanners and publishing the last scans.
    var scanners: Duration { lookups + Handover.grace + .milliseconds(500) }
    let reload = Duration.milliseconds(1500)
    let interface = Duration.milliseconds(2500)
    /// The time limit for ending the sinks; ending an exec sink's command may take two seconds.
    let sinks = Duration.seconds(3)
    let reports = Duration.milliseconds(1500)
    let journal = Duration.seconds(3)
    let output = Duration.seconds(1)

    package init(deadline: Duration) {
        lookups = min(deadline + .milliseconds(500), Self.longestLookup)
    }

    package var total: Duration {
        scanners + reload + interface + sinks + reports + journal + output
    }
}

/// A step of the daemon's shutdown: a service that runs until then, and a limit on how long it may take to end.
///
/// If the service does not end in time, for instance because a call cannot be interrupted, the step abandons it, and
/// the next step begins.
struct EndingStep: Service, CustomStringConvertible {
    /// The step's name in log messages.
    let description: String
    let service: any Service
    let limit: Duration
    let loop: MainLoop
    let record: EndingRecord
    /// Returns what the shutdown waits for in this step, such as `the journal to close`.
    let awaited: @Sendable () -> String

    func run() async throws {
        let (endings, ending) = AsyncStream<Result<Void, any Error>>.makeStream()
        let work = Task(executorPreference: loop) {
            do {
                ending.yield(.success(try await service.run()))
            } catch {
                ending.yield(.failure(error))
            }
        }
        let result = await withGracefulShutdownHandler {
            for await result in endings { return result as Result<Void, any Error>? }
            return nil
        } onGracefulShutdown: {
            record.begin(awaited)
            Task(executorPreference: loop) {
                try? await EventLoopClock().sleep(for: limit)
                ending.finish()
            }
        }
        guard let result else {
            record.overran(description, "gave up waiting for \(awaited()) after \(limit.text)")
            return work.cancel()
        }
        try result.get()
    }
}

/// The steps of the daemon's shutdown; the step added last ends first.
struct EndingSteps: Sendable {
    let limits: EndingLimits
    let record = EndingRecord()
    private let loop: MainLoop
    private var steps: [EndingStep] = []

    init(_ limits: EndingLimits, on loop: MainLoop) {
        self.limits = limits
        self.loop = loop
    }

    mutating func add(
        _ name: String, _ service: some Service, within limit: Duration,
        awaiting awaited: @autoclosure @escaping @Sendable () -> String
    ) {
        steps.append(
            EndingStep(
                description: name, service: service, limit: limit, loop: loop, record: record,
                awaited: awaited))
    }

    /// The name of the shutdown step that was added last: the one that reads scanners or plays recordings.
    var last: String { steps.last?.description ?? "" }

    /// Makes a service group that shuts down when the service added last ends, or when any service fails.
    func group(log: Logger) -> ServiceGroup {
        var quiet = log
        quiet.logLevel = .error
        let services = steps.enumerated().map { index, step in
            ServiceGroupConfiguration.ServiceConfiguration(
                service: step,
                successTerminationBehavior: index == steps.count - 1
                    ? .gracefullyShutdownGroup : .ignore,
                failureTerminationBehavior: .gracefullyShutdownGroup)
        }
        return ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services, logger: quiet))
    }
}

final class EndingRecord: Sendable {
    private struct State {
        var current: (@Sendable () -> String)?
        var overruns: [String: String] = [:]
    }

    private let state = Mutex(State())

    /// What the shutdown is waiting for, such as `the journal to close`; nil before the shutdown begins.
    var current: String? { state.withLock { $0.current }?() }

    /// The messages about steps that exceeded their time limits, keyed by step name.
    var overruns: [String: String] { state.withLock { $0.overruns } }

    func begin(_ awaited: @escaping @Sendable () -> String) {
        state.withLock { $0.current = awaited }
    }

    func overran(_ step: String, _ clause: String) {
        state.withLock { $0.overruns[step] = clause }
    }
}
