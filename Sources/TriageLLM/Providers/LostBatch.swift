/// A batch of which nobody knows whether the server took it: the program ended before it read the answer.
public struct LostBatch: Sendable, Equatable {
    /// Name of what was uploaded for it, where that is how batches are made.
    public var upload: String?
    /// Questions in it.
    public var entries: Int
    /// Seconds since 1970 of just before it was sent.
    public var since: Int

    public init(upload: String? = nil, entries: Int, since: Int) {
        self.upload = upload
        self.entries = entries
        self.since = since
    }

    /// By how much a server's clock may be behind ours, in seconds.
    static let skew = 600
}
