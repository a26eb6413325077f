extension Payload {
    /// One part of a form with files.
    public struct Part: Hashable, Sendable {
        /// The field's name.
        public let name: String

        /// The file's name; `nil` for what is no file.
        public let filename: String?

        /// The media type; `nil` for plain text.
        public let contentType: String?

        /// The content.
        public let bytes: [UInt8]

        /// A field.
        ///
        /// - Parameters:
        ///   - name: The field's name; any text.
        ///   - value: Its value; any text.
        public init(_ name: String, _ value: String) {
            self.init(name, Array(value.utf8), filename: nil, contentType: nil)
        }

        /// A file.
        ///
        /// - Parameters:
        ///   - name: The field's name; any text.
        ///   - bytes: The content.
        ///   - filename: The file's name; any text.
        ///   - contentType: The media type; characters that cannot stand in a header are dropped.
        public init(
            _ name: String, _ bytes: [UInt8], filename: String?, contentType: String?
        ) {
            self.name = name
            self.bytes = bytes
            self.filename = filename
            self.contentType = contentType
        }
    }

    /// A form with files.
    ///
    /// - Parameter parts: The parts, in order.
    /// - Returns: The content, as `multipart/form-data`; its boundary is in no part.
    ///
    /// Rule: RFC 7578; names are escaped as the HTML Standard, section 4.10.21.8, does.
    public static func multipart(_ parts: [Part]) -> Payload {
        let boundary = boundary(for: parts)
        var bytes: [UInt8] = []
        for part in parts {
            bytes += "--\(boundary)\r\n\(part.head)\r\n\r\n".utf8
            bytes += part.bytes
            bytes += "\r\n".utf8
        }
        bytes += "--\(boundary)--\r\n".utf8
        return Payload(bytes, contentType: "multipart/form-data; boundary=\(boundary)")
    }

    /// The first of a row of boundaries that no part holds.
    private static func boundary(for parts: [Part]) -> String {
        var number = 0
        while true {
            let boundary = "keywedge-part-\(number)"
            let isFree = parts.allSatisfy { part in
                part.bytes.firstRange(of: Array(boundary.utf8)) == nil
                    && !part.head.contains(boundary)
            }
            if isFree { return boundary }
            number += 1
        }
    }
}

extension Payload.Part {
    /// The part's header lines without the last line break.
    fileprivate var head: String {
        var head = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let filename { head += "; filename=\"\(Self.escaped(filename))\"" }
        if let contentType {
            let type = contentType.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }
            head += "\r\nContent-Type: \(String(String.UnicodeScalarView(type)))"
        }
        return head
    }

    private static func escaped(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
