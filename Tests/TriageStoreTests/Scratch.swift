import Synchronization
import TriageCore
import TriageStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// Under names of their own, for `Scratch` has members of the same.
private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    bytes.map { write(file, $0, count) } ?? 0
}
private func readBytes(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(file, bytes, count)
}

/// A folder of a test's own, removed with it.
final class Scratch: Sendable {
    let folder: String

    init() {
        var template = Array("/tmp/triage-store-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
        }
    }

    deinit { Self.remove(folder) }

    func path(_ name: String) -> String { folder + "/" + name }

    static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
        _ = bytes.withUnsafeBytes { writeBytes(file, $0.baseAddress, $0.count) }
        close(file)
    }

    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var all: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = readBytes(file, &block, block.count), count > 0 { all += block[..<count] }
        return all
    }

    static func mode(_ path: String) -> mode_t? {
        var info = stat()
        return lstat(path, &info) == 0 ? info.st_mode & 0o7777 : nil
    }

    private static func remove(_ folder: String) {
        guard let handle = opendir(folder) else { return }
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            let path = folder + "/" + name
            if unlink(path) != 0 { remove(path) }
        }
        closedir(handle)
        rmdir(folder)
    }
}

/// Collects what a database has to say.
final class Notices: Sendable {
    private let all = Mutex<[String]>([])

    var codes: [String] { all.withLock { $0 } }

    func add(_ error: TriageError) { all.withLock { $0.append(error.code) } }
}

/// Numbers of the answers that are promised to be kept.
final class Kept: Sendable {
    private let numbers = Mutex<Set<Int>>([0])

    var all: Set<Int> { numbers.withLock { $0 } }

    func insert(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
}

/// A digest that differs with its number.
func digest(_ number: Int) -> String {
    let hex = String(UInt64(truncatingIfNeeded: number), radix: 16)
    return String(repeating: "a", count: 48) + String(repeating: "0", count: 16 - hex.count) + hex
}
