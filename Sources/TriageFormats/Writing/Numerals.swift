/// Digits of small numbers, written down once: most numbers of a record are offsets below 1,000 and weights below 10.
struct Numerals: @unchecked Sendable {
    // Proof: the tables are written in `init` and only read afterwards.

    /// For 0–999: its digits, the first in the lowest byte, and their count in the highest.
    let whole: UnsafePointer<UInt32>
    /// For 0–999 hundredths: as many bytes as `9.99` has, without trailing zeros, and their count in the highest byte.
    let hundredths: UnsafePointer<UInt64>
    /// For 0–99: two digits, and how many are left when trailing zeros go.
    let pairs: UnsafePointer<(digits: UInt16, significant: UInt16)>

    /// Never freed: every buffer points to it.
    static let shared = Numerals()

    private init() {
        let whole = UnsafeMutablePointer<UInt32>.allocate(capacity: 1000)
        let hundredths = UnsafeMutablePointer<UInt64>.allocate(capacity: 1000)
        let pairs = UnsafeMutablePointer<(digits: UInt16, significant: UInt16)>.allocate(capacity: 100)
        func pack(_ text: String) -> UInt64 {
            var value: UInt64 = 0
            for (place, byte) in text.utf8.enumerated() { value |= UInt64(byte) << UInt64(8 * place) }
            return value
        }
        for n in 0..<1000 {
            let digits = String(n)
            (whole + n).initialize(to: UInt32(pack(digits)) | UInt32(digits.utf8.count) << 24)
            let fraction = n % 100 == 0 ? "" : n % 10 == 0 ? ".\(n / 10 % 10)" : ".\(n / 10 % 10)\(n % 10)"
            let text = "\(n / 100)\(fraction)"
            (hundredths + n).initialize(to: pack(text) | UInt64(text.utf8.count) << 56)
        }
        for n in 0..<100 {
            (pairs + n).initialize(
                to: (digits: UInt16(pack("\(n / 10)\(n % 10)")), significant: n == 0 ? 0 : n % 10 == 0 ? 1 : 2))
        }
        self.whole = UnsafePointer(whole)
        self.hundredths = UnsafePointer(hundredths)
        self.pairs = UnsafePointer(pairs)
    }
}
