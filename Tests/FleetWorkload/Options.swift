import Events
import Foundation
import Sinks

/// The options on the command line.
struct Options {
    var folder = ""
    var count = 0
    var brokers: [MQTTAddress] = []
    var version = MQTTSettings.Version.auto
    /// The average time between two scans on a register.
    var interval = Duration.seconds(10)
    var catchUp: CatchUpRate? = .standard
    var topic = "keywedge/{register}/{scanner}/{type}"
    /// The maximum size of a register's journal.
    var megabytes = 512
    /// How many events a register can have in flight; the registers use these limits in turn.
    var inFlight = [MQTTSettings.mostInFlight]
    /// The number of the first register.
    var first = 0
    /// The time within which all registers start.
    var spread = Duration.seconds(10)

    static let usage = """
        usage: FleetWorkload FOLDER COUNT BROKER[,BROKER…] [--version 3.1.1] [--interval SECONDS]
            [--catch-up RATE|none] [--topic TOPIC] [--spread SECONDS] [--first NUMBER]
            [--megabytes NUMBER] [--in-flight NUMBER[,NUMBER…]]
        """

    init?(_ arguments: [String]) {
        guard arguments.count >= 3, let count = Int(arguments[1]), count > 0 else { return nil }
        folder = arguments[0]
        self.count = count
        brokers = arguments[2].split(separator: ",").compactMap { MQTTAddress(String($0)) }
        var rest = arguments.dropFirst(3)
        while let name = rest.popFirst() {
            guard let value = rest.popFirst(), set(name, value) else { return nil }
        }
        guard !brokers.isEmpty, !inFlight.isEmpty else { return nil }
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--version": version = MQTTSettings.Version(rawValue: value) ?? .auto
        case "--interval": interval = .seconds(Double(value) ?? 10)
        case "--catch-up": catchUp = value == "none" ? nil : CatchUpRate(value) ?? .standard
        case "--topic": topic = value
        case "--megabytes": megabytes = Int(value) ?? 512
        case "--in-flight": inFlight = value.split(separator: ",").compactMap { Int($0) }
        case "--first": first = Int(value) ?? 0
        case "--spread": spread = .seconds(Double(value) ?? 10)
        default: return false
        }
        return true
    }
}
