/// USB vendor numbers of companies that make barcode scanners.
///
/// Source: the USB ID Repository (`usb.ids`, linux-usb.org), the companies there whose listed
/// products are scanners; 11fa is Code Corporation's, which public udev rules for its readers use.
/// A company that also sells ordinary keyboards is not in the table.
public enum KnownMakers {
    /// The companies by USB vendor number.
    public static let byVendor: [UInt16: String] = [
        0x0536: "Honeywell (Hand Held Products)",
        0x05E0: "Zebra (Symbol)",
        0x05F9: "Datalogic (PSC)",
        0x065A: "Opticon (Optoelectronics)",
        0x067E: "Honeywell (Intermec)",
        0x0745: "CipherLab (Syntech)",
        0x076D: "Denso Wave",
        0x080C: "Datalogic",
        0x0C2E: "Honeywell (Metrologic)",
        0x11FA: "Code Corporation",
        0x1EAB: "Newland",
        0x24EA: "Meva",
        0x27DD: "Mindeo",
    ]

    /// The buses on which these numbers are meant: USB and Bluetooth (`BUS_USB`, `BUS_BLUETOOTH`).
    static let buses: Set<UInt16> = [0x03, 0x05]
}
