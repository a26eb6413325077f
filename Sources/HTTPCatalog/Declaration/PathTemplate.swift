import WebAPI

/// The path of a request, in which each value is one segment or part of one.
///
/// Rule: RFC 3986, section 3.3 (path characters) and section 5.2.4 (dot segments).
package struct PathTemplate: Hashable, Sendable {
    /// The path as it was written.
    package let template: Template

    /// The path `/`.
    package static let root = PathTemplate(template: .slash)

    private init(template: Template) {
        self.template = template
    }

    /// Reads a path.
    ///
    /// - Parameter text: The path with its placeholders, from its first slash on; what is not to
    ///   stand in a URL as it is must be percent-encoded.
    /// - Throws: What ``Template`` throws, and `TemplateError.noSlash` or `.notAPath`: there is a
    ///   query, a character that must be encoded, or a segment `.` or `..`.
    package init(_ text: String) throws(TemplateError) {
        template = try Template(text)
        guard text.utf8.first == UInt8(ascii: "/") else { throw .noSlash(text: text) }
        let sample = template.rendered([:], missing: "x")
        do throws(AddressError) {
            _ = try Path(encoded: sample)
        } catch {
            throw .notAPath(text: text, reason: error)
        }
    }

    /// The path with values in it.
    ///
    /// - Parameter values: What comes in for the placeholders.
    /// - Returns: The path; making an address of it fails where a value makes a segment that is `.`
    ///   or `..`, which any server or proxy on the way would take for a step upwards, encoded or
    ///   not, and where a value is empty.
    func rendered(_ values: [String: String]) -> Path {
        var pieces = Path.StringInterpolation(literalCapacity: 32, interpolationCount: 2)
        for part in template.parts {
            switch part {
            case .literal(let literal): pieces.appendLiteral(literal)
            case .placeholder(let name, let encoding):
                pieces.appendInterpolation(encoding.value(of: name, in: values) ?? "")
            }
        }
        return Path(stringInterpolation: pieces)
    }
}
