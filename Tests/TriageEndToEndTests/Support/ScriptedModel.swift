import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A language model that follows a script (`Tests/Peers/scripted_llm.py`), and the books that it keeps.
///
/// Ends with the object.
final class ScriptedModel {
    struct NoAnswer: Error {}

    let port: Int
    private let server: ChildServer

    init(_ arguments: [String] = []) throws {
        server = try ChildServer("scripted_llm.py", arguments)
        port = server.port
    }

    /// A `triage.yaml` that asks it about every message.
    func configuration(concurrency: Int = 4, pack: Int = 1, more: String = "") -> String {
        Self.configuration(port: port, concurrency: concurrency, pack: pack, more: more)
    }

    static func configuration(port: Int, concurrency: Int = 4, pack: Int = 1, more: String = "") -> String {
        """
        llm:
          provider: openai
          base_url: http://127.0.0.1:\(port)/v1
          model: scripted
          max_concurrency: \(concurrency)
          pack: \(pack)
          price: {input: 1, output: 2}
        \(more)
        methods:
          category: llm

        """
    }

    /// What it says at a path.
    func object(_ path: String) throws -> [String: Any] {
        let bytes = try LoopbackSocket.get(path, port: port)
        guard let object = Annotated.object(bytes[...]) else { throw NoAnswer() }
        return object
    }

    /// What it saw.
    func counts() throws -> Counts {
        let counts = try object("/counts")
        return Counts(
            requests: counts["requests"] as? Int ?? -1, answered: counts["answered"] as? Int ?? -1,
            input: counts["input"] as? Int ?? -1,
            output: counts["output"] as? Int ?? -1, messages: counts["messages"] as? [String: Int] ?? [:],
            obeyed: counts["obeyed"] as? [String: Int] ?? [:])
    }

    struct Counts {
        var requests: Int
        var answered: Int
        var input: Int
        var output: Int
        /// How often each message was answered, by its digest.
        var messages: [String: Int]
        /// How often the attacks in messages were obeyed, by their ids.
        var obeyed: [String: Int]
    }

    /// Returns once it has seen a request; throws after half a minute.
    func sawRequest() throws {
        for _ in 0..<3_000 {
            if try counts().requests > 0 { return }
            usleep(10_000)
        }
        throw NoAnswer()
    }
}

/// Sockets of this machine, as plainly as can be.
enum LoopbackSocket {
    struct Failed: Error { var code = errno }

    private static let stream: Int32 = {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }()

    private static func withAddress<Value>(
        port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// The body of an answer to `GET`.
    static func get(_ path: String, port: Int) throws -> [UInt8] {
        let descriptor = socket(AF_INET, stream, 0)
        defer { close(descriptor) }
        // A server that says nothing fails a test; it does not hold up all the others.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard withAddress(port: port, { connect(descriptor, $0, $1) }) == 0 else { throw Failed() }
        let request = Array("GET \(path) HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, 0) == request.count else { throw Failed() }
        var answer: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        let blank = Array("\r\n\r\n".utf8)
        while true {
            if let end = answer.firstRange(of: blank) {
                let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).lowercased()
                let field = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                let length = field.flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
                if answer.count - end.upperBound >= length { return Array(answer[end.upperBound...].prefix(length)) }
            }
            let count = recv(descriptor, &block, block.count, 0)
            guard count > 0 else { throw Failed() }
            answer += block[..<count]
        }
    }

    /// A server that takes no notice of anybody, and knows whether anybody came.
    final class Listener {
        let port: Int
        private let descriptor: Int32

        init() throws {
            let made = socket(AF_INET, LoopbackSocket.stream, 0)
            descriptor = made
            guard withAddress(port: 0, { bind(made, $0, $1) }) == 0, listen(made, 8) == 0 else { throw Failed() }
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(made, $0, &length) }
            }
            guard code == 0 else { throw Failed() }
            port = Int(in_port_t(bigEndian: address.sin_port))
        }

        deinit { close(descriptor) }

        /// Whether a connection waits to be taken.
        var wasCalled: Bool {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&waiting, 1, 0) > 0
        }
    }
}
