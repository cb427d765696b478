import TriageCore

@testable import TriageFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Invented exports, one folder for each format.
enum Fixtures {
    static let root: String = {
        var parts = #filePath.split(separator: "/").dropLast()
        parts.append("Fixtures")
        return "/" + parts.joined(separator: "/")
    }()

    /// Paths below a format's folder.
    static func paths(of format: String) throws -> [String] {
        try FolderContainer(name: root + "/" + format, stop: nil).list().paths
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        let source = try ByteSource(path: root + "/" + path, stop: nil)
        var bytes: [UInt8] = []
        while case .bytes(let chunk) = try source.next(whenIdle: {}) { bytes += chunk }
        return bytes
    }
}
