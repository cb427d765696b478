import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The built `triage`, run as users run it: as a process, with an environment of the test's own.
final class Program {
    /// What a process left behind.
    struct Outcome {
        /// Exit code; 256 + the number when a signal ended it, so that a crash never looks like an exit code.
        var status: Int32
        var output: [UInt8]
        var errors: String
        /// Peak of its memory in bytes.
        var peakMemory: Int

        var text: String { String(decoding: output, as: UTF8.self) }
        /// Lines of the output, without their breaks.
        var lines: [[UInt8]] {
            output.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map(Array.init)
        }
    }

    /// How standard input or output is given.
    enum Channel {
        case bytes([UInt8])
        case file(String)
        case pipe
    }

    struct NotStarted: Error { var reason: String }
    struct TookTooLong: Error { var arguments: [String] }

    /// Held while pipes are made and a child is started that would inherit them.
    static let starting = NSLock()

    private let process: pid_t
    private let arguments: [String]
    private let folder: ScratchFolder
    private var ended: (status: Int32, peak: Int)?
    /// The ends of this side, when asked for; −1 otherwise.
    private(set) var inputEnd: Int32 = -1
    private(set) var outputEnd: Int32 = -1

    /// Starts it.
    ///
    /// - Parameters:
    ///   - environment: all of it: nothing of the test's own environment gets through.
    ///   - directory: where it runs; default: the root, where no configuration lies.
    init(
        _ arguments: [String], input: Channel = .bytes([]), output: Channel = .bytes([]),
        environment: [String: String] = Program.warm, directory: String = "/"
    ) throws {
        self.arguments = arguments
        folder = try ScratchFolder()
        // A child of another test that starts in between would inherit the ends of our pipes.
        Self.starting.lock()
        defer { Self.starting.unlock() }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var closing: [Int32] = []
        defer { for end in closing { close(end) } }

        switch input {
        case .bytes(let bytes):
            posix_spawn_file_actions_addopen(&actions, 0, try folder.write(".in", bytes), O_RDONLY, 0)
        case .file(let path): posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
        case .pipe:
            let ends = try Self.pipe()
            posix_spawn_file_actions_adddup2(&actions, ends.read, 0)
            inputEnd = ends.write
            closing.append(ends.read)
        }
        switch output {
        case .bytes:
            posix_spawn_file_actions_addopen(&actions, 1, folder.place(".out"), O_WRONLY | O_CREAT, 0o600)
        case .file(let path): posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY, 0)
        case .pipe:
            let ends = try Self.pipe()
            posix_spawn_file_actions_adddup2(&actions, ends.write, 1)
            outputEnd = ends.read
            closing.append(ends.write)
        }
        posix_spawn_file_actions_addopen(&actions, 2, folder.place(".err"), O_WRONLY | O_CREAT, 0o600)

        let shell = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, directory]
        let words = (shell + [Self.path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for pointer in words + variables { free(pointer) } }
        var child = pid_t()
        let code = posix_spawn(&child, shell[0], &actions, nil, words + [nil], variables + [nil])
        guard code == 0 else { throw NotStarted(reason: String(cString: strerror(code))) }
        process = child
    }

    deinit {
        if ended == nil {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        closeInput()
        closeOutput()
    }

    /// Runs it to its end.
    static func run(
        _ arguments: [String], input: [UInt8] = [], output: Channel = .bytes([]),
        environment: [String: String] = Program.warm, directory: String = "/"
    ) throws -> Outcome {
        try Program(
            arguments, input: .bytes(input), output: output, environment: environment, directory: directory
        ).wait()
    }

    /// As ``run(_:input:output:environment:directory:)`` with a string.
    static func run(
        _ arguments: [String], input: String, environment: [String: String] = Program.warm, directory: String = "/"
    ) throws -> Outcome {
        try run(arguments, input: Array(input.utf8), environment: environment, directory: directory)
    }

    /// Waits for its end, at most three minutes: a run that takes 20 s alone took more than a minute beside a compiler.
    func wait(seconds: Double = 180) throws -> Outcome {
        _ = end(within: 0)
        closeInput()
        guard let (status, peak) = end(within: seconds) else { throw TookTooLong(arguments: arguments) }
        return Outcome(
            status: status, output: (try? folder.bytes(".out")) ?? [],
            errors: String(decoding: (try? folder.bytes(".err")) ?? [], as: UTF8.self), peakMemory: peak)
    }

    /// Status and peak memory once it has ended; nil when it has not within the time.
    func end(within seconds: Double) -> (status: Int32, peak: Int)? {
        if let ended { return ended }
        var usage = rusage()
        var raw: Int32 = 0
        var left = Int(seconds * 500)
        var looks = 0
        var highest = 0
        while true {
            let found = wait4(process, &raw, WNOHANG, &usage)
            if found == process {
                let signal = raw & 0x7F
                let status = signal == 0 ? (raw >> 8) & 0xFF : 256 + signal
                #if canImport(Darwin)
                    highest = Int(usage.ru_maxrss)
                #endif
                ended = (status, highest)
                return ended
            }
            #if !canImport(Darwin)
                // Reading it costs more than the look at the process; what ends soon has to be looked at each time.
                if looks < 64 || looks % 8 == 0 { highest = max(highest, Self.peakMemory(of: process)) }
            #endif
            looks += 1
            left -= 1
            if left <= 0 { return nil }
            usleep(2000)
        }
    }

    #if !canImport(Darwin)
        /// What the kernel says now: on Linux the usage that `wait4` gives begins with that of the parent, the tests.
        private static func peakMemory(of process: pid_t) -> Int {
            guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
                let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
            else { return 0 }
            return kibibytes * 1024
        }
    #endif

    func send(signal: Int32) {
        // Once it has been waited for, its number may be somebody else's.
        if ended == nil { kill(process, signal) }
    }

    /// Writes to its standard input.
    ///
    /// - Returns: false when it reads no more.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let wrote = bytes.withUnsafeBytes { Self.write(inputEnd, $0.baseAddress! + done, $0.count - done) }
            if wrote < 0, errno == EINTR { continue }
            if wrote <= 0 { return false }
            done += wrote
        }
        return true
    }

    /// Reads from its standard output until so many lines are there, its end, or half a minute has gone.
    func readLines(_ count: Int) -> [[UInt8]] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var tries = 0
        while bytes.lazy.filter({ $0 == 0x0A }).count < count, tries < 300 {
            var waiting = pollfd(fd: outputEnd, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, 100) <= 0 {
                tries += 1
                continue
            }
            let got = read(outputEnd, &chunk, chunk.count)
            if got <= 0 { break }
            bytes += chunk[..<got]
        }
        return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map(Array.init)
    }

    func closeInput() {
        if inputEnd >= 0 { close(inputEnd) }
        inputEnd = -1
    }

    func closeOutput() {
        if outputEnd >= 0 { close(outputEnd) }
        outputEnd = -1
    }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes, count)
        #else
            Darwin.write(descriptor, bytes, count)
        #endif
    }

    /// Both ends close on exec: a child of another test must not keep them open.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            let code = Glibc.pipe(&ends)
        #else
            let code = Darwin.pipe(&ends)
        #endif
        guard code == 0 else { throw NotStarted(reason: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

extension Program {
    /// The binary lies beside the bundle that holds the tests.
    static let path: String = {
        var places = CommandLine.arguments + Bundle.allBundles.map(\.bundlePath)
        places.append(Bundle.main.executablePath ?? "")
        for place in places {
            var folder = URL(fileURLWithPath: place)
            while folder.path != "/" {
                let candidate = folder.appendingPathComponent("triage").path
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue,
                    FileManager.default.isExecutableFile(atPath: candidate)
                {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
        }
        return "triage-is-not-built"
    }()

    /// A cache of compiled rules that the tests share, so that each start is a warm one; it goes when the process ends.
    private static let cache: String? = {
        var template = Array("/tmp/triage-e2e-cache.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        atexit {
            if let cache = Program.cache { try? FileManager.default.removeItem(atPath: cache) }
        }
        return template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }()

    /// The usual environment with a home and a cache of a test's own, which holds the compiled rules and no answers.
    static func warm(home folder: ScratchFolder) throws -> [String: String] {
        let environment = warm.merging(["HOME": folder.path, "XDG_CACHE_HOME": folder.place("cache")]) { $1 }
        guard let cache = warm["XDG_CACHE_HOME"] else { return environment }
        let own = folder.place("cache/triage")
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: cache + "/triage")
        where name.hasPrefix("rules-") {
            try FileManager.default.copyItem(atPath: "\(cache)/triage/\(name)", toPath: "\(own)/\(name)")
        }
        return environment
    }

    /// The flag by which trials in Python share the compiled rules.
    static let warmRules = warm["XDG_CACHE_HOME"].map { ["--cache", $0] } ?? []

    /// The usual environment: the shared cache and nothing else.
    static let warm: [String: String] = {
        let environment = cache.map { ["XDG_CACHE_HOME": $0] } ?? [:]
        _ = try? Program(["run", "--quiet"], environment: environment).wait(seconds: 120)
        return environment
    }()
}
