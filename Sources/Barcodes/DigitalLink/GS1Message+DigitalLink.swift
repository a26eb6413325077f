extension GS1Message {
    /// The canonical GS1 Digital Link of the elements.
    ///
    /// The first element that can head one is the key; its qualifiers follow in their order, all
    /// else stands in the query, sorted. Nil where there is no key, or where an element can stand
    /// in neither place.
    ///
    /// Rule: GS1 Digital Link Standard: URI Syntax, section 4.
    public var digitalLink: String? { digitalLink(stem: "https://id.gs1.org") }

    /// The GS1 Digital Link of the elements, at a domain and path prefix.
    ///
    /// - Parameter stem: What comes ahead of the key, without a slash at its end, for instance
    ///   `https://example.com/products`.
    /// - Returns: The URI, or nil where the elements cannot be written as one.
    public func digitalLink(stem: String) -> String? {
        guard let key = elements.first(where: { $0.applicationIdentifier.isDigitalLinkKey }) else {
            return nil
        }
        let path = [key] + qualifiers(of: key.applicationIdentifier)
        let query = elements.filter { element in !path.contains { $0.ai == element.ai } }
        guard query.allSatisfy(\.applicationIdentifier.spec.isDigitalLinkAttribute) else {
            return nil
        }
        var uri = stem
        for element in path { Self.append("/", element, "/", to: &uri) }
        var seen: Set<ApplicationIdentifier> = []
        for element in query.sorted(by: { $0.ai < $1.ai })
        where seen.insert(element.applicationIdentifier).inserted {
            Self.append(seen.count == 1 ? "?" : "&", element, "=", to: &uri)
        }
        return uri
    }

    /// The elements that qualify a key, in the order of that of its sequences that takes most.
    private func qualifiers(of key: ApplicationIdentifier) -> [GS1Element] {
        let choices = key.spec.qualifierSequences.map { sequence in
            sequence.compactMap { qualifier in
                elements.first { $0.applicationIdentifier.key == qualifier }
            }
        }
        return choices.reduce([]) { $1.count > $0.count ? $1 : $0 }
    }

    private static func append(
        _ before: String, _ element: GS1Element, _ between: String, to uri: inout String
    ) {
        uri += before + element.ai + between
        DigitalLinkEncoding.append(element.value, to: &uri)
    }
}
