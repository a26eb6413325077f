package import Barcodes
package import EventService
package import Journal

/// What a configuration file says, with the default wherever it says nothing.
///
/// The structs hold values and no behaviour: what reads them turns them into key tables, decoders,
/// catalogs and sinks. ``parse(text:file:)`` and ``load(path:)`` give only values that passed every
/// check.
package struct Configuration: Equatable, Sendable {
    /// The scanners, in the order of the file; never empty, and no two of one name.
    package var scanners: [ScannerConfiguration]
    /// How codes are read.
    package var barcodes: BarcodeDecoder.Settings
    /// What is not shown.
    package var hide: HiddenContent
    /// Where products come from.
    package var catalog: CatalogConfiguration
    /// Where events are kept, as the file says it; see ``journalInUse``.
    package var journal: JournalSettings?
    /// The daemon's interface; nil for none.
    package var listen: ListenSettings?
    /// Where events go.
    package var events: [SinkConfiguration]

    /// Makes a configuration; what is left out has its default.
    ///
    /// - Parameters:
    ///   - scanners: The scanners.
    ///   - barcodes: How codes are read.
    ///   - hide: What is not shown.
    ///   - catalog: Where products come from.
    ///   - journal: Where events are kept.
    ///   - listen: The daemon's interface.
    ///   - events: Where events go.
    package init(
        scanners: [ScannerConfiguration] = [ScannerConfiguration(name: "default")],
        barcodes: BarcodeDecoder.Settings = BarcodeDecoder.Settings(),
        hide: HiddenContent = HiddenContent(),
        catalog: CatalogConfiguration = CatalogConfiguration(),
        journal: JournalSettings? = nil, listen: ListenSettings? = nil,
        events: [SinkConfiguration] = [.stdout(format: nil)]
    ) {
        self.scanners = scanners
        self.barcodes = barcodes
        self.hide = hide
        self.catalog = catalog
        self.journal = journal
        self.listen = listen
        self.events = events
    }

    /// Where events are kept; nil where nothing asks for a journal.
    ///
    /// There is one where the file says so, and with its defaults where something else in the file
    /// reads it.
    package var journalInUse: JournalSettings? {
        let isRead = listen != nil || events.contains(where: \.readsJournal)
        return journal ?? (isRead ? JournalSettings() : nil)
    }

    /// The built-in defaults, which an empty file means too.
    ///
    /// One scanner named `default` with the layout `us` that ends a scan with either Enter key, the
    /// embedded catalog at ``CatalogConfiguration/standardPath``, events on stdout.
    package static let standard = Self()
}
