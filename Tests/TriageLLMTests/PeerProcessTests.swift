import Foundation
import Testing

@Suite struct `Peers of the tests` {
    @Test
    func `a peer says its port, and is gone once it was stopped`() throws {
        let peer = try PeerProcess("faultd.py")
        #expect((1...65_535).contains(peer.port))
        #expect(peer.url("/ok") == "http://127.0.0.1:\(peer.port)/ok")
        #expect(accepts(peer.port))
        peer.stop()
        #expect(!accepts(peer.port))
    }

    @Test
    func `a peer that is not there is an error, not a wait`() {
        #expect(throws: PeerProcess.Failure.self) { try PeerProcess("no-such-peer.py") }
    }

    private func accepts(_ port: Int) -> Bool {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let socket = socket(AF_INET, stream, 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        } == 0
    }
}
