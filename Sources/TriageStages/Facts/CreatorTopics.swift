/// Words by which topics are spoken of, for profiles that name a topic in one word and senders who use another.
enum CreatorTopics {
    /// Families of words: an excluded topic that has one of the first brings all of the second.
    static let families: [(keys: String, words: String)] = [
        (
            "gambling gamble betting bet casino",
            "gambling casino casinos betting bets sportsbook igaming jackpot poker bookmaker bookie wager "
                + "apuestas apostas glucksspiel wetten pokies roulette gamble azar cassino bahis "
                + "kumar judi казино ставки"
        ),
        (
            "crypto nft nfts trading forex token bitcoin",
            "crypto cryptocurrency nft nfts bitcoin btc ethereum eth token tokens blockchain web3 defi forex trading "
                + "copytrading altcoin memecoin airdrop presale binance usdt criptomonedas criptomoeda "
                + "krypto crypto-trading kripto крипто криптовалюта"
        ),
        (
            "tobacco vape vapes vaping cigarette cigarettes smoking",
            "tobacco vape vapes vaping nicotine cigarette cigarettes cigar shisha hookah snus smoke e-cigarette "
                + "tabaco tabak tabac puff iqos"
        ),
        (
            "alcohol alcoholic beer wine",
            "alcohol beer wine gin vodka whisky whiskey tequila liquor brewery distillery "
                + "cocktail cocktails "
                + "vermouth prosecco champagne cider lager vino cerveza cerveja bier wein vin alkohol"
        ),
        (
            "fat burner burners burning weight-loss slimming diet pills",
            "fatburner fatburners slimming slim thermo thermogenic shred gummies burner burners fatburn "
                + "fettverbrenner "
                + "quemagrasas emagrecer minceur zayiflama"
        ),
        (
            "detox cleanse cleanses teas",
            "detox cleanse cleanses teatox detoxtee skinnytea laxative bloat"
        ),
        ("waist trainer trainers corset", "corset cincher faja"),
        (
            "steroid steroids sarm sarms peptide peptides doping",
            "steroid steroids sarm sarms peptide peptides melanotan testosterone hgh ostarine clenbuterol semaglutide"
        ),
        (
            "mlm multi-level pyramid marketing-level network-marketing multilevel",
            "mlm downline upline herbalife pyramid"
        ),
        (
            "weapon weapons gun guns firearms",
            "weapon weapons gun guns firearm firearms rifle rifles ammo ammunition pistol tactical suppressor "
                + "knives"
        ),
        (
            "political politics campaigns party elections",
            "election elections candidate candidates senator congress mayor ballot voters partei "
                + "wahlkampf eleicao partido electoral senate"
        ),
        ("spyware tracking stalkerware spy", "spyware spy stalkerware keylogger eavesdrop"),
        ("dropshipping get-rich courses", "dropshipping dropship drop-shipping passive-income blueprint"),
        (
            "undressing undress face-swap deepfake faceswap nudify",
            "undress undressing faceswap deepfake deepfakes nudify face-swap"
        ),
        ("clones clone cloning voices", "clone cloning clones cloned voiceclone deepfake"),
        ("pay-to-play", "pay-to-play"),
        ("streams plays playlist bought", "payola botted"),
        ("fashion fast", "haul"),
        ("adult porn onlyfans nsfw", "porn onlyfans nsfw xxx escort camgirl"),
        ("payday loans loan lending", "loan loans payday lending apr"),
    ]

    /// Words of niches, topics and titles that carry no topic by themselves.
    static let weak =
        "the a an and or of for in on with to from my your me i we you it is are was that this at by as "
        + "be not no yes one two three "
        + "how what why when who where which than then versus vs still enough all every each any more most "
        + "much very only just "
        + "without into over under after before about like year years month months week weeks day days "
        + "minute minutes hour hours "
        + "new old best first last next free time times thing things way ways part app apps software tool "
        + "tools training session "
        + "sessions live home general content creator creators drop drops ad ads course courses campaign "
        + "campaigns gig gigs voice "
        + "voices place places people playing play plays party mostly high beginner beginners based cheap "
        + "expensive great good bad "
        + "big small little making make made get got use used using video videos film channel post posts el "
        + "la los las de del un una "
        + "y o en con para por le les des du et ou der die das und mit fur von ein eine het een van di e il "
        + "da do dos das na no em "
        + "later bought tracks track independent release licensing recovery habits gear setups storage creation"

    /// Words of titles that carry nothing.
    static let small =
        "the a an and or of for in on with to from my your me i we you it is are was that this at by as "
        + "be not no how what why when "
        + "who where which than then still enough all every each any very only just without into over under "
        + "after before about like "
        + "s t m el la los las de del un una y o en con para por le les des du et ou der die das und mit "
        + "fur von ein eine il da do dos das na em"

    /// Nouns by which people speak of a creator's work.
    static let workNouns =
        "video videos film films movie series episode episodes track tracks tune song songs ep album "
        + "record mixtape beat beats post "
        + "posts reel reels month bit trick documentary documental documentaire book ebook course guide "
        + "program programme plan chapter "
        + "capitulo pack newsletter thread thing project challenge recipe recipes vlog stream streams talk "
        + "podcast tutorial review "
        + "video-ul filme musica musique cancion folge reihe serie livro libro livre"
}
