/// Names of hosts, mail providers and platforms that say something about a link, an address or a sender.
enum WebNames {
    /// Top-level domains that turn a bare name into a link: "done.com" is a link, "well.so" is not.
    static let topLevels = WordSet(
        "com net org info biz xyz shop store online site website link club top vip app dev io ai gg tv co "
            + "example test "
            + "live pro icu work click fun win bet casino loan date stream download review cc ru su ua by "
            + "kz pl cz sk hu "
            + "ro bg gr de at ch fr nl be eu uk ie es pt br ar mx cl pe se dk fi ee lv lt tr il ae sa eg ma "
            + "za ng ke gh "
            + "in pk bd lk id my sg th ph vn jp kr cn hk tw au nz ca us edu gov mil int museum agency studio media "
            + "digital tech cloud page wiki blog news art photo photos music video film games game fit health care "
            + "finance money cash exchange market trade tools software solutions services support help chat "
            + "social me ly "
            + "to ws ga ml cf gq tk pw rest monster bond sbs cfd lol mobi name")

    /// Top-level domains that are everyday words: a bare "name.it" is a link only with a path, `www.` or a scheme.
    static let wordLevels = WordSet(
        "it me to so is in at be am no us my do work date help support page live pro fit care art music "
            + "video film game "
            + "games news money cash market trade win bet fun top photo photos tools de id by ph th pe se "
            + "es co ma ar us "
            + "ca click link review name test social chat health download stream click services")

    /// Hosts that hide where a link leads.
    static let shorteners = WordSet(
        "bit.ly tinyurl.com t.co goo.gl is.gd v.gd cutt.ly ow.ly rb.gy shorturl.at tiny.cc buff.ly "
            + "rebrand.ly t.ly s.id "
            + "lnkd.in adf.ly shorte.st bc.vc ouo.io linktr.ee lnk.bio bl.ink soo.gd clck.ru u.to vk.cc qr.ae x.co "
            + "tny.im trib.al db.tt dlvr.it fb.me youtu.be-go.com amzn.to shrtco.de cli.re short.io surl.li urlz.fr")

    /// Parts of host names that imitate link shorteners.
    static let shortenerLooks: [StaticString] = [
        "bit-ly", "bitly", "tinyurl", "tiny-url", "sh-rt", "shrt", "shorturl", "short-link", "shortlink", "short-url",
        "cutt-ly", "t-co.", "goo-gl", "is-gd", "rb-gy", "ow-ly", "lnk-", "lnkto", "go2l", "clck", "urlz", "minilink",
    ]

    /// Hosts of messengers.
    static let messengers = WordSet(
        "t.me telegram.me telegram.dog wa.me chat.whatsapp.com api.whatsapp.com signal.me m.me line.me "
            + "discord.gg snapchat.com")

    /// Brands that phishing imitates: a host that contains one but is not the brand's own is a look-alike.
    static let brands: [(name: StaticString, own: StaticString)] = [
        ("instagram", "instagram.com"), ("lnstagram", ""), ("1nstagram", ""), ("facebook", "facebook.com"),
        ("faceb00k", ""),
        ("meta-", "meta.com"), ("-meta.", "meta.com"), ("youtube", "youtube.com"), ("y0utube", ""),
        ("tiktok", "tiktok.com"),
        ("tlktok", ""), ("twitter", "twitter.com"), ("whatsapp", "whatsapp.com"), ("telegram", "telegram.org"),
        ("paypal", "paypal.com"), ("paypa1", ""), ("amazon", "amazon.com"), ("netflix", "netflix.com"),
        ("google", "google.com"),
        ("apple-", "apple.com"), ("icloud", "icloud.com"), ("microsoft", "microsoft.com"), ("binance", "binance.com"),
        ("coinbase", "coinbase.com"), ("metamask", "metamask.io"), ("patreon", "patreon.com"), ("twitch", "twitch.tv"),
        ("spotify", "spotify.com"), ("snapchat", "snapchat.com"), ("linkedin", "linkedin.com"),
        ("discord", "discord.com"),
        ("steam", "steampowered.com"), ("wetransfer", "wetransfer.com"), ("docusign", "docusign.com"),
        ("dropbox", "dropbox.com"),
        ("stripe", "stripe.com"), ("revolut", "revolut.com"), ("dhl-", "dhl.com"), ("fedex", "fedex.com"),
        ("usps", "usps.com"),
        ("creator-fund", ""), ("creatorfund", ""), ("tt-creator", ""), ("ttshop", ""),
    ]

    /// Words in hosts or paths that ask for a click, a login or a payment.
    static let pathVerbs: [StaticString] = [
        "login", "log-in", "signin", "sign-in", "verify", "verif", "claim", "unlock", "appeal", "renew", "update",
        "secure", "security", "wallet", "free", "gift", "giveaway", "bonus", "prize", "reward", "winner", "lucky",
        "airdrop", "refund", "payout", "confirm", "restore", "recover", "support", "helpdesk", "-help", "help-",
        "resync", "track", "parcel", "colis", "quota", "suspend", "copyright", "strike", "unblock", "airdrop", "earn",
        "invest", "profit", "casino", "spin", "boost", "follow", "likes",
    ]

    /// Mail providers with which anybody can get an address.
    static let freeMail = WordSet(
        "gmail.com googlemail.com yahoo.com yahoo.co.uk yahoo.fr yahoo.es yahoo.de yahoo.com.br "
            + "yahoo.co.in ymail.com "
            + "rocketmail.com hotmail.com hotmail.co.uk hotmail.fr hotmail.es hotmail.de hotmail.it "
            + "outlook.com outlook.de "
            + "outlook.fr outlook.es live.com live.co.uk live.fr msn.com icloud.com me.com mac.com aol.com proton.me "
            + "protonmail.com pm.me gmx.de gmx.net gmx.com gmx.at web.de t-online.de freenet.de mail.com "
            + "mail.ru inbox.ru "
            + "list.ru bk.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net i.ua wp.pl o2.pl onet.pl "
            + "interia.pl seznam.cz "
            + "libero.it virgilio.it tiscali.it alice.it orange.fr wanadoo.fr free.fr laposte.net sfr.fr "
            + "bol.com.br uol.com.br "
            + "terra.com.br ig.com.br sapo.pt qq.com 163.com 126.com sina.com naver.com daum.net "
            + "hanmail.net rediffmail.com "
            + "zoho.com tutanota.com tuta.io fastmail.com hushmail.com btinternet.com sky.com "
            + "virginmedia.com ntlworld.com "
            + "comcast.net verizon.net att.net bellsouth.net cox.net charter.net shaw.ca rogers.com "
            + "sympatico.ca bigpond.com "
            + "optusnet.com.au telkomsa.net hey.com duck.com mailinator.com guerrillamail.com yopmail.com")

    /// Parts of domains that only mail providers have.
    static let mailParts = PartScan([
        [
            "mail", "inbox", "correo", "correio", "courriel", "courrier", "postfach", "briefkasten", "pochta",
            "postbox",
        ]
    ])

    /// Indices of the lists in ``linkParts``.
    static let shortenerList = 0
    static let brandList = 1
    static let verbList = 2
    /// All parts for which hosts and paths are searched.
    static let linkParts = PartScan([shortenerLooks, brands.map(\.name), pathVerbs])

}

/// What the domain of a mail address tells.
enum AddressKinds {
    /// Whether anybody can get an address with this domain.
    ///
    /// - Parameter domain: lower case.
    static func isFreeMail(_ domain: UnsafeBufferPointer<UInt8>) -> Bool {
        if WebNames.freeMail.contains(domain) { return true }
        return WebNames.mailParts.lists(in: domain) != 0
    }
}
