extension FAQLexicon {
    /// Concepts of ``grammar``, ``work`` and ``life`` in further languages: Polish, Dutch, Swedish, Danish, Norwegian,
    /// Finnish, Czech, Romanian, Ukrainian, Korean, Chinese, Vietnamese and Tagalog.
    ///
    /// A name without a weight opens a concept again.
    static let further = """
        #stop się nie to/pl na/pl do/pl czy jest są że i/pl a/pl ten ta/pl te/pl bardzo dzień dobry cześć hej proszę dziękuję
          dzięki też już jak/xx mam jakiś jakieś przy od/pl dla tym tej
          de/nl het een en/nl van/nl voor met/nl niet ook maar wel even nog dat deze hoi hallo dank bedankt alsjeblieft graag
          naar/nl op/nl bij als/nl er/nl zo/nl is/nl
          och att det som på av/sv är inte med/sv för den/sv ett en/sv har/sv hej tack gärna bara också så/sv kära lite
          og/da at/da på/da ikke med/da til/da er/da også tak hei takk veldig
          ja/fi on/fi ei/fi että se/fi tää tämä myös kiitos moi hei/fi niin vaan vielä
          je/cs se/cs na/cs v/cs že ale prosím dobrý den/cs ahoj děkuji díky taky ještě už to/cs
          și la/ro pe/ro nu/ro este din salut bună mulțumesc mersi foarte mai/ro
          і та не/uk це що/uk дякую привіт будь ласка дуже
          ạ/vi là/vi và/vi có/vi không/vi cho/vi với/vi này/vi được/vi vậy chị/vi anh/vi em/vi ơi/vi cảm ơn/vi rồi/vi
          ang/tl ng/tl na/tl sa/tl po/tl naman din rin lang/tl yung mga at/tl ba/tl salamat hello/tl kasi
        #you ty/pl ciebie twój twoja twoje twoich twojej pan/pl pani/pl pana jij je/nl jou jouw jullie u/nl uw du/sv dig/sv din/sv
          ditt dina er/sv du/da dit/da dine sinä sinun sun/fi sulla sinulla teidän ty/cs tvůj tvoje tvé váš vaše vy/cs tu/ro
          tine tău ta/ro voi/ro ти/uk твій твоя твої ваш/uk 너 당신 님 你 您 bạn ikaw ka/tl mo/tl iyo kayo
        #me ja/pl mnie mój moja moje mogę mam/pl ik mij mijn we/nl ons jag mig min/sv mitt vi/sv vår jeg mig/da meg minä minun mun/fi
          mulla já můj moje/cs eu/ro mea meu/ro я/uk мені мій 나 저 제 저는 我 我的 tôi mình ako/tl ko/tl akin
        #who kto kogo wie/nl vem hvem kuka ketä kdo/cs cine хто 누가 누구* 谁 誰 ai/vi sino
        #what co/pl jaki jaka jakie jakich jakiej jakim jaką który która które wat/nl welk welke vad vilken vilket vilka hvad hva
          hvilken hvilket hvilke mikä mitä millä mikä_on minkä co/cs jaký jaká jaké jakou který/cs ce/ro care/ro який яка яке які
          яку 뭐 뭔가요 무엇 무슨 어떤 什么 甚麼 什麼 哪个 哪款 gì nào ano anong alin
        #where gdzie skąd dokąd waar waarvandaan var/sv vart varifrån hvor/da hvor/no missä mistä mihin kde odkud kam/cs unde де/uk
          звідки 어디* 어디서 哪里 哪裡 哪儿 ở_đâu đâu saan nasaan taga_saan
        #when kiedy wanneer när/sv hvornår når/no milloin koska/fi kdy când коли 언제* 什么时候 什麼時候 几点 khi_nào mấy_giờ kailan
          o_której hoe_laat vilken_tid mihin_aikaan v_kolik
        #howmuch ile ile_kosztuje hoeveel hur_mycket vad_kostar hur_många hvor_meget hvor_mye kuinka_paljon paljonko kolik cât cat/ro
          câți скільки 얼마* 多少 多少钱 bao_nhiêu magkano ilan
        #howlong jak_długo hoe_lang hur_länge hvor_længe kuinka_kauan jak_dlouho cât_timp як_довго 얼마나_걸* 多久 bao_lâu gaano_katagal
        #how jak/pl hoe hur hvordan miten kuinka jak/cs cum як/uk 어떻게* 怎么 怎麼 如何 怎样 làm_sao thế_nào như_thế_nào paano
        #why dlaczego czemu waarom varför hvorfor miksi proč de_ce чому 왜 为什么 為什麼 tại_sao sao/vi bakit
        #can można mogę możesz może da_się kan/nl kun_je mag kunnen kan/sv får/sv kunde kan/da må voiko voinko saako saanko voisitko
          můžu můžeš lze mohu pot/ro poți se_poate можна можу 가능* 할_수_있 可以 能不能 能否 có_thể pwede puwede
        #do czy_masz czy_jest masz/pl heb_je is_er zijn_er doe_je har_du finns_det är_du gør_du har_du onko onko_sulla máš/cs jsou je_to
          ai/ro există чи є_у 있나요 있어요 인가요 되나요 하나요 吗 嗎 có_phải may/tl meron
        #camera aparat* kamerą fotocamera/nl kameran kameraa fotoaparát* aparat_foto камер* 카메라* 相機 摄像机 máy_ảnh máy_quay
        #lens obiektyw* objektiv/sv objektiv/cs objektiivi* obiectiv* об'єктив* 렌즈* 镜头 鏡頭 ống_kính
        #phone telefonem telefoon* mobiel mobil/sv puhelin* puhelim* telefonu телефоном 휴대폰* 핸드폰* 手机 手機 điện_thoại
        #microphone mikrofon* microfoon* mikki mikrofoni* мікрофон* 마이크* 麦克风 麥克風 micro/vi mic/vi
        #light światł* lampa belysning ljus valo valot světl* lumini 조명* 灯光 燈光 đèn ilaw
        #tripod statyw* statief stativ/sv jalusta* trepied/ro 삼각대* 三脚架 chân_máy
        #computer komputer* laptopa dator* tietokone* počítač* calculator комп'ютер* 컴퓨터* 노트북* 电脑 電腦 máy_tính
        #headphones słuchawk* koptelefoon hörlurar kuulokkeet sluchátk* căști навушник* 헤드폰* 이어폰* 耳机 耳機 tai_nghe
        #equipment sprzęt* narzędzi* uitrusting spullen/nl gereedschap utrustning prylar verktyg udstyr værktøj utstyr varusteet
          kalusto työkalu* vybavení nářadí nástroj* echipament unelte обладнанн* 장비* 도구* 设备 設備 器材 装备 工具 thiết_bị đồ_nghề gamit/tl
        #settings ustawieni* instelling* inställning* indstilling* asetukset nastavení setări налаштуванн* 설정* 设置 設定 cài_đặt
        #software oprogramowani* programma programvara ohjelma* ohjelmisto* programu 프로그램* 软件 軟體 phần_mềm
        #edit montuje* montażu edytuje* bewerk* monteer redigera* klipper redigerer leikkaat editoi* muokka* stříhá* střih* editezi
          монтуєш 편집* 剪辑 剪輯 修图 chỉnh_sửa dựng_phim edit/tl
        #app aplikacj* appen sovellus* appi aplikac* aplicați* застосун* 앱 어플* 应用 軟體 ứng_dụng
        #colors kolor* kleur* färg* farge väri värit barv* culoar* колір 색 颜色 顏色 màu
        #video film* filmik* filmpje* filmer/sv videor videot videoita videa/cs videoclip* відео 영상* 비디오* 동영상* 视频 視頻 影片
        #film nagrywasz nagrywać kręcisz filmujesz film_je filmen/nl neem_op filmar spelar_in filmer/da kuvaat kuvata natáčíš natáčíte
          filmezi знімаєш 촬영* 찍* 拍 拍摄 quay kinukunan
        #photo zdjęci* zdjęć foto's bilder/sv bild/sv kuva kuvat fotk* fotek poze/ro фото/uk 사진* 照片 ảnh/vi hình/vi litrato
        #music muzyk* piosenk* utwór kawałek muziek liedje nummer/nl musik* låt låten låtar sang/da sangen biisi* kappale* musiikki*
          hudb* písničk* píseň* muzic* melodie* пісн* музик* 음악* 노래* 곡 音乐 音樂 歌曲 这首歌 nhạc bài_hát kanta tugtog
        #stream streamujesz transmisj* streamar streamaat striimi* striimaat streamuješ vysíláš transmiți стрім* 방송* 스트리밍 直播
        #schedule harmonogram grafik/pl uploadschema schema aikataulu* rozvrh program/ro розклад* 업로드* 올라오* 更新 发布 發佈 lịch
        #book książk* książek boek boeken bok/sv böcker boken bog/da bøger kirja* knih* knížk* carte cărți книг* 책* 书 書 sách libro/tl aklat
        #course kursu kursy szkoleni* lekcj* zajęci* warsztat* cursus* lessen les/nl cursussen kurs/sv kursen lektioner undervisning
          kurssi* tunti/fi tunnit tunteja kurz* lekc* dílna cursuri lecții урок* курс* 강의* 수업* 클래스* 课程 課程 课 khóa_học lớp/vi klase
        #tutorial poradnik* samouczek handleiding guiden ohje ohjeet návod* tutoriale 튜토리얼* 教程 教學 hướng_dẫn
        #recipe przepis* recept* resepti* ohje/fi oppskrift* opskrift* rețet* 레시피* 조리법 食谱 食譜 配方 công_thức
        #link linka linku linkje länk* länken linkin linkki* odkaz* 링크* 链接 連結 đường_link
        #download pobrać pobieram ściągnąć downloaden ladda_ner hämta lataa ladata stáhnout stahuj* descarc* завантаж* 다운로드* 下载 下載 tải
        #install zainstalow* instalować installeren installera asenta* nainstalovat instalez встанов* 설치* 安装 安裝
        #free darmow* darmo za_darmo bezpłatn* gratis/nl ilmainen ilmaiseksi ilmais* zdarma безкоштовн* 무료* 免费 免費 miễn_phí libre
        #subtitles napisy ondertitel* undertext* undertekst* tekstitys tekstityk* titulky subtitr* субтитр* 자막* 字幕 phụ_đề
          przetłumacz* tłumacz* vertaal* vertalen översätt* kääntä* přelož* překlad* traduc* переклад* 번역* 翻译 翻譯 dịch
        #repost udostępni* wstawić delen/nl dela/sv jakaa sdílet distribui поширити 재업로드 转载 轉載 搬运 đăng_lại
        #permission zgod* pozwolen* toestemming tillåtelse tillåtet lov tilladelse tillatelse lupa luvan povolení svolení permisiune
          дозвіл* 허락* 허가* 授权 許可 允许 xin_phép pahintulot
        #licence licencj* licentie* licens* lisens* lisenssi* licenc* ліценз* 라이선스* 授權 版权 版權 bản_quyền
        #collab współprac* samenwerk* samarbet* samarbejde* samarbeid* yhteistyö* spoluprác* colabor* співпрац* 콜라보* 협업* 合作 hợp_tác
        #sponsor sponsorow* sponsorem reklam* marką marki merk/nl merken/nl sponsring varumärke* annons* brändi* kaupallinen mainos*
          sponzor* značk* reklamu brandul sponsoriz* спонсор* 협찬* 광고* 스폰서* 赞助 贊助 广告 廣告 商务 品牌 tài_trợ quảng_cáo
        #contact skontaktować kontaktow* napisać_do bereiken mailen kontakta maila nå_dig yhteyttä ota_yhteyttä sähköposti* kontaktovat
          napsat contacta пошта зв'яз* 연락* 이메일* 联系 聯繫 邮箱 郵箱 liên_hệ
        #rates stawk* tarieven priser/sv hinnasto* sazb* ceník* тариф* 단가* 报价 報價 báo_giá
        #price cena ceny kosztuje koszt* prijs* kost/nl kosten/nl pris priset kostar koster hinta hinnat maksaa cena/cs kolik_stojí stojí
          preț* costă ціна коштує 가격* 비용* 요금 价格 價格 多少钱 费用 giá/vi presyo
        #discount zniżk* rabat* kod* rabatow* korting* kortingscode rabatt* alennus* alekoodi* slev* kód* reducere cod знижк* 할인* 쿠폰*
          折扣 优惠 優惠 折扣码 giảm_giá mã
        #buy kupić kupi* kup/pl dostać_gdzie kopen koop gekocht te_koop köpa köper köpt säljer købe kjøpe sælger ostaa ostin myyt
          myynnissä koupit koupil* prodáv* cumpăr* cumpar* vinde купити купив прода* 구매* 구입* 살_수 사셨 판매* 买 買 购买 购 卖 mua bán/vi bumili bilhin
        #shop sklep* winkel* webshop butik* affär kauppa* kaupasta obchod* eshop* magazin/ro крамниц* 매장* 가게* 굿즈* 商店 店铺 周边 cửa_hàng shop/vi
        #ship wysyłk* wysyłasz wysyłacie dostaw* przesyłk* verzend* verzenden lever je/nl bezorg* skicka* frakt* leverans* levera* leverer
          fragt toimitus* toimitat* lähetät lähettää posti* dopravu doprav* posíláš posíláte doruč* livrare livrezi expedi* доставк* 배송*
          배달* 해외배송 发货 發貨 邮寄 寄到 运费 運費 快递 giao_hàng ship/vi gửi/vi padala
        #order zamówieni* zamówić zamów* zamawia* bestel* bestelling beställ* bestil* bestill* tilaus tilauk* tilata tilasin objednáv* objednat
          objedn* comand* замовл* 주문* 订单 訂單 下单 đơn_hàng đặt_hàng
        #track_order śledzeni* paczka track/nl spårning* spåra seuranta* sledován* zásilk* balík* colet* відстеж* 배송조회* 운송장 物流 单号 快递单
        #return zwrot* zwróc* odesłać retour* terug* geld_terug retur* returner* ångra pengar_tillbaka palaut* rahat_takaisin vrátit vrácen*
          reklamac* returna* bani_înapoi поверн* 환불* 반품* 교환* 退货 退貨 退款 换货 換貨 hoàn_tiền đổi/vi trả_hàng uszkodzon* zepsut*
          rozbit* kapot beschadigd trasig* sönder ødelagt rikki
        #size rozmiar* maat/nl storlek* størrelse* koko/fi koot velikost* mărim* розмір* 사이즈* 尺码 尺寸 尺碼 size/vi
        #subscription subskrypcj* członkostw* abonnement* lidmaatschap prenumer* medlemskap* medlem* tilaaja* jäsenyys předplatn* členstv*
          abonament* підписк* 구독* 멤버십* 订阅 訂閱 会员 會員
        #cancel anulow* wypisać zrezygnow* odwoł* opzeggen annuleren avsluta avboka säga_upp opsige avbestille peruuttaa peruut* perua zrušit
          zruš* odhlásit anula* скасув* 취소* 해지* 取消 退订 退訂 hủy
        #login zalogow* logow* hasł* inloggen wachtwoord* logga_in lösenord* logge_ind adgangskode passord kirjautu* salasana* přihlásit
          přihlášení hesl* parol* autentific* увійти пароль* 로그인* 비밀번호* 登录 登錄 登入 密码 密碼 đăng_nhập mật_khẩu
        #account konto/pl konta kontem account/nl konto/sv tili/fi tilin účet účtu cont/ro акаунт* 계정* 账号 帳號 账户 tài_khoản
        #scam oszust* podszywa* fałszyw* oplicht* nepaccount nep bedrägeri* bluff fejk* svindel svindler huijaus* huijar* feikki podvod* falešn*
          înșel* fals* шахра* 사칭* 사기* 诈骗 詐騙 假冒 骗子 冒充 lừa_đảo giả_mạo peke
        #giveaway konkurs* losowani* winactie utlottning tävling* giveawayn konkurrence arvonta* kilpailu* soutěž* concurs* розіграш* 이벤트* 추첨* 抽奖 抽獎
        #job praca/pl prac* zatrudni* staż* vacature* stage/nl werken_voor jobb/sv jobba praktik* töihin työpaikka* harjoittelu* práci stáž*
          angaj* робот* 채용* 알바* 招聘 实习 實習 tuyển moderatorem moderator* moderaattori*
        #become zostać zaczęłaś zacząłeś zaczynałeś geworden begonnen ben_je_begonnen blev_du började startade blev/da aloitit tulla stal_se
          stát_se začal začala ai_început стати почав 시작하* 되려면 되고_싶 成为 成為 入行 开始做 bắt_đầu
        #qualification studi* szkoł* dyplom* certyfikat* opleiding* utbildning* plugga uddannelse utdanning koulutus* opiskel* tutkinto* vzdělán*
          studov* vystudov* școal* facultat* освіт* 자격증* 전공* 学历 專業 专业 证书 học/vi
        #beginner początkując* zacząć zaczynam od_czego beginner/nl beginnen nybörjar* börja nybegynder* begynner* begynde begynne aloitteli*
          aloittaa aloittaisin začáteční* začít začínám începător* încep початків* почати 초보* 입문* 新手 初学者 初學者 入门 người_mới
        #recommend polecasz poleca* polecić polecisz rada rady aanrader* aanbevel* raad_je rekommender* anbefal* tips/sv suosittel* vinkki vinkkejä
          doporuč* poradit recomand* рекоменд* порад* 추천* 推荐 推薦 建议 建議 gợi_ý nên/vi
        #use używasz używa* korzystasz gebruik* använd* bruger bruker käytät käytä* käyttää používá* folose* використов* 사용* 쓰세요 쓰시는 쓰는
          用什么 用的 使用 dùng sử_dụng gamit_mo
        #make robisz zrobić robi maak* gör/sv göra laver lager/no teet tehdä dělá* udělat faci/ro робиш 만드* 만들* 做 制作 làm gumawa gawa
        #find znaleźć znajdę vinden vind_je hitta hittar finde finne löytyy löydän löytä* najít najdu găsesc găsi знайти 찾* 找 找到 tìm hanap
        #need potrzeb* nodig behöver behov har_brug trenger tarvits* potřeb* nevoie потріб* 필요* 需要 cần/vi kailangan
        #age lat/pl ile_masz_lat wiek hoe_oud leeftijd ålder gammal ikä kuinka_vanha věk kolik_ti_je ani/ro vârst* вік скільки_років 나이* 몇살
          몇_살 多大 年龄 几岁 tuổi edad urodzin* verjaardag födelsedag syntymäpäivä narozenin* 생일* 生日 sinh_nhật
        #from pochodzisz jesteś_z kom_je_vandaan vandaan kommer_du ifrån mistä_olet kotoisin odkud_jsi ești_din звідки_ти 출신* 来自 哪里人 quê taga
        #live mieszkasz mieszka woon je/nl woon_je bor_du bor/sv asut asuu bydlíš žiješ locuiești живеш 사세요 살아요 住在 住哪里 sống/vi nakatira
        #language język* języki taal talen språk* sprog* kieli kielt* kieliä jazyk* limb* мов* 언어* 语言 語言 会说 tiếng wika
        #pet kot kota pies psa kat/nl hond katt hund katten kissa koira kočk* kočič* pes/cs pisic* câine кіт 고양이* 강아지* 猫 狗 宠物 mèo pusa aso
        #family mąż żon* dzieci* chłopak dziewczyn* man/nl_getrouwd getrouwd kinderen vriendin gift/sv barn sambo lapsi* naimisis* vaimo manžel*
          děti soț copii чоловік діти 결혼* 남자친구 여자친구 아이* 结婚 孩子 男朋友 女朋友 chồng con/vi asawa anak
        #meetup spotkani* zlot targi ontmoet* beurs träffa träff* mässa møde messe tapaami* tapahtum* setkán* akc* veletrh* întâlni* зустріч*
          만나* 팬미팅* 行사* 见面会 见面 活动 展会 gặp
        #autograph autograf* podpis* handtekening signerad signer* nimikirjoitus nimmari* podepsan* 사인* 签名 簽名 chữ_ký
        #po_box adres* skrytk* adres/nl postbus adress* postbox postadress osoite* postilokero poštovn* adresa* 주소* 소포* 地址 邮箱地址 địa_chỉ
        #discord serwer* serweru serveri* discordiin servera 디스코드* 디코* 服务器 伺服器 群 nhóm
        #reply_dm odpisujesz odpowiadasz antwoord* reageer svarar svar/sv vastaa* odpovídáš odepis* răspunzi 답장* 回复 回覆 trả_lời
        #diet wegań* wegetar* diet* vega/nl veganistisch vegetarisch vegansk* vegetarisk* kost/sv vegaani* kasvis* ruokavalio* vegán* vegetarián*
          диєт* 비건* 채식* 식단* 纯素 素食 饮食 ăn_chay
        #allergy alergi* bezglutenow* gluten* allergisch glutenfri* allergi* gluteeni* bezlepkov* алергі* 알레르기* 글루텐* 过敏 過敏 无麸质 dị_ứng
        #substitute zamienić zamiennik* zamiast vervang* ipv in_plaats ersätta istället erstat* i_stedet korvata sijaan tilalla nahradit místo
          înlocui замін* 대신* 대체* 代替 替换 替代 thay_thế palit
        #ingredient składnik* ingrediënt* ingrediens* aineks* raaka-aine* surovin* ingredient* 재료* 材料 原料 nguyên_liệu mąk* meel/nl bloem mjöl
          jauho* mouk* 밀가루* 面粉
        #freeze mrozić zamrozić invriezen bewaren frysa fryse pakast* säily* zmrazit mrazit 냉동* 보관* 冷冻 保存
        #oven piekarnik* oven/nl ugn ovn uuni* troub* cuptor духовц* 오븐* 烤箱 lò_nướng
        #pan patelni* garnek nóż noża pan/nl mes/nl panna/sv stekpanna kniv* pannu* veitsi pánv* nůž* tigaie cuțit сковорід* 프라이팬* 칼 锅 鍋 刀 dao chảo
        #workout trening* ćwicze* ćwiczy* oefening* trainen träna* träning* øvels* treenaa* treeni* harjoit* cvič* trénink* antrenament* тренув* 운동*
          锻炼 鍛鍊 健身 训练 tập/vi
        #injury kontuzj* kolan* boli bólu plecy blessure* knie/nl pijn rug/nl skada* ont knä* rygg* smerte* vamma* polvi* polve* kipu kipe* selkä*
          zraněn* kolen* bolí bolest* záda accidentare genunchi durere біль колін* 부상* 무릎* 통증* 아파* 受伤 膝盖 疼 腰痛 đau
        #results efekt* rezultat* resultaten tulok* výsledk* 결과* 효과* 效果 结果 kết_quả
        #coaching indywidualn* korepetycj* konsultacj* privéles* begeleiding privatlektion* yksityistun* valmennus* individuáln* konzultac* ședinț*
          індивідуальн* 1:1 개인* 과외* 一对一 咨询 辅导 kèm_riêng
        #run biegan* biegasz hardlopen löpning* springa løb* løping juoks* běhá* běh alergat біга* 달리기* 러닝* 跑步 chạy
        #shoes buty butów butach schoenen schoen skor skorna sko/da kengät kenkä boty bot/cs pantofi взутт* 신발* 运动화 鞋 giày sapatos
        #clothes bluz* koszulk* kurtk* sukienk* ubrani* trui shirt/nl jas/nl jurk kleding tröja* jacka* klänning* kläder trøje jakke genser paita*
          huppari* takki* vaatteet mikin* trič* bund* oblečen* tricou hanorac haine светр* 옷* 자켓* 티셔츠* 衣服 外套 衬衫 áo/vi damit
        #hair włos* fryzur* haar/nl hår* hiukset hius* vlas* păr/ro волосс* 머리* 헤어* 头发 頭髮 tóc buhok
        #skin skór* cer* krem* trądzik* pryszcz* huid puist* crème/nl hud* hy kräm* akne iho* iholl* voide finn* pleť* pleti krém* ten/ro
          шкір* 피부* 여드름* 스킨케어* 皮肤 皮膚 护肤 痘痘 防晒 da/vi mụn kem/vi balat
        #makeup makijaż* podkład* szmink* pomadk* foundation/nl lippenstift/nl smink* läppstift* makeup/sv meikki* meikk* meikkivoide huulipuna*
          make-upu rtěnk* machiaj* ruj/ro макіяж* помад* 메이크업* 화장* 립스틱* 립 파운데이션* 化妆 化妝 口红 口紅 粉底 trang_điểm son/vi phấn
        #perfume perfum* parfym* tuoksu* hajuve* parfém* 향수* 香水 nước_hoa pabango
        #nails paznokc* nagels naglar negle kynnet kynsi nehty unghii 네일* 美甲 móng
        #tattoo tatuaż* tatoeage* tatuering* tatovering* tatuoin* tetován* tatuaj* татуюв* 타투* 문신* 纹身 紋身 刺青 hình_xăm
        #travel podróż* wyjazd* reis/nl reizen resa resor rejse* reise* matka matkus* cestov* cest* călător* подорож* 여행* 旅游 旅行 旅遊 du_lịch biyahe
        #flight lot/pl lotów bilet* vlucht* vliegticket* flyg* fly/da lento* lennot letenk* zbor квиток* 비행기* 항공권* 机票 機票 航班 vé_máy_bay
        #place miejsc* lokal* restauracj* plek plaats plats* ställe* sted* paikka paikas* míst* restaurac* loc/ro місц* 장소* 식당* 맛집* 地方 地点 餐厅 餐廳 chỗ quán
        #safe bezpieczn* veilig säker* sikker* trygg* turvallis* bezpečn* sigur* безпечн* 안전* 安全 an_toàn ligtas
        #car samoch* auto/pl auto/nl bil/sv bilen bil/da auto/fi auta/cs auto/cs mașin* авто 자동차* 차량* 车 車 汽车 xe
        #game gra/pl grasz gry/pl spel/nl spelen speel* spel/sv spelar spil/da spiller peli pelaat peliä hr* hraješ joc/ro jocuri joci гра/uk граєш
          게임* 游戏 遊戲 玩 game/vi laro
        #coding programow* programmeren programmer* ohjelmoi* programován* 코딩* 프로그래밍* 编程 代码 lập_trình
        #invest inwest* beleg* invester* aktier* sijoit* osak* akcie invest* 투자* 주식* 投资 投資 股票 đầu_tư
        #art rysuj* rysow* malow* malujesz pędzl* farb* teken* tekenen schilder* verf kwast rita/sv ritar måla* pensel* penslar tegner maler piirr*
          maala* sivelt* siveltimet kresl* malu* štětec štětc* barvy desen* pictez pensul* малює* пензл* 그림* 그리* 브러쉬* 붓 画 畫 画画 笔刷 颜料 vẽ cọ guhit
        #commission na_zamówienie zleceni* in_opdracht op_maat beställningsverk på_bestilling tilaustyö* zakázk* na_objednávku la_comandă 커미션* 约稿 接单 委托
        #print wydruk* plakat* naklejk* prent* sticker/nl affisch* klistermärk* plakater juliste* tarra* tisk* nálepk* samolepk* 포스터* 스티커* 海报 贴纸
        #yarn włóczk* szydeł* wełn* wol/nl haken breien garn* virka* sticka/sv strikke* hækl* lanka/fi virka neulo* příz* háčk* plet* 뜨개* 코바늘* 毛线 钩针
        #plant roślin* ogród* plant/nl planten tuin växt* trädgård* plante* kasvi* puutarha* rostlin* zahrad* plantă grădin* рослин* 식물* 화분* 植物 花园 cây
        #diy drewn* drewna deska klej* hout* lijm trä/sv virke lim/sv træ tre/no puu/fi puuta liima* dřev* prkn* lepidl* lemn* дерев* 나무* 목공* 木头 木材 gỗ kahoy
        #house mieszkan* dom/pl kuchni* biurk* huis keuken bureau/nl lägenhet* hus kök* skrivbord* bolig koti* keittiö* asunto* pöytä* byt/cs dům kuchyn*
          stůl casă bucătărie будин* 집 방 책상* 房子 厨房 书桌 nhà bếp
        #study uczyć uczysz nauczyłe* nauczyła* leren geleerd lära lärde lært opin opetel* oppia opit učit naučil* naučila învăț* вивчи* навчи* 배우* 배웠* 공부*
          学 學 学会 học_được matuto natuto
        #spoiler ulubion* favoriet* lievelings* favorit* yndlings* suosikki* lempi* oblíben* prefer* улюблен* 최애* 좋아하는 最喜欢 yêu_thích paborito
        #sound dźwięk* geluid ljud* lyd ääni äänet zvuk* sunet* 소리* 사운드* 声音 音效 âm_thanh
        #battery bateri* akumul* accu batterij* batteri* akku* baterk* 배터리* 电池 pin/vi
        #warranty gwarancj* garantie* takuu* záruk* 보증* 保修 bảo_hành
        #material materiał* katoen leer/nl bomull* läder* bomuld materiaali* puuvilla* bavln* kůž* bumbac piele 소재* 原材料 面料 chất_liệu
        """
}
