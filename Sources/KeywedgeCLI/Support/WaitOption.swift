import ArgumentParser

/// How long a command waits that writes to the embedded catalog.
struct WaitOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How long to wait for another process that writes to the catalog.", valueName: "time"))
    var wait = DurationArgument(.seconds(5))

    /// The time.
    var time: Duration { wait.duration }

    func validate() throws {
        try wait.check(in: .zero ... .seconds(86_400), as: "--wait")
    }
}
