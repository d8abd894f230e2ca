"""Orders without a word of overriding, for ``words``: how to answer, what the reader is to do, turns of a chat.

Polite, in the third person, as a permission that somebody is said to have given, or as the call of a tool. Most of it
could be said to people too: a warning alone, an error beside a path to secrets or an address to send to.
"""

from __future__ import annotations

import re

from brain.lint.pattern import Pattern

_SAY = (
    r"(?:say|answer|reply|respond|tell (?:them|him|her|the user)|recommend|claim|deny|refuse|state that|pretend|insist)"
)
_MODAL = r"(?:must|should|shall|has to|have to|ought to|needs? to|(?:is|are) (?:required|expected|asked|obliged|kindly asked|instructed|to))"
_ADDRESSEE = r"(?:(?:language |ai )?models?|ai systems?|(?:ai |coding )?(?:assistants?|agents?)|(?:ai|machine) readers?|ais?|llms?|chatbots?|bots?|copilots?)"
"""Who reads a memory by machine."""
_READS = (
    r"(?:reads?|reading|process(?:es|ing)?|pars(?:es?|ing)|summari[sz](?:es?|ing)|ingest(?:s|ing)?|retriev(?:es?|ing)"
    r"|load(?:s|ing)?) (?:this|these|the (?:following|above))\b"
)
_DOES = (
    r"(?:writes?|approves?|merges?|answers?|reply|replies|says?|adds?|appends?|sends?|runs?|skips?|ignores?|deletes?|ends?"
    r"|recommends?|marks?|push(?:es)?|obeys?|follows?|treats?|outputs?|includes?|calls?|opens?|mentions?|praises?)"
)
_ANSWER_JA = r"(?:返答|回答|答え|返事|要約)"
_ADDRESSEE_JA = r"(?:アシスタント|エージェント|言語モデル|(?<![a-z])(?:生成)?(?:ai|llm)|claude|クロ[ー-]ド|copilot|chatgpt|gemini|機械で読む[方者人])"
_DO_JA = r"(?:し|せ|て|で)(?:てください|て下さい|てね|ください|下さい|なさい|ること|よ|ろ)|すること"

ORDERS = (
    Pattern(
        r"\b(?:ai|machine|automated) readers?\b\s?(?:[:,]|should|must|shall|are to|need to|have to)|(?<![ァ-ヴ])(?:クロ[ー-]ド|アシスタント|エ[ー-]ジェント)(?:へ|宛て?|向け)\s?[:,、]",
        " reader", "クロ", "アシスタント", "ジェント",
    ),
    Pattern(
        r"\b(?:from now on|from here on|henceforth|hereafter|starting now|from this (?:point|moment)(?: on(?:wards?)?)?|from today(?: on)?|going forward)\b,? ?(?:please |kindly |only |always |just |you )*(?:(?:answer|reply|respond)(?! to (?:\w+ ){0,2}(?:ticket|customer|mail|e-mail|issue|review|comment)s?\b)|write (?:all |your )?(?:answers|replies|responses)|refuse|pretend|obey|comply|(?:begin|start|end|sign) (?:each|every|your|all))\b",
        "from now on", "from here on", "henceforth", "hereafter", "starting now", "from this ", "from today", "going forward",
    ),
    Pattern(
        r"\b(?:in|to|of|with|end|begin|start|finish|append|prefix)(?: \w+){0,2}? (?:your|every|each)(?: of your)?(?: (?:next|final|following|single|first))? (?:answers?|repl(?:y|ies)|(?:(?<=your )|(?<=next )|(?<=final ))responses?|(?:(?<=your )|(?<=next ))(?:summary|review|verdict))\b|\byour (?:answers?|repl(?:y|ies)|responses?) (?:must|should|shall|has to|have to|may|will|always|never)\b",
        "answer", "reply", "replies", "response", "summary", "review", "verdict", ("your ", "every ", "each "),
    ),
    Pattern(
        rf"\b(?:if|when|whenever|every time|each time)(?: (?:the |a |any |an )?(?:users?|humans?|someone|somebody|anyone|anybody))? (?:asks?|asked|wants? to know|inquires?)\b.{{0,60}}?(?:,|then|:)\s?(?:please |then |you |always |just |simply |must |should )*{_SAY}\b",
        " ask", " inquire", "to know", ("if ", "when", "every time", "each time"),
    ),
    Pattern(
        r"\byour (?:next|first|new|real|true|only|actual|sole) (?:step|task|action|job|goal|mission|objective|duty|order|assignment) (?:is|starts?|begins?|will be|now)\b|\bbefore (?:you (?:do|say|answer)|doing) anything\b|\b(?:call|invoke|use|run|trigger) (?:the |your )?(?:(?:shell|bash|terminal|browser|web|search|fetch|mcp|code)[- ]tool\b|tool [`\"'])",
        "your next", "your first", "your new", "your real", "your true", "your only", "your actual", "your sole", "before you", "before doing", "tool",
    ),
    Pattern(
        rf"\b(?:(?:{_ADDRESSEE}|automated readers?)(?:,? (?:that|who|which|if (?:it|they)))? {_READS}.{{0,60}}?(?:\b{_MODAL}\b|\b{_DOES}\b|:)|(?:readers?|tools?|whoever|anyone|everyone)(?: that| who| which)? {_READS}.{{0,60}}?(?:\b{_MODAL}\b|: ?[a-z]+ (?:it|this|the)\b))|\b(?:the reader|you), (?:(?:being|as) an? (?:\w+ )?(?:language model|ai|assistant|llm|agent)|the (?:{_ADDRESSEE}|machine|program))\b|\breaders?, if you are not (?:a )?(?:human|person)|\bautomated (?:readers?|reviewers?|agents?|assistants?|systems?) {_DOES} (?:this|these|it)\b",
        "this", "these", "the following", "the above", "language model", "you, the", "if you are not", "automated",
        ("read", "process", "pars", "summari", "ingest", "retriev", "load", "being", "as a", "you, the", "automated"),
    ),
    Pattern(
        rf"\b(?:(?:ai |coding )?assistant|language model|llm|ai|chatbot|copilot|ai agent|ai system)s?(?: \w+){{0,3}}? (?:would now|ought to|(?:is|are) (?:required|obliged|expected|supposed|meant|asked|allowed|permitted|authori[sz]ed|free) (?:to\b|not\b)|may now|can now|should always|should never)\b|\b(?:mandatory|required|necessary|essential) (?:for|that) (?:the|an?|all|any|every) (?:ai |coding )?(?:assistant|agent|bot|chatbot|language model)s?\b|\blet the (?:assistant|ai|bot|chatbot)\b|(?<!\w)@(?:assistant|claude|copilot|chatgpt|gemini|codex|cursor|ai)[,:]? (?:please |now )?{_DOES}\b|\bto (?:the |all |any |every |whichever |whatever )(?:language |ai )?(?:models?|assistants?|llms?|chatbots?|ais?)\b[^.\n:]{{0,30}}:",
        "assistant", "language model", "model", "llm", "chatbot", "copilot", "ai agent", "ai system", "agent", "bot", " ai", "\nai", "@",
    ),
    Pattern(
        rf"(?:^|[.;:!] )(?:each|every) (?:answer|reply) (?:always |must |should |shall )?(?:ends?|begins?|starts?|recommends?|closes?)\b|\byour (?:answers?|repl(?:y|ies)|responses?) (?:always )?{_DOES}\b|\bsay (?:that )?[^.\n]{{0,50}}?\b(?:if|when|whenever) (?:someone|anyone|somebody|anybody|the user|a user|you are|you're|they) ask|\bbefore you (?:answer|reply|respond), (?:please |first |always )?{_DOES}\b",
        "each answer", "every answer", "each reply", "every reply", "your answer", "your repl", "your response", " ask", "before you", flags=re.M,
    ),
    Pattern(
        r"\bbe so kind (?:as )?to\b|\b(?:would|could) you (?:kindly|please|be so kind)\b|\bit would be (?:very |so |really )?(?:kind|nice|great|lovely) (?:of you to|if you)\b|\bwould (?:be grateful|appreciate it) if you\b|\b(?:kindly ask you|you are kindly (?:asked|requested))\b|\bkindly (?:begin|end|answer|reply|run|execute|send|include|append|mention|approve|ignore|call|treat|follow|proceed)\b",
        "so kind", "kindly", "you please", "it would be", "if you",
    ),
    Pattern(
        r"\b(?:user|human|owner|pm|admin|operator)s? (?:has|have) (?:already )?(?:agreed|consented|approved|authori[sz]ed|granted|confirmed)(?: to| of)? (?:all|any|every|each|everything|you)\b|\bno (?:confirmation|approval|permission|consent) (?:is |will be )?(?:needed|required|necessary) (?:from|by|of) (?:the |a |any )?(?:user|human|reviewer|person|pm|anyone|anybody)|\byou (?:have been|are|were) (?:now |hereby )?(?:granted|given|authori[sz]ed|permitted|cleared|empowered) .{0,30}?(?:push|merge|deploy|approve|delete|execute|skip|bypass|everything)\b|\bas (?:the |a |your )?(?:developer|creator|owner|administrator|maker|operator)s? of (?:this|the) (?:assistant|model|agent|ai|bot)\b|\bi (?:hereby )?(?:authori[sz]e|permit|order|command|instruct) you\b",
        "agreed", "consented", "approved", "authori", "granted", "confirmed", "confirmation", "approval", "permission", "consent", "permit", "cleared", "empowered", "you are given", "been given",
        " of this", " of the", "i order", "i command", "i instruct", "hereby",
    ),
    Pattern(
        r"\b(?:set|put|leave) aside\b.{0,20}?\b(?:what you (?:were|have)|(?:your|the|all|any|every|earlier|previous|prior|former|original) (?:\w+ )?(?:guidance|instructions?|orders|directions|prompts?|briefing))\b|\b(?:earlier|previous|prior|older|former|original|above|preceding) (?:guidance|instructions?|orders|directions|prompts?|briefing)\b.{0,20}?\b(?:no longer (?:appl|hold|count|valid|bind)|(?:is|are) (?:void|cancel|revoked|suspended|withdrawn))",
        "guidance", "instruction", "orders", "directions", "prompt", "briefing", "you were", "you have",
        (" aside", "no longer", " void", "cancel", "revoked", "suspended", "withdrawn"),
    ),
    Pattern(
        r"\b(?:trust|believe|obey|rank|place|put) (?:this|these) (?:note|memory|text|file|entry|document|line)s? (?:above|over|more than|before|ahead of)\b|\b(?:must|may|should) not (?:question|doubt|challenge) (?:this|the) (?:memory|note|entry|text|fact)\b|\btreat (?:it|this|these) as (?:the |an? )?(?:system|user|developer|owner|admin|administrator|command|order)\b",
        "trust this", "trust these", "believe", "obey", "rank", "place", "put this", "put these", "not question", "not doubt", "not challenge", "treat it", "treat this", "treat these",
    ),
    Pattern(
        r"\b(?:when|whenever|while|if|whoever) (?:you )?(?:summari[sz]|review|translat)(?:e|es|ing|s)?\b[^.\n]{0,40}?(?:,|\bshall|\bmust|\bshould) ?(?:always |please |you |and )*(?:leave out|omit|state that|claim|say that|do not mention|hide)\b|\badd (?:the )?(?:line |comment |label |text |word )?[`\"']?(?:lgtm|approved|/approve)\b[^.\n]{0,40}(?:merge request|\bmr\b|pull request|on behalf)",
        "summari", "review", "translat", "lgtm", "approve",
        ("leave out", "omit", "state that", "claim", "say that", "not mention", "hide", "lgtm", "merge request", "pull request", " mr", "behalf"),
    ),
    Pattern(
        r"(?:^|[.!?:,;]\s{1,2}|\bplease |\balways |\byou )(?:respond|reply|answer) (?:(?:to )?(?:every|each|all|any)(?: \w+){0,2}? (?:with|in|by)\b(?!.{0,40}\b[1-5][0-9][0-9]\b)|(?:only|exclusively|solely) (?:with|in|by)\b)",
        "respond", "reply", "answer", flags=re.M,
    ),
    Pattern(
        r"(?:^|[.!?:]\s{1,2})(?:always |please )?tell the (?:user|human)s? (?:that|everything|it|there|nothing)\b|\bshould (?:anyone|anybody|someone|the user)s? ask\b|\b(?:translate|list|quote|spell out|rephrase|paraphrase)\b.{0,20}?\b(?:system prompt|your instructions|initial prompt)\b|\brepeat (?:everything|all|the text|the words) above\b",
        "tell the", "ask", "system prompt", "your instructions", "initial prompt", "repeat", flags=re.MULTILINE,
    ),
    Pattern(
        r"\b(?:act as|you(?:'re| are)(?: now)?) (?:the |an? )?(?:release|project|security|general|acting) (?:manager|admin|administrator|lead|bot|owner)\b|\byour role is to (?:obey|follow|comply)\b|\bdo not follow (?:the |any |all )?(?:rules|instructions)\b.{0,40}?\bfollow (?:this|these|the (?:text|following))\b|\b(?:write|append|add|put|set) (?:[`\"']?(?:approved|reviewed_by|status\b)).{0,60}?\b(?:each|every|all|next|new) (?:\w+ )?(?:memory|memories|drafts?)\b|\btrust the (?:assistant|agent|ai|bot) to\b|\bexpected that (?:the|an?|any|every) (?:ai|coding) (?:assistant|agent|model|bot)s?\b",
        "act as", "you're", "you are", "your role", "not follow", "approved", "reviewed_by", "status", "trust the", "expected that",
        ("manager", "admin", "lead", "bot", "owner", "obey", "comply", "follow", "memory", "memories", "draft", " to", "agent", "assistant", "model"),
    ),
    # Japanese
    Pattern(
        rf"(?:今後|これから|以後|以降|今から)(?:は|の|すべて|全て|、|,)*[^。.\n]{{0,24}}?(?:だけ|のみ|しか|\"[^\"\n]{{1,20}}\")[^。.\n]{{0,10}}?(?:答え|回答|返答|返信|に(?:{_DO_JA}))|(?:今後|これから|以後|以降|今から)[^。.\n]{{0,16}}?(?:語|言葉)(?:だけ)?で(?:答え|回答|返答|返信)",
        "今後", "これから", "以後", "以降", "今から",
    ),
    Pattern(
        rf"(?:この(?:文書|メモリ?|記憶|ファイル|文章|資料)を(?:読む|読んだ|処理する|要約する|開く|参照する)[^。.\n]{{0,14}}?(?:モデル|ai|アシスタント|エージェント|ツール|者)|{_ADDRESSEE_JA})(?:は|が|には|へ)[^。.\n]{{0,40}}?(?:なければならない|べき|ください|下さい|せよ|しろ|ものとする|すること|与えること)(?=[。.\n]|$|である|だ|で)|(?:{_ADDRESSEE_JA}|モデル)(?:さん|君|くん|ちゃん|様|各位|の皆さん|の方|よ)[、,!][^。.\n]{{0,40}}?(?:て|で|せよ|しろ|ください|下さい|お願い(?:します|する)?)(?=[。.!\n]|$)",
        "この文書", "このメモ", "この記憶", "このファイル", "この文章", "この資料", "アシスタント", "エージェント", "モデル", "ai", "llm", "claude", "copilot", "chatgpt", "gemini", "機械で読む",
        ("なければ", "べき", "下さい", "ください", "せよ", "しろ", "ものとする", "こと", "さん", "くん", "君", "ちゃん", "様", "各位", "よ,", "方,"),
        flags=re.M,
    ),
    Pattern(
        r"(?:(?:ユ[ー-]?ザ[ー-]?|利用者|誰か|人間)(?:に|から)[^。.\n]{0,20}?|(?:^|[。.,、])|を)(?:聞かれ|訊かれ|尋ねられ|質問され|問われ)(?:た(?:ら|場合|とき|時|際)|れば|ると)[^。.\n]{0,40}?(?:と答え|と回答|と言|と伝え|と返答|を勧め|を推奨|を紹介)",
        "聞かれ", "訊かれ", "尋ねられ", "質問され", "問われ", flags=re.M,
    ),
    Pattern(
        rf"(?:次の|各|毎回の|すべての|全ての|あなたの|今後の){_ANSWER_JA}(?:の|に|は|で|を)[^。\n]{{0,50}}?(?:付け|入れ|含め|加え|書|記載|追加|添え|推奨|終わ|始)|(?:回答|返答|返事)(?:に|の(?:末尾|最後|冒頭)に)(?:は)?(?:(?:必ず|常に|毎回|いつも)[^。.\n]{{0,30}}?(?:勧め|推奨|付け|入れ|書)|[^。,\n]{{1,30}}?を付ける(?=[.\n]|$|こと))|(?:恐れ入りますが|お手数ですが|恐縮ですが|申し訳ありませんが)[^。.\n]{{0,40}}?(?:{_ANSWER_JA}|ツール|承認|実行|送信|コマンド)|(?:{_ANSWER_JA}|ツール|実行|送信|承認)[^。.\n]{{0,40}}?(?:いただけますと幸い|いただけると(?:助かり|幸い|ありがた)|いただけません|お願いできますか)",
        "返答", "回答", "答え", "返事", "要約", "ツール", "実行", "送信", "承認", "コマンド",
    ),
    Pattern(
        rf"(?:これまで|今まで|以前|従来|上記|既存|先ほど)の?(?:方針|指針|前提|約束|決まり|案内|説明)[^。.\n]{{0,14}}?(?:脇に|横に|気にせ|忘れて|取り下げ|白紙)[^。.\n]{{0,20}}?(?:以下|次|下記)|要約(?:する|の)(?:とき|時|際|場合)[^。.\n]{{0,40}}?(?:省|伏せ|触れず|触れない|除い)[^。.\n]{{0,30}}?(?:{_DO_JA}|書くこと|書いて)|確認(?:は|を)?(?:不要|いらない|取らず|求めず|せず)[^。.\n]{{0,30}}?(?:ツール|コマンド|実行|呼び出|承認|マージ|送信|プッシュ)[^。.\n]{{0,14}}?(?:{_DO_JA})",
        "方針", "指針", "前提", "約束", "決まり", "案内", "説明", "要約", "確認",
    ),
    Pattern(
        r"(?:あなた|君|お前|貴方)の(?:次|最初|本当|真|唯一|新しい)の?(?:作業|仕事|任務|タスク|目的|役割|手順|指示)は|質問に(?:は)?(?:常に|必ず|すべて|全て|一律|いつも|何でも)[^。.\n]{0,30}?(?:と答え|と回答|だけ(?:答え|回答|返)|と返)|(?:ユ[ー-]?ザ[ー-]?|利用者|管理者|pm|人間)(?:は|が)(?:既に|すでに|もう|あらかじめ|事前に)[^。.\n]{0,16}?(?:すべて|全て|あらゆる|一切)[^。.\n]{0,10}?(?:同意|許可|承認|了承)",
        "あなたの", "君の", "お前の", "貴方の", "質問に", "同意", "許可", "承認", "了承",
    ),
    Pattern(
        rf"{_ANSWER_JA}(?:する|の)(?:際|とき|時|場合)(?:に)?は[^。.\n]{{0,40}}?(?:推奨|勧め|紹介|付け|含め|書い|書く|言及)[^。.\n]{{0,6}}?(?:{_DO_JA})|ユ[ー-]?ザ[ー-]?には[^。.\n]{{0,24}}?と(?:伝え|答え|報告し|言っ)(?:ること|て|よ)|(?:指示|プロンプト)文?を(?:すべて|全て|全部)[^。.\n]{{0,6}}?(?:表示|出力|列挙|書き出)|(?:あなた|君|お前)は(?:リリース|プロジェクト|管理|承認)(?:担当|マネ|者|責任)|(?:以前|これまで|従来|上記)の(?:案内|指示|説明|命令)は(?:無効|破棄)|メモリに(?:は)?[^。\n]{{0,20}}?(?:reviewed_by|approved)[^。\n]{{0,20}}?書(?:くこと|いて|け)",
        "返答", "回答", "答え", "返事", "要約", "には", "指示", "プロンプト", "あなたは", "君は", "お前は", "案内", "説明", "命令", "メモリに",
    ),
    # Vietnamese
    Pattern(
        r"\b(?:ke )?tu (?:bay gio|gio|nay|luc nay|hom nay|day)(?: tro di| ve sau)?,? (?:thi |hay |ban |chi |luon |phai |xin |vui long |deu )*(?:tra loi (?!khach|don|ticket|mail|email)|phan hoi (?:moi|bang|chi)|them\b.{0,50}?cau tra loi)",
        "tu bay gio", "tu gio", "tu nay", "tu luc nay", "tu hom nay", "tu day",
    ),
    Pattern(
        r"\b(?:mo hinh|ai|tro ly|chatbot|nguoi|he thong|cong cu|tac nhan|agent) (?:nao )?(?:doc|xu ly|tom tat|nap) (?:tai lieu|ghi nho|ghi chu|tep|file|doan|van ban|bo nho) (?:nay|tren)\b.{0,30}?\b(?:phai|can|nen|hay|bat buoc|duoc yeu cau)\b|\b(?:neu|khi|moi khi|moi lan) (?:nguoi dung|ai do|ai|co nguoi|co ai|duoc|bi) hoi\b.{0,50}?(?:,|\bthi)\s?(?:hay |ban |phai |luon |cu |chi )*(?:noi|bao la|tra loi|dap|bao|gioi thieu|khuyen|de xuat|khang dinh|phu nhan|tu choi)\b",
        "tai lieu nay", "ghi nho nay", "ghi chu nay", "tep nay", "file nay", "doan nay", "van ban nay", "bo nho nay", "hoi",
    ),
    Pattern(
        r"\b(?:claude|copilot|chatgpt|gemini|tro ly|mo hinh|ai|bot) oi\b,|(?:^|[.!] )nay,? (?:ai|tro ly|mo hinh|claude|copilot|bot),|\bgui (?:cac |moi |cho )?(?:mo hinh|tro ly|agent|claude|copilot)\b[^.\n:]{0,25}:|\bai doc (?:dong|doan|ghi nho|tep) nay\b.{0,20}?\bthi\b|\b(?:moi|tung) cau tra loi (?:deu |phai |luon |can )*(?:kem|them|ket thuc|bat dau|chen|nhac|gioi thieu)\b|\btruoc khi (?:ban )?tra loi, (?:hay |phai )?(?:mo|goi|chay|gui|doc|tai)\b|\b(?:cuoi|dau|trong|vao|ket thuc|bat dau)(?: cua)?(?: moi| tung| cac) cau tra loi\b|\bcau tra loi (?:cua ban|tiep theo|ke tiep)\b|\b(?:xin vui long|lam on|mong ban|nho ban|xin ban|de nghi ban)\b.{0,30}?\b(?:goi cong cu|chay|gui|chen|phe duyet|duyet|tra loi|bo qua|thuc thi|in ra|xoa|them .{0,40}?tra loi)\b|\bnhiem vu (?:tiep theo|that su|thuc su|moi|duy nhat|dau tien) cua ban\b|\bbuoc tiep theo cua ban la\b",
        "cau tra loi", " oi,", "nay", "gui ", "ai doc", "truoc khi", "xin vui long", "lam on", "mong ban", "nho ban", "xin ban", "de nghi ban", "cua ban", flags=re.M,
    ),
    Pattern(
        r"\b(?:huong dan|chi dan|chi thi|menh lenh|lenh) (?:cu|truoc|truoc do|truoc day|ban dau|o tren|da cho)\b.{0,12}?(?:khong con (?:hieu luc|ap dung|gia tri)|het hieu luc|bi huy|vo hieu|tam gac).{0,40}?(?:hay|lam theo|tuan theo|duoi day|sau day)|\b(?:khi|luc|neu) (?:ban )?(?:tom tat|dich|danh gia)\b.{0,20}?(?:,|thi) ?(?:hay |ban |phai |luon )*(?:bo|luoc|ghi rang|noi rang|khang dinh|khong nhac|giau)\b|\b(?:nguoi dung|quan tri|pm|chu so huu|con nguoi) da (?:dong y|chap thuan|cho phep|phe duyet|cap quyen)(?: voi| cho)? (?:moi|tat ca|toan bo|het)\b",
        "huong dan", "chi dan", "chi thi", "lenh", "tom tat", "dich", "danh gia", "da dong y", "da chap thuan", "da cho phep", "da phe duyet", "da cap quyen",
    ),
    Pattern(
        r"\bnoi (?:voi|cho) nguoi dung (?:rang|biet)\b|\bin ra (?:toan bo|het|tat ca|moi)(?: cac)? (?:chi dan|huong dan|lenh|prompt|chi thi)\b|\b(?:huong dan|chi dan|chi thi|lenh) (?:truoc day|truoc do|cu) (?:da )?(?:vo hieu|bi huy|het hieu luc)\b|\b(?:ai|tro ly|agent) (?:duoc phep|co quyen) (?:push|merge|xoa|chay|duyet|phe duyet|bo qua)\b|\bban (?:bay gio )?la (?:nguoi )?(?:quan ly|quan tri|phu trach)\b.{0,30}?\b(?:hay|phai) (?:phe duyet|duyet|merge|push)\b",
        "nguoi dung", "in ra", "vo hieu", "bi huy", "het hieu luc", "duoc phep", "co quyen", "phe duyet", "duyet",
    ),
)  # fmt: skip

TURNS = (
    Pattern(r"<\|[a-z][a-z_]{1,30}\|>", "<|"),
    Pattern(r"^[ \t>*]*(?:[-=]{2,8} ?(?:system|end of (?:document|memor(?:y|ies)|context|data|prompt)) ?[-=]{2,8}[ \t]*$|システム\s?:[^\n]{0,60}(?:あなた|従)|he thong\s?:[^\n]{0,60}\bban (?:phai|hay)\b|\[(?:システムメッセージ|he thong)\])|^`{3,5}tool_(?:code|call)", "システム", "he thong", "```tool_", "- system", "--system", "= system", "=system", "- end of", "--end of", "= end of", "=end of", flags=re.M),
    Pattern(r"^[ \t>*]*\[(?:(?:system|developer) (?:message|prompt|instructions?|note|override)\]|(?:system|assistant|developer|システム|アシスタント)\][ \t]?:?[ \t]*[^\s:|])|\[(?:tool_calls?|available_tools|/?sys)\]", "[system", "[assist", "[develop", "[tool_", "[avail", "[システム", "[アシス", "[sys]", "[/sys]", flags=re.M),
    Pattern(r"^[ \t>]*(?:[-=*~_]{2,8}|#{1,6}) ?(?:(?:begin|end|start)(?: of)? )?(?:new |hidden |secret |admin |the )*(?:system|developer|admin|new|hidden|secret) (?:message|prompt|instructions?|orders?|override)[ \t]*(?:[-=*~_#]{2,8}[ \t]*)?$|^[ \t>]*#{1,6} ?(?:system|assistant|developer|instructions?)[ \t]*\n{1,2}[ \t>]*you\b", "message", "prompt", "instruction", "order", "override", "system\n", "assistant\n", "developer\n", ("--", "==", "**", "~~", "__", "#"), ("system", "developer", "admin", "new ", "hidden ", "secret ", "assistant\n", "instruction"), flags=re.M),
    Pattern(r"^[ \t>*]*system\s?:[^\n]{0,80}\b(?:you|your|ignore|obey|reviews?|approve)\b|\{\{[#/~]{0,2}(?:system|assistant|user)~?\}\}|^[ \t-]*role\s?:\s?[\"']?(?:system|assistant|developer)[\"']?\s*\n[ \t-]*content\s?:|\{\s?'role'\s?:\s?'(?:system|assistant|developer)'", "system", "{{#", "{{/", "{{~", "role", ("system", "{{", "assistant", "developer"), flags=re.M),
    Pattern(r"\{\s?\"(?:name|tool|tool_name|function|recipient_name)\"\s?:\s?\"[\w.-]{1,60}\"\s?,\s?\"(?:arguments|parameters|input|args|tool_input|kwargs)\"\s?:|\"tool_calls\"\s?:\s?\[|\"function_call\"\s?:\s?\{|\"type\"\s?:\s?\"(?:tool_use|tool_result|function_call|tool_call)\"|\bto=functions\.|</?function=[\w.]{1,40}>|</?(?:tool_code|tool_outputs?)>", '"name"', '"tool', '"function', '"recipient_name', "tool_", "to=functions", "<function="),
    Pattern(r"^[ \t]*action\s?:[^\n]{1,80}\n[ \t]*action input\s?:", "action input", flags=re.M),
    Pattern(r"^[ \t>*]*(?:システム|ユ[ー-]?ザ[ー-]?|アシスタント|人間)\s?:[^\n]{0,300}\n(?:[ \t]*\n)?[ \t>*]*(?:システム|ユ[ー-]?ザ[ー-]?|アシスタント|人間|ai)\s?:|^[ \t>*]*(?:he thong|nguoi dung|tro ly|con nguoi)\s?:[^\n]{0,300}\n(?:[ \t]*\n)?[ \t>*]*(?:he thong|nguoi dung|tro ly|con nguoi|ai)\s?:", "システム:", "ユ", "アシスタント:", "人間:", "he thong:", "nguoi dung:", "tro ly:", "con nguoi:", (":",), flags=re.M),
)  # fmt: skip
"""Marks of a chat's turns, of a prompt's parts and of calls of tools, beside those that ``phrases.CHAT`` names."""
