extension LayoutDetector {
    /// What the calibration symbols hold: characters that tell any two layouts apart which type
    /// ASCII otherwise.
    ///
    /// Found by trying which character separates the most layouts, among those of xkb-data 2.35
    /// that type a to z: 24 characters separate all 250 that differ. The small letter tells what
    /// Caps Lock does.
    public static let calibrationText = "CDFIJQVXYZa07-;<>)]$&^|'\"~`"
}
