#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What killed runs left beside a file that is written aside and then put in its place.
///
/// Its name is `NAME.PID.part` or `NAME.PID.2.part`; it holds what the file would have held, so nobody wants it to stay.
package enum LeftoverParts {
    /// The name of a part.
    ///
    /// - Parameter attempt: from 1; numbers above ``firstAttempts`` are drawn, so that a folder full of parts is no fault.
    static func name(of path: String, attempt: Int) -> String {
        let number = attempt > firstAttempts ? Int.random(in: firstAttempts...Int(Int32.max)) : attempt
        return "\(path).\(getpid())\(attempt == 1 ? "" : ".\(number)").part"
    }

    private static let firstAttempts = 20

    /// Removes the parts beside `path` that no process writes.
    ///
    /// Whoever writes one holds a lock on it, which the system takes from a process that ends. A part without a lock may be
    /// that of an earlier version, which took none: as long as there is a process of its number, it stays.
    package static func sweep(besides path: String) {
        let (folder, name) = split(path)
        guard let listing = opendir(folder) else { return }
        defer { closedir(listing) }
        let head = Array((name + ".").utf8)
        while let entry = readdir(listing) {
            let found = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard found.starts(with: head), let process = process(found.dropFirst(head.count)) else { continue }
            remove("\(folder)/\(String(decoding: found, as: UTF8.self))", of: process)
        }
    }

    /// A path's folder and name.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// The number of the process in `PID.part` or `PID.N.part`; nil when it is neither.
    private static func process(_ rest: ArraySlice<UInt8>) -> pid_t? {
        let fields = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard fields.count == 2 || fields.count == 3, fields.last?.elementsEqual("part".utf8) == true else {
            return nil
        }
        let numbers = fields.dropLast().map { field -> Int32? in
            guard field.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return Int32(String(decoding: field, as: UTF8.self))
        }
        return numbers.contains(nil) ? nil : numbers[0]
    }

    /// Seconds.
    private static let ownAge = 60

    private static func modified(_ info: stat) -> Int {
        #if canImport(Darwin)
            Int(info.st_mtimespec.tv_sec)
        #else
            Int(info.st_mtim.tv_sec)
        #endif
    }

    private static func remove(_ path: String, of process: pid_t) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var (held, found) = (stat(), stat())
        guard fstat(descriptor, &held) == 0, held.st_mode & S_IFMT == S_IFREG, held.st_uid == geteuid(),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        if process == getpid() {
            // In a container every run has the same number; what nobody has touched for a while is nobody's.
            guard time(nil) - modified(held) > ownAge else { return }
        } else if process > 0, kill(process, 0) == 0 || errno == EPERM {
            return
        }
        // What was put in its place meanwhile is another's.
        guard lstat(path, &found) == 0, found.st_ino == held.st_ino, found.st_dev == held.st_dev else { return }
        unlink(path)
    }
}
