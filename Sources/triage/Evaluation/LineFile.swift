import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Goes through the lines of a file, one in memory at a time.
struct LineFile {
    let path: String
    /// Bytes of the longest line that is read.
    static let limit = 16 << 20

    /// Calls `body` with each line that is not blank, and its number from 1, until it returns false.
    ///
    /// - Throws: ``TriageError`` `input.unreadable` (66), `input.line-too-long` (65); what `body` throws.
    func forEach(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Bool) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(errno) }
        defer { close(descriptor) }
        var held: [UInt8] = []
        var number = 0
        var isWanted = true
        let fault = try DescriptorChunks.forEach(of: descriptor) { chunk throws(any Error) in
            var rest = chunk[...]
            while let end = rest.firstIndex(of: 0x0A) {
                held.append(contentsOf: rest[..<end])
                rest = rest[(end + 1)...]
                number += 1
                isWanted = try hand(held, number, body)
                guard isWanted else { return false }
                held.removeAll(keepingCapacity: true)
            }
            held.append(contentsOf: rest)
            guard held.count <= Self.limit else {
                throw TriageError(
                    "input.line-too-long", "a line is longer than 16 MiB", at: "\(path):\(number + 1)",
                    remedy: "write one record per line", exit: .badData)
            }
            return true
        }
        guard fault == 0 else { throw unreadable(fault) }
        if isWanted, !held.isEmpty { _ = try hand(held, number + 1, body) }
    }

    private func hand(
        _ line: [UInt8], _ number: Int, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Bool
    ) throws -> Bool {
        try line.withUnsafeBufferPointer { bytes in
            let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            guard bytes[rest...].contains(where: { $0 > 0x20 }) else { return true }
            return try body(UnsafeBufferPointer(rebasing: bytes[rest...]), number)
        }
    }

    private func unreadable(_ code: Int32) -> TriageError {
        TriageError(
            "input.unreadable", "cannot read the file: \(String(cString: strerror(code)))", at: path,
            remedy: SystemFault.remedy(code, otherwise: "check the name and the permissions"),
            exit: SystemFault.exit(code, otherwise: .noInput))
    }
}
