/// GS1 element strings, in the order read.
public struct GS1Message: Hashable, Sendable {
    /// The element strings.
    public var elements: [GS1Element]

    /// Element strings.
    ///
    /// - Parameter elements: In the order wanted.
    public init(elements: [GS1Element]) {
        self.elements = elements
    }

    /// The value of the first element string with an application identifier, or nil.
    ///
    /// - Parameter ai: The identifier's digits, for instance `10`.
    public subscript(ai: String) -> String? {
        guard let wanted = ApplicationIdentifier(ai) else { return nil }
        return elements.first { $0.applicationIdentifier == wanted }?.value
    }

    /// The elements as people read them: `(01)09506000134352(10)LOT-7`.
    ///
    /// An opening bracket inside a value is written `\(`, so that it starts no identifier.
    public var bracketed: String {
        elements.reduce(into: "") { text, element in
            text += "(" + element.ai + ")"
            for scalar in element.value.unicodeScalars {
                if scalar == "(" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The elements as a scanner sends them: values of no predefined length are ended by a group
    /// separator (0x1D), the last one excepted.
    public var scanData: String {
        var text = ""
        for (index, element) in elements.enumerated() {
            text += element.ai + element.value
            if index < elements.count - 1, !element.applicationIdentifier.hasPredefinedLength {
                text += "\u{1D}"
            }
        }
        return text
    }
}
