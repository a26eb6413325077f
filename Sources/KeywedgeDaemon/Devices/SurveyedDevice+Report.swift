import Events
import Keystrokes
import ScannerInput
import WireText

extension SurveyedDevice {
    func lines(nodeWidth: Int) -> [String] {
        let padding = String(repeating: " ", count: max(0, nodeWidth - node.utf8.count))
        let start = "\(verdict?.rule == nil ? " " : "*") \(node)\(padding)  "
        let indent = String(repeating: " ", count: start.utf8.count)
        switch facts {
        case .failure(let error):
            return ["\(start)cannot be opened", "\(indent)\(error)"] + holderLines(indent)
        case .success(let facts):
            let identity = facts.identity
            let name = identity.name.map(Escaping.line.escaped) ?? "(no name)"
            let details = [
                "\(verdict.map { "\($0)" } ?? "not judged")\(otherName)",
                facts.interface.keys == nil ? "interface \(facts.interface.kind.rawValue)" : nil,
                "bus \(identity.busName)",
                identity.phys.map { "phys \(Escaping.line.escaped($0))" },
                identity.uniq.map { "uniq \(Escaping.line.escaped($0))" },
            ]
            return ["\(start)\(identity.numbers)  \(name)"]
                + details.compactMap { $0.map { indent + $0 } } + holderLines(indent)
        }
    }

    /// A clause with the device's name in events, if another device has its configured name; otherwise empty.
    private var otherName: String {
        guard let scanner, let configured = scanner.configuredName, configured != scanner.name
        else { return "" }
        return ", as another device does; events call it \(scanner.name)"
    }

    private func holderLines(_ indent: String) -> [String] {
        guard !holders.isEmpty else { return [] }
        return ["\(indent)open in \(holders.inWords)"]
    }

    var data: JSONObject {
        var data: JSONObject = ["node": .string(node)]
        switch facts {
        case .failure(let error): data.append("error", .string("\(error)"))
        case .success(let facts): facts.append(to: &data)
        }
        data.append("taken", verdict.map { .bool($0.rule != nil) } ?? .null)
        if let outcome = verdict?.outcome {
            data.append(outcome.key, .string(outcome.code))
            data.append("reason", .string(outcome.reason))
        }
        if let scanner { data.append("scanner", .string(scanner.name)) }
        let holders = holders.map { holder -> JSONValue in
            ["process": .integer(Int64(holder.process)), "command": .string(holder.command)]
        }
        data.append("open_in", .array(holders))
        return data
    }
}

extension DeviceIdentity {
    /// The vendor and product numbers in hexadecimal, such as `0c2e:0b61`.
    var numbers: String { "\(vendor.fourHexDigits):\(product.fourHexDigits)" }

    /// The name of a common bus, such as `usb`; for any other bus, its number as four hexadecimal digits.
    ///
    /// Source: `BUS_*` in `linux/input.h`.
    fileprivate var busName: String {
        switch bus {
        case 0x03: "usb"
        case 0x05: "bluetooth"
        case 0x06: "virtual"
        case 0x11: "i8042"
        case 0x18: "i2c"
        case 0x19: "host"
        default: bus.fourHexDigits
        }
    }
}

extension DeviceFacts {
    fileprivate func append(to data: inout JSONObject) {
        data.append("name", identity.name.map(JSONValue.string) ?? .null)
        data.append("vendor", .string(identity.vendor.fourHexDigits))
        data.append("product", .string(identity.product.fourHexDigits))
        data.append("bus", .string(identity.busName))
        data.append("phys", identity.phys.map(JSONValue.string) ?? .null)
        data.append("uniq", identity.uniq.map(JSONValue.string) ?? .null)
        data.append("interface", .string(interface.kind.rawValue))
        if let keys = interface.keys {
            data.append(
                "keys",
                [
                    "digits": .bool(keys.hasDigits), "enter": .bool(keys.hasEnter),
                    "pointer": .bool(keys.movesPointer),
                ])
        }
        data.append("marked", .bool(isMarked))
    }
}

extension SelectionVerdict {
    /// The verdict for JSON output: the key (`rule` or `refusal`), its code, such as `known-maker`, and the reason.
    fileprivate var outcome: (key: String, code: String, reason: String) {
        switch self {
        case .taken(let rule):
            let code =
                switch rule {
                case .configured: "configured"
                case .marked: "marked"
                case .knownMaker: "known-maker"
                case .describedAsScanner: "described-as-scanner"
                }
            return ("rule", code, "\(rule)")
        case .refused(let refusal):
            let code =
                switch refusal {
                case .cannotType: "cannot-type"
                case .matchesNoConfiguredScanner: "matches-no-scanner"
                case .notKnownAsScanner: "not-known"
                case .ownKeyboard: "own-keyboard"
                }
            return ("refusal", code, "\(refusal)")
        }
    }
}
