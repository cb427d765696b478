/// One file on its way through a reader.
public struct Member: Sendable {
    /// Path inside the container, with `/`; of a single file its name.
    public var path: String
    /// How messages and rejects call it: the path as given, `-`, or `export.zip:path`.
    public var source: String
    /// Which pass of the claim this is, from 0.
    public var pass: Int

    public init(path: String, source: String, pass: Int = 0) {
        self.path = path
        self.source = source
        self.pass = pass
    }
}
