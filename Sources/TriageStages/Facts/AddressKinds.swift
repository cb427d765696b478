/// What the domain of a mail address says.
enum AddressKinds {
    /// Whether anybody can get an address there.
    ///
    /// - Parameter domain: lower case.
    static func isFreeMail(_ domain: UnsafeBufferPointer<UInt8>) -> Bool {
        if WebNames.freeMail.contains(domain) { return true }
        return WebNames.mailParts.lists(in: domain) != 0
    }
}
