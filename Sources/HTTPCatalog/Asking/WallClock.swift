import Glibc

/// The time of day of the box.
package enum WallClock {
    /// The seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    package static var secondsSince1970: Int64 { Int64(time(nil)) }
}
