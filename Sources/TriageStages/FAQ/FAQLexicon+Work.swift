extension FAQLexicon {
    /// What people ask creators about: gear, content, the trade, money, shops and accounts.
    ///
    /// One concept a line (more indented lines continue it): `name weight: words`. Weight 3 is a topic of its own, 2 is
    /// ordinary, 1 says little. `a_b` is a phrase, `word*` stands for every word that begins so, `word/de` counts in
    /// German only. Words are in any spelling; they are folded like messages.
    static let work = """
        #camera:3 camera cameras cam cams kamera* camara* camera* fotocamera* videocamera* fotoapparat* appareil_photo
          appareil foto_machine камер* كاميرا* الكاميرا カメラ 相机 camra bodycam
        #lens:3 lens lenses len/en lense lente* objektiv* objectif* obiettivo* objetivo_foto lensa объектив* عدسة* レンズ
        #phone:2 phone phones smartphone* iphone* android mobile/en cell cellphone celular* movil telefono* telefone*
          portable/fr handy/de telefon* hp/id mobil telefonin телефон* смартфон* جوال* موبايل* هاتف* スマホ 携帯
        #microphone:3 microphone* mic mics mike microfono* microfone* micro/fr mikrofon* mikro mik/id микрофон* مايك*
          ميكروفون* مايكروفون マイク lav lavalier shotgun_mic
        #light:2 lighting lights light/en lamp* ringlight ring_light softbox iluminacion luz luces luzes iluminacao
          lumiere* eclairage beleuchtung licht lampe* luce luci isik lampu свет освещени* اضاءة* 照明 ライト
        #tripod:3 tripod* gorillapod trípode* tripode* trepied stativ* treppiede штатив* حامل 三脚
        #gimbal:3 gimbal* stabilizer stabiliser stabilizador* estabilizador* stabilisateur* стабилизатор* ジンバル
        #drone:3 drone* drohne* dron drones дрон* квадрокоптер درون ドローン
        #computer:2 computer* pc laptop* notebook* macbook* ordenador* computador* ordinateur* rechner portatil*
          bilgisayar* komputer* компьютер* ноутбук* كمبيوتر لابتوب パソコン desktop* build specs cpu gpu processor
          graphics_card rig
        #screen:2 monitor monitors screen screens display pantalla* ecran* bildschirm* schermo ekran* layar экран*
          монитор* شاشة* モニター
        #headphones:3 headphone* headset* earphone* earbuds auriculares cascos fones fone casque ecouteurs kopfhorer*
          cuffie kulaklik* headset наушник* سماعة* سماعات ヘッドホン イヤホン
        #speakers:2 speaker speakers studio_monitors monitores altavoces lautsprecher enceintes колонки 
        #keyboard:2 keyboard* keys teclado* clavier* tastatur* tastiera* klavye* клавиатур* キーボード pads pad midi
        #mouse:2 mouse/en maus raton souris мышк* マウス dpi sens sensitivity sensibilidad mousepad
        #chair:2 chair stuhl silla cadeira chaise sedia sandalye kursi стул кресло* 椅子
        #tablet:3 tablet* ipad* wacom tableta tablette grafiktablett планшет* タブレット
        #equipment:2 equipment gear kit setup set-up rig_setup equipo* equipamento* equipamiento materiel matos ausrustung
          zubehor attrezzatura ekipman* peralatan alat alatnya оборудовани* техник* معدات* ادوات 機材 機器 tools tool
          herramientas ferramentas outils werkzeug* strumenti aletler инструмент*
        #settings:3 settings setting ajustes configuracion* configuracao* configuracoes reglage* parametres einstellung*
          impostazioni ayar* setelan settingan настроик* اعدادات* 設定 fps shutter iso preset presets config
        #software:2 software program* programm* logiciel* aplikasi_edit yazilim программ* برنامج* ソフト daw plugin*
          plug_in plugins
        #edit:3 edit edits editing edited editor_program editar edicion edito editas edicao edita montar monta monti
          montage monter montes schneid* schnitt* bearbeit* montaggio kurgu* duzenle* ngedit editnya монтаж*
          монтируе* مونتاج* تعديل 編集 premiere resolve davinci capcut
          final_cut lightroom photoshop
        #app:2 app apps aplicacion* aplicativo* application/fr anwendung uygulama* aplikasi* приложени* تطبيق* アプリ
        #font:3 font fonts typeface tipografia fuente fonte police/fr schriftart шрифт* フォント
        #colors:2 color colour colors grading colorgrading lut luts preset_pack filter filters filtro* filtre*
          farbkorrektur etalonnage gradacion renk warna цветокор* фильтр* فلتر* フィルター
        #background:2 background backdrop fondo_pared hintergrund arriere-plan sfondo arka_plan wallpaper 背景
        #video:1 video videos vid vids videonun vidios videolar* videonuz* vidéo* clip clips film_video filmes видео*
          ролик* فيديو* فيديوهات 動画 ビデオ reel reels tiktoks shorts episode
        #film:1 film filming filmed shoot shooting record recording filma filmas filmar grabar grabas grabo grava gravar
          gravas filmer filmst drehst drehen aufnehm* riprend* registri cek* cekiyorsun снимае* снимат* تصور* تصوير 撮影
        #photo:1 photo photos picture pictures foto fotos pic pics image photography fotograf* photographie foto* صورة*
          фото* 写真
        #thumbnail:3 thumbnail* miniatura* miniature vorschaubild* превью サムネ
        #music:3 music song songs soundtrack tune tunes bgm musica* musicas musique* musik* cancion* chanson* lied lieder
          canzon* sarki* muzik* lagu* lagunya gaana gaane gana музык* песн* трек_видео موسيقى* اغنية* اغاني 音楽 曲
          intro_song background_music track/en track_name tracks shazam playlist_music
        #instrument:2 guitar guitarra guitare gitarre chitarra piano synth synthesizer drum drums bass violin gitar* гитар*
        #beat:3 beat beats instrumental*
        #sample:2 sample samples pack packs sample_pack loops drumkit 
        #mix:3 mix mixing master mastering mixes mezcla* mixage mixar mischen abmisch* mastern микс* сведени* мастеринг*
          مكس* المكس ماستر*
        #podcast:2 podcast* подкаст* بودكاست
        #stream:2 stream streams streaming live livestream* directo directos lives en_direct live-stream yayin yayinlar*
          стрим* بث لايف 配信 ライブ twitch
        #schedule:3:when schedule upload uploads uploading post_new new_video new_videos next_video horario* calendrier
          subes_video subes publicas posta* publies uploadplan hochlad* ladst pubblichi takvim jadwal* upload_video
          расписани* выход* выклад* موعد* مواعيد تنزل 投稿 更新 next_episode premiere_time how_often
        #book:3 book books ebook libro* livro* livre* buch bucher kitap* kitab buku книг* كتاب* 本 reading
        #course:3 course courses class classes masterclass workshop workshops curso* cours/fr kurs* corso corsi lessons
          lesson kelas clases aulas aula unterricht ders* курс* урок* دورة* كورس* 講座
        #tutorial:2 tutorial* guide guides how_to walkthrough tuto anleitung* guida guia* обучени* شرح チュートリアル
        #recipe:3 recipe recipes receta* receita* recette* rezept* ricett* tarif* resep* рецепт* وصفة* وصفات レシピ
          meal_prep pdf
        #link:1 link links url enlace* lien* liens verlink* bağlanti tautan ссылк* رابط* リンク bio
        #list:1 list lista liste listesi daftar список* قائمة リスト
        #download:2 download downloads descarg* baixar baixo telecharg* herunterlad* runterlad* scaric* indir* unduh
          скача* تحميل* نزل ダウンロード file files pdf_file zip
        #install:3 install installation installing instala* installier* installare yukle* pasang установ* تثبيت インストール
        #free:1 free gratis gratuit* gratuito* kostenlos* umsonst ucretsiz* bedava бесплатн* مجان* 無料
        #subtitles:3 subtitle* caption captions subs/en subtitul* legenda* sous-titre* untertitel* sottotitol* altyazi*
          субтитр* ترجمة* 字幕 translate translation traducir traduzir traduire ubersetz* tradurre cevir* terjemah*
          перевод* перевес*
        #repost:3 repost reposts repostear reupload re-upload republish republicar reshare repostar reposter wiederveroff*
          screening show_your_video use_your_video usar_tu_video репост* 転載
        #permission:3 permission permit permiso permissao autorisation autorizacion erlaubnis permesso izin* разрешени* اذن
          اسمح 許可 credit credits credito mencion nennung
        #licence:3 license licence licensing licencia* licenca lizenz* licenza* lisans* lisensi лицензи* ترخيص* رخصة
          ライセンス copyright rights lease exclusive derechos royalty royalties
        #collab:3 collab collabs collaborate collaboration collaborations colab colabs colaborar colaboracion colaboracao
          collaborer zusammenarbeit kollab* collaborare collaborazione isbirligi kolab* kolaborasi коллаб*
          сотруднич* تعاون* コラボ duet feature_together b2b back_to_back
        #sponsor:3 sponsor sponsors sponsoring sponsorship sponsored patrocin* brand brands marca/es marca/pt marcas
          marque marques partnership partnerships partner kooperation* brand_deal cooperation partenariat* sponsorluk
          sponsorlu* endorse реклам* спонсор* رعاية* اعلان* علامة スポンサー 案件 werbung werbepartner parceria*
          work_with_you work_together campaign campana* campanha* campagne* kampanya* endorsement kerja_sama kerjasama
          iş_birligi integration brief integrasyon entegrasyon* media_kit mediakit
        #contact:2 contact email e-mail mail reach manager management agent inquiries enquiries contacto contato
          correo kontakt* adresse_mail contatt* iletisim kontak hubungi почт* связат* تواصل* ايميل* بريد* 連絡 メール
          who_do_i person_to_talk best_person
        #rates:3 rates rate tarifas tarifa tarifs tarif/fr preise tariffe ratecard rate_card fee fees honorar* расценк*
          اسعار
        #price:3:howmuch price prices cost costs pricing expensive precio* preco* prix cout coute kosten kostet preis*
          prezzo* costa costo fiyat* harga* ucret* kimat цен* стоит стоимост* سعر* تكلفة* 値段 価格 料金 budget charge
          cuesta custa daam paisa rupay
        #discount:3 discount* code codes coupon* promo promo_code descuento* desconto* cupon cupom reduction rabatt*
          gutschein* sconto* codice indirim* diskon* kupon скидк* промокод* خصم* كود* クーポン 割引 sale student_price
          student_discount voucher affiliate
        #buy:3:where buy buying bought purchase sold sell selling stock restock restocked available get_one comprar
          compro compra/pt vendes venden vende vendre acheter achete kauf* kaufen verkauf* bestellen comprare compri
          vendi satin satil* satiyor* alabilir beli jual* jualan kharid* купит* продае* продаж* اشتري شراء بيع* 買
          where_to_get come_back sold_out back_in_stock
        #shop:2 shop store shops merch merchandise tienda loja boutique laden negozio magaza* toko магазин* мерч* متجر*
          ショップ グッズ etsy amazon website site/en webseite
        #ship:3 ship shipping ships shipped delivery deliver delivers postage envio* envias envian envios enviar entrega*
          frete livraison livrer livrez livre_en versand* verschick* liefer* lieferung spedisc* spedizione kargo*
          gonder* kirim* ongkir pengiriman доставк* доставля* отправля* شحن* توصيل* 発送 送料 配送 customs worldwide
          international internationally countries
        #order:2 order orders ordered pedido* pedi encomenda* commande* bestellung* bestellt ordine ordinato siparis*
          pesan* pesanan заказ* طلبي طلبية 注文 parcel package paquete pacote colis paket* pacco paczka посылк*
        #track_order:3 tracking track_my order_status where_is_my seguimiento rastreio rastreamento suivi
          sendungsverfolgung takip_no resi трек-номер arrive arrived
        #return:3 return returns returning refund refunds refunded money_back reembols* devolver devolucion* devolv*
          devolucao retour renvoyer rembours* ruckgabe zuruckschick* zuruckgeb* ruckerstatt* erstatt* geld_zuruck rimbors*
          reso iade* refund* retur kembalikan вернут* возврат* ارجاع* استرجاع* استرداد* 返品 返金 send_back exchange
          wrong_size faulty broken_item defekt kaputt
        #size:3 size sizes sizing xl xxl talla* tamanho* taille* grosse/de taglia* beden* ukuran размер* مقاس* サイズ
          tall height measurements
        #subscription:3 subscription* membership* member members suscripcion* assinatura* abonnement* abo mitgliedschaft*
          abbonamento* abonelik* uyelik langganan* подписк* اشتراك* サブスク メンバー patreon tier tiers premium
        #cancel:3 cancel cancels cancelling canceling cancelar cancelo annuler resilier kundig* abbestell* disdire iptal*
          batalkan berhenti отменит* отписат* الغاء* الغي 解約 unsubscribe キャンセル
        #pause:2 pause pausar pausieren durdur* пауз*
        #login:3 login log_in password passwort contrasena* senha* mot_de_passe kennwort einlogg* anmeld* sifre*
          kata_sandi парол* войти كلمة_السر ログイン パスワード sign_in account_locked reset
        #account:2 account accounts cuenta* conta/pt compte konto account* hesap* hesab* akun* аккаунт* حساب* アカウント
          profile
        #scam:3 scam scams scammer fake faker impersonat* estafa* golpe fraud* arnaque* betrug* betrug truffa* fake_account
          dolandir* penipu* penipuan мошенни* развод* نصاب* احتيال* 詐欺 なりすまし is_this_you is_that_you real_you
          telegram whatsapp
        #giveaway:3 giveaway* giveaways sorteo* sorteio* concours gewinnspiel* verlosung* cekilis* raffle prize prizes
          premio gewonnen won hadiah undian розыгрыш* مسابقة* جائزة* 懸賞 プレゼント企画
        #feedback:3 feedback critique review_my rate_my listen_to_my listen check_out_my watch_my look_at_my read_my opinion
          escuchar escuchas ecouter ecoute anhoren horst hor ascoltare dinle* dengar* dengerin послуша* оцени* اسمع*
          تسمع 聴いて 感想 demo demos my_track my_song fikrini thoughts
        #review:2 review reviews reviewed resena* test_report rezension* recension* inceleme* обзор* مراجعة* レビュー
        #sponsored_honest:2 honest unbiased paid_review bezahlt pagado paid bought_by payes ads advert adverts ad_free biased
        #job:3 job jobs hiring hire intern interns internship assistant assistants vacancy position empleo trabajo_para
          contratas emprego estagio vaga* stage_chez recrut* praktik* stelle stellen bewerb* lavoro_per tirocinio staj*
          loker lowongan magang ваканси* работ*_у стажиров* وظيفة* وظائف 求人 moderator mods volunteer
        #editor_job:2 editors editor editeur monteur cutter montajci монтажер* 
        #career:2 career job_title profession full_time fulltime living make_a_living earn income salary monetize money/en
          vivir_de ganas ganar vives_de viver_de ganhar vis_de gagnes gagner lebst_von verdien* guadagni vivi_di
          para_kazan* gecin* penghasilan gaji зарабатыва* تكسب* دخل 稼 収入 day_job quit_your_job
        #become:3 become becoming get_into got_into break_into grow grew growing how_you_started get_started got_started
          you_start you_started started_out empezaste empezar_en convertir* convertirte devenir deviens te_lancer
          werden/de angefangen geworden diventare cominciato hai_iniziato basladin nasil_basla* menjadi mulai_karir
          bane banu стать стал начинал* начал اصبحت صرت بديت بدات なる なれ 始めた comecou comecaste virou commence
          commencer debute subscribers/en subs_grow followers_grow grow_channel start_a_channel
        #qualification:3 qualification* qualified certificate certified certification degree diploma study studied studies
          school college university uni/en course_study estudiaste estudias titulo/es formacion formacao estudou formation
          etudes diplome ausbildung studium studiert abschluss laurea studiato okudun egitim sertifika kuliah jurusan
          lulusan учил* образовани* диплом* شهادة* درست* 資格 大学 licenced theory training_cert self_taught
        #beginner:3 beginner beginners newbie noob novice starter starting_out new_to start starting begin first_time
          first_steps principiante* empezar empiezo empezando iniciante* comecar comeco comecando debutant* debuter
          je_commence par_ou_commencer anfang* einsteiger* anfangen starten principianti iniziare cominciare inizio baslangic*
          basla* pemula mulai новичк* начинающ* начать начинат* مبتد* بداية* ابدا 初心者 始め shuru shuruwat absolute_beginner
          never_done from_scratch step_one pehla
        #recommend:1 recommend recommended recommendation suggestion suggest advice best/en tip tips advise recomiend*
          recomend* conseil* conseill* empfehl* empfiehl* consigl* tavsiye* oner* onerir rekomendasi* saran совет*
          посовет* порекоменд* تنصح* نصيحة* おすすめ オススメ アドバイス worth
        #use:1 use uses used using usas utilizas usar uso usa utilises utilise utilisez utiliser benutz* verwend* nutzt
          nutzen usi usate kullan* kullaniyor* pakai pake makai istemal используе* пользуе* пользует* تستخدم* تستعمل*
          使 使って with_what
        #make:1 make makes making made create hacer haces hago fazer faz fais faire machst machen fare yap* yapiyorsun
          bikin membuat делае* сделат* تسوي* اعمل تعمل 作 banate banaya
        #find:1 find found look_for looking_for encontrar encuentro busco encontro achar acho trouver trouve finde finden
          trovo trovare bul* bulam* cari найти нашел اجد القى 見つ
        #get:1 get getting/en obtener conseguir consigo conseguiste obtenir bekomm* kriege kriegen
        #need:1 need needs necesito necesita preciso precisa besoin brauch* bisogno serve lazim gerek* perlu butuh chahiye
          нужно нужен нужна احتاج 必要
        #work:1 work works working trabaja* trabalha* travaill* arbeit* lavor* calis* kerja работа* تعمل عمل 仕事
        #new:1 new nuevo nuevos novo novos nouveau nouvelle* nouvelles neu neue neuen neues nuovo nuovi yeni baru нов*
          جديد* 新しい naya
        """
}
