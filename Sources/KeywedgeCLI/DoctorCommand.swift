import ArgumentParser
import Catalog
import Diagnosis
import EventService
import Glibc
import HTTPCatalog
import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput
import WireText

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find problems on this box, and say how to fix them.",
        discussion: """
            For each failure it prints the command or setting that fixes it. It changes nothing \
            and does not disturb a running daemon. Run it as root: it reports what another user \
            may not see. The exit code is 1 if something failed, and 3 if something needs attention.
            """,
        examples: "sudo keywedge doctor")

    @OptionGroup var formatOption: ObjectFormatOption

    @Option(
        help: ArgumentHelp(
            "Show a symbol, wait this long for a scan of it, and check how the scanner typed it.",
            valueName: "time"), transform: durations(.seconds(1) ... .seconds(3600)))
    var scan: Duration?

    @Flag(help: "Also send each sink an event of the type keywedge.test.")
    var sendTestEvent = false

    @Flag(help: "Do not send requests to the declared catalogs.")
    var offline = false

    @Option(
        help: "The age in days from which the catalog gives a warning; by default 30.",
        transform: numbers(1...3650))
    var catalogAge = 30

    @OptionGroup var configurationOption: ConfigurationOption

    func run() async throws {
        var box = await Box.read(configurationOption, isOffline: offline)
        box.sendsTestEvent = sendTestEvent
        box.oldestCatalog = .seconds(Int64(catalogAge) * 86_400)
        let seen: ScanFinding.Seen? = if let scan { await box.scan(within: scan) } else { nil }
        let (json, quiet) = (formatOption.isJSON, configurationOption.quiet)
        let report = try await Doctor(box, seen: seen).run { finding in
            guard !json, !quiet.quiet || !finding.isWell else { return }
            try StandardOutput.write(lines: finding.lines)
        }
        if json {
            try StandardOutput.write(report.json(["root": .bool(box.isRoot)]))
        } else {
            quiet.say(Self.summary(report, hidesFromUser: box.hidesFromUser))
        }
        switch report.worst {
        case .fails: throw ExitCode(Ending.Code.failed)
        case .warns, .unseen: throw ExitCode(Ending.Code.rejected)
        case .holds, .notTried: return
        }
    }

    private static func summary(_ report: Report, hidesFromUser: Bool) -> String {
        let unseen = report.count(.unseen)
        let parts = [
            "\(report.count(.fails)) failed", report.count(.warns).counted("warning"),
            unseen == 0 ? nil : "\(unseen) not seen",
            hidesFromUser ? "run it as root to see all" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension Box {
    static func read(_ option: ConfigurationOption, isOffline: Bool) async -> Box {
        let (path, configuration, error) = option.reading()
        var box = Box(file: path ?? ConfigurationOption.standardPath)
        (box.path, box.configuration) = (path, configuration)
        box.error = error
        let rules = configuration.readerConfiguration.rules
        box.configuredScanners = rules.configured.map(\.name)
        box.devices = DeviceSurvey(rules: rules).devices()
        box.unit = await UnitState.asked()
        box.socketUnit = await UnitState.asked("keywedge.socket")
        box.user = BoxUser.daemon(of: box.unit)
        box.version = Keywedge.configuration.version
        box.isRoot = geteuid() == 0
        box.now = Int64(time(nil))
        box.grab = { (try? RawReader(paths: [$0], grabs: true)) != nil }
        // The daemon's credentials, or else this process's own.
        let folder = "/run/credentials/keywedge.service"
        box.credentialsFolder = access(folder, F_OK) == 0 ? folder : Credentials.folder
        let sinks = SinkTrial(
            register: configuration.registerName, credentialsFolder: box.credentialsFolder)
        (box.connect, box.sendTest) = (sinks.connect, sinks.send)
        if !isOffline {
            let trials = EndpointTrials(
                configuration: configuration, embedded: configuration.catalog.embeddedPath,
                credentialsFolder: box.credentialsFolder)
            box.endpoints = { [unit = box.unit] in trials.check(of: $0, unit) }
        }
        if let socket = configuration.listen?.socket {
            // If the daemon is stopped, do not connect: systemd would start it.
            box.answer =
                box.socketUnit?.isListening == true && box.unit?.isRunning != true
                ? .fails("the daemon does not run: systemd starts it when someone connects")
                : await answer(at: socket)
        }
        return box
    }

    private static func answer(at socket: String) async -> Answer {
        let limit = Duration.seconds(10)
        let answer = await Bounded.run(within: limit) { () -> Answer in
            do {
                let answer = try await EventClient(socket: socket).status(hasCodes: false)
                return .answers(try DaemonStatus(answer))
            } catch let error as DaemonUnreachable where error.isForbidden {
                return .forbidden("\(error)")
            } catch {
                return .fails("\(error)")
            }
        }
        return answer
            ?? .fails("the daemon has not answered at \(socket.quoted()) for \(limit.text)")
    }

    func scan(within limit: Duration) async -> ScanFinding.Seen {
        let scan = SymbolScan(text: TerminalSymbol.testText)
        return isRunning || status != nil
            ? await scan.event(at: configuration.listen?.socket, within: limit)
            : await scan.settings(among: devices.filter { $0.verdict?.rule != nil }, within: limit)
    }
}

extension ConfigurationOption {
    /// Returns the configuration's path, the settings (defaults after an error) and any error.
    fileprivate func reading() -> (String?, Configuration, ConfigurationError?) {
        // The standard file may exist in a folder that this user cannot enter.
        let hidden =
            access(Self.standardPath, F_OK) != 0 && errno == EACCES ? Self.standardPath : nil
        guard let path = existingPath ?? hidden else { return (nil, .standard, nil) }
        do {
            return (path, try Configuration.load(path: path), nil)
        } catch {
            return (path, .standard, error)
        }
    }
}
