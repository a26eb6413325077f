/// A HID usage: the purpose of a field or a collection, as a page and a number.
struct HIDUsage: RawRepresentable, Hashable, Sendable {
    /// The usage's page in the upper 16 bits, and its number in the lower 16 bits.
    let rawValue: UInt32
}

extension HIDUsage {
    init(page: UInt16, _ number: UInt16) {
        self.init(rawValue: UInt32(page) << 16 | UInt32(number))
    }
}

/// A field of a report: adjacent elements that have the same usage.
struct HIDField: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case input, output, feature }

    var kind: Kind
    /// The number of the report that contains the field; 0 for a device that does not number its reports.
    var report: UInt8
    /// The usage of the outermost application collection that contains the field.
    var application: HIDUsage
    var usage: HIDUsage
    /// The position of the field's first bit, counted from the first bit after the report's number.
    var bitOffset: Int
    /// The total length of the field's elements in bits.
    var bitCount: Int
    /// The value that selects ``usage`` in an array field; nil in any other field.
    var choice: UInt32?
}

/// A HID device's description of its reports.
///
/// The descriptor comes from the device and is not trusted. A descriptor that exceeds the kernel's limits is refused,
/// which bounds the time and memory for reading it.
///
/// Rule: Device Class Definition for HID 1.11, section 6.2.2.
struct HIDReportDescriptor: Hashable, Sendable {
    /// Why a descriptor cannot be read; `at` is the byte offset of the faulty item.
    enum Fault: Error, Hashable {
        case tooLong
        case cutOff(at: Int)
        /// A collection, usage range or saved state has no beginning or no end.
        case unbalanced(at: Int)
        /// The nesting, the number of usages, or the length of a report exceeds the kernel's limit.
        case tooLarge(at: Int)
    }

    /// The kernel's limits `HID_MAX_DESCRIPTOR_SIZE` (which also limits the nesting of collections),
    /// `HID_MAX_USAGES`, `HID_MAX_BUFFER_SIZE` and `HID_GLOBAL_STACK_SIZE` (`include/linux/hid.h`).
    private enum Limit {
        static let bytes = 4096
        static let fields = 12_288
        static let reportBits = 16_384 * 8
        static let stack = 4
    }

    private(set) var fields: [HIDField] = []
    /// The length of each report in bits, without its number byte, by kind and report number.
    private(set) var reportBits: [HIDField.Kind: [UInt8: Int]] = [:]
    private(set) var hasReportNumbers = false

    init(_ bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= Limit.bytes else { throw .tooLong }
        var state = State()
        var offset = 0
        while offset < bytes.count {
            let item = try Item(bytes, at: offset)
            try read(item, &state, at: offset)
            offset += item.length
        }
        guard state.collections.isEmpty else { throw .unbalanced(at: bytes.count) }
    }

    /// Returns the length of a report in bytes, including the byte for its number, if any.
    func byteCount(of report: UInt8, _ kind: HIDField.Kind) -> Int {
        ((reportBits[kind]?[report] ?? 0) + 7) / 8 + (hasReportNumbers ? 1 : 0)
    }

    /// The values of HID's global items, which apply to later main items.
    private struct Globals {
        var page: UInt16 = 0
        var size: UInt32 = 0
        var count: UInt32 = 0
        var report: UInt8 = 0
        var logicalMinimum: UInt32 = 0
    }

    private struct State {
        var globals = Globals()
        var stack: [Globals] = []
        /// The usages for the next main item, in the order of the descriptor.
        var usages: [ClosedRange<UInt32>] = []
        var minimum: UInt32?
        /// The ``HIDField/application`` in each open collection, outermost first; nil if a collection has none.
        var collections: [HIDUsage?] = []

        mutating func endMainItem() { (usages, minimum) = ([], nil) }
    }
}

extension HIDReportDescriptor {
    private mutating func read(
        _ item: Item, _ state: inout State, at offset: Int
    ) throws(Fault) {
        switch item.kind {
        case .fields(let kind): try append(kind, item, &state, at: offset)
        case .collection:
            let isApplication = item.value == 1
            let usage = state.usages.first.map { HIDUsage(rawValue: $0.lowerBound) }
            state.collections.append(
                (state.collections.last ?? nil) ?? (isApplication ? usage : nil))
            state.endMainItem()
        case .endCollection:
            guard state.collections.popLast() != nil else { throw .unbalanced(at: offset) }
            state.endMainItem()
        case .usagePage: state.globals.page = UInt16(truncatingIfNeeded: item.value)
        case .logicalMinimum: state.globals.logicalMinimum = item.value
        case .reportSize: state.globals.size = item.value
        case .reportCount: state.globals.count = item.value
        case .reportNumber:
            state.globals.report = UInt8(truncatingIfNeeded: item.value)
            hasReportNumbers = true
        case .push:
            guard state.stack.count < Limit.stack else { throw .tooLarge(at: offset) }
            state.stack.append(state.globals)
        case .pop:
            guard let globals = state.stack.popLast() else { throw .unbalanced(at: offset) }
            state.globals = globals
        case .usage:
            let usage = Self.usage(item, state.globals.page)
            state.usages.append(usage...usage)
        case .usageMinimum: state.minimum = Self.usage(item, state.globals.page)
        case .usageMaximum:
            let maximum = Self.usage(item, state.globals.page)
            guard let minimum = state.minimum else { break }
            guard minimum <= maximum, minimum >> 16 == maximum >> 16 else {
                throw .unbalanced(at: offset)
            }
            state.usages.append(minimum...maximum)
            state.minimum = nil
        case .other: break
        }
    }

    /// Returns an item's usage; `page` is ignored if the item itself contains a usage page.
    private static func usage(_ item: Item, _ page: UInt16) -> UInt32 {
        item.size == 4 ? item.value : UInt32(page) << 16 | item.value
    }

    /// Appends the fields of a main item: one for each of its usages, or a single field if it has none.
    ///
    /// Constant items and items outside application collections get no fields.
    private mutating func append(
        _ kind: HIDField.Kind, _ item: Item, _ state: inout State, at offset: Int
    ) throws(Fault) {
        defer { state.endMainItem() }
        let globals = state.globals
        let (bits, overflows) = globals.size.multipliedReportingOverflow(by: globals.count)
        let start = reportBits[kind]?[globals.report] ?? 0
        guard !overflows, Int(bits) <= Limit.reportBits - start else { throw .tooLarge(at: offset) }
        reportBits[kind, default: [:]][globals.report] = start + Int(bits)
        let isConstant = item.value & 1 == 1
        let isVariable = item.value & 2 == 2
        guard let application = state.collections.last ?? nil, !isConstant, bits > 0 else { return }
        var field = HIDField(
            kind: kind, report: globals.report, application: application,
            usage: HIDUsage(rawValue: 0), bitOffset: start,
            bitCount: Int(isVariable ? globals.size : bits))
        var index: UInt32 = 0
        // An item without a usage still shows which application the report belongs to.
        for usage in (state.usages.isEmpty ? [0...0] : state.usages).lazy.flatMap({ $0 }) {
            guard !isVariable || index < globals.count else { break }
            guard fields.count < Limit.fields else { throw .tooLarge(at: offset) }
            field.usage = HIDUsage(rawValue: usage)
            if isVariable {
                field.bitOffset = start + Int(index * globals.size)
            } else {
                field.choice = globals.logicalMinimum &+ index
            }
            fields.append(field)
            index += 1
        }
        // The last usage applies to all remaining elements.
        if isVariable, index > 0 {
            fields[fields.count - 1].bitCount += Int((globals.count - index) * globals.size)
        }
    }
}

extension HIDReportDescriptor {
    private struct Item {
        enum Kind {
            case fields(HIDField.Kind), collection, endCollection
            case usagePage, logicalMinimum, reportSize, reportNumber, reportCount, push, pop
            case usage, usageMinimum, usageMaximum, other
        }

        let kind: Kind
        /// The length of ``value`` in bytes.
        let size: Int
        let value: UInt32
        /// The length of the item in bytes, including its prefix.
        let length: Int

        init(_ bytes: [UInt8], at offset: Int) throws(Fault) {
            let prefix = bytes[offset]
            let isLong = prefix == 0xFE
            if isLong, bytes.count - offset < 3 { throw .cutOff(at: offset) }
            size = isLong ? Int(bytes[offset + 1]) : [0, 1, 2, 4][Int(prefix & 3)]
            length = size + (isLong ? 3 : 1)
            guard length <= bytes.count - offset else { throw .cutOff(at: offset) }
            // HID defines no long items.
            kind = isLong ? .other : Self.kinds[prefix & 0xFC] ?? .other
            value =
                isLong
                ? 0
                : bytes[(offset + 1)..<(offset + length)].reversed()
                    .reduce(0) { $0 << 8 | UInt32($1) }
        }

        private static let kinds: [UInt8: Kind] = [
            0x80: .fields(.input), 0x90: .fields(.output), 0xB0: .fields(.feature),
            0xA0: .collection, 0xC0: .endCollection,
            0x04: .usagePage, 0x14: .logicalMinimum, 0x74: .reportSize, 0x84: .reportNumber,
            0x94: .reportCount, 0xA4: .push, 0xB4: .pop, 0x08: .usage, 0x18: .usageMinimum,
            0x28: .usageMaximum,
        ]
    }
}
