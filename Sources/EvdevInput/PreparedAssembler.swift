import Keystrokes

/// An assembler as a scanner begins with it: made before the reader's thread, which waits for nothing,
/// is handed it.
///
/// Settings that are equal share one, so that the thread tells by its identity whether a scanner types
/// as before; comparing two tables key by key may take longer than a scan.
final class PreparedAssembler: Sendable {
    /// At the beginning.
    let assembler: ScanAssembler

    /// Makes the tables of the settings.
    init(_ settings: ScanSettings) {
        assembler = ScanAssembler(settings: settings)
    }

    /// How the scanner types.
    var settings: ScanSettings { assembler.settings }

    /// The other where it has the same settings, else this one.
    func sharing(_ other: PreparedAssembler) -> PreparedAssembler {
        settings == other.settings ? other : self
    }
}
