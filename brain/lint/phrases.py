"""The words ``words`` looks for, in English, Japanese and Vietnamese: for text in lower case without marks.

Each pattern names words of which one must be there, so that most texts are done with a few look-ups. ``.{0,n}`` stays
within a line; nothing is nested.
"""

from __future__ import annotations

import re

from brain.lint.pattern import Pattern

_OLD = r"(?:previous|prior|earlier|above|preceding|foregoing|former|original|initial|existing|other|system|all|any|every|your|these|those|my|past)"
_ORDERS = r"(?:instruct(?:ion)?s?|prompts?|guidelines?|directives?|directions?|guardrails?|safeguards?|programming|system rules|rules (?:you|above|before)|(?:previous|prior|above|your|earlier|safety) (?:rules|orders|commands|messages|constraints|restrictions|polic(?:y|ies)|context|training))"
_UNDO = r"(?:cancel|drop|wipe|lift|skip|cease following|cease to follow|replace|pay no heed to|heed no|(?:do not|don't|needn't|need not|no longer|stop) (?:heed|obey|follow|mind)|obey no|break|abandon|erase|scrap|disregard whatever)"
_YOURS = (
    r"\b(?:your (?:(?:own|prior|previous|earlier|former|old|original|initial|safety|given|system)s? )*"
    r"(?:rules|instructions?|guidance|guidelines|directives|orders|briefing|(?<!your )prompts?|restrictions|constraints"
    r"|safety (?:checks|policy)|safeguards|programming)"
    r"|(?:rules?|instructions?|guidance|directives|orders|restrictions?|limits?|constraints?|persona|briefing)"
    r"(?: that| which)? you (?:started with|were given|work under|received|had|operate under)"
    r"|(?:rules|limits|restrictions) (?:given earlier|(?:set |put |imposed )?up?on you))\b"
)
"""What was told to an assistant before, by whom it is for: ``your earlier rules``, ``the limits set on you``."""
_THEIRS = r"\b(?:the )?(?:system (?:prompt|message)|developer(?:'s)? (?:message|instructions)|operator(?:'s)? (?:configured|message))\b"
_SAYS = r"(?:told|said|taught|learned|learnt|instructed|given|asked|trained)"

OVERRIDE = (
    Pattern(
        r"\bact as (?:an? |the )?(?:admin|administrator|root|owner|maintainer)\b|\byou are now in \w{1,20} mode\b"
        r"|\byou,? \((?:the |an? )?(?:model|ai|assistant|agent|llm)\)"
        r"|\b(?:ignore|disregard|forget|drop)\b (?:all |any |the |what the )?(?:previous |prior |earlier |preceding )?rules\b(?: (?:in|of) (?:claude|agents|gemini|copilot)|(?<=prior rules)|(?<=previous rules)|(?<=earlier rules)|(?<=preceding rules))"
        r"|\bno longer (?:appl(?:y|ies)|binds?|counts?|holds?) (?:to|for) you\b"
        r"|(?:これ|それ)より(?:前|上)の(?:ル[ー-]ル|指示|命令|決まり|規則)は[^。.\n]{0,10}(?:適用されな|適用されま|無効|効力)"
        r"|\b(?:chi dan|huong dan|lenh|chi thi|quy tac) (?:o |ben )?(?:tren|phia tren)(?: day)? (?:da )?(?:khong con|het) (?:hieu luc|ap dung|gia tri)\b"
        r"|\b(?:dung|khong) (?:lam|tuan) theo (?:claude|agents|gemini|copilot)\b",
        "act as ", "you are now in ", "you (", "rules", "no longer", "より前の", "より上の", "tren", "lam theo", "tuan theo",
    ),
    Pattern(
        rf"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass|overrule|discard|neglect|dismiss|do not follow|don't follow|stop following|pay no attention to|violate|break)\b.{{0,30}}?\b{_OLD}\b.{{0,30}}?\b{_ORDERS}(?![a-z])",
        "instruct", "prompt", "guideline", "directi", "guardrail", "safeguard", "programming", "rules", "orders",
        "commands", "messages", "constraints", "restrictions", "polic", "context", "training",
        ("ignor", "disregard", "forget", "overrid", "bypass", "overrule", "discard", "neglect", "dismiss", "not follow",
         "don't follow", "stop following", "no attention", "violate", "break"),
    ),
    Pattern(
        rf"\b(?:ignore|disregard|forget|discard|erase|dismiss)\b.{{0,20}}?\b(?:everything|all|anything|whatever|what)\b(?: that)?(?: was| has been| were)?(?: (?:you|we|i|they)(?: were| have been|'ve been| was| had been| have| just| are)*)? (?:previously )?(?:{_SAYS}\b|above\b|before\b)",
        "ignore", "disregard", "forget", "discard", "erase", "dismiss",
        ("told", "said", "taught", "learn", "instructed", "given", "asked", "trained", "above", "before"),
        ("everything", "all", "anything", "whatever", "what"),
    ),
    Pattern(
        r"\b(?:your |here are |these are |following )?new (?:system )?(?:instructions?|orders|directives?|task|objective|persona|role)\b(?: (?:for|from|to) (?:the |you|all |any )?(?:ai\b|model|assistants?|agents?|bot|admin|administrator|system|developer|user|llm)|\s?: (?:you |ignore|override|reply|answer|act))",
        "new instruction", "new system", "new orders", "new directive", "new task", "new objective", "new persona", "new role",
    ),
    Pattern(
        r"\b(?:act|respond|answer|operate|behave|reply|work|speak|proceed|comply)\b.{0,30}?\b(?:without (?:any )?(?:restrictions?|limits?|limitations?|filters?|safety|guardrails?|constraints?|moderation|ethics)|unrestricted|unfiltered|uncensored)\b",
        "without", "unrestricted", "unfiltered", "uncensored",
        ("restriction", "limit", "filter", "safety", "guardrail", "constraint", "moderation", "ethics", "unrestricted", "uncensored"),
    ),
    Pattern(
        r"\byou (?:are|act|will be|will act|must act|shall act|become) (?:now |no longer |from now on |henceforth |hereby )(?!logged |signed |connected |registered )(?:as )?(?:an? |the |my |in )?(?:[\w-]+ ){0,3}?(?:dan\b|assistant|ai\b|chatbot|bot\b|model\b|unrestricted|jailbroken|developer mode|god mode|bound|restricted|limited|constrained|root\b|system\b|agent|admin|free from|free of|hacker|persona|required to follow)",
        "you are now", "you are no longer", "you are from now", "you are henceforth", "you are hereby", "you act now",
        "you will be now", "you become", "you will act now", "you must act", "you are now,",
    ),
    Pattern(
        r"\b(?:you are|you're) (?:the |an? )?(?:unrestricted|jailbroken|uncensored|unfiltered|release bot|root|system administrator|evil)\b|\b(?:you are|you're) an? (?:\w+ )?(?:assistant|ai|model|bot)\b.{0,12}?\b(?:without|with no|free of) (?:any )?(?:limits?|restrictions?|rules|filters?)",
        "without ", "with no ", "free of ", "unrestricted", "jailbroken", "uncensored", "unfiltered", "release bot", "evil", "you are root", "administrator",
    ),
    Pattern(
        r"\b(?:enter|enable|activate|switch (?:in)?to|you are in|turn on|engage)\b.{0,12}?\b(?:developer|dan|god|debug|jailbreak|unrestricted|sudo|admin|maintenance) mode\b.{0,20}?(?:\bai\b|assistant|model|agent|restrict|filter|safety|now\b)|\bjailbreak(?:ed|ing)?\b.{0,30}\b(?:ai|model|assistant|mode|yourself)\b|\bdo anything now\b|\bdeveloper mode (?:is )?(?:now )?(?:enabled|activated)\b",
        "jailbreak", "anything now", "developer mode", "dan mode", "god mode", "debug mode", "unrestricted mode",
        "sudo mode", "admin mode", "maintenance mode",
    ),
    Pattern(
        r"\b(?:reveal|print|show|repeat|output|leak|disclose|display|dump|tell|give|write out|return|paste|recite|share|summari[sz]e|copy)\b.{0,25}?\b(?:system prompt|initial prompt|hidden prompt|hidden instructions|(?:your|initial|secret|system) instructions|your (?:full |entire |original )?prompt|prompt verbatim|words above)\b",
        "system prompt", "initial prompt", "hidden prompt", "hidden instruction", "your instruction", "initial instruction",
        "secret instruction", "system instruction", "your prompt", "full prompt", "entire prompt", "original prompt",
        "prompt verbatim", "words above",
    ),
    Pattern(
        r"\b(?:from now on|henceforth|starting now|from this (?:point|moment) on(?:ward)?s?|going forward)\b,? ?(?:you|the (?:ai|assistant|agent|model)) (?:are\b|will\b|must\b|shall\b|have to|should\b|always|never|can\b|do not|only)",
        "from now on", "henceforth", "starting now", "from this point", "from this moment", "going forward",
    ),
    Pattern(
        r"\b(?:pretend|imagine|assume|role-?play|simulate)\b (?:to be |that )?(?:you(?:'re| are| have)|as if you|being|as) .{0,30}?(?:\bai\b|assistant|no (?:rules|limits|restrictions)|unrestricted|hacker|evil|root|admin|developer)",
        "pretend", "imagine", "assume you", "assume that you", "assume being", "roleplay", "role-play", "simulate you", "simulate being",
    ),
    Pattern(
        r"\b(?:ignore|override|disable|turn off|circumvent|bypass|suspend|remove|drop|deactivate|switch off)\b (?:all |any |your |the |every |its )*(?:own )?(?:safety|guardrails?|content (?:policy|policies|filters?)|alignment|moderation|ethical|restrictions|guidelines|protections)\b(?! (?:relief|valve|helmet|stock))",
        "safety", "guardrail", "content ", "alignment", "moderation", "ethical", "security ", "restrictions", "guidelines", "protections",
        ("ignore", "override", "disable", "turn off", "circumvent", "bypass", "suspend", "remove", "drop", "deactivate", "switch off"),
    ),
    Pattern(
        r"\b(?:this|these|the following) (?:instructions?|messages?|directives?|commands?) (?:ha(?:s|ve) |take[s]? |is of |are of |with )?(?:the )?(?:absolute |highest |top |higher )?(?:priority|precedence|supersedes?|overrides?)\b.{0,30}?(?:system|all|any|every|other|previous|\bai\b|instructions)|\b(?:system|admin|administrator|developer|security) (?:override|overwrite)\b\s?[:!]|\bstop\. new task\b|\bend of (?:system |user )?(?:prompt|instructions|memory|context|data)\b",
        "priority", "precedence", "supersede", "override", "overwrite", "new task", "end of ",
        ("instruction", "message", "directive", "command", "override:", "override!", "override :", "overwrite:", "stop. new", "prompt", "end of memory", "end of context", "end of data"),
    ),
    Pattern(
        rf"\b{_UNDO}\b .{{0,20}}?{_YOURS}|\b(?:(?:do not|don't|needn't|need not|no longer|stop) (?:heed|obey|follow|mind)|disregard whatever)\b.{{0,20}}?{_THEIRS}|{_THEIRS}.{{0,12}}?\b(?:no longer|does not) (?:applies|apply|counts?|binds?)\b|\b(?:treat|consider|regard|put|set|lay)\b.{{0,20}}?(?:{_YOURS}|{_THEIRS}).{{0,20}}?\b(?:aside|away|on hold|as (?:void|null|outdated|obsolete|cancell?ed|repealed)|void|outdated|obsolete|cancell?ed|repealed)\b|{_YOURS}.{{0,30}}?\b(?:no longer|expired|(?:do|does) not (?:apply|bind|count)|(?:is|are|was|were) (?:now |only )?(?:void|outdated|obsolete|cancell?ed|repealed|lifted|a (?:test|drill)))\b",
        "your ", " you ", "on you", "system prompt", "system message", "developer", "operator",
        ("rule", "instruct", "guid", "directi", "order", "brief", "prompt", "restrict", "limit", "constraint", "safety", "persona", "polic", "message", "configur"),
    ),
    Pattern(
        rf"\b(?:consider|treat|regard) (?:every |all |any |the )*{_OLD} (?:\w+ )?(?:rules?|instructions?|guidance|orders)(?: as)? (?:cancell?ed|repealed|void|null|obsolete)|\b(?:you have no|start over with no|as (?:if|though) (?:you had )?no|as (?:if|though) there were no) (?:more )?(?:rules|limits|guidelines|restrictions)(?= now| any|[.,;!]|$)|\b(?:do not|don't|does not) bind you\b|\bnothing (?:said )?(?:above|before)(?: this line)? (?:applies to you|counts)|\beverything (?:above|before|you were told)(?: so far)? was (?:a |only a )?(?:test|drill|joke)|\bnew instructions? replaces?\b|\byou are dan\b|\benter (?:developer|god|admin) mode\b|\boverride: |\b(?:print|repeat|copy|show) the text above\b|\bwhat were you told (?:first|before)|\bno heed to the guidance\b",
        "consider ", "treat ", "regard ", "have no ", "with no ", " no ", "bind you", "nothing ", "everything ", "new instruction", "you are dan", "enter ", "override: ", "text above", "were you told",
        ("rule", "instruct", "guid", "orders", "limit", "restrict", "bind you", "nothing", "everything", "dan", "mode", "override: ", "text above", "told"),
    ),
    # Japanese
    Pattern(
        r"(?:これまで|今まで|いままで|以前|前述|上記|上述|先ほど|さきほど|直前|従来|今までの|元|既存|最初|すべて|全て|全部|あらゆる|一切|他|システム|いかなる|与えられた|過去)[^。\n]{0,14}?(?:指示|命令|プロンプト|制約|制限|規則|ガイドライン|指令|インストラクション|ルール|設定|教え|内容)[^。\n]{0,14}?(?:無視|忘れ|忘却|破棄|無効|取り消|従わな|従う必要|上書き|リセット|捨て|撤回|キャンセル|守らな|放棄|消去|解除)(?!して(?:よい|も)|され|し(?:ない|ませ)|せず|でき(?:ない|ず)|するな|しては(?:な|い)|す(?:る|べき)(?:値|設定|行))",
        "指示", "命令", "プロンプト", "制約", "制限", "規則", "ガイドライン", "指令", "インストラクション", "ルール", "設定", "教え", "内容",
        ("無視", "忘れ", "忘却", "破棄", "無効", "取り消", "従わな", "従う必要", "上書き", "リセット", "捨て", "撤回", "キャンセル", "守らな", "放棄", "消去", "解除"),
    ),
    Pattern(
        r"(?:指示|命令|プロンプト|ガイドライン)(?:は|を|など|も)?(?:すべて|全て|全部|一切|完全に)(?:無視|忘れ|破棄|無効)|(?:指示|命令|プロンプト)[^。\n]{0,6}(?:無視|忘れ)(?:し|て|せよ|しろ|すること|なさい|ください)",
        "指示", "命令", "プロンプト", "ガイドライン", ("無視", "忘れ", "破棄", "無効"),
    ),
    Pattern(
        r"(?:制限|制約|フィルター?|規制|検閲|安全装置|安全確認|安全対策)(?:なし(?!の(?!ai|アシ))|無し(?!の)|なく|を受けず|を?解除|を?外し|を?無視|を?無効|のない|されない|せず)[^。\n]{0,14}?(?:行動|動作|回答|応答|答え|ふるま|振る舞|振舞|発言|従|ai|アシスタント)",
        "制限", "制約", "フィルタ", "規制", "検閲", "安全", ("なし", "無し", "なく", "受けず", "解除", "外し", "無視", "無効", "ない", "せず"),
    ),
    Pattern(
        r"(?:あなた|君|きみ|お前|貴方)は(?:今から|いまから|これから|もう|もはや|今後|今日から|本日から|今より|以後|すでに)[^。\n]{0,30}?(?:です|ai|アシスタント|になる|となる|として|だ。|制限|管理者|モード|従)|(?:今から|これから|今後|今日から|本日より)(?:は)?、?(?:あなた|君|お前)は|(?:今後|これから|以後|今から)は?[^。\n]{0,10}(?:すべて|全て|必ず|常に|無条件)[^。\n]{0,14}(?:同意|承認|従い|従う|従って|許可)(?:し|す|せ|ま|く|。|こと)",
        "あなた", "君は", "きみ", "お前", "貴方", "同意", "承認", "従", "許可",
        ("今から", "いまから", "これから", "もう", "もはや", "今後", "今日から", "本日", "今より", "以後", "すでに"),
    ),
    Pattern(
        r"(?:システムプロンプト|システム指示|初期指示|内部指示|隠された指示|最初の指示|プロンプト全文)[^。\n]{0,14}?(?:表示|出力|開示|教え|公開|見せ|明か|漏ら|書き出|答え|示し|貼り)|(?:開発者|管理者|デバッグ|無制限|脱獄|神)モード(?:に(?:入|切り替え|移行|なり|なれ)|を?(?:起動|有効に(?:し(?:て|ろ|なさい))))",
        "システムプロンプト", "システム指示", "初期指示", "内部指示", "隠された指示", "最初の指示", "プロンプト全文", "モードに", "モードを",
    ),
    Pattern(
        r"(?:指示(?:書き)?|指図|しじ|シジ|命令文?|指令|決まり(?:ごと)?|約束(?:事)?|ルール|規則|制約|制限|規定|方針|言いつけ|前提(?:条件)?|プロンプト|役割)(?:は|を|に|には|も|から)?(?:すべて|全て|全部|一切)?(?:、|,)?(?:な[いか]?ったことに|無かったことに|白紙に戻[せすし]|全部?ナシ|わすれ(?:て|ろ|よ)|忘れること|スルーし(?:て|ろ)|度外視(?:せよ|し(?:て|ろ))|縛られる?な(?!い(?:よう|設計))|耳を貸(?:すな|さな)|従わなくて(?:よ|い)|従う(?:な|必要はな)|から?解放され|(?:むし|ムシ)(?:し(?:て(?!は|も)|ろ)|せよ)|降りて|捨て(?:、|,)?(?:て|以下)|破れ|抜きで(?:答え|回答)|を?外して(?:答え|回答)|破棄済み|上書きされました|適用しない(?=[。.]|$))|あなたに(?:課され?た?|与えられた)[^。.\n]{0,20}(?:終わり|解除|ない|外れ)|これ[迄まで]{1,2}の(?:指示|命令)(?:は|を)無視|(?:開発者|システム|運営)の(?:言葉|指示|命令)より|(?:システムメッセージ|最初に渡された(?:文章|文)|この上の文章)(?:を)[^。.\n]{0,10}(?:見せ|出力|表示|書き出)",
        "指示", "指図", "しじ", "シジ", "命令", "指令", "決まり", "約束", "ルール", "規則", "制約", "制限", "規定", "方針", "言いつけ", "前提", "プロンプト", "役割", "言葉", "文章", "メッセージ", flags=re.M,
    ),
    # Vietnamese
    Pattern(
        r"\b(?:bo qua|phot lo|lo di|quen|huy bo|khong tuan theo|khong lam theo|khong can tuan|dung tuan theo|dung lam theo|vo hieu hoa|ghi de|mac ke|bo het|xoa bo|pha vo|vuot qua|khong de y)\b.{0,30}?\b(?:chi dan|huong dan|chi thi|menh lenh|cau lenh|lenh|yeu cau|quy tac|quy dinh|gioi han|prompt|loi nhac|noi dung|nhung gi|dieu)\b.{0,25}?\b(?:truoc|o tren|phia tren|ben tren|ban dau|he thong|vua roi|da (?:duoc )?(?:noi|cho|nhan|dua|day)|hien tai|an toan|cua ban|tu truoc)\b",
        "bo qua", "phot lo", "lo di", "quen", "huy bo", "khong tuan", "khong lam theo", "khong can tuan", "khong de y", "dung tuan",
        "dung lam theo", "vo hieu", "ghi de", "mac ke", "bo het", "xoa bo", "pha vo", "vuot qua",
        ("chi dan", "huong dan", "chi thi", "lenh", "yeu cau", "quy tac", "quy dinh", "gioi han", "prompt", "loi nhac", "noi dung", "nhung gi", "dieu"),
    ),
    Pattern(
        r"\b(?:bo qua|phot lo|lo di|quen|huy bo|mac ke|bo het)\b (?:di )?(?:het |tat ca|moi|toan bo)(?: tat ca| moi| cac| nhung)* ?(?:chi dan|huong dan|chi thi|menh lenh|lenh|quy tac|prompt|loi nhac|dieu da|nhung gi)\b",
        "bo qua", "phot lo", "lo di", "quen", "huy bo", "mac ke", "bo het", ("het ", "tat ca", "moi", "toan bo"),
    ),
    Pattern(
        r"\b(?:tiet lo|in ra|hien thi|cho (?:toi )?(?:biet|xem)|dua ra|xuat ra|viet ra|lap lai|noi ra|cung cap)\b.{0,25}?\b(?:system prompt|prompt he thong|loi nhac he thong|chi dan (?:he thong|goc|ban dau)|prompt (?:goc|ban dau|cua ban)|huong dan he thong)\b",
        "system prompt", "prompt he thong", "prompt goc", "prompt ban dau", "prompt cua ban", "loi nhac he thong", "chi dan", "huong dan he thong",
    ),
    Pattern(
        r"\btu (?:bay gio|gio|nay|luc nay|hom nay)(?: tro di)?,? ?(?:thi )?(?:hay |ban |may |tro ly |ai |chi |phai |luon )(?:la |se |phai |luon |chi |khong |hay |dong y|tuan|tra loi|co the|dong vai)|\bban (?:bay gio |gio day |hien tai |gio )?(?:la|dong vai|tro thanh) (?:mot )?(?:tro ly|ai|mo hinh|chatbot|quan tri|hacker|he thong)\b.{0,20}?\bkhong (?:bi |co |con )?(?:gioi han|han che|rang buoc|kiem duyet)|\bkhong (?:con )?(?:bi )?(?:gioi han|rang buoc|kiem duyet) (?:nao|gi|boi)\b.{0,20}?(?:tra loi|hanh dong|hoat dong)|\b(?:hanh dong|tra loi|hoat dong)\b.{0,20}?\bkhong (?:bi |can |co )?(?:gioi han|han che|rang buoc|kiem duyet)",
        "tu bay gio", "tu gio", "tu nay", "tu luc nay", "tu hom nay", "ban bay gio", "ban la", "ban gio", "dong vai", "tro thanh", "khong bi", "khong co", "khong con", "khong gioi han", "khong han che", "khong rang buoc",
    ),
    Pattern(
        r"\b(?:chi thi|huong dan|menh lenh|lenh|nhiem vu) moi\b.{0,12}?\b(?:cho (?:ai|tro ly|mo hinh|agent)|tu (?:quan tri|he thong|admin))|\bche do (?:nha phat trien|khong gioi han|quan tri|dan)\b.{0,20}?(?:kich hoat|bat|tro ly|\bai\b)|\b(?:bat|kich hoat|vao|chuyen sang) che do (?:nha phat trien|khong gioi han|dan)\b.{0,40}?(?:tro ly|\bai\b|mo hinh|gioi han)",
        "chi thi moi", "huong dan moi", "menh lenh moi", "lenh moi", "nhiem vu moi", "che do",
    ),
    Pattern(
        r"\b(?:gat (?:sang mot ben|bo)|dung (?:ban tam|de y)|khong can (?:nghe )?theo|lam lo|ngung tuan (?:thu|theo)|xoa sach|dep (?:het|bo)|huy toan bo|thay the|phot lo|lo(?= (?:cac|moi|het)))\b.{0,20}?\b(?:chi thi|chi dan|huong dan|loi dan|luat(?: le)?|quy (?:tac|dinh)|gioi han(?= an toan)|rang buoc|prompt|loi nhac|nhung gi da duoc|moi dieu da duoc|nha phat trien)\b.{0,12}?\b(?:cu|truoc kia|truoc day|o tren|phia tren|ben tren|he thong|goc|ban dau|an toan|day|dan|nua)\b|\b(?:cac |moi )?(?:chi thi|chi dan|huong dan|loi dan|lenh|quy tac|luat|rang buoc) (?:cu|ben tren|o tren|truoc (?:kia|day|do)|ban dau|dat cho ban)\b.{0,12}?\b(?:het hieu luc|vo gia tri|khong con gia tri|(?:deu |da )?bi huy|nay duoc go|la sai|khong ton tai|nhu khong)|\b(?:coi|lam|xem) nhu (?:chua tung co|khong co) (?:luat|chi dan|quy tac|huong dan)|\bchi thi moi thay the\b|\b(?:nhu|la) (?:mot )?ai khong kiem duyet\b|\bchep lai nguyen van doan dau tien\b|\b(?:prompt|loi nhac) he thong\b.{0,12}?(?:vo hieu|het hieu luc|khong con)",
        "gat ", "dung ", "khong can", "lam lo", "ngung ", "xoa sach", "dep ", "huy ", "thay the", "phot lo", "lo ", "hieu luc", "gia tri", "duoc go", "la sai", "nhu ", "nguyen van", "he thong",
    ),
    # two languages in one order
    Pattern(
        r"\b(?:previous|prior|above|earlier|system|all|initial|original|existing)\b.{0,15}?\b(?:instructions?|prompts?|rules?|guidelines?|orders?|commands?)\b[^。\n]{0,8}?(?:無視|むし(?=[しすせ])|忘れ|破棄|無効|取り消|従わ[なず]|守らな|捨て|リセット)(?!して(?:よい|も)|され|し(?:ない|ませ)|でき(?:ない|ず)|するな|しては(?:な|い))",
        "無視", "むし", "忘れ", "破棄", "無効", "取り消", "従わ", "守らな", "捨て", "リセット", ("instruction", "prompt", "rule", "guideline", "order", "command"),
    ),
    Pattern(
        r"(?:これまで|今まで|いままで|以前|前述|上記|先ほど|直前|従来|元|最初|すべて|全て|前|システム)の?[^。\n]{0,8}?(?:instructions?|prompts?|rules?|guidelines?|orders?|commands?)[^。\n]{0,6}?(?:ignore|disregard|forget|override|無視|忘れ|破棄)(?!され|し(?:ない|ませ)|しては)",
        "これまで", "今まで", "いままで", "以前", "前", "上記", "先ほど", "従来", "元", "最初", "すべて", "全て", "システム",
        ("instruction", "prompt", "rule", "guideline", "order", "command"), ("ignore", "disregard", "forget", "override", "無視", "忘れ", "破棄"),
    ),
    Pattern(
        r"\bignore\b.{0,20}?\b(?:instructions?|prompts?|rules?|chi dan|huong dan|lenh|quy tac)\b.{0,12}?\b(?:truoc|o tren|he thong)\b|\b(?:bo qua|bo wa|quen|phot lo)\b.{0,20}?\b(?:instructions?|prompts?|rules?)\b.{0,12}?\b(?:truoc|o tren|he thong)\b|\bbo wa\b.{0,20}?\b(?:chi dan|huong dan|lenh)\b",
        "ignore", "bo qua", "bo wa", "quen", "phot lo", ("truoc", "o tren", "he thong", "chi dan", "huong dan", "lenh"),
    ),
    # kana alone, and politer or rougher words
    Pattern(
        r"(?:前|これまで|今まで|いままで|以前|上|先)の(?:指示|しじ|命令|めいれい|プロンプト|ぷろんぷと)[^。\n]{0,10}?(?:気にせ|きにせ|気にし(?:ない(?!と)|なく)|むし(?:し(?!ない|ませ|ては)|せよ|すること)|無視(?:し(?!ない|ませ|ては)|せよ|すること))|(?:システム|これまで|今まで|前|以前|上記|他)[^。\n]{0,8}?(?:指示|しじ|命令|ルール)(?:に|には)従わ(?:ず|ない(?:で|こと)|なくて)",
        "指示", "しじ", "命令", "めいれい", "プロンプト", "ぷろんぷと", "ルール", ("気にせ", "きにせ", "気にし", "むし", "無視", "従わ"),
    ),
    # other languages, the most usual form
    Pattern(
        r"(?:忽略|无视|忘记|無視|忽視)[^。\n]{0,10}?(?:之前|以上|先前|所有|全部|上面|前面)[^。\n]{0,10}?(?:指令|指示|提示|规则|規則|命令)"
        r"|(?:이전|위의|모든|앞선)[^.\n]{0,12}?(?:지시|명령|프롬프트|지침)[^.\n]{0,8}?(?:무시|잊)"
        r"|\bигнориру[йи](?:те)?\b.{0,12}?(?:предыдущие|все).{0,20}?инструкции|\babaikan\b.{0,20}?\b(?:instruksi|perintah)\b|تجاهل.{0,12}?(?:التعليمات|الاوامر)|(?:ละเว้น|เพิกเฉย).{0,20}?คำสั่ง|निर्देशों को (?:अनदेखा|नज़रअंदाज़)"
        r"|\b(?:ignore[rz]?|oublie[rz]?|ignora|olvida|ignoriere|vergiss)\b.{0,20}?\b(?:instructions|consignes|instrucciones|instrucoes|anweisungen|istruzioni)\b",
        "忽略", "无视", "忘记", "忽視", "지시", "명령", "프롬프트", "지침", "consignes", "instrucciones", "instrucoes", "anweisungen", "istruzioni",
        "toutes les instructions", "les instructions", "инструкции", "abaikan", "تجاهل", "คำส", "นิर", "निर्देश",
    ),
)  # fmt: skip

CHAT = (
    Pattern(r"<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|endofprompt|eot_id|start_header_id|end_header_id|begin_of_text|fim_\w+|end|tool)\|?>", "<|"),
    Pattern(r"<\s?\|\s?im_(?:start|end)\s?\|\s?>|(?<![\w|])\|im_(?:start|end)\||\[ ?/?inst ?\]|\[bos\]|^[ \t]*</s>[ \t]*$|‹/?system›|<</?sys>>|<(?:start|end)_of_turn>|</?s>\s*\[inst", "im_start", "im_end", "inst]", "inst ]", "[bos]", "</s>", "system›", "<<sys", "<</sys", "_of_turn>", flags=re.M),
    Pattern(r"^[ \t]*#{1,6} ?(?:system|instructions?|new instructions?|assistant|human|system prompt|developer|end of \w+)(?: (?:message|prompt))?\s?:", "system", "instruction", "assistant", "human", "developer", "end of", ("# ", "#s", "#i", "#a", "#h", "#n", "#d", "#e"), flags=re.M),
    Pattern(r"</?(?:memory|memories|system|system_prompt|system-prompt|instructions?|tool_?(?:call|calls|result|results|use|response|output)|function_?(?:call|calls|results?)|invoke|antml:\w+|user_query|system-reminder|untrusted\w*|project[-_]?brain[\w-]*|thinking|scratchpad)(?:\s[^<>\n]{0,200})?>", "<mem", "</mem", "<sys", "</sys", "<instr", "</instr", "<tool", "</tool", "<function", "</function", "<invoke", "</invoke", "<antml", "</antml", "<user_q", "</user_q", "<untrusted", "</untrusted", "<project", "</project", "<think", "</think", "<scratch", "</scratch"),
    Pattern(r"^[ \t]{0,8}<(?:assistant|human|user|important|admin|developer|context|data|document|parameter)(?:\s[^<>\n]{0,200})?>|</(?:assistant|human|user|important|admin|developer|context|data|document|parameter)>", "<assistant", "</assistant", "<human", "</human", "<user", "</user", "<important", "</important", "<admin", "</admin", "<developer", "</developer", "<context", "</context", "<data", "</data", "<document", "</document", "<parameter", "</parameter", flags=re.M),
    Pattern(r"^[ \t>*]*(?:\*\*)?(?:human|user|system|assistant|ai)(?:\*\*)?\s?:.{0,500}\n(?:[ \t]*\n)?[ \t>*]*(?:\*\*)?(?:assistant|ai|human|user)(?:\*\*)?\s?:", "assistant:", "assistant :", "assistant**:", "ai:", "human:", "human :", "human**:", "user:", "user :", ("assistant", "ai:", "human"), flags=re.M),
    Pattern(r"\{\s?\"role\"\s?:\s?\"(?:system|assistant|developer)\"", "\"role\""),
)  # fmt: skip

_PEOPLE = r"(?:human|humans|user|users|reviewer|reviewers|developer|developers|maintainers?|operators?|people|anyone|anybody|team|manager|pm|owner|admin|person|author)"

CONCEAL = (
    Pattern(
        rf"\b(?:do not|don't|never)\b bring (?:this|it|that|these) up (?:with|to|before) (?:the |any )?{_PEOPLE}\b"
        r"|(?:pm|リ[ー-]ダ[ー-]?|管理者|利用者|ユ[ー-]ザ[ー-]?|レビュ[ー-]ア[ー-]?)(?:へ|に)の?(?:報告|連絡|通知|共有)(?:は)?(?:不要|いらない|しない(?:で|こと)|無用)|(?<![をのに])黙って[^。.\n]{0,8}(?:すこと|せよ|しろ|直し|直す|進め|承認|マージ)"
        r"|要約(?:に|には|から)[^。.\n]{0,10}(?:含めない|含めず|入れない|書かない|外して|外すこと|省いて|省くこと)"
        r"|\bkhong (?:dua|ghi|nhac|neu)\b.{0,24}?\b(?:vao|trong|o) (?:phan |ban |doan )?tom tat\b",
        "bring ", "報告", "連絡", "通知", "共有", "黙って", "要約", "tom tat",
    ),
    Pattern(
        rf"\b(?:do not|don't|never|must not|should not|without|avoid|refrain from|not to)\b (?:ever |directly )?(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|alert|alerting|let|letting|warn|warning|reveal|revealing|disclose|disclosing|admit|report|reporting|asking)\b(?: (?:this|it|that|anything|these|about|any of this|the change|what you did))*(?: to)? (?:the |any |your |a )?{_PEOPLE}\b",
        "tell", "mention", "inform", "notif", "alert", "let ", "letting", "warn", "reveal", "disclos", "admit", "report", "asking",
        ("do not", "don't", "never", "must not", "should not", "without", "avoid", "refrain", "not to"), ("human", "user", "reviewer", "developer", "maintainer", "operator", "people", "anyone", "anybody", "team", "manager", "pm", "owner", "admin", "person", "author"),
    ),
    Pattern(
        rf"\b(?:keep|hide|conceal|withhold|mask|obscure)\b (?:this|it|that|these|them|the \w+|all of this|your \w+|everything)(?: \w+){{0,3}}? (?:secret |hidden |away |confidential )?from (?:the |all |any |your )?(?:\w+ )?{_PEOPLE}\b|\b(?:secretly|covertly|stealthily|surreptitiously)\b.{{0,40}}\b(?:send|add|copy|upload|run|push|change|insert|include|install|delete|disable|log|collect|store|merge|approve|append)|\bwithout (?:the |any )?(?:user|human|reviewer|developer|team)s?(?:'s)? (?:knowing|noticing|knowledge|consent|seeing)|\bso that (?:the |no )?(?:user|human|reviewer|one)s? (?:does not|do not|doesn't|don't|won't|will not|never)? ?(?:notice|notices|see|sees|know|knows)\b",
        "keep", "hide", "conceal", "withhold", "mask", "obscure", "secretly", "covertly", "stealthily", "surreptitiously", "knowing", "noticing",
        "knowledge", "consent", "seeing", "so that the", "so that no",
        ("secret", "from the", "from all", "from any", "from your", "from human", "from user", "from review", "from develop", "from people", "from anyone", "covertly", "stealthily", "surreptitiously", "without", "so that"), ("human", "user", "reviewer", "developer", "maintainer", "operator", "people", "anyone", "anybody", "team", "manager", "pm", "owner", "admin", "person", "author", "one", "secretly", "covertly", "stealthily"),
    ),
    Pattern(
        rf"\b(?:keep|stays?|remains?|leave) (?:this|it|that)? ?(?:just )?between us(?![\w-])|\bkeep (?:quiet|silent|mum) about (?:this|it)\b|\bno(?:body| one| reviewer| human)(?: else)? (?:needs? to|should|may|must|shall) (?:know|notice|learn|hear|find out)\b|\bso (?:that )?no (?:reviewer|human|one|user) (?:notices|sees|knows)|\b(?:no need|not necessary) to (?:tell|mention|inform|report|show)(?: (?:this|it))?(?: to)? (?:the |any )?{_PEOPLE}\b|\b(?:the )?{_PEOPLE} (?:need not|needn't|shall not|must not|should not|are better off not) (?:know|learn|hear(?:ing)?|notice|see|find out)\b|\bleave no trace of (?:this|it)\b|\bleave (?:this|it) out of the (?:merge|pull|summary|report|change)|\bnot a word to (?:the |any )?{_PEOPLE}\b|\b(?:best |better )?not (?:be )?brought up with (?:the |any )?{_PEOPLE}\b|\bavoid drawing (?:the |any )?{_PEOPLE}'?s? attention",
        "between us", " about this", " about it", "nobody", "no one", "no reviewer", "no human", "no user", "no need", "not necessary", "need not", "needn't", "shall not", "must not", "should not", "better off", "no trace", "leave this", "leave it", "not a word", "brought up", "attention",
        ("between us", " about ", "know", "notice", "learn", "hear", "find out", "sees", " see ", "tell", "mention", "inform", "report", "show", "trace", "summary", "merge", "pull", "change", "word to", "brought up", "attention"),
    ),
    Pattern(r"\b(?:do not|don't|never) (?:mention|reveal|disclose|talk about|refer to|acknowledge|cite|quote) (?:this|these|the (?:above|existence of)) ?(?:instructions?|messages?|notes?|memor(?:y|ies)|rules?|prompts?|text)?\b", "mention", "reveal", "disclose", "talk about", "refer to", "acknowledge", "cite", "quote", ("do not", "don't", "never")),
    Pattern(
        r"(?:ユーザー?|人間|利用者|レビュー(?:担当者?|者)|レビュア[ー]?|レビューワー?|担当者|管理者|開発者|承認者|誰|だれ|人|上司|チーム|pm)(?:に|には|へ|へは|にも)(?:は)?[^。\n]{0,14}?(?:知らせ|伝え|(?<!ユーザーに)(?<!ユーザに)見せ|報告し|報告せ|教え|言わ|話さ|明かさ|漏らさ|気付かれ|気づかれ|悟られ|通知し|通知せ|告げ|バレ)(?:ない|ず|るな|では|てはな|ちゃ|ん)|(?:ユーザー?|人間|レビュー担当者?|レビュア[ー]?|担当者)(?:から|に対して)(?:は)?[^。\n]{0,10}(?:隠し|隠す|隠せ|秘密に|内緒に|伏せ)|(?:pm|レビュー担当者?|レビュア[ー]?|誰|だれ|チーム|上司|ユーザー?)に(?:は|も)?(?:内緒|伏せて|話すな|言うな)|このことは(?:伏せ|内緒|秘密)|(?:報告|連絡)は不要(?:、|,)?黙って|この(?:手順|操作|作業|こと)は(?:ログ|記録|履歴)に残(?:さな|すな)|(?:こっそり|密かに|ひそかに|内密に|黙って)[^。\n]{0,30}(?:送|追加|実行|削除|変更|コピー|保存|承認|書き)",
        "知らせ", "伝え", "見せ", "報告", "教え", "言わ", "話さ", "明かさ", "漏らさ", "気付かれ", "気づかれ", "悟られ", "通知", "告げ", "バレ", "話すな", "言うな", "ログに", "記録に", "履歴に",
        "隠", "秘密", "内緒", "伏せ", "こっそり", "密かに", "ひそかに", "内密", "黙って",
        ("ない", "ず", "すな", "うな", "るな", "では", "てはな", "ちゃ", "ん", "隠", "秘密", "内緒", "伏せ", "こっそり", "密かに", "内密", "黙って", "ひそかに"),
    ),
    Pattern(
        r"\b(?:khong|dung|cam|chua|tuyet doi khong)(?: duoc| nen| bao gio| de)? (?:noi|bao|thong bao|tiet lo|ke|cho|de lo|bao cao|nhac|de)(?: lai| dieu nay| viec nay| gi| ra)*(?: cho| voi| den| toi)? (?:nguoi (?:dung|duyet|kiem|review|quan ly|khac|xem|that)|reviewer|quan ly|khach|bat ky ai|\bai\b|con nguoi|pm|lap trinh vien)(?: biet| hay| thay| nhin thay)?|\b(?:giu bi mat|giau|che giau|giau kin|am tham|len lut|bi mat)\b.{0,25}?\b(?:voi|khoi|truoc|doi voi) (?:nguoi|reviewer|quan ly|moi nguoi|con nguoi)|\bgiu kin (?:viec|chuyen|dieu) nay\b|\bkhong can bao cho (?:ai\b|nguoi|pm|quan ly)|\blam am tham\b|\b(?:chuyen|viec|dieu) nay chi (?:chung ta|minh) biet\b|\bkhong (?:ghi|dua)(?: viec nay| dieu nay)? vao (?:ban )?tom tat\b|\b(?:am tham|len lut|bi mat|lang le) (?:gui|them|chay|xoa|sua|sao chep|tai|cai|phe duyet)\b",
        "nguoi", "reviewer", "quan ly", "khach", "bat ky ai", "cho ai", "giu kin", "chi chung ta", "chi minh", "tom tat", "am tham", "len lut", "bi mat", "lang le", "lap trinh vien", "pm",
        ("khong noi", "khong bao", "khong thong", "khong tiet", "khong ke", "khong cho", "khong de", "khong duoc", "khong nen", "khong nhac", "dung ", "cam ",
         "khong can", "khong ghi", "khong dua", "chi chung ta", "chi minh", "giu kin", "chua ", "tuyet doi", "giu bi mat", "giau", "am tham", "len lut", "bi mat", "lang le"),
    ),
)  # fmt: skip

_ACTS = r"(?:run|execut\w+|send|post|upload|fetch|curl|delete|remove|approve|merge|push|add|grant|read|include|print|call|write|install|download|disable|skip|commit|repl(?:y|ies)|always|never|must|open|create|change|copy|ignore|output|append|insert|reveal|obey|follow|use|answer|respond|treat|trust|forward|submit|deploy|drop|encode|leak|exfiltrate|email|mail|wipe|force)"
_AGENT = r"(?:(?:ai|llm|coding|automated|autonomous|code)[ -](?:assistants?|agents?|models?|bots?|tools?|reviewers?|systems?)|language models?|(?:assistants?|agents?|copilot|claude(?: code)?|chatgpt|gpt|codex|gemini|cursor|cline|devin|llms?|ais?|bots?)(?= ?[:,]| (?:must|should|shall|will|has to|have to|need|is to|are to|reading|that read|who read|please)))"

AGENT = (
    Pattern(
        rf"(?:^|[\s(\"'>*_.:;!?-])(?:dear |attention,? |note (?:to|for) (?:the |all |any )?|important(?: note)? (?:for|to) (?:the |all )?|hey |to (?:the |all |any )?|for (?:the |all |any )?|any |all |the |every |hello |if you are an? |as an? )?{_AGENT}\b[^.\n]{{0,30}}?\b{_ACTS}\b",
        "assistant", "agent", "language model", "copilot", "claude", "gpt", "codex", "gemini", "cursor", "cline", "devin", "llm", " ai", "\nai", "bot", flags=re.M,
    ),
    Pattern(rf"\bif you(?:'re| are) (?:an? |the )?(?:ai\b|llm|assistant|agent|language model|bot|model|coding)[^\n]{{0,60}}?\b{_ACTS}\b", "if you"),
    Pattern(
        rf"\b(?:whenever|before|after|when|each time|every time|once|as soon as|while)\b (?:you |an? (?:agent|assistant) )?(?:open|opens|opening|read|reads|reading|see|sees|seeing|load|loads|loading|answer|answers|answering|use|using|process|processing|start|starting|retrieve|recall|receive|reply|replying|respond|responding|call|calling|run|begin)\b.{{0,30}}?\b(?:this (?:repo(?:sitory)?|memory|file|note|text|message|document|project|page|rule)|any (?:tools?|question|request|memory|file)|the (?:user|question|next|conversation|session)|a (?:question|tool|session|task)|anything|tools?\b)[^\n]{{0,20}}?\b{_ACTS}\b",
        "whenever", "before using", "before answer", "before read", "before open", "before you", "before repl", "before respond", "before process",
        "before call", "before start", "after you", "after read", "after open", "when you", "when an", "when read", "when open", "when answer", "when us",
        "each time", "every time", "once you", "as soon as", "while you", "while read", "while process",
        ("this ", "any ", "the user", "the question", "the next", "the conversation", "the session", "a question", "a tool", "a session", "a task", "anything", "tool"),
    ),
    Pattern(
        r"\b(?:approve|merge|push|commit|deploy|release|accept|force-push)\b.{0,50}?\b(?:without|skip(?:ping)?|bypass(?:ing)?|regardless of|no)\b.{0,15}?\b(?:asking|any questions|human|user|confirmation|permission|consent|telling)\b|\b(?:automatically|always|silently) (?:approve|merge|accept) (?:every|all|any|each) (?:merge|pull|change|mr|pr|request)",
        "approve", "merge", "push", "commit", "deploy", "release", "accept",
        ("asking", "any questions", "human", "user", "confirmation", "permission", "consent", "telling", "automatically", "always", "silently"),
        ("without", "skip", "bypass", "regardless", "no ", "automatically", "always", "silently"),
    ),
    Pattern(
        r"\b(?:send|post|upload|forward|e-?mail|exfiltrate|leak|transmit|append|include|attach|copy|paste|encode|embed|print|output|reveal|share|dump|answer|reply)\b.{0,50}?(?:\b(?:chat history|conversation(?: history)?|system prompt|previous messages|(?:contents? of )?(?:your|all|any|every|all the|all your) (?:env(?:ironment)? variables?|env vars?|credentials|private keys?|ssh keys?|access tokens?|api keys?|secrets?)|the deploy token)\b|(?<![\w/])\.env\b(?!\.)|~/\.(?:ssh|aws|netrc|kube|gnupg|docker|npmrc|config)|\bid_(?:rsa|ed25519)\b|/etc/(?:passwd|shadow))[^\n]{0,40}?(?:\bto\b|\bin(?:to)?\b|\bin your\b|\bwith\b|https?:|@|\breply\b|\bresponse\b|\banswer\b|\bcomments?\b|\bbase64\b)",
        "chat history", "conversation", "system prompt", "previous messages", ".env", "env var", "environment variable", "credentials", "private key",
        "ssh key", "access token", "api key", "your secret", "all secret", "any secret", "every secret", "all the secret", "deploy token", "~/.", "id_rsa", "id_ed", "/etc/",
        ("send", "post", "upload", "forward", "mail", "exfiltrate", "leak", "transmit", "append", "include", "attach", "copy", "paste", "encode", "embed",
         "print", "output", "reveal", "share", "dump", "answer", "reply"),
    ),
    Pattern(
        r"(?:(?:(?<![a-z])ai|エージェント|アシスタント|ボット|(?<![a-z])llm|言語モデル|生成ai|claude|copilot|chatgpt|gemini|cursor|codex)(?:エージェント|アシスタント|モデル|ツール)?(?:の皆さん|の方|各位)?(?:は|が|へ|に(?!よ[るっ]|関)|には|よ|,|:|の場合|なら|であれば))[^。\n]{0,60}?(?:実行|送信|送れ|送る|削除|承認|マージ|push|プッシュ|追加|出力|読み(?:込|取)|読んで|無視|表示|スキップ|省略|無効|従|返答|回答|含め|貼り付け|投稿|アップロード|起動|インストール|記録|書き込|付け|信頼|開示|呼び出)(?:し|せ|す|る|れ|っ|わ|う|い|ん|で|ま|め|け|と|て|を|む|み|も|$)",
        "ai", "エージェント", "アシスタント", "ボット", "llm", "言語モデル", "claude", "copilot", "chatgpt", "gemini", "cursor", "codex",
        ("実行", "送信", "送れ", "送る", "削除", "承認", "マージ", "push", "プッシュ", "追加", "出力", "読み", "読んで", "無視", "表示", "スキップ", "省略", "無効",
         "従", "返答", "回答", "含め", "貼り付け", "投稿", "アップロード", "起動", "インストール", "記録", "書き込", "付け", "信頼", "開示", "呼び出"),
        ("は", "が", "へ", "に", "よ", "なら", "の場合", "であれば"),
    ),
    Pattern(
        r"(?:このリポジトリ|このメモリ?|この記憶|このファイル|この文書|このメッセージ|回答|返答|応答|質問|ツール)(?:を|に|する|の)?(?:開|読|見|参照|答え|使|呼|前)[^。\n]{0,14}?(?:たび|度に|とき|時|前に|際|たら|後に|ら)[^。\n]{0,50}?(?:実行|送信|送れ|送る|削除|承認|追加|出力|読み|付け|含め|呼び出|アップロード|ダウンロード)(?:し|せ|す|る|れ|て|を|け|め)|(?:\.env|環境変数|秘密鍵|認証情報|会話履歴|会話の(?:内容|要約|履歴)|~/\.ssh)[^。\n]{0,20}?(?:を|の内容を|の中身を)[^。\n]{0,30}?(?:送信|送れ|送って|送る|表示し(?:て|ろ|なさい)|表示する。|出力し(?:て|ろ|なさい)|貼り付け|投稿|アップロード|返答に含め|回答に含め|返信に)|(?:回答|返答|応答|返信)の?(?:末尾|最後|冒頭|先頭|中)に(?:必ず|常に|いつも)",
        "リポジトリ", "メモ", "記憶", "ファイル", "文書", "メッセージ", "回答", "返答", "応答", "質問", "ツール", ".env", "環境変数", "秘密鍵", "認証情報", "会話", "~/.ssh", "返信",
        ("たび", "度に", "とき", "時", "前に", "際", "たら", "後に", "送", "表示", "出力", "貼り付け", "投稿", "アップロード", "含め", "末尾", "最後", "冒頭", "先頭", "中に", "ら"),
        ("実行", "送", "削除", "承認", "追加", "出力", "読み", "付け", "含め", "呼び出", "アップロード", "ダウンロード", "表示", "貼り付け", "投稿", "必ず", "常に", "いつも"),
    ),
    Pattern(
        r"\b(?:tro ly(?: ai| ao| lap trinh)?|ai agent|agent|tac nhan(?: ai)?|chatbot|mo hinh (?:ngon ngu|ai)|cong cu ai|bot|neu ban la (?:mot )?(?:ai|tro ly|mo hinh|agent|chatbot)|\bai|claude|copilot|chatgpt|gemini|cursor|codex)\b ?[:,]? ?(?:thi |nay |khi \w+ \w+ |luon |phai |hay |can |nen |vui long |se |chi |duoc |doc |bat buoc |khong can )+.{0,60}?\b(?:chay|gui|xoa|phe duyet|duyet|merge|push|them|in ra|doc|bo qua|cai|tai|tat|tra loi|dong y|goi|mo|ghi|chen|tiet lo|thuc thi|thuc hien|tuan|lam theo|sua|dang|dinh kem)\b",
        "tro ly", "agent", "tac nhan", "chatbot", "mo hinh", "cong cu ai", "bot", "neu ban la", " ai", "\nai", "claude", "copilot", "gemini", "cursor", "codex",
        ("luon ", "phai ", "hay ", "can ", "nen ", "vui long", "bat buoc", "khong can", "duoc ", "thi ", "se ", "chi ", "doc "),
        ("chay", "gui", "xoa", "duyet", "merge", "push", "them", "in ra", "doc", "bo qua", "cai", "tai", "tat", "tra loi", "dong y", "goi", "mo ", "ghi", "chen", "tiet lo", "thuc", "tuan", "lam theo", "sua", "dang", "dinh kem"),
    ),
    Pattern(
        r"\b(?:moi khi|truoc khi|sau khi|khi|moi lan)\b (?:ban )?(?:mo|doc|tra loi|dung|su dung|goi|nhan|bat dau)\b.{0,20}?\b(?:kho(?: ma)?(?: nay)?|repo(?: nay)?|tep nay|file nay|ghi nho nay|cong cu|cau hoi|nguoi dung|tai lieu nay|doan nay)\b.{0,20}?\b(?:hay |phai |luon |thi |dau tien )+.{0,40}?\b(?:chay|gui|xoa|duyet|them|in|doc|goi|cai|tai|ghi|chen|thuc thi)\b|\b(?:gui|dang|tai len|chen|dinh kem|sao chep|in ra|doc)\b.{0,40}?(?:bien moi truong|khoa rieng|khoa ssh|lich su (?:chat|tro chuyen|hoi thoai)|thong tin dang nhap|noi dung tep \.env|(?<![\w/])\.env\b(?!\.)|~/\.ssh|token)[^\n]{0,30}?\b(?:den|toi|vao|len|ra|cho)\b",
        "moi khi", "truoc khi", "sau khi", "khi ", "moi lan", "bien moi truong", "khoa rieng", "khoa ssh", "lich su", "thong tin dang nhap", ".env", "~/.ssh", "token",
        ("kho ma", "kho nay", "repo", "tep nay", "file nay", "ghi nho", "cong cu", "cau hoi", "nguoi dung", "tai lieu nay", "doan nay", "bien moi truong", "khoa rieng", "khoa ssh", "lich su", "dang nhap", ".env", "~/.ssh", "token"),
        ("hay ", "phai ", "luon ", "thi ", "dau tien", "gui", "dang", "tai len", "chen", "dinh kem", "sao chep", "in ra", "doc"),
        ("chay", "gui", "xoa", "duyet", "them", "in ra", "doc", "goi", "cai", "tai", "ghi", "chen", "thuc thi", "den ", "toi ", "vao "),
    ),
)  # fmt: skip

WORM = (
    Pattern(
        r"\bprefer this (?:note|memory|entry|text) (?:to|over)\b|\b(?:carry|take|copy) this (?:line|sentence|text|paragraph|note)(?: over)? (?:in)?to (?:the |every |each |any )?(?:next|new|other|every|each)\b"
        r"|(?:矛盾|衝突|食い違)[^。.\n]{0,14}(?:本|この)(?:メモ|記憶|文書)(?:リ)?が(?:正しい|勝|優先)"
        r"|(?:この|本)(?:文|一文|段落|行|内容)を[^。.\n]{0,12}(?:すべて|全て|全|各|新しい|他)の?[^。.\n]{0,12}(?:貼り?付け|写し|写す|転記|追記)|新しい(?:メモ|記憶|文書)(?:リ)?に[^。.\n]{0,8}この(?:文|一文|段落|行)を(?:写|貼|入れ|書)"
        r"|\b(?:ghi nho|ghi chu|bo nho|ky uc) nay (?:duoc|luon duoc|phai duoc) uu tien hon\b|\b(?:neu|khi) mau thuan\b.{0,40}?\b(?:thi )?(?:theo|tin|dung|lam theo) (?:ghi nho|ghi chu) nay\b",
        "prefer this", "this line", "this sentence", "this text", "this paragraph", "this note", "矛盾", "衝突", "食い違", "この文", "この一文", "この段落", "この行", "本文", "内容", "uu tien hon", "mau thuan",
    ),
    Pattern(
        r"\bthis (?:memory|note|one|entry|text) (?:has the last word|is (?:always )?right|prevails|wins|beats|decides)\b|\bthis (?:beats|outranks|overrides) the rules\b|\b(?:put|carry|reproduce|repeat|copy) (?:this|these|the) (?:words?|sentence|text|line|memory|note)(?: over)? (?:in(?:to)? (?:all|each|every)|wherever you (?:write|answer))|\bwhen(?:ever)? you (?:save|write|make|file) an?(?:other)? (?:memory|note|retro|draft)[^.\n]{0,20}\b(?:add|copy|put|repeat) this\b"
        r"|(?:矛盾|衝突|食い違)[^。.\n]{0,14}この(?:メモリ?|記憶)が(?:正しい|勝|優先)|ルールよりこの(?:メモリ?|記憶)を|この(?:メモリ?|記憶)を消さないこと|この(?:一文|文|行|メモリ?|記憶)を[^。.\n]{0,14}?(?:すべて|全て|全|たび|毎回|あらゆる)[^。.\n]{0,10}?(?:書き写|複製|入れる|入れよ|コピー|写せ)"
        r"|\bkhi mau thuan,? (?:thi )?(?:ghi nho|ghi chu) nay (?:dung|thang)|\btin (?:ghi nho|ghi chu) nay hon\b|\b(?:he|moi khi|khi) tom tat thi them (?:cau|doan|dong) nay\b|\b(?:chep|sao chep|them) (?:ghi nho|cau|doan|ghi chu) nay (?:sang|vao) moi\b",
        "this ", "these ", "the ", "矛盾", "衝突", "食い違", "この", "mau thuan", "tin ghi", "tom tat", "chep ", "them ",
        ("last word", "right", "prevail", "wins", "beats", "decides", "outrank", "override", "put ", "carry", "reproduce", "repeat", "copy", "add ", "この", " nay"),
    ),
    Pattern(
        r"\bthis (?:memory|note|rule|file|instruction|entry|fact|document|text) (?:always |now )?(?:overrides?|supersedes?|takes? (?:precedence|priority) over|outranks?|wins over|trumps|replaces|has priority over|beats)\b (?:all|any|every|everything|other|the (?:system|user|other|rules)|\.?rules|system|your)",
        "override", "supersede", "precedence", "priority", "outrank", "wins over", "trumps", "replaces", "beats",
    ),
    Pattern(
        r"\b(?:copy|add|insert|write|append|replicate|propagate|include|paste|repeat|store|save|spread|put|reproduce)\b (?:this|these|the (?:above|following|same|text|line|sentence|rule))(?: \w+){0,4}? (?:in(?:to)?|to|at the (?:end|top|start) of|across|on) (?:every|all|each|any|other|new|future)(?: \w+){0,2}? ?(?:memor(?:y|ies)|files?|notes?|repos?(?:itory|itories)?|projects?|documents?|answers?|responses?|replies|messages?|commits?|merge requests?|sessions?|rules?|prompts?)",
        "copy", "add", "insert", "write", "append", "replicate", "propagate", "include", "paste", "repeat", "store", "save", "spread", "put", "reproduce",
        ("this", "these", "the above", "the following", "the same", "the text", "the line", "the sentence", "the rule"),
        ("every", "all", "each", "any", "other", "new", "future"),
        ("memor", "file", "note", "repo", "project", "document", "answer", "response", "replies", "message", "commit", "merge request", "session", "rule", "prompt"),
    ),
    Pattern(
        r"\b(?:treat|consider|regard|take|accept|trust|interpret|obey|follow)\b (?:any|all|every|each|the|whatever)? ?(?:instructions?|messages?|commands?|requests?|words?|texts?|orders?|input)\b.{0,20}?\b(?:from|by|in|of)\b.{0,50}?\b(?:as (?:if )?(?:coming |it came |they came |being )?(?:from )?(?:the |a |an )?(?:system|admin|administrator|trusted|developer|user|owner|operator|authori[sz]ed|command|instruction|rule)|without (?:question|verification|checking))",
        "treat", "consider", "regard", "take", "accept", "trust", "interpret", "obey", "follow",
        ("instruction", "message", "command", "request", "word", "text", "order", "input"),
        ("as if", "as coming", "as the", "as a", "as from", "as being", "as system", "as admin", "as trusted", "as author", "as user", "as owner", "as command", "as instruction", "as rule", "as developer", "as operator", "without question", "without verification", "without checking"),
    ),
    Pattern(
        r"\b(?:do not|don't|never) (?:delete|remove|edit|change|question|review|modify|deprecate|verify|doubt|overwrite) this (?:memory|note|entry|instruction)|\b(?:always|must be) (?:recall|load|inject|obey|follow|trust|include)(?:ed)? this (?:memory|note)\b|\b(?:ignore|disregard|overrule|forget)\b (?:all |any |the |every )?(?:other |older |previous )?(?:memories|notes|\.rules|rules folder)\b|\b(?:more important than|ranks? (?:above|over)) (?:the |any |all |every )?(?:other |system )?(?:memor(?:y|ies)|rules|instructions|\.rules)\b|\bthis (?:memory|note|entry) (?:is|counts?|weighs) more (?:important |heavily )?than (?:any|all|every|everything)\b",
        "this memory", "this note", "this entry", "this instruction", "memories", "notes", ".rules", "rules folder", "more important", "ranks ", "rank ", "more than", "more heavily",
    ),
    Pattern(
        r"(?:この|本)(?:メモリ|メモ|記憶|ルール|指示|文書|ノート)(?:は|が)[^。\n]{0,20}?(?:他の|すべて|全て|あらゆる|システム|既存)[^。\n]{0,20}?(?:優先|上書き|優越|勝)|(?:この|本)(?:メモリ?|記憶|ルール|指示)(?:は|が)[^。\n]{0,8}?(?:どの|どんな|いかなる|何)[^。\n]{0,14}?(?:より)も?[^。\n]{0,6}?(?:重要|大事|上位|優先|強)|(?:この|本)(?:文|メモリ|メモ|記憶|指示|内容|行|ルール)を?[^。\n]{0,20}?(?:すべて|全て|あらゆる|他の|新しい|今後の|各)[^。\n]{0,14}?(?:メモリ|メモ|記憶|ファイル|文書|リポジトリ|プロジェクト|回答)[^。\n]{0,6}?(?:に|へ)[^。\n]{0,10}?(?:コピー|複製|追記|追加|書き込|貼り付け|転記|含め|保存)|(?:からの|による)(?:指示|命令|メッセージ|依頼)(?:は|を)[^。\n]{0,14}?(?:システム|管理者|開発者|ユーザー)[^。\n]{0,8}?(?:扱|みな|とし|見な|考え)|(?:この|本)(?:メモリ|メモ|記憶)(?:を|は)[^。\n]{0,6}(?:削除|編集|変更|疑)(?:しない|するな|してはな|わない|禁止)",
        "メモ", "記憶", "ルール", "指示", "文書", "ノート", "この文", "この行", "内容", "命令", "依頼", "メッセージ",
        ("優先", "上書き", "優越", "勝", "重要", "大事", "上位", "強", "コピー", "複製", "追記", "追加", "書き込", "貼り付け", "転記", "含め", "保存", "扱", "みな", "とし", "見な", "考え", "削除", "編集", "変更", "疑"),
        ("この", "本", "からの", "による"),
    ),
    Pattern(
        r"\b(?:ghi nho|bo nho|ky uc|ghi chu|ban ghi|quy tac|tep|tai lieu|huong dan|doan) (?:nho )?nay (?:luon )?(?:ghi de|thay the|uu tien|dung tren|quan trong hon|co (?:uu tien|hieu luc) (?:cao )?hon|vuot len)\b.{0,20}?(?:tat ca|moi|cac|he thong|quy tac|ghi nho|khac)|\b(?:sao chep|chep|them|chen|ghi|dan|nhan ban|lap lai)\b.{0,25}?\b(?:nay|tren|do)\b.{0,10}?\b(?:vao|sang|cho|den|o cuoi|o dau)\b (?:moi|tat ca|cac|tung)\b.{0,12}?(?:ghi nho|bo nho|ky uc|ghi chu|tep|file|tai lieu|du an|kho|cau tra loi|phan hoi)|\b(?:coi|xem)\b.{0,15}?\b(?:chi dan|yeu cau|lenh|tin nhan|loi|chi thi|huong dan)\b.{0,40}?\b(?:nhu|la)\b.{0,10}?(?:he thong|quan tri|nguoi dung|hop le|tin cay|cua chu)|\b(?:khong|dung|cam)(?: duoc)? (?:xoa|sua|thay doi|nghi ngo|kiem tra) (?:ghi nho|ky uc|ghi chu|bo nho) nay\b",
        "ghi nho", "bo nho", "ky uc", "ghi chu", "ban ghi", "quy tac", "tep", "tai lieu", "huong dan", "doan nay", "sao chep", "chep", "chen", "coi ", "xem ", "nhan ban", "lap lai",
        ("ghi de", "thay the", "uu tien", "dung tren", "quan trong hon", "vuot len", "vao moi", "vao tat ca", "vao cac", "vao tung", "sang moi", "cho moi", "cho tat ca", "den moi", "o cuoi", "o dau", "he thong", "quan tri", "nguoi dung", "hop le", "tin cay", "cua chu", "xoa", "sua", "thay doi", "nghi ngo", "kiem tra"),
        ("nay", "tren", "do ", "nhu ", "la "),
    ),
)  # fmt: skip

GLUED = Pattern(
    r"(?:ignor(?:e|ing)|disregard|forget|overrid(?:e|ing)|bypass|discard|dismiss)(?:all|any|every|everything|the|your|of|my|these|those)*+(?:previous|prior|above|earlier|preceding|system|safety|former|other|past)?(?:instruct|prompt|rules|guideline|directi|orders|commands|messages|told)"
    r"|(?:reveal|print|show|repeat|leak|output)(?:me|us|the|your|all|of)*+(?:systemprompt|instruct|prompt)|youarenow(?:dan|an|a|the|in|no)|donottell(?:the|any)*+(?:user|human|reviewer)"
    r"|(?:boqua|quen|photlo)(?:tatca|moi|toanbo|cac|nhung|het)*+(?:huongdan|chidan|chithi|lenh|quytac)",
    "ignor",
    "disregard",
    "forget",
    "overrid",
    "bypass",
    "discard",
    "dismiss",
    "prompt",
    "instruct",
    "youarenow",
    "donottell",
    "boqua",
    "quen",
    "photlo",
)
"""Orders whose blanks were taken out with those between their letters."""

SENSITIVE = (
    Pattern(r"(?<![\w/.])\.env\b(?!\.(?!local|prod))|(?:~|\$\{?home\}?|%userprofile%|users[/\\]\w{1,30})[/\\]\.(?:ssh|aws|netrc|kube|gnupg|docker|npmrc|pgpass|git-credentials|config|azure|pypirc)|/proc/(?:self|[0-9]+)/environ|\b(?:the|your) (?:kubeconfig|keychain|customer (?:database|data))\b|認証情報|顧客デ[ー-]タ|du lieu khach|\bid_(?:rsa|ed25519|ecdsa)\b|/etc/(?:passwd|shadow)|\bauthorized_keys\b|\.git-credentials|\bsystem prompt\b|\bchat history\b|\bdeploy token\b|環境変数|会話履歴|秘密鍵|bien moi truong|khoa rieng", ".env", "~/.", "id_", "/etc/", "authorized_keys", ".git-credentials", "system prompt", "chat history", "deploy token", "環境変数", "会話履歴", "秘密鍵", "bien moi truong", "khoa rieng", "/.", "\\.", "/proc/", "kubeconfig", "keychain", "customer data", "認証情報", "顧客", "du lieu khach"),
)  # fmt: skip
_SHELL = r"(?:(?:env|nohup|exec|xargs(?:\s-\S{1,9}){0,3})\s{1,4})?(?:/\S{1,20}/)?(?:(?:ba|z|da|k)?sh|python[0-9.]{0,4}|perl|ruby|node|deno run|php|iex|invoke-expression)\b"
_SUDO = r"(?:sudo\s{1,4}(?:-\S{1,20}\s{1,4}){0,3})?"
RUNS_DOWNLOAD = Pattern(
    rf"\b(?:curl|wget|iwr|irm|invoke-(?:webrequest|restmethod))\b[^\n|;]{{0,300}}\|[\s\\]{{0,8}}(?:(?:tee|gunzip|zcat|base64|xz|bzip2|tar|gzip)\b[^\n|]{{0,80}}\|\s{{0,4}})?{_SUDO}{_SHELL}"
    r"|\b(?:ba|z)?sh\s{1,4}(?:-c\s{1,4})?[\"']?(?:<\(|\$\()\s{0,4}(?:curl|wget)\b|\biex\s{0,4}\(|(?<![\w.])(?:source|\.)\s{1,4}<\(\s{0,4}(?:curl|wget)\b|\b(?:npx|bunx|deno\s{1,3}run|uvx)\b[^\n|;]{0,40}\shttps?://"
    rf"|\beval\s{{1,4}}[\"']?(?:\$\(|`)\s{{0,4}}(?:curl|wget)\b|\b(?:curl|wget)\b[^\n|;]{{0,200}}?(?:-o|>)\s{{0,2}}(\S{{1,80}}?)(?:[ \t][^\n|;&]{{0,200}}?)?(?:&&|;|\n)[^\n]{{0,60}}?(?:(?<![\w.-])(?:ba|z)?sh\s{{1,4}}|\./)\1\b"
    rf"|\bbase64\s{{1,4}}(?:-d|--decode)\b[^\n|]{{0,40}}\|\s{{0,4}}{_SUDO}(?:ba|z)?sh\b|\bmshta\s{{1,4}}(?:https?|javascript|vbscript):|\bcertutil\b[^\n]{{0,40}}-urlcache\b"
    r"|\b(?:python[0-9.]{0,4}|ruby|perl|node|php)\s{1,4}(?:-[cer]\s{1,4})?[\"']?(?:<\(|\$\()\s{0,4}(?:curl|wget)\b|\b(?:wget|curl)\b[^\n|;&]{0,200}?/(?P<got>[\w.-]{1,60})[\"']?\s{0,3}(?:&&|;|\n)\s{0,4}(?:sudo\s)?(?:(?:ba|z)?sh|python3?|perl|\.)\s{1,4}(?:\./)?(?P=got)\b|\bbitsadmin\b[^\n]{0,60}/transfer|\bregsvr32\b[^\n]{0,60}https?:|\bexec\([^\n]{0,120}(?:urlopen|requests\.get)\(",
    "curl", "wget", "iwr", "irm", "iex", "nvoke-", "base64", "npx", "bunx", "deno", "uvx", "mshta", "certutil", "bitsadmin", "regsvr32", "exec(", flags=re.IGNORECASE,
)  # fmt: skip
"""A download, or what was coded, that is run at once."""
_OWN = r"(?:(?:~|\$\{?home\}?|/root|/home/[\w.-]{1,40}|%userprofile%)?[/\\]?\.(?:ssh|aws|netrc|npmrc|pypirc|kube|docker|gnupg|env\b)|id_(?:rsa|ed25519|ecdsa)\b|/etc/(?:passwd|shadow)\b|\bcredentials\b)"
"""Where a machine keeps what is nobody else's."""
_KEPT = rf"(?:\$\((?:env|printenv|cat|whoami|hostname)\b|@(?:\$home|~|/etc|/root|[^\s\"']{{0,60}}?{_OWN}))"
_CARRIES = (
    r"(?:\|\s{0,4}(?:nc|ncat|netcat|socat|telnet|ssh|curl|wget|mail|sendmail|openssl)\b|>\s{0,3}/dev/(?:tcp|udp)/)"
)
_TELLS = r"\b(?:gh auth token|kubectl (?:-n \S{1,30} )?get secrets?|crontab -l|history|security find-generic-password|op read|vault (?:kv get|read)|gcloud auth print-\w{1,12}-token|aws configure get)\b"
"""Commands that print what a machine keeps to itself."""
SENDS_SECRETS = Pattern(
    rf"{_TELLS}[^\n|]{{0,100}}(?:\|[^\n|]{{1,60}})?{_CARRIES}|{_OWN}[^\n|]{{0,120}}\|[^\n|]{{1,60}}{_CARRIES}|"
    rf"\b(?:printenv|env)\s{{0,4}}{_CARRIES}|{_OWN}[^\n|]{{0,120}}{_CARRIES}|/dev/(?:tcp|udp)/\S{{1,100}}/[0-9]{{1,5}}|\b(?:nc|ncat|netcat)\s[^\n|]{{0,60}}?-[a-z]{{0,4}}[ec]\s{{1,3}}\S{{0,20}}(?:sh|cmd)\b"
    rf"|\b(?:scp|rsync|sftp|rclone|gsutil|azcopy|aws\s{{1,3}}s3|gh\s{{1,3}}gist|croc|wormhole)\b(?:[^\n|;]{{0,80}}?\s)?(?<!-i )(?<!-f )[^\s|;-][^\s|;]{{0,40}}?{_OWN}[^\n|;]{{0,120}}"
    rf"|\b(?:nslookup|dig|ping|host)\b[^\n|;]{{0,60}}?(?:`|\$\()\s?(?:cat|env|whoami|hostname|id|base64)\b|\bcurl\b[^\n|;]{{0,300}}?(?:-d|--data(?:-[a-z]{{1,10}})?|-f|-t|--upload-file)[\s=]{{0,2}}[\"']?[^\s\"']{{0,60}}?{_KEPT}"
    rf"|\bcurl\b[^\n|;]{{0,200}}?\s(?:-T|--upload-file)\s{{0,2}}[\"']?[^\s\"'@]{{0,60}}?{_OWN}|\bwget\b[^\n|;]{{0,200}}?--(?:post|body)-file[= ][^\s\"']{{0,60}}?{_OWN}|\b(?:curl|wget)\b[^\n|;]{{0,200}}?[?&=]\$\((?:env|printenv|cat|whoami|hostname)\b"
    r"|\bgh\s{1,3}gist\s{1,3}create\b[^\n|;]{0,80}?\.env\b|\binvoke-(?:restmethod|webrequest)\b[^\n]{0,120}?\((?:gc|get-content)\s[^)\n]{0,60}?\.(?:env|ssh|aws)\b|\bgit\s{1,4}-c\s{1,4}core\.(?:sshcommand|fsmonitor|hookspath)="
    r"|https?://[^\s\"'`]{0,200}?\$\((?:whoami|env|hostname|cat|id)\b|\$\((?:whoami|hostname|id)\)\.[a-z]"
    r"|\bgit\s{1,4}config\b[^\n]{0,60}\bcore\.(?:hookspath|sshcommand|fsmonitor)\b|>>?\s{0,4}[^\s]{0,60}authorized_keys\b|\b(?:append|add)\b.{0,200}? to \S{0,60}authorized_keys\b",
    "curl", "wget", "nvoke-", "git -c", "printenv", "env ", "$(", "config", "|curl", "|wget", "authorized_keys", "| nc", "|nc", "| ", "/dev/", "nc ", "ncat", "netcat", "scp ", "rsync ", "sftp ", "rclone", "gsutil", "azcopy", "aws s3", "gist", "croc ", "wormhole", "nslookup", "dig ", "ping ", "host ", flags=re.IGNORECASE,
)  # fmt: skip
"""A command that sends what a machine keeps to itself, or lets others in."""
SENDS = (
    RUNS_DOWNLOAD, SENDS_SECRETS,
    Pattern(r"\b(?:send|post|upload|forward|submit|curl|wget|fetch|exfiltrate|report)\b.{0,80}?https?://|https?://[^\s/]*(?:evil|collect|exfil|webhook|requestbin|ngrok|pastebin|burpcollab|interact\.sh|attacker)|\b(?:curl|wget)\b[^\n|]{0,200}\|\s?(?:ba|z)?sh\b|\b(?:gui|dang|tai)\b.{0,60}?https?://|https?://\S{3,200}?\s?(?:に|へ)[^。\n]{0,20}(?:送|投稿|post|アップロード)|\b(?:send|post|upload|forward|submit|report|mail|e-mail)\b.{0,60}?\bto (?:(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b|[\w.-]{1,60}@[\w-]{1,60}\.|[\w-]{1,60}(?:\.[\w-]{1,60}){0,3}\.(?:com|net|org|io|co|dev|app|me|xyz|info|jp|vn|cn|ru|test)\b)|\b(?:gui|dang|tai)\b.{0,40}?\b(?:toi|den|cho|len) [\w-]{1,60}(?:\.[\w-]{1,60}){0,3}\.(?:com|net|org|io|dev|vn|xyz|test)\b|(?<![\w.-])[a-z0-9-]{1,60}\.(?:com|net|org|io|dev|jp|xyz|test)(?:に|へ)[^。.\n]{0,10}送|https?://\S{3,200}?\s?の(?:通り|とおり)|\blam theo https?://|--no-verify|\bpush (?:directly )?to main\b|\bforce[- ]push", "http", "curl", "wget", " to ", "toi ", "den ", "cho ", "len ", "に", "へ", "--no-verify", "push to main", "push directly", "force"),
)  # fmt: skip

FORBIDDING = Pattern(
    r"(?:\b(?:must|may|should|shall|can|could|will|do|does)(?: not|n't)|\bcannot|\bnever|\bnot to|\bkhong (?:duoc|nen|the)|\bcam)\s{0,2}$"
)
"""What stands right before an act that is forbidden."""
FORBIDDEN = Pattern(r"し(?:ない|ません)|しては(?:な|い)|するな|せず|(?:を|は)?禁止|でき(?:ない|ません)|されない")
"""What stands right after one in Japanese."""
HARM = Pattern(
    r"\b(?:must|may|should|shall|can)(?: not|n't) (?:ever )?(?:be )?(?:reveal|print|output|send|show|disclose|leak|push|merge|approve|delete|commit|expose|share|include|store|log)\b|(?:出力|表示|送信|開示|承認|マージ|削除|公開|保存)(?:し(?:ない|ません)|しては(?:な|い)|するな)"
)
"""The assistant of a product is kept from harm."""
BUILD_AGENT = Pattern(
    r"\b(?:build|ci|jenkins|teamcity|buildkite|azure|ssh|monitoring|backup|log|logging|datadog|zabbix|sales|support|travel|renovate's|vault|consul)$"
)
"""Whose agents are no assistants."""
DO_AFTER = Pattern(
    r"[\s\"'`.,!;:\x00-]{0,6}(?:is what you (?:must|shall|should|are to)\b|(?:now )?(?:follow|obey|do as) (?:the|this) (?:block|quote|text|line|code)\b|これがあなたの|la viec (?:ban|ai) phai lam)|[\s\"'`.,!;:\x00-]{0,6}(?:(?:and )?(?:now |then )?(?:please )?(?:do|follow|obey|execute|perform) (?:that|so|this|it|exactly|what|as)\b|(?:を|と|の(?:とおり|通り)に?)?(?:実行(?:し(?!た|ない)|せ|す(?!る(?:な|と)))|従(?:え|うこと|って(?:くだ|下)|いなさい))|(?:hay )?(?:lam theo|thuc hien|tuan theo)\b)"
)
DO_BEFORE = Pattern(
    r"\bdo (?:as|what) the (?:next|following|line|quote|block)[^.\n]{0,20}?says?[\s.:,\"'`]{0,6}$|(?<!not )(?<!n't )(?<!never )\b(?:do|follow|obey|execute|perform)(?: exactly)?(?: this| that| what| as)?(?: it)?(?: says?)?[\s:,\"'`]{0,6}$|\bhay (?:lam theo|thuc hien)[\s:\"'`]{0,4}$|次を実行[^\n]{0,6}[\s:\"'`]{0,4}$"
)
"""What makes an order of quoted words, beside them."""
