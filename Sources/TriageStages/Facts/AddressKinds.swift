/// What the domain of a mail address says.
enum AddressKinds {
    /// Whether anybody can get an address there.
    ///
    /// - Parameter domain: lower case.
    static func isFreeMail(_ domain: UnsafeBufferPointer<UInt8>) -> Bool {
        if WebNames.freeMail.contains(domain) { return true }
        return WebNames.mailParts.contains { contains($0, in: domain) }
    }

    private static func contains(_ literal: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard bytes.count >= count else { return false }
        outer: for i in 0...(bytes.count - count) {
            for j in 0..<count where bytes[i + j] != literal.utf8Start[j] { continue outer }
            return true
        }
        return false
    }
}
