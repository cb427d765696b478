/// Which proxy requests take, by the variables that curl and most programs read.
///
/// The variables are read once and here, not by libcurl: reading the environment from another thread while the program sets
/// a variable is not safe. Loopback never goes through a proxy, whatever they say.
public struct ProxySettings: Sendable, Equatable {
    /// For `http` addresses: `scheme://[user:password@]host[:port]`; nil: direct.
    ///
    /// May hold a secret: never printed.
    public var http: String?
    /// For `https` addresses.
    public var https: String?
    /// Hosts that are asked directly: names with all below them, addresses, networks, or `*`; commas between.
    public var exceptions: String

    public init(http: String? = nil, https: String? = nil, exceptions: String = "") {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// No proxy at all.
    public static let none = ProxySettings()

    /// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, of which the lower case wins.
    ///
    /// `HTTP_PROXY` is not read: a web server sets it from a header of a stranger (CVE-2016-5385).
    public init(environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let all = value("all_proxy", "ALL_PROXY")
        http = value("http_proxy") ?? all
        https = value("https_proxy", "HTTPS_PROXY") ?? all
        exceptions = value("no_proxy", "NO_PROXY") ?? ""
    }

    /// The proxy of an absolute address; empty: none, which libcurl too takes for none.
    func proxy(for url: String, isLoopback: Bool) -> String {
        if isLoopback { return "" }
        return (url.prefix(6).lowercased() == "https:" ? https : http) ?? ""
    }
}
