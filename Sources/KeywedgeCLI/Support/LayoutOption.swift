import ArgumentParser
import KeyLayouts
import KeywedgeConfiguration
import KeywedgeDaemon

/// The option `--layout`.
struct LayoutOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The keyboard layout, in place of the configured one; as de or de:nodeadkeys.",
            valueName: "layout"))
    var layout: String?

    /// The configuration with the layout asked for.
    func applied(to configuration: Configuration) throws -> Configuration {
        guard let layout else { return configuration }
        let compiled = try orUsage { () throws(KeyLayoutError) in
            try CompiledLayout(named: layout)
        }
        if let notice = compiled.composeNotice { StandardError.write("keywedge: \(notice)") }
        var configuration = configuration
        for index in configuration.scanners.indices {
            configuration.scanners[index].layout = compiled
        }
        return configuration
    }

    /// Makes what is wrong with a layout's name a usage error.
    private func orUsage<Value>(
        _ body: () throws(KeyLayoutError) -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch {
            throw ValidationError("--layout: \(error)")
        }
    }
}
