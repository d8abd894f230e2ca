"""How people correct, decide, and ask to be remembered, in English, Vietnamese and Japanese (SPEC §9).

Every pattern is read in a sentence in lower case and NFC. Precision comes first: where words mean two things, the
rarer is left out.
"""

from __future__ import annotations

from brain.lint.pattern import Pattern

SENTENCE = Pattern(r"[^.!?。！？\n]*(?:[.!?](?!\s|$)[^.!?。！？\n]*)*(?:[.!?。！？]+|\n|$)")
"""A sentence with its stop. A full stop within a word ends none: ``tax.py``, ``v1.2``."""
REFUSES = Pattern(
    r"^\W*(?:"
    r"(?:no|nope|nah)(?=\s*[,.!:;–—-]|$)"
    r"|no,? (?:that|this|it)(?:'s| is| was) (?:wrong|not)|wrong\b|incorrect\b|not quite\b|not like that\b"
    r"|(?:that|this|it)(?:'s| is|’s| was) (?:wrong|incorrect|not (?:right|correct|true|how|what|the way))"
    r"|you (?:got|have|did) (?:it|this|that)(?: all)? wrong|you(?:'re| are|’re) wrong"
    r"|i (?:said|told you|already (?:said|told))\b|i(?:'d|’d| would) rather (?:you |we )?(?:not|never|didn't)\b"
    r"|(?:well,? )?actually,? (?=\w)|(?:please )?(?:don't|do not|don’t|never|stop|avoid) \w"
    r"|không đúng|chưa đúng|không phải (?:vậy|thế|như)|sai(?: rồi| mất| bét)?(?=\s*[,.!:;]|$)"
    r"|nhầm(?: rồi)?(?=\s*[,.!:;]|$)|(?:thật|thực) ra,? (?=\w)"
    r"|(?:cái|chỗ|phần|đoạn) (?:này|đó|kia|ấy) (?:bị )?(?:sai|nhầm)(?: rồi)?(?=\s*[,.!:;]|$)"
    r"|không(?=\s*[,.!:;])|(?:xin |hãy )?đừng \w|không (?:được|nên) \w|không (?!có\b|biết|sao|cần|hiểu|thấy|ổn"
    r"|chạy)\w(?=\w+ thẳng)"
    r"|đã (?:bảo|nói) (?:là|rồi)|tôi (?:đã )?(?:bảo|nói) là"
    r"|違います|違う|ちがいます|ちがう|いいえ(?=[、。,.!！])|いや(?=[、。,.!！])|そうじゃな|そうではな|(?:あ、|あっ、)?(?:そこ|それ|これ|そちら)?は?逆(?:です|だ)|実際は|間違(?:い|え|って)|誤りです|だめです|ダメです"
    r")"
)
"""A sentence that says no to what was done."""
PROHIBITS = Pattern(
    r"^\W*(?:please )?(?:don't|don’t|do not|never|stop|avoid|(?:xin |hãy )?đừng|không (?:được|nên))\b"
    r"|ないで(?:ください|下さい|ね)?(?:[、。.!！]|$)"
)
"""It forbids something."""
INSTEAD = Pattern(
    r"^\W*(?:please )?(?:don't|don’t|do not|never|avoid) \w+ (?!(?:it|that|this|them|these|those)\b)\S+[^,;:]*?"
    r"(?:[;:—–] ?|, (?:but |just )?|\. )(?:always )?(?:run|use|call|go through|edit|ask|take|put|write|add|change)\b"
    r"|^\W*(?:xin |hãy )?(?:đừng|không (?:được|nên)) \w+ (?!nó\b|\w+ (?:đó|này|kia)\b)\S+[^,;:]*?"
    r"[,;:.] ?(?:hãy |phải |mà )?(?:dùng|chạy|gọi|sửa|qua|hỏi) \w"
    r"|ないで、[^。]*を[^。]+(?:ください|こと|使う)[。.!！]*$"
)
"""It forbids something, and says what is to be done in its place."""
RULES = Pattern(
    r"^\W*(?:please )?always (?!(?:the|an?|this|that)\b|nice|good|great|fun|welcome|happy|glad)\w+ .*"
    r"(?:,|\b(?:when|before|after|if|unless|whenever|for|in)\b)"
    r"|^\W*luôn (?:luôn )?(?!vui|tốt|sẵn|thích|thấy)\w+ .*(?:,|\b(?:khi|trước|sau|nếu|cho|trong)\b)"
    r"|禁止(?:です|とし|する|で)|^\W*必ず.*(?:を|に|から).+(?:こと|ください)[。.!！]*$"
)
"""It gives a rule, with no word against what was done, and says when."""
CONTRASTS = Pattern(
    r"\b(?:use|prefer|write|call|run|keep) [^,;.]{1,60},? (?:not|instead of|rather than) \w"
    r"|\binstead of\b|\brather than\b|\bshould(?:n't| not)? (?:have )?(?:be|been)\b[^.]* not\b|, not \w"
    r"|\bthay vì\b|\bchứ không\b|, không phải \w|\bchứ đừng\b"
    r"|\bmà phải\b|\bkhông dùng\b.*\bdùng\b|\bdùng\b.*\bkhông dùng\b"
    r"|ではなく|じゃなく|でなく|の代わりに|よりも?[^、。]{0,12}(?:を使|のほう)"
)
"""One thing rather than another."""
TOPIC = Pattern(r"は[^、。]{1,24}(?:ではなく|じゃなく|でなく)")
"""Of what it is said that it is one thing rather than another."""
HOLDS = Pattern(
    r"\b(?:always|never|must(?:n't)?|only|every|each|whenever|required?|forbidden|convention|rule|standard|policy)\b"
    r"|\b(?:we|our|this (?:repo|project|team|codebase|service|module)|the (?:team|customer|client|spec|project|repo))"
    r" (?:\w+ )?(?:use|uses|are|is|do|does|don't|doesn't|never|always|has|have|need|needs|require|requires|want"
    r"|wants|expects?|keeps?|writes?|reads?"
    r"|lives?|comes?|runs?|stores?)\b"
    r"|\bour \w+ (?:is|are|use|uses)\b|\bper (?:line|item|row|request|user|tenant|order)\b"
    r"|\b(?:luôn|phải|không bao giờ|bắt buộc|mỗi|theo từng|quy ước|quy định|chỉ (?:được|dùng)|cấm|không được)\b"
    r"|必ず|常に|絶対|いつも|ごとに|毎に|べき|しないこと|すること|してはいけ|禁止|単位(?:で|に)|ルール|規約|だけ(?:に|を|で|です)|のみ|必須|決まり"
)
"""It holds for more than this once."""
CLAIMS = Pattern(r"(?:です|ます|である|だ)[。.!！]?$|\b(?:use|uses|is|are|has to|have to)\b|\b(?:dùng|là|sử dụng)\b")
"""Something is said to be so."""
REASONS = Pattern(
    r"\bbecause\b|\bso that\b|\bdue to\b|\botherwise\b|, since\b|\bsince (?:the|our|their|we|it|they)\b"
    r"|\bthe reason\b|(?<=\w): (?:the|our|we|it) \w+"
    r"|\b(?:vì|bởi|để tránh|nếu không|kẻo|lý do|do (?:đó|khách|hệ|bên|spec))\b"
    r"|ので|(?<![れここそとだ])から(?:[、。,.]|です|だ)|ため[、。にで]|ないと|理由|せいで|と(?:.{0,12})ずれ"
)
"""Why."""
REMEMBERS = Pattern(
    r"^\W*(?:please |hey,? |also,? |and |ok(?:ay)?,? |note:? )*(?:"
    r"(?:remember|keep in mind|bear in mind|take note|make a note|don't forget|do not forget)(?:\s*(?:[:,–—]|- )\s*"
    r"|,? that | this: | for (?:next time|later|the future)[:,]? )"
    r"|remember to (?=always|never)|remember,? (?=always|never)"
    r"|(?:from now on|going forward)[,:]? |(?:in (?:the )?future|next time|for future reference)[,:] )"
    r"|^\W*(?:hãy |xin |bạn |làm ơn |vui lòng |à,? |ok,? )*(?:"
    r"(?:nhớ|ghi nhớ|lưu ý)(?: giúp| hộ| cho| kỹ| nhé| nha)*(?: (?:mình|tôi|em|anh|tớ))?(?:\s*[:,–—]\s*| là | rằng )"
    r"|(?:nhớ|ghi nhớ|lưu ý) (?=luôn|không bao giờ|không được|phải)"
    r"|(?:từ nay|từ giờ|từ bây giờ|lần sau|sau này)(?: trở đi| về sau)?[,:]? )"
    r"|^\W*(?:覚えて(?:おいて|おけ|ください|て)|覚えといて|記憶して|メモして(?:おいて)?|忘れないで|覚えて)(?:ください|ね|下さい|おいてください)?\s*[:：、。,.!！]+\s*"
    r"|^\W*(?:今後は?|これからは|以後は?|次回からは?|次からは)[、,]?\s*"
)
"""It asks to be remembered; the match is what stands before the thing itself."""
REMEMBERS_AFTER = Pattern(
    r"(?:こと|と)?を?(?:、)?(?:覚えて(?:おいて|おいてください|ください)|覚えといて|忘れないで(?:ください)?)[ね。!！.]*$"
    r"|\bremember (?:this|that)[.!]?$"
    r"|(?<=ので)(?:ご)?注意(?:して(?:ください)?|です|が必要です)?[。.!！]*$|(?<=ので)気をつけて(?:ください)?[。.!！]*$"
)
"""It asks so at its end; what stands before is the thing."""
DECIDES = Pattern(
    r"\blet(?:'s|’s| us) (?:\w+ ){0,2}(?:keep|use|go|stick|not|stay|avoid|drop|split|store|adopt)\b"
    r"|\bwe(?:'ve| have)? (?:decided|chose|chosen|agreed|settled on|opted for|switched to)\b"
    r"|\bwe went with (?:\S+ ){1,2}(?:over|instead|rather|and not|because|since)\b"
    r"|\bthe reason (?:why )?(?:we|the team) (?:still )?"
    r"(?:keep|use|pin|have|need|chose|do|don't|store|run|build|call|split|allow)\b"
    r"|\bwe(?:'ll|’ll| will| should|'re going to) (?:not )?"
    r"(?:keep|use|go with|stick|stay|avoid|drop|store|adopt|support|run|write|move|split|deploy)\b"
    r"|\b(?:decision|decided):|\bgo(?:ing)? with\b|\bthe (?:team"
    r"|customer|client|po|pm) (?:decided|chose|agreed|wants)\b"
    r"|\b(?:(?:bọn|chúng|bên|nhóm|team) ?(?:mình|ta|tôi|em)|team|nhóm) (?:đã |sẽ )?(?:chọn|giữ|chuyển sang|bỏ)\b"
    r"|^\W*lý do (?:ta |mình |bọn mình |chúng ta |phải |vẫn |không )*(?:giữ|dùng|chọn|ghim|bỏ|tách|để)\b"
    r"|\b(?:chốt|quyết định|thống nhất|đã chọn|(?<!mình )(?<!tôi )sẽ dùng|giữ nguyên|ta giữ|mình giữ|ta dùng"
    r"|cứ dùng|vẫn dùng)\b"
    r"|にしましょう|でいきましょう|で行きましょう|ことにし|ことにする|方針(?:です|とし|で)|を採用|に決ま|に決め|決定(?:です|し|:|：)|のままにし|を使いましょう|を維持"
)
"""It decides."""
HEDGES = Pattern(
    r"\bmaybe\b|\bperhaps\b|\bi (?:do not |don't )?think\b|\bi guess\b|\bnot sure\b|\bmight\b|\bcould we\b"
    r"|\bwhat if\b|\bfor now\b"
    r"|\btry\b|\btemporar|\bjust this once\b"
    r"|\b(?:có lẽ|chắc là|có thể|hay là|thử|tạm|tạm thời|không chắc|hình như)\b"
    r"|かも|でしょうか|とりあえず|一旦|いったん|試し|仮に|たぶん|多分|今回だけ"
)
"""It is not sure, or for now alone."""
ONCE = Pattern(
    r"\b(?:no (?:problem|worries|need|thanks|thank you|rush|idea)|never ?mind|that's (?:fine|ok|all)|undo|revert"
    r"|roll ?back|try again|go back|wait|hold on|not yet|not now|stop here|don't (?:worry|bother|know|think|see"
    r"|understand|need|have|commit yet|push yet|do (?:it|that|this|anything) yet))\b"
    r"|^\W*(?:please )?(?:undo|revert|roll ?back)\b|\b(?:still (?:fail|not|broken|wrong|the same|blank|red)"
    r"|(?<!never )again\b|late\b|tired\b|tomorrow\b|today\b|(?<!from )now\b)"
    r"|\bit (?:prints|shows|fails|crashes)\b"
    r"|\b(?:is|are) (?:missing|empty|blank|gone|broken|cut off)\b|\bline \d|(?:option|cách|phương án|案) ?[\da-d]\b"
    r"|\b(?:i meant|i mean)\b|\bthe other (?:one|file|tab|button)\b|\b(?:this|that|these) (?:one|button|page|screen"
    r"|line|test)s?\b|\bnút\b"
    r"|\b(?:hôm|sáng|trưa|chiều|tối|đêm) (?:nay|qua)\b|\b(?:tonight|this (?:morning|afternoon|evening))\b"
    r"|\b(?:not|than) \d"
    r"|\bvẫn(?: chưa| lỗi| sai| không)|không (?:sao|cần|vấn đề)|\b(?:làm lại|thử lại|hoàn tác|quay lại|khoan|đợi"
    r"|dừng lại)\b|ý (?:mình|tôi|em|anh) là"
    r"|今日|後に|ここ|そこ|右|左|ボタン|画面を|ここまで|あとで|後で|まだ|大丈夫|結構です|不要です|やり直し|元に戻|戻して|待って|まだ(?:です|いい)|別の(?:ファイル|方)|気にしないで"
)
"""It is about this moment alone."""
ASKS = Pattern(
    r"[?？]\W*$|^\W*(?:why|what|how|when|where|which|who|can|could|would|is|are|does|do|did"
    r"|should)\b(?!.*\bremember\b)"
    r"|(?:ですか|ますか|でしょうか|かな|のか)[。.]?$|\b(?:không|chưa|sao|nhỉ|hả|à|gì|thế nào)[?.]?$"
)
"""It is a question."""
POLITE = Pattern(
    r"[,、]?\s*(?:please (?:fix|change|update|correct|redo)(?: (?:it|this|that))?"
    r"|(?:hãy )?sửa (?:lại|giúp|đi)[\w\s]{0,12}"
    r"|(?:修正|変更|訂正)(?:をお願いします|してください)|直してください)[.!。！]*$"
)
"""What at the end asks for the change at hand, and says nothing beyond it."""
EXTERNAL = Pattern(r"^\s*(?:>|\||```|at \w|traceback|file \"|\$ |[+-]{3} |@@ )")
"""A line that is quoted, logged or pasted."""
