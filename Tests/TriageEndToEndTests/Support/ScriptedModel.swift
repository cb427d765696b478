import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `Tests/Peers/scripted_llm.py`: a language model that follows a script, started for one test and stopped with it.
final class ScriptedModel {
    struct Failure: Error { var what: String }

    let port: Int
    private let process = Process()
    private let input = Pipe()

    init(_ arguments: [String] = []) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", Self.tests + "/Peers/scripted_llm.py"] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A { line.append(byte) }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else {
            process.terminate()
            throw Failure(what: "the server printed no port")
        }
        self.port = port
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    /// `Tests`.
    static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// What the server saw so far.
    func counts() throws -> [String: Any] {
        let request = "GET /counts HTTP/1.1\r\nhost: localhost\r\n\r\n"
        var received = try exchange(Array(request.utf8))
        let end = Array("\r\n\r\n".utf8)
        guard let start = received.indices.first(where: { received[$0...].starts(with: end) }) else {
            throw Failure(what: "no end of the headers")
        }
        received.removeFirst(start + end.count)
        guard let counts = try JSONSerialization.jsonObject(with: Data(received)) as? [String: Any] else {
            throw Failure(what: "no object")
        }
        return counts
    }

    /// Sends, and reads until the length that the headers give.
    private func exchange(_ request: [UInt8]) throws -> [UInt8] {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Failure(what: "no socket") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0, send(descriptor, request, request.count, 0) == request.count else {
            throw Failure(what: "no connection")
        }
        var received: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let text = String(decoding: received.prefix(512), as: UTF8.self)
            if let head = text.range(of: "\r\n\r\n"), let field = text.range(of: "content-length: "),
                let length = Int(text[field.upperBound...].prefix { $0.isNumber }),
                received.count >= text[..<head.upperBound].utf8.count + length
            {
                return received
            }
            let got = recv(descriptor, &block, block.count, 0)
            guard got > 0 else { throw Failure(what: "the server hung up") }
            received += block[..<got]
        }
    }
}
