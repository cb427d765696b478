#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Blocks until a condition holds, or until the time is over; the expectation that follows then fails.
///
/// A `for … where` loop is no substitute: it evaluates its condition in every round, also once it holds.
func waitUntil(seconds: Double = 30, _ condition: () throws -> Bool) rethrows {
    var left = Int(seconds * 50)
    while try !condition(), left > 0 {
        usleep(20_000)
        left -= 1
    }
}
