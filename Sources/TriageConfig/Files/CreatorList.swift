public import TriageCore

extension CreatorFile {
    /// Reads a list of creators, as evaluation sets have one beside them.
    ///
    /// Faults go to `faults`.
    public static func readAll(name: String, bytes: [UInt8], faults: FaultCollector) -> [CreatorProfile] {
        guard let root = ConfigDocument(name: name, bytes: bytes, faults: faults).root else { return [] }
        guard case .sequence(let items) = root.value else { return [profile(of: root, name: name, faults: faults)] }
        return items.map { profile(of: $0, name: name, faults: faults) }
    }
}
