public import ArgumentParser
public import Barcodes
public import Catalog
public import Events

// How the types of other modules are written as arguments.

extension EventFormat: ExpressibleByArgument {}

extension EventTime: ExpressibleByArgument {
    /// Reads a time as RFC 3339 writes it.
    public init?(argument: String) {
        guard let time = try? EventTime(rfc3339: argument) else { return nil }
        self = time
    }

    /// The time as help shows it.
    public var defaultValueDescription: String { description }
}

extension ColumnMapping: ExpressibleByArgument {
    /// Reads a mapping as `name=Artikel`.
    public init?(argument: String) {
        guard let mapping = try? ColumnMapping(argument) else { return nil }
        self = mapping
    }
}

extension Currency: ExpressibleByArgument {
    /// Reads a currency's code.
    public init?(argument: String) {
        self.init(argument)
    }
}

extension Region: ExpressibleByArgument {}

extension BarcodeDecoder.Settings.Content: ExpressibleByArgument {}

extension BarcodeDecoder.Settings.UPCE: ExpressibleByArgument {}
