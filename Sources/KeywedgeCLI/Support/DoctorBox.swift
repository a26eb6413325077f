import ArgumentParser
import Catalog
import Diagnosis
import EventService
import Events
import Glibc
import HTTPCatalog
import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput
import WireText

/// The state of this box that `doctor` examines, read once.
struct DoctorBox {
    /// How long to wait for an answer of the daemon.
    private static let answerLimit = Duration.seconds(10)

    private let path: String?
    private let error: ConfigurationError?
    let configuration: Configuration
    private let unit: UnitState?
    private let socketUnit: UnitState?
    private let user: BoxUser?
    private let devices: [SurveyedDevice]
    private let status: Result<JSONObject, Failure>?
    private let isOffline: Bool
    private let sendsTestEvent: Bool
    private let catalogAge: Duration
    private let programs = SystemPrograms()

    /// Whether this user can see everything on the box.
    let isRoot = geteuid() == 0

    /// Reads the state of the box, and asks the daemon for its status.
    init(
        _ option: ConfigurationOption, isOffline: Bool, sendsTestEvent: Bool, catalogAge: Duration
    ) async {
        (path, configuration, error) = option.reading()
        self.isOffline = isOffline
        self.sendsTestEvent = sendsTestEvent
        self.catalogAge = catalogAge
        unit = await UnitState.asked(programs)
        socketUnit = await UnitState.asked(programs, "keywedge.socket")
        user = BoxUser(named: unit?.user ?? "keywedge")
        devices = DeviceSurvey(rules: configuration.readerConfiguration.rules).devices()
        if let socket = configuration.listen?.socket {
            // A connection to the unit's socket would make systemd start the daemon.
            status =
                socketUnit?.isListening == true && unit?.isRunning != true
                ? .failure(Failure("its unit does not run")) : await Self.status(socket)
        } else {
            status = nil
        }
    }

    private static func status(_ socket: String) async -> Result<JSONObject, Failure> {
        let asked = await Doctor.bounded(within: answerLimit) {
            do {
                let answer = try await EventClient(socket: socket).status(hasCodes: false)
                guard let object = try JSONReader.read(answer).object else {
                    return Result<JSONObject, Failure>.failure(Failure("it says nothing"))
                }
                return .success(object)
            } catch {
                return .failure(Failure(error))
            }
        }
        return asked ?? .failure(Failure("it has not answered for \(answerLimit.text)"))
    }

    /// The examination of one scan of a symbol.
    var scan: DoctorScan {
        let taken = devices.filter { $0.verdict?.rule != nil }
        return DoctorScan(
            configuration: configuration, taken: taken,
            isDaemonThere: unit?.isRunning ?? false || answer != nil)
    }

    /// The configuration file that remedies write settings to.
    var file: String { path ?? ConfigurationOption.standardPath }

    /// The checks, in their order.
    var checks: [any DoctorCheck] {
        [
            ConfigurationCheck(path: path, error: error, user: user),
            RightsCheck(devices: devices, user: user, userName: unit?.user ?? "keywedge"),
            devicesCheck,
            ScansCheck(
                status: answer, reason: reason, scanners: configuration.scanners, file: file),
            catalogCheck,
            JournalCheck(
                configuration.journalInUse, file: file,
                sinks: Set(configuration.events.compactMap(\.durableName)),
                isRunning: unit?.isRunning ?? false, now: Int64(time(nil)), user: user),
            SinksCheck(
                configuration.events, status: answer,
                tester: SinkTrial(
                    register: RegisterName.ofHost, credentialsFolder: Self.credentialsFolder),
                sendsTestEvent: sendsTestEvent, user: user),
            interfaceCheck,
            ClockCheck(programs: programs),
            UnitCheck(unit, programs: programs, isRoot: isRoot),
            VersionCheck(
                installed: Keywedge.configuration.version, running: answer?["version"]?.string,
                unit: unit),
        ]
    }

    /// The folder of the credentials that systemd keeps for the daemon, or else gives this process.
    private static var credentialsFolder: String? {
        let folder = "/run/credentials/keywedge.service"
        return access(folder, F_OK) == 0 ? folder : Credentials.folder
    }

    private var answer: JSONObject? { try? status?.get() }

    private var reason: String {
        status == nil
            ? "the configuration has no listen, so the daemon cannot be asked"
            : "the daemon does not answer"
    }

    private var devicesCheck: DevicesCheck {
        let held = answer?["scanners"]?.array?.compactMap(\.object)
            .filter { $0["held_since"]?.string != nil }.compactMap { $0["name"]?.string }
        return DevicesCheck(
            devices: devices,
            configured: configuration.readerConfiguration.rules.configured.map(\.name), file: file,
            daemon: .init(process: unit?.process, held: held.map(Set.init)), isRoot: isRoot
        ) { (try? RawReader(paths: [$0], grabs: true)) != nil }
    }

    private var catalogCheck: CatalogCheck {
        let trials = EndpointTrials(
            configuration: configuration, names: [], known: [], unknown: nil,
            embedded: configuration.catalog.embeddedPath,
            credentialsFolder: Self.credentialsFolder)
        return CatalogCheck(
            configuration.catalog, file: file == ConfigurationOption.standardPath ? nil : file,
            oldest: catalogAge, now: Int64(time(nil)), user: user
        ) { [isOffline] in isOffline ? nil : trials.check(of: $0) }
    }

    private var interfaceCheck: InterfaceCheck {
        let answers: InterfaceCheck.Answer? =
            switch status {
            case .success: .answers
            case .failure(let failure): .fails(String(failure.message.trimmingPrefix("keywedge: ")))
            case nil: nil
            }
        return InterfaceCheck(
            configuration.listen, file: file, answer: answers, unit: unit, socketUnit: socketUnit)
    }
}

extension SinkTrial: SinkTester {}

extension ConfigurationOption {
    /// The path of the configuration, its settings, and its error; after an error, the settings are
    /// the defaults.
    fileprivate func reading() -> (String?, Configuration, ConfigurationError?) {
        guard let path = path ?? existingStandardPath else { return (nil, .standard, nil) }
        do {
            return (path, try Configuration.load(path: path), nil)
        } catch {
            return (path, .standard, error)
        }
    }
}
