import Catalog
import EventService
import Glibc
import HTTPService
import Journal
import KeywedgeConfiguration
import WebAPI
import WireText

/// Remedies for errors, as shown by `doctor` and the other commands.
extension Remedy {
    /// Creates the remedy for an error; nil if the error's own message is enough.
    package init?(for error: any Error) {
        let remedy: Remedy? =
            switch error {
            case let error as CatalogError: .about(error)
            case let error as JournalError: .about(error)
            case let error as DaemonUnreachable: .about(error)
            case ListenError.inUse(let place): .occupied(place)
            case ListenError.notASocket(let path): .otherPath(path)
            case let error as ConfigurationError where error.unreadable == nil:
                Remedy("See what each setting may be.", run: "man keywedge.yaml")
            case let error as ConfigurationError: error.unreadable.flatMap(Remedy.about)
            default: Self.systemCall(in: error).flatMap(Remedy.about)
            }
        guard let remedy else { return nil }
        self = remedy
    }

    /// The advice and the commands in one line, such as `Make room. Run: df -h /var`.
    package var sentence: String {
        advice + (commands.isEmpty ? "" : " Run: " + commands.joined(separator: " && "))
    }

    private static func systemCall(in error: any Error) -> SystemCallError? {
        error as? SystemCallError
            ?? Mirror(reflecting: error).children.lazy.compactMap { $0.value as? SystemCallError }
            .first
    }

    private static func about(_ error: SystemCallError) -> Remedy? {
        guard let path = error.path, !path.hasPrefix("standard ") else { return nil }
        if error.operation == "posix_spawn" { return starting(path) }
        return switch error.errno {
        case ENOENT: missing(path, isRead: ["open", "read", "stat"].contains(error.operation))
        case ENOTDIR: noFolder(path)
        case EISDIR: folder(path)
        case ENOTTY: Remedy("It is not a scanner: see which are attached.", run: "keywedge devices")
        case EACCES, EPERM: forbidden(path)
        case EADDRINUSE: occupied(path)
        case EADDRNOTAVAIL:
            Remedy(
                "This machine does not have that address: write one of its own.",
                run: "ip -brief address")
        case ENOSPC, EDQUOT: fullDisk(path)
        default: nil
        }
    }

    /// Returns the remedy for a missing file, or for the folder if that is missing too.
    private static func missing(_ path: String, isRead: Bool, making: Remedy? = nil) -> Remedy {
        let folder = path.folder
        guard BoxFiles().facts(folder) == nil else {
            return making ?? Remedy("See what is there.", run: "ls -l \(folder.shellWord)")
        }
        let advice = "There is no folder \(folder.quoted(upTo: .max)): correct the path"
        guard isRead else {
            return Remedy(advice + ", or create it.", run: "mkdir -p \(folder.shellWord)")
        }
        var present = folder.folder
        while BoxFiles().facts(present) == nil { present = present.folder }
        return Remedy(advice + ".", run: "ls -l \(present.shellWord)")
    }

    private static func noFolder(_ path: String) -> Remedy {
        let file = BoxFiles().facts(path) == nil ? path.folder : path
        return Remedy(
            "\(file.quoted(upTo: .max)) is not a folder: correct the path.",
            run: "ls -ld \(file.shellWord)")
    }

    private static func folder(_ path: String) -> Remedy {
        Remedy("It is a folder: name a file in it.", run: "ls -l \(path.shellWord)")
    }

    private static func forbidden(_ path: String) -> Remedy {
        let folder = path.folder
        guard BoxFiles().facts(folder) != nil || BoxFiles().isHidden(folder) else {
            return missing(path, isRead: false)
        }
        return geteuid() == 0
            ? Remedy(
                "Not even root may do this: see how the file system is mounted, and the file's attributes.",
                run: "findmnt -T \(folder.shellWord)", "lsattr -d \(path.shellWord)")
            : Remedy(
                "Repeat it as root (sudo), or see who has permission.",
                run: "ls -ld \(folder.shellWord) \(path.shellWord)")
    }

    /// Returns the remedy for a command that cannot be started.
    static func starting(_ program: String) -> Remedy {
        guard program.contains("/") else {
            return Remedy(
                "No such command is in PATH: install it, or write its path, such as "
                    + "\("./\(program)".quoted(upTo: .max)).")
        }
        guard let facts = BoxFiles().facts(program) else { return missing(program, isRead: true) }
        let word = program.shellWord
        if facts.isFolder { return folder(program) }
        if facts.mode & 0o111 == 0 {
            return Remedy("Make it executable.", run: "chmod +x \(word)")
        }
        guard access(program, X_OK) == 0 else { return forbidden(program) }
        return Remedy(
            "Its first line must name a program that exists, such as #!/bin/sh.",
            run: "head -n 1 \(word)")
    }

    private static func fullDisk(_ path: String) -> Remedy {
        Remedy("Make room.", run: "df -h \(path.folder.shellWord)")
    }

    /// Returns the remedy for a TCP address or socket path that another program listens on.
    static func occupied(_ place: String) -> Remedy {
        let port = place.split(separator: ":").last.flatMap { UInt16($0) }
        return Remedy(
            "See which program does, and end it or name another place.",
            run: port.map { "ss -ltnp 'sport = :\($0)'" } ?? "ss -lxp")
    }

    /// Returns the remedy for a path where something unexpected exists: see what is there, and choose another path.
    static func otherPath(_ path: String) -> Remedy {
        Remedy("See what is there, and name another path.", run: "ls -ld \(path.shellWord)")
    }

    private static func isEmpty(_ path: String) -> Bool {
        BoxFiles().facts(path).map { !$0.isFolder && $0.size == 0 } ?? false
    }

    private static func about(_ error: DaemonUnreachable) -> Remedy {
        switch error.obstacle?.errno {
        case ECONNREFUSED where BoxFiles().facts(error.socket)?.isSocket == false:
            return Remedy(
                "It is not a socket: name the daemon's with --socket.",
                run: "ls -ld \(error.socket.shellWord)")
        case ENOENT, ECONNREFUSED:
            return Remedy(
                "Start it, or name its socket with --socket.", run: "systemctl start keywedge")
        case EACCES where geteuid() != 0, EPERM where geteuid() != 0:
            let group = BoxFiles().facts(error.socket).map { BoxUser.groupName($0.group) }
            return Remedy(
                "Join the group of its socket and log in again, or repeat it as root (sudo).",
                run: "sudo usermod -aG \((group ?? "keywedge").shellWord) \"$USER\"")
        default: return Remedy("See what it says.", run: "systemctl status keywedge")
        }
    }
}

extension Remedy {
    private static func about(_ error: CatalogError) -> Remedy? {
        switch error {
        case .missing(let path):
            let making = Remedy("Make it from the shop's list of products.", run: importing(path))
            return missing(path, isRead: true, making: making)
        case .unreadable(let path, _) where BoxFiles().facts(path)?.isFolder == true:
            return folder(path)
        case .unreadable(let path, _), .readOnly(let path), .unfinishedLog(let path):
            return forbidden(path)
        case .notACatalog(let path) where isEmpty(path):
            return Remedy("It is an empty file: import products into it.", run: importing(path))
        case .notADatabase(let path) where path.hasSuffix(".sqlite"), .damaged(let path):
            return Remedy(
                "Set it aside, and import the shop's list of products again.",
                run: "mv \(path.shellWord) \(path.shellWord).broken", importing(path))
        // Another program's database, or keywedge's journal: it must stay where it is.
        case .notADatabase(let path), .notACatalog(let path): return otherPath(path)
        case .newerSchema(let path, _, _):
            return Remedy(
                "Install the newer keywedge, or set the file aside and import the shop's list of "
                    + "products again.", run: "mv \(path.shellWord) \(path.shellWord).newer",
                importing(path))
        case .olderSchema(let path):
            return Remedy(
                "Convert it.", run: "keywedge catalog check --migrate --catalog \(path.shellWord)")
        case .locked(let path):
            return Remedy("Wait for it, or see which it is.", run: "fuser -v \(path.shellWord)")
        case .diskFull(let path): return fullDisk(path)
        case .changing, .unknownScope, .failed: return nil
        }
    }

    private static func importing(_ path: String) -> String {
        "keywedge catalog import FILE.csv --catalog \(path.shellWord)"
    }

    private static func about(_ error: JournalError) -> Remedy? {
        switch error {
        case .missing(let path):
            let making = Remedy(
                "The daemon makes it when it starts.", run: "systemctl start keywedge")
            return missing(path, isRead: true, making: making)
        case .forbidden(let path): return forbidden(path)
        case .notAJournal(let path) where isEmpty(path):
            return Remedy(
                "It is an empty file without any event: the daemon begins a journal in it if its "
                    + "configuration names it.", run: "systemctl start keywedge")
        case .notAJournal(let path) where BoxFiles().facts(path)?.isFolder == true:
            return folder(path)
        case .notAJournal(let path) where path != JournalSettings().file: return otherPath(path)
        case .notAJournal(let path), .newerSchema(let path, _, _):
            return Remedy(
                "Set it aside, and a new journal begins.", run: "systemctl stop keywedge",
                "mv \(path.shellWord) \(path.shellWord).old", "systemctl start keywedge")
        case .formerSchema: return Remedy("Convert it.", run: "systemctl restart keywedge")
        case .inUse: return Remedy("Stop the other one.", run: "systemctl stop keywedge")
        case .damaged:
            return Remedy(
                "When the daemon starts, it sets a damaged journal aside, and continues with the part "
                    + "that can be read.", run: "systemctl restart keywedge")
        case .diskFull(let path): return fullDisk(path)
        case .failed, .unknownEpoch, .cursorAhead, .closed: return nil
        }
    }
}

extension Remedy {
    /// Returns the remedy for a failed connection; it names only settings that sinks and catalogs share.
    static func connecting(to host: String, _ kind: ConnectionError.Kind) -> Remedy {
        switch kind {
        case .unknownHost:
            Remedy(
                "Correct the host's name, or see that this box has a name server.",
                run: "resolvectl query \(host.shellWord)")
        case .refused:
            Remedy("Nothing listens there: check that \(host) runs and that the port is right.")
        case .unreachable, .timedOut:
            Remedy(
                "Nothing answers at \(host): check the network of this box and the firewalls on the "
                    + "way.", run: "ip route get \(host.shellWord)")
        case .certificateExpired:
            Remedy(
                "No setting can accept it: the server's operator has to renew it. If this box has "
                    + "the wrong date, set its clock.", run: "timedatectl")
        case .certificateNotYetValid:
            Remedy(
                "No setting can accept it yet: set this box's clock, or ask the server's operator.",
                run: "timedatectl set-ntp true")
        case .certificateNotTrusted, .certificateNotVerified:
            Remedy("Name the certificate of the authority that signed the server's: ca_file.")
        case .certificateForAnotherHost:
            Remedy("Write the name that the server's certificate is for into url.")
        case .clientCertificateRefused, .handshakeRefused:
            Remedy(
                "Get a certificate that the server trusts, and name it and its key: certificate_file "
                    + "and key_file.")
        case .keyNotPinned(let key):
            Remedy(
                "If the server's operator confirms that this is its new key, pin it: pinned_keys: "
                    + "[\("\(key)".quoted(upTo: .max))].")
        case .noCommonTLS, .tlsFailed, .closed, .malformed:
            Remedy("Check that the port is for TLS if and only if url says so (https, mqtts).")
        default: Remedy("Check that \(host) runs and can be reached.")
        }
    }
}
