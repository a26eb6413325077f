package import WebAPI
import WireText

/// Why a text is no template for the place it stands in.
package enum TemplateError: Error, Equatable, Sendable {
    /// A brace is never closed.
    case openBrace(text: String, at: Int)
    /// A brace closes what was never opened.
    case strayBrace(text: String, at: Int)
    /// Between two braces stands what is no name.
    case noName(text: String, at: Int, found: String)
    /// Behind a placeholder's name stands how to encode it, and that is unknown.
    case noEncoding(text: String, at: Int, found: String)
    /// A path does not start with a slash.
    case noSlash(text: String)
    /// A text is no path; what comes in for a placeholder is not at fault.
    case notAPath(text: String, reason: AddressError)
    /// A character cannot stand in a header field.
    case notInHeader(text: String, found: Unicode.Scalar)
    /// A placeholder of a GraphQL document stands outside a text in quotation marks.
    case outsideText(text: String, name: String)
    /// A text in a GraphQL document is never closed.
    case openText(text: String, at: Int)
}

extension TemplateError: CustomStringConvertible {
    /// The error as one sentence.
    package var description: String {
        switch self {
        case .openBrace(let text, let at):
            "The template \(text.quoted()) opens a brace at character \(at) and never closes it; "
                + "expected {code}, or {{ for a brace."
        case .strayBrace(let text, let at):
            "The template \(text.quoted()) closes a brace at character \(at) that was not opened; "
                + "expected }} for a brace."
        case .noName(let text, let at, let found):
            "The template \(text.quoted()) has \(found.quoted()) in braces at character \(at); "
                + "expected a name of a-z, 0-9 and _ such as {code}."
        case .noEncoding(let text, let at, let found):
            "The template \(text.quoted()) encodes a placeholder as \(found.quoted()) at character "
                + "\(at); expected base64 or json, as in {code|base64}."
        case .noSlash(let text): "The path \(text.quoted()) does not start with a slash."
        case .notAPath(let text, let reason):
            "The path \(text.quoted()) is none: \(reason.problem)."
        case .notInHeader(let text, let found):
            "The header \(text.quoted()) has \(String(found).quoted()) in it; "
                + "expected printable ASCII without spaces at its ends."
        case .outsideText(let text, let name):
            "The GraphQL document \(text.quoted()) has {\(name)} outside of a text in quotation "
                + "marks; expected \"{\(name)}\", or a variable."
        case .openText(let text, let at):
            "The GraphQL document \(text.quoted()) opens a text at character \(at) and never "
                + "closes it."
        }
    }
}
