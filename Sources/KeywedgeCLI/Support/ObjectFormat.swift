import ArgumentParser
import Events
import WireText

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
