"""The words of a merge request in the team's language (``review.language``): vi, en, ja."""

from __future__ import annotations

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "intro": "Memories proposed from ticket {ticket}.",
        "memories": "Memories",
        "columns": "|  | id | type | scope | confidence | source | refs | says |",
        "new": "new", "update": "update",
        "retro": "It carries the retrospect of the ticket: {path}.",
        "waiting": "On the branch already, and not approved",
        "waiting_text": "These were merged without a PM's approval, and nobody recalls them. This merge request "
                        "changes how an empty field is written, so that they can be approved as they are:",
        "near": " (near duplicates above)",
        "similar": "Near duplicates", "approved": "approved", "same": "in this merge request",
        "again": "Turned down or removed before",
        "again_refused": "{id} ≈ {similarity} {other}, turned down ({when}, {by}): {reason}",
        "again_removed": "{id} ≈ {similarity} {other}, removed ({when}, {by}): {reason}",
        "rules": "Rules that may say otherwise (rules win over memory)",
        "synced": "Read from {repo}, synced up to commit {commit}.",
        "stale": "Refs that changed since they were verified, or could not be checked",
        "consult": "To be consulted too: {people}",
        "checklist": "For the approver",
        "checks": "Each memory says one fact and ends with what to do.\n"
                  "It is true, and not known already{near}.\n"
                  "It stands in the right place: area, role, function.\n"
                  "It holds no secret and no personal data.\n"
                  "It does not contradict the project's rules.",
        "more": "… and {count} more",
        "pulled": "The author took {count} memories of this merge request back for editing; the next `brain submit` "
                  "brings them again.",
        "remove_soft": "A removal is proposed. Once it is approved the memory moves to `_deprecated/`: it is "
                       "recalled no more, and `brain restore` brings it back.",
        "remove_hard": "A removal for good is proposed. Once it is approved the file is gone, and `brain restore` "
                       "cannot bring it back.",
        "restore_intro": "A memory that was removed is proposed anew. Once it is approved it is recalled again.",
        "reason": "Reason: {reason}",
        "was_removed": "It was removed because: {reason}",
        "remove_columns": "| id | type | scope | hits | says |",
        "references": "Who refers to it",
        "supersedes": "{other} says that it supersedes {id}.",
        "superseded_by": "{other} says that it is superseded by {id}.",
        "replaces": "{id} supersedes {other}, which is recalled again if it is still there.",
        "replaced_by": "{id} is superseded by {other}.",
        "rests_on": "{other} has {id} among its refs.",
        "names": "{other} names {id} in its text.",
        "history": "The history still holds it",
        "history_text": "The text stays in the history of the repository, in every clone and every fork. A secret "
                        "in it must be made invalid (rotated) first: nothing else helps. The history is rewritten "
                        "in a fresh clone, after the removal, and everybody clones anew:",
        "history_check": "Confirmed by the approver: every secret in it is rotated, and who rewrites the history "
                         "is agreed, or nobody needs to.",
        "remove_check": "The reason is right, and nobody needs the memory any more.",
        "references_check": "What refers to it (above) stays right without it.",
        "restore_check": "It is true again, and the reason for which it was removed no longer holds.",
    },
    "vi": {
        "intro": "Các ghi nhớ được đề xuất từ ticket {ticket}.",
        "memories": "Ghi nhớ",
        "columns": "|  | id | loại | phạm vi | độ tin cậy | nguồn | refs | nội dung |",
        "new": "mới", "update": "cập nhật",
        "retro": "Kèm theo bản retro của ticket: {path}.",
        "waiting": "Đã có trên nhánh nhưng chưa được duyệt",
        "waiting_text": "Các ghi nhớ này đã được merge mà không có PM duyệt, nên không ai được gợi lại. Merge request "
                        "này chỉ đổi cách viết một trường trống để có thể duyệt chúng nguyên văn:",
        "near": " (xem mục gần trùng lặp)",
        "similar": "Gần trùng lặp", "approved": "đã duyệt", "same": "trong merge request này",
        "again": "Từng bị từ chối hoặc bị gỡ",
        "again_refused": "{id} ≈ {similarity} {other}, bị từ chối ({when}, {by}): {reason}",
        "again_removed": "{id} ≈ {similarity} {other}, bị gỡ ({when}, {by}): {reason}",
        "rules": "Quy tắc có thể nói khác (quy tắc thắng ghi nhớ)",
        "synced": "Đọc từ {repo}, đã đồng bộ đến commit {commit}.",
        "stale": "Refs đã thay đổi kể từ lần kiểm chứng, hoặc chưa kiểm tra được",
        "consult": "Cần tham khảo thêm: {people}",
        "checklist": "Dành cho người duyệt",
        "checks": "Mỗi ghi nhớ chỉ nói một điều và kết thúc bằng việc cần làm.\n"
                  "Nội dung đúng và chưa có trước đó{near}.\n"
                  "Đặt đúng chỗ: khu vực, vai trò, chức năng.\n"
                  "Không chứa bí mật hay dữ liệu cá nhân.\n"
                  "Không mâu thuẫn với quy tắc của dự án.",
        "more": "… và {count} mục nữa",
        "pulled": "Tác giả đã lấy lại {count} ghi nhớ của merge request này để sửa; lần `brain submit` sau sẽ gửi lại.",
        "remove_soft": "Đề xuất gỡ ghi nhớ. Sau khi được duyệt, ghi nhớ chuyển sang `_deprecated/`: không còn được "
                       "gợi lại, và `brain restore` đưa nó trở lại.",
        "remove_hard": "Đề xuất xóa hẳn ghi nhớ. Sau khi được duyệt, tệp bị xóa và `brain restore` không thể đưa "
                       "nó trở lại.",
        "restore_intro": "Đề xuất khôi phục một ghi nhớ đã gỡ. Sau khi được duyệt, nó lại được gợi lại.",
        "reason": "Lý do: {reason}",
        "was_removed": "Trước đây bị gỡ vì: {reason}",
        "remove_columns": "| id | loại | phạm vi | lượt dùng | nội dung |",
        "references": "Những ghi nhớ liên quan",
        "supersedes": "{other} ghi rằng nó thay thế {id}.",
        "superseded_by": "{other} ghi rằng nó được thay thế bởi {id}.",
        "replaces": "{id} thay thế {other}; ghi nhớ cũ sẽ được gợi lại nếu vẫn còn.",
        "replaced_by": "{id} được thay thế bởi {other}.",
        "rests_on": "{other} có {id} trong refs.",
        "names": "{other} nhắc đến {id} trong nội dung.",
        "history": "Lịch sử vẫn còn giữ nội dung này",
        "history_text": "Nội dung vẫn nằm trong lịch sử của kho mã, trong mọi bản clone và fork. Nếu có bí mật thì "
                        "phải thay (rotate) bí mật đó trước tiên: không có cách nào khác. Việc viết lại lịch sử "
                        "làm trong một bản clone mới, sau khi xóa, và mọi người phải clone lại:",
        "history_check": "Người duyệt xác nhận: mọi bí mật trong đó đã được thay, và đã thống nhất ai viết lại "
                         "lịch sử, hoặc không cần.",
        "remove_check": "Lý do đúng và không ai còn cần ghi nhớ này.",
        "references_check": "Những ghi nhớ liên quan (ở trên) vẫn đúng khi không có nó.",
        "restore_check": "Nội dung đúng trở lại và lý do từng bị gỡ không còn nữa.",
    },
    "ja": {
        "intro": "チケット {ticket} から提案されたメモリです。",
        "memories": "メモリ",
        "columns": "|  | id | 種類 | 範囲 | 確信度 | 出典 | refs | 内容 |",
        "new": "新規", "update": "更新",
        "retro": "このチケットの振り返りを含みます: {path}。",
        "waiting": "ブランチにあるが未承認のもの",
        "waiting_text": "PMの承認なしにマージされたため、誰にも想起されていません。このマージリクエストは"
                        "空欄の書き方だけを変え、そのままの内容で承認できるようにします:",
        "near": "(上の類似メモリを参照)",
        "similar": "類似するメモリ", "approved": "承認済み", "same": "このマージリクエスト内",
        "again": "以前に却下または削除されたもの",
        "again_refused": "{id} ≈ {similarity} {other}、却下 ({when}、{by}): {reason}",
        "again_removed": "{id} ≈ {similarity} {other}、削除 ({when}、{by}): {reason}",
        "rules": "矛盾する可能性のあるルール(ルールがメモリに優先します)",
        "synced": "{repo} から読み取り、コミット {commit} まで同期済み。",
        "stale": "検証後に変更された、または確認できなかった refs",
        "consult": "あわせて相談する人: {people}",
        "checklist": "承認者の確認事項",
        "checks": "各メモリは一つの事実だけを述べ、最後にすべきことが書かれている。\n"
                  "内容が正しく、既知のものではない{near}。\n"
                  "正しい場所にある(領域・役割・機能)。\n"
                  "秘密情報や個人情報を含まない。\n"
                  "プロジェクトのルールと矛盾しない。",
        "more": "… ほか {count} 件",
        "pulled": "作成者が {count} 件のメモリを編集のために取り下げました。次の `brain submit` で再提出されます。",
        "remove_soft": "メモリの削除の提案です。承認後は `_deprecated/` に移り、想起されなくなります。"
                       "`brain restore` で戻せます。",
        "remove_hard": "メモリの完全な削除の提案です。承認後はファイルが削除され、`brain restore` では戻せません。",
        "restore_intro": "削除されたメモリの復元の提案です。承認後、再び想起されます。",
        "reason": "理由: {reason}",
        "was_removed": "以前に削除された理由: {reason}",
        "remove_columns": "| id | 種類 | 範囲 | 使用回数 | 内容 |",
        "references": "関連するメモリ",
        "supersedes": "{other} は {id} を置き換えるとしています。",
        "superseded_by": "{other} は {id} に置き換えられたとしています。",
        "replaces": "{id} は {other} を置き換えたものです。残っていれば {other} が再び想起されます。",
        "replaced_by": "{id} は {other} に置き換えられています。",
        "rests_on": "{other} の refs に {id} があります。",
        "names": "{other} の本文に {id} があります。",
        "history": "履歴には残ります",
        "history_text": "内容はリポジトリの履歴に、またすべてのクローンとフォークに残ります。秘密情報が含まれる場合"
                        "は、まず無効化(ローテーション)してください。ほかに方法はありません。履歴の書き換えは削除後"
                        "に新しいクローンで行い、全員がクローンし直します:",
        "history_check": "承認者の確認: 含まれる秘密情報はすべて無効化され、履歴を書き換える人が決まっている(または"
                         "不要である)。",
        "remove_check": "理由が正しく、このメモリを必要とする人がもういない。",
        "references_check": "関連するメモリ(上記)は、これがなくても正しい。",
        "restore_check": "内容が再び正しく、削除された理由がもう当てはまらない。",
    },
}  # fmt: skip
"""Language → name → text. Every language has the same names (a test says so)."""
