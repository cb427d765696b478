extension FAQLexicon {
    /// Orders and money, work and study, tools and food: what people ask of makers, teachers and shops.
    ///
    /// The notation is that of ``FAQLexicon/topics``; what stands in the parts before this one keeps its meaning.
    static let daily = """
        #broken:2 broken damaged damage cracked bent torn smashed crushed defective stopped_working roto rota rotos rotas danado
          danada quebrado quebrada quebrou danificado estragado casse cassee abime endommage gebrochen beschadigt kaputt
          zerbrochen scherben rotto rotta danneggiato kirik kirildi bozuk hasarli rusak pecah сломан* разбит* поврежден*
          مكسور* تالف* خربان 壊れ 破損 割れ toota tuta kharab
        #missing:2 missing lost disappeared vanished nothing_came never_arrived not_received did_not_get didnt_get never_got
          perdido perdida no_ha_llegado no_me_llego nao_chegou nao_recebi perdu perdue pas_recu verloren nicht_angekommen
          verschwunden smarrito non_arrivato kayip gelmedi hilang belum_sampai потерял* не_пришл* не_получил* ضاع* ما_وصل
          لم_يصل 届かない 届いていない nahi_aaya nahi_mila
        #payment:2 payment pay_with paypal credit_card installments installment bank_transfer apple_pay klarna pix mbway pago pagos
          pagar_con tarjeta cuotas plazos pagamento cartao parcelado parcelas boleto multibanco paiement carte_bancaire
          virement zahlung bezahlen uberweisung ratenzahlung rechnung pagamento carta_di_credito bonifico rate/it odeme
          taksit havale pembayaran transfer_bank cicilan bayar оплат* картой рассрочк* перевод_денег دفع بطاقة تقسيط 支払 振込 クレジット upi gpay
        #receipt:2 invoice invoices receipt receipts factura facturas recibo recibos fatura facture factures quittung fattura
          ricevuta fatura/tr makbuz faktur* nota_fiscal struk kwitansi чек счет_на счет-фактур* فاتورة وصل 領収書 請求書
        #customs:3 custom_duty customs customs_fee import_tax import_fees duties duty vat aduana aduanas impuestos arancel alfandega
          taxas_de_importacao douane douanes zoll zollgebuhren einfuhrumsatzsteuer dogana dazi gumruk bea_cukai pajak_impor
          таможн* пошлин* جمارك جمرك 関税
        #tax:3 tax taxes irs hmrc self_assessment tax_return vat_number impuesto impuestos hacienda declaracion autonomo imposto
          impostos irpf finanzas fiscal impots impot declarer steuer* steuererklarung finanzamt tasse partita_iva vergi* pajak
          налог* ضريبة ضرايب 税金 確定申告
        #salary:3 salary wage wages raise pay_rise negotiate_salary sueldo salario aumento ordenado augmentation salaire gehalt
          gehaltserhohung lohn stipendio maas zam gaji_naik зарплат* راتب 給料 昇給
        #savings:3 save saving savings emergency_fund budget_sheet budgeting debt debts loan ahorro ahorrar ahorros deuda poupar
          poupanca divida emprestimo epargne epargner dette sparen ersparnisse schulden risparmiare risparmio debiti birikim
          borc tabungan nabung hutang копить накоп* долг* ادخار توفير ديون 貯金 借金 節約 bachat karz
        #broker:3 broker brokers etf etfs dividend dividends corretora depot courtier brokeraggio dividendo dividendos dividende*
          temettu брокер* дивиденд* وسيط 証券 配当
        #cv:3 cv resume cover_letter curriculum lebenslauf anschreiben lettre_de_motivation ozgecmis резюме سيرة_ذاتية 履歴書 interview
          entrevista entretien vorstellungsgesprach colloquio mulakat wawancara собеседован* مقابلة 面接
        #fair:3 fair fairs market markets stall booth pop_up mercadillo feria ferias mercado mercados feira feiras marche_de salon
          messe markt markte flohmarkt mercatino fiera pazar fuar bazaar ярмарк* маркет* سوق معرض 即売会 マルシェ イベント出店
        #paper:2 paper papers papel papeis papier carta_da kagit kertas бумаг* ورق 紙 用紙 sheet sheets notebook cuaderno caderno
          carnet heft quaderno defter
        #paint:2 paints watercolour watercolours gouache oil_paint acuarela acuarelas aquarela tinta tintas aquarelle
          aquarellfarben acquerelli boya cat_air акварел* краск* الوان 絵の具 水彩
        #file_format:2 editable read_only read-only edit_the unlock permissao_de_edicao editar_la bearbeiten_kann format pdf_or
          excel spreadsheet google_sheets template plantilla modelo_de vorlage modele sablon template_nya таблиц* шаблон* قالب テンプレ
        #saw:3 saw saws handsaw serrucho sierra serrote serra scie scies sage sagen sega testere gergaji пила пилу ножовк* منشار のこぎり
        #sharpen:3 sharpen sharpening sharpener whetstone whetstones strop afilar afilado afilas afiar afia amolar affuter aiguiser
          affutage scharfen schleifen schleifst schleifstein affilare affili bileme bilemek asah mengasah точить заточ* سن_السكين 研ぎ 砥石
        #rust:3 rust rusty rustproof oxido oxidado ferrugem rouille rost rostig ruggine pas/tr karat ржавчин* صدا 錆
        #finish:2 varnish oil_finish lacquer wax linseed barniz barnizar verniz cera/es vernis cire lack lackieren wachs vernice
          cera/it vernik cila pernis лак воск طلاء ニス 塗装
        #plan:2 blueprint drawings_for cut_list measurements_pdf planos plano plantas plan/fr bauplan bauplane progetto proje denah чертеж* مخطط 設計図
        #chisel:2 chisel chisels plane planes hammer vise clamp clamps formon cepillo_de ciseau rabot hobel stechbeitel pialla rende
          pahat рубанок стамеск* ازميل 鉋 鑿
        #rice:1 rice arroz riz reis/de riso pirinc nasi рис ارز chawal
        #bread:2 bread dough loaf starter_dough pan_de masa pao massa pain pate/fr brot teig pane impasto ekmek hamur roti adonan
          хлеб тесто خبز عجين パン 生地
        #spicy:2 spicy spice spices chili pepper hot_sauce picante especias tempero apimentado epice* scharf gewurz* piccante spezie
          aci/tr baharat pedas bumbu остр* специ* حار بهارات 辛 スパイス masala teekha
        #coffee:2 coffee espresso cafe_maker cafetera cafeteira kaffee caffe kahve kopi кофе قهوة コーヒー
        #sick:2 sick illness food_poisoning stomach vomit enfermo enfermarte enfermas doente passar_mal malade magen krank malato ammalarsi
          hasta/tr sakit_perut отравл* болееш* مريض تمرض 食中毒 お腹
        #pregnant:3 pregnant pregnancy breastfeeding embarazo embarazada gravidez gravida enceinte grossesse schwanger* stillen incinta
          gravidanza hamile hamil беременн* حامل 妊娠
        #talk:3 speaker keynote give_a_talk talks speaking speak_at conference panel school_visit charla conferencia ponencia palestra
          palestras palestrante conference_in vortrag vortrage conferenza intervento konusma_yap seminar ceramah лекци* выступ*
          محاضرة 講演
        #wholesale:3 wholesale stockist stockists bulk_order minimum_order retailer al_por_mayor mayorista atacado revenda revendeur
          grossiste en_gros grosshandel grosshandler wiederverkauf* ingrosso rivenditore toptan grosir опт оптом جملة 卸 取扱店
        #wallpaper:3 wallpaper wallpapers lockscreen profile_picture avatar fondo_de_pantalla papel_de_parede fond_d_ecran hintergrundbild
          handyhintergrund sfondi duvar_kagidi обои خلفية 待ち受け 壁紙 アイコン icon
        #newsletter:3 newsletter mailing_list boletin infolettre rundbrief bulten buletin рассылк* نشرة メルマガ ニュースレター
        #send_pr:3 pr_package pr_packages pr_list send_you_products gifting free_product enviarte_producto enviar_produtos envoyer_un_produit
          produkt_schicken mandarti hediye_gonder kirim_produk прислать_продукт ارسل_لك 商品提供 press_kit game_key review_copy key/en keys/en
        #support:2 support_you donate donation donations tip_jar ko-fi kofi buy_me_a_coffee donar donacion apoyar doar apoiar soutenir
          don/fr spenden unterstutzen donare sostenere bagis destek_ol donasi dukung донат* поддержать تبرع ادعمك 支援 投げ銭 superchat
        #subscriber_role:3 role roles emote emotes badge subscriber_role vip rol rango cargo rolle abzeichen ruolo rutbe роль 称号
        #moderate:2 moderator mod/en mods/en moderador moderadora moderateur moderatore moderasi модер* مشرف モデレーター
        #viewers:2 viewers play_with_you play_with_viewers join_your_game espectadores jugar_contigo viewers_game jogar_com jouer_avec
          mitspielen zuschauer zocken giocare_con izleyiciler main_bareng mabar поиграть_с_тобой العب_معك 視聴者参加 参加型
        #replay:2 replay vod vods old_streams past_streams rewatch recordings_of missed_it repeticion ver_despues replays verpasst
          aufzeichnung nachschauen replica tekrar rekaman_live запис* اعادة アーカイブ 見逃し
        #start_age:2 minimum_age how_old_do underage edad_minima idade_minima age_minimum mindestalter eta_minima yas_siniri batas_umur 年齢制限 13+ 18+
        #handicraft:1 handmade by_hand a_mano feito_a_mao fait_main handgemacht fatto_a_mano el_yapimi ручн* يدوي 手作り
        #location_film:2 filming_location where_filmed donde_grabaste onde_gravou ou_filme gedreht_wo dove_girato nerede_cekildi где_снимал وين_صورت 撮影場所 ロケ地
        #vehicle_parts:2 engine motor/xx brakes brake tyres tires suspension oil_change gearbox clutch freno frenos llantas neumaticos
          freio pneus oleo_motor moteur freins pneus/fr bremse* reifen getriebe freni gomme motore/it fren lastik mesin ban/id двигател* тормоз* шин* محرك فرامل エンジン タイヤ
        #weld:3 weld welder welding soldar soldadora solda souder soudure schweiss* saldare saldatrice kaynak las/id сварк* لحام 溶接
        #dance:2 dance dancing salsa bachata choreography choreo steps bailar baile pasos dancar danca danser danse tanz* ballo ballare dans*
          koreografi tarian танц* танец رقص ダンス 振付 振り付け
        #shade:2 shades undertone tono matiz tom_de teinte unterton sottotono ton/tr warna_kulit тон оттен* درجة 色味
        #brush_care:2 wash_brushes clean_brushes cleaning wash washing lavar limpiar limpar laver nettoyer waschen reinigen pulire lavare yikama
          temizle* cuci membersihkan мыть чистит* غسل تنظيف 洗
        #cruelty:3 cruelty_free cruelty-free animal_testing tested_on_animals animal_hair synthetic_hair crueldad crueldade tierversuch*
          tierversuchsfrei hayvan_deneyi vegan_brushes испыта*_на_животных 動物実験
        #route:2 route routes gpx trail map maps ruta rutas mapa mapas rota trilha itineraire carte_des route/de strecke wanderkarte percorso
          mappa harita rota/tr peta rute маршрут* карт* خريطة مسار ルート 地図
        #pack:2 what_you_pack packing_list tent sleeping_bag mochila_pesa tienda_de tente zelt schlafsack tenda cadir палатк* خيمة テント 寝袋
        #wait:1 waiting how_long_does waiting_list lista_de_espera fila attente liste_d_attente warteliste lista_d_attesa bekleme daftar_tunggu очеред* انتظار 待ち
        """
}
