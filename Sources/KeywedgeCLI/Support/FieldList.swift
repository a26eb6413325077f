import ArgumentParser
import Events
import WireText

/// A JSON object as a list for people: a field a line, names aligned, an empty line after it.
enum FieldList {
    private static let nameWidth = 13

    static func append(_ object: JSONObject, to bytes: inout [UInt8]) {
        for member in object.members { append(member.key, member.value, to: &bytes) }
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func append(_ name: String, _ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null, .array([]): break
        case .array(let values):
            for value in values { append(name, value, to: &bytes) }
        default:
            let padding = String(repeating: " ", count: max(1, nameWidth - name.utf8.count))
            bytes.append(contentsOf: "\(name)\(padding)\(text(value))\n".utf8)
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): Escaping.line.escaped(text)
        case .bool(let flag): flag ? "yes" : "no"
        case .object(let object):
            if case .string(let message)? = object["message"] {
                // It is in words already, and a setting in it is to be copied as it stands.
                Escaping.sentence.escaped(message)
            } else {
                object.members.filter { $0.value != .null }
                    .map { "\(Escaping.line.escaped($0.key))=\(text($0.value))" }
                    .joined(separator: " ")
            }
        default: JSONWriter.text(of: value)
        }
    }
}

/// How a result that is no event is printed.
enum ObjectFormat: String, CaseIterable, ExpressibleByArgument {
    /// One JSON object a line.
    case json
    /// One field a line, for people.
    case pretty

    /// What suits standard output.
    static var suitable: ObjectFormat { StandardOutput.isTerminal ? .pretty : .json }

    func append(_ object: JSONObject, to bytes: inout [UInt8]) {
        switch self {
        case .json:
            JSONWriter.append(object, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        case .pretty: FieldList.append(object, to: &bytes)
        }
    }
}
