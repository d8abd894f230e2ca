"""The words of the weekly merge request in the team's language (``review.language``): vi, en, ja."""

from __future__ import annotations

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "intro": "The weekly tending of the memory. One approval accepts everything below that is marked **changes**; "
                 "what is marked **to judge** changes nothing by itself.",
        "summary": "| what | number | with the approval |\n| --- | ---: | --- |",
        "changes": "changes", "judge": "to judge",
        "remove": "To be removed",
        "remove_text": "After the approval they move to `_deprecated/`, and `brain restore` "
                  "brings them back. To keep one, take the two lines `removal…` out of its file on this branch, and "
                  "write `review_by: DATE` there: until that day nobody asks again.",
        "remove_columns": "| id | why | says |",
        "later": "{count} more are due, and wait for the next time.",
        "unused": "nobody used it since {since}; {hits} hits, confidence {confidence}",
        "verify": "Used, though stale for long",
        "verify_text": "Teams rely on these. `brain verify ID` shows what "
                  "changed; `--ok` or `--wrong` settles it.",
        "verify_row": "stale since {flagged}, last used {last}",
        "unknown": "its refs could not be checked",
        "flagged": "Stale: what they rest on changed",
        "flagged_text": "Nobody has to act now: until someone runs `brain verify ID`, readers are warned.",
        "cleared": "Fresh again",
        "fading": "Less sure",
        "fading_text": "They come later in a recall. Using or verifying one stops it; what nobody wants comes here "
                       "again, to be removed.",
        "fade_columns": "| id | confidence | why | says |",
        "faded": "nobody used it since {since}",
        "doubted": "stale since {flagged}, and nobody verified it",
        "duplicates": "Near duplicates",
        "duplicates_text": "Is one of the two enough? Its author names the other in its `supersedes`.",
        "contradictions": "Opposite advice",
        "contradictions_text": "The same tags, and what they tell to do seems to "
                          "contradict. Which one is right?",
        "contradictions_columns": "| one | other |", "duplicates_columns": "| alike | one | other |",
        "in_meaning": "in meaning",
        "retros": "Retrospects without a memory",
        "retros_text": "What was learned there is not a memory yet. Is something worth it? Its author "
                  "proposes it (`brain remember`). Those from side branches come to the "
                  "default branch with the approval.",
        "retro_row": "{ticket} ({user}): {points}", "retro_main": "on the default branch",
        "no_points": "no list in it",
        "hits": "Counted uses", "hits_row": "{id}: {before} → {after}",
        "hits_all": "memories: {count}, uses: +{sum}",
        "more": "… and {count} more",
        "checklist": "For the approver",
        "checks": "Each removal above may go: nobody needs it.\n"
                  "Each pair above is given to someone, or needs nothing.",
        "consult": "To be consulted too: {people}",
        "refused": "it was turned down as it is; it is proposed again when something new is known",
    },
    "vi": {
        "intro": "Chăm sóc bộ nhớ hằng tuần. Một lần duyệt chấp nhận mọi mục ghi **thay đổi** bên dưới; mục ghi "
                 "**cần xem xét** không tự thay đổi gì.",
        "summary": "| mục | số lượng | khi duyệt |\n| --- | ---: | --- |",
        "changes": "thay đổi", "judge": "cần xem xét",
        "remove": "Đề xuất gỡ",
        "remove_text": "Sau khi duyệt, chúng chuyển sang `_deprecated/`, và `brain restore` đưa "
                  "trở lại. Muốn giữ ghi nhớ nào, xóa hai dòng "
                  "`removal…` trong tệp của nó trên nhánh này và ghi `review_by: NGÀY`: đến ngày đó sẽ không hỏi lại.",
        "remove_columns": "| id | lý do | nội dung |",
        "later": "Còn {count} ghi nhớ nữa đến hạn, để lần sau.",
        "unused": "không ai dùng từ {since}; {hits} lượt dùng, độ tin cậy {confidence}",
        "verify": "Vẫn được dùng dù nghi cũ đã lâu",
        "verify_text": "Nhóm đang dựa vào các ghi nhớ này. `brain verify ID` "
                  "cho thấy điều đã đổi; `--ok` hoặc `--wrong` để kết luận.",
        "verify_row": "nghi cũ từ {flagged}, dùng lần cuối {last}",
        "unknown": "chưa kiểm tra được refs",
        "flagged": "Nghi cũ: nơi chúng dựa vào đã thay đổi",
        "flagged_text": "Chưa cần làm gì: người đọc được cảnh báo cho đến khi có ai chạy `brain verify ID`.",
        "cleared": "Đã đúng trở lại",
        "fading": "Giảm độ tin cậy",
        "fading_text": "Chúng được gợi lại sau các ghi nhớ khác. Có người dùng hoặc kiểm chứng thì dừng giảm; "
                       "nếu không ai cần, lần sau sẽ được đề xuất gỡ.",
        "fade_columns": "| id | độ tin cậy | lý do | nội dung |",
        "faded": "không ai dùng từ {since}",
        "doubted": "nghi cũ từ {flagged} và chưa ai kiểm chứng",
        "duplicates": "Gần trùng lặp",
        "duplicates_text": "Một trong hai có đủ không? Tác giả của nó ghi id kia vào `supersedes`.",
        "contradictions": "Lời khuyên trái ngược",
        "contradictions_text": "Cùng thẻ, nhưng việc cần làm có vẻ mâu thuẫn. "
                          "Bên nào đúng?",
        "contradictions_columns": "| một | kia |", "duplicates_columns": "| giống | một | kia |",
        "in_meaning": "theo nghĩa",
        "retros": "Retro chưa thành ghi nhớ",
        "retros_text": "Điều học được ở đó chưa thành ghi nhớ. Có điều gì đáng giữ không? Tác giả đề xuất nó "
                  "(`brain remember`). Retro trên nhánh phụ vào nhánh mặc định khi duyệt.",
        "retro_row": "{ticket} ({user}): {points}", "retro_main": "trên nhánh mặc định",
        "no_points": "không có danh sách",
        "hits": "Lượt dùng đã đếm", "hits_row": "{id}: {before} → {after}",
        "hits_all": "ghi nhớ: {count}, lượt dùng: +{sum}",
        "more": "… và {count} mục nữa",
        "checklist": "Dành cho người duyệt",
        "checks": "Mỗi ghi nhớ đề xuất gỡ ở trên có thể gỡ: không ai còn cần.\n"
                  "Mỗi cặp ở trên đã giao cho người xử lý, hoặc không cần làm gì.",
        "consult": "Cần tham khảo thêm: {people}",
        "refused": "đã bị từ chối nguyên trạng; sẽ đề xuất lại khi có điều mới",
    },
    "ja": {
        "intro": "メモリの週次の手入れです。承認すると、下の **変更** の項目がすべて受け入れられます。"
                  "**要判断** の項目は、"
                 "それだけでは何も変わりません。",
        "summary": "| 項目 | 件数 | 承認すると |\n| --- | ---: | --- |",
        "changes": "変更", "judge": "要判断",
        "remove": "削除の提案", "remove_text": "承認後は `_deprecated/` に移り、`brain restore` "
                  "で戻せます。残したいものは、このブランチのファイルから `removal…` の 2 行を消し、"
                  "`review_by: 日付` を書いてください。その日まで再び尋ねません。",
        "remove_columns": "| id | 理由 | 内容 |",
        "later": "ほか {count} 件が対象ですが、次回に回します。",
        "unused": "{since} 以降使われていない。使用 {hits} 回、確信度 {confidence}",
        "verify": "古い可能性が長く続いているが、使われているもの", "verify_text": "チームが頼りにしています。"
                  "`brain verify ID` で変更点を確認し、`--ok` か `--wrong` で決着してください。",
        "verify_row": "{flagged} から古い可能性あり、最終使用 {last}",
        "unknown": "refs を確認できませんでした",
        "flagged": "古い可能性: 根拠が変更されたもの",
        "flagged_text": "今すぐの対応は不要です。誰かが `brain verify ID` を実行するまで、読む人に警告が出ます。",
        "cleared": "再び最新",
        "fading": "確信度の低下",
        "fading_text": "想起の順位が下がります。誰かが使うか検証すれば低下は止まり、"
                       "不要なままなら次は削除の提案になります。",
        "fade_columns": "| id | 確信度 | 理由 | 内容 |",
        "faded": "{since} 以降使われていない", "doubted": "{flagged} から古い可能性があり、誰も検証していない",
        "duplicates": "類似するメモリ",
        "duplicates_text": "一方だけで足りますか。足りるなら、その作成者が `supersedes` に他方の id を書きます。",
        "contradictions": "相反する助言", "contradictions_text": "タグが同じで、すべきことが矛盾しているようです。"
                          "どちらが正しいですか。",
        "contradictions_columns": "| 一方 | 他方 |", "duplicates_columns": "| 類似 | 一方 | 他方 |",
        "in_meaning": "意味が同じ",
        "retros": "メモリになっていない振り返り", "retros_text": "そこで学んだことは、"
                  "まだメモリになっていません。残す価値があるものは、作成者が `brain remember` で提案します。"
                  "側ブランチの振り返りは、承認するとデフォルトブランチに入ります。",
        "retro_row": "{ticket} ({user}): {points}", "retro_main": "デフォルトブランチ", "no_points": "一覧なし",
        "hits": "数えた使用回数", "hits_row": "{id}: {before} → {after}",
        "hits_all": "メモリ {count} 件、使用 +{sum} 回",
        "more": "… ほか {count} 件",
        "checklist": "承認者の確認事項",
        "checks": "上の削除の提案は、どれも不要で、削除してよい。\n"
                  "上の組は、どれも担当者に渡した、または対応不要である。",
        "consult": "あわせて相談する人: {people}",
        "refused": "この内容は却下されました。新しい事実があれば再び提案します",
    },
}  # fmt: skip
"""Language → name → text. Every language has the same names (a test says so)."""

PROMOTION: dict[str, dict[str, str]] = {
    "en": {
        "intro": "Lessons of the project {project} that held for several tickets and projects, proposed for all.",
        "columns": "| file here | memory | hits | tickets | projects | says |",
        "after": "Once this is merged, `brain remove --promoted KIT` proposes to remove the originals, with a note "
                 "that names the file here. Each file names the memory that it was.",
    },
    "vi": {
        "intro": "Bài học của dự án {project} đã đúng với nhiều ticket và nhiều dự án, đề xuất dùng chung.",
        "columns": "| tệp ở đây | ghi nhớ | lượt dùng | ticket | dự án | nội dung |",
        "after": "Sau khi merge, `brain remove --promoted KIT` đề xuất gỡ các ghi nhớ gốc, kèm ghi chú chỉ đến tệp "
                 "ở đây. Mỗi tệp ghi rõ nó từng là ghi nhớ nào.",
    },
    "ja": {
        "intro": "プロジェクト {project} の教訓のうち、複数のチケットとプロジェクトで役立ったものを"
                 "全体に提案します。",
        "columns": "| ここのファイル | メモリ | 使用回数 | チケット | プロジェクト | 内容 |",
        "after": "マージ後、`brain remove --promoted KIT` が元のメモリの削除を提案し、ここのファイル名を記録します。"
                 "各ファイルには、元のメモリが書かれています。",
    },
}  # fmt: skip
"""The words of a promotion's merge request, in the kit repo."""
