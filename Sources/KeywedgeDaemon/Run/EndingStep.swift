import Logging
import ScannerInput
import ServiceLifecycle
import Synchronization
import WebAPI
import WireText

/// The time limits for the steps of the daemon's shutdown.
///
/// Their total is shorter than `TimeoutStopSec` of the unit, whatever the configuration says.
package struct EndingLimits: Equatable, Sendable {
    /// The longest time by which a configured lookup deadline may delay the shutdown.
    private static let longestLookup = Duration.seconds(3)

    /// The limit for finishing lookups; those that take longer are cancelled, and their scans published without a
    /// product.
    let lookups: Duration
    /// The limit for handing the scanners over to the next run, finishing lookups, and publishing.
    var scanners: Duration { lookups + Handover.grace + .milliseconds(500) }
    let reload = Duration.milliseconds(1500)
    let interface = Duration.milliseconds(2500)
    /// The limit for ending sinks; an exec sink's command has two seconds between SIGTERM and SIGKILL.
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

/// A service as a step of the daemon's shutdown, with a time limit after it is asked to end.
///
/// It runs in a task of its own. If it hangs in a call that cannot be interrupted, it is abandoned, and the shutdown
/// continues with the next step.
struct EndingStep: Service, CustomStringConvertible {
    /// A name for the service group, which would otherwise spend milliseconds at the start printing the whole service.
    let description: String
    let service: any Service
    let limit: Duration
    let loop: MainLoop
    let record: EndingRecord
    /// Names the thing that the shutdown waits for in this step: a fact, not the cause of a delay.
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

/// The daemon's services; the shutdown begins with the last.
struct EndingSteps: Sendable {
    let limits: EndingLimits
    let record = EndingRecord()
    private let loop: MainLoop
    private var steps: [EndingStep] = []

    init(_ limits: EndingLimits, on loop: MainLoop) {
        self.limits = limits
        self.loop = loop
    }

    /// Adds a service; `awaited` says what the shutdown waits for in its step.
    mutating func add(
        _ name: String, _ service: some Service, within limit: Duration,
        awaiting awaited: @autoclosure @escaping @Sendable () -> String
    ) {
        steps.append(
            EndingStep(
                description: name, service: service, limit: limit, loop: loop, record: record,
                awaited: awaited))
    }

    /// The name of the service that reads scanners or recordings.
    var last: String { steps.last?.description ?? "" }

    /// Makes a service group: when the last service ends or any service fails, all of them end in order.
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

/// Records the steps of the shutdown that exceeded their limit.
final class EndingRecord: Sendable {
    private struct State {
        var current: (@Sendable () -> String)?
        var overruns: [String: String] = [:]
    }

    private let state = Mutex(State())

    /// The thing that the shutdown is waiting for; nil before it has asked a service to end.
    var current: String? { state.withLock { $0.current }?() }

    /// A clause about each abandoned step, by the name of its service.
    var overruns: [String: String] { state.withLock { $0.overruns } }

    func begin(_ awaited: @escaping @Sendable () -> String) {
        state.withLock { $0.current = awaited }
    }

    func overran(_ step: String, _ clause: String) {
        state.withLock { $0.overruns[step] = clause }
    }
}
