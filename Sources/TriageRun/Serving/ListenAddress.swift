import Platform
import TriageCore

/// Where a server listens: a numeric address and a port.
package struct ListenAddress: Sendable, Equatable {
    package var host: String
    /// 0 lets the system choose a port.
    package var port: UInt16

    /// Reads `8080`, `127.0.0.1:8080`, `localhost:8080` or `[::1]:8080`; nil for anything else.
    package init?(_ text: String) {
        var host = "127.0.0.1"
        var port = text[...]
        if let colon = text.lastIndex(of: ":") {
            host = String(text[..<colon])
            port = text[text.index(after: colon)...]
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        if host == "localhost" { host = "127.0.0.1" }
        guard !port.isEmpty, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port),
            Self.isNumeric(host)
        else { return nil }
        self.host = host
        self.port = number
    }

    /// Whether only programs on this machine can reach it.
    package var isLoopback: Bool { host == "::1" || (host.hasPrefix("127.") && !host.contains(":")) }

    private static func isNumeric(_ host: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
    }

    /// Opens a non-blocking socket that listens on the address.
    ///
    /// - Returns: the descriptor and the actual port.
    /// - Throws: ``TriageError`` `listen.refused` (exit 75 when the address is already in use, else 78).
    package func listen() throws -> (descriptor: Int32, port: UInt16) {
        let isSix = host.contains(":")
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = socket(isSix ? AF_INET6 : AF_INET, kind, 0)
        guard descriptor >= 0 else { throw refused(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bindSocket(descriptor, isSix) == 0, backlog(descriptor) == 0 else {
            let code = errno
            close(descriptor)
            throw refused(code)
        }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress!, &length) }
        }
        guard named == 0 else {
            let code = errno
            close(descriptor)
            throw refused(code)
        }
        // The port is at the same offset in both kinds of address.
        let port = withUnsafeBytes(of: &storage) { UInt16($0[2]) << 8 | UInt16($0[3]) }
        return (descriptor, port)
    }

    private func backlog(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.listen(descriptor, 512)
        #else
            Darwin.listen(descriptor, 512)
        #endif
    }

    private func bindSocket(_ descriptor: Int32, _ isSix: Bool) -> Int32 {
        if isSix {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            return withUnsafeBytes(of: &address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) {
                    bind(descriptor, $0.baseAddress!, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                bind(descriptor, $0.baseAddress!, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private func refused(_ code: Int32) -> TriageError {
        TriageError(
            "listen.refused", "cannot listen: \(String(cString: strerror(code)))", at: "\(host):\(port)",
            remedy: code == EADDRINUSE ? "another program uses this port; choose another one" : nil,
            exit: code == EADDRINUSE ? .temporary : SystemFault.exit(code, otherwise: .badConfiguration))
    }
}
