import Catalog
import WireText

extension ProductText {
    /// A product as digests are made of it.
    static func line(_ product: Product) -> [UInt8] {
        self.product(product) + [UInt8(ascii: "\n")]
    }

    /// A page of digests.
    static func digests(_ listing: DigestListing) -> [UInt8] {
        let ranges = listing.ranges.map { range in
            var object = JSONObject()
            if let from = range.range.from { object.append("from", .string(from)) }
            if let before = range.range.before { object.append("before", .string(before)) }
            if let first = range.first { object.append("first", .string(first)) }
            object.append("count", .integer(Int64(range.count)))
            object.append("digest", .string(range.digest))
            return JSONValue.object(object)
        }
        var page: JSONObject = [
            "revision": .string("\(listing.revision)"),
            "notation": .integer(Int64(EntityTag.notation)),
            "total": .integer(Int64(listing.total)), "ranges": .array(ranges),
        ]
        if let next = listing.next { page.append("next", .string(next)) }
        var text: [UInt8] = []
        JSONWriter.append(.object(page), to: &text)
        return text
    }
}
