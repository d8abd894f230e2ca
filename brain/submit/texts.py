"""The words of a merge request in the team's language (``review.language``): vi, en, ja."""

from __future__ import annotations

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "intro": "Memories proposed from ticket {ticket}.",
        "memories": "Memories",
        "columns": "|  | id | type | scope | confidence | source | refs | says |",
        "new": "new", "update": "update",
        "retro": "It carries the retrospect of the ticket: {path}.",
        "similar": "Near duplicates", "approved": "approved", "same": "in this merge request",
        "rules": "Rules that may say otherwise (rules win over memory)",
        "stale": "Refs that changed since they were verified",
        "stale_row": "{id}: {ref} ({reason})",
        "consult": "To be consulted too: {people}",
        "checklist": "For the approver",
        "checks": "Each memory says one fact and ends with what to do.\n"
                  "It is true, and not known already (near duplicates above).\n"
                  "It stands in the right place: area, role, function.\n"
                  "It holds no secret and no personal data.\n"
                  "It does not contradict the project's rules.",
        "more": "… and {count} more",
        "pulled": "The author took {count} memories of this merge request back for editing; the next `brain submit` "
                  "brings them again.",
    },
    "vi": {
        "intro": "Các ghi nhớ được đề xuất từ ticket {ticket}.",
        "memories": "Ghi nhớ",
        "columns": "|  | id | loại | phạm vi | độ tin cậy | nguồn | refs | nội dung |",
        "new": "mới", "update": "cập nhật",
        "retro": "Kèm theo bản retro của ticket: {path}.",
        "similar": "Gần trùng lặp", "approved": "đã duyệt", "same": "trong merge request này",
        "rules": "Quy tắc có thể nói khác (quy tắc thắng ghi nhớ)",
        "stale": "Refs đã thay đổi kể từ lần kiểm chứng",
        "stale_row": "{id}: {ref} ({reason})",
        "consult": "Cần tham khảo thêm: {people}",
        "checklist": "Dành cho người duyệt",
        "checks": "Mỗi ghi nhớ chỉ nói một điều và kết thúc bằng việc cần làm.\n"
                  "Nội dung đúng và chưa có trước đó (xem mục gần trùng lặp).\n"
                  "Đặt đúng chỗ: khu vực, vai trò, chức năng.\n"
                  "Không chứa bí mật hay dữ liệu cá nhân.\n"
                  "Không mâu thuẫn với quy tắc của dự án.",
        "more": "… và {count} mục nữa",
        "pulled": "Tác giả đã lấy lại {count} ghi nhớ của merge request này để sửa; lần `brain submit` sau sẽ gửi lại.",
    },
    "ja": {
        "intro": "チケット {ticket} から提案されたメモリです。",
        "memories": "メモリ",
        "columns": "|  | id | 種類 | 範囲 | 確信度 | 出典 | refs | 内容 |",
        "new": "新規", "update": "更新",
        "retro": "このチケットの振り返りを含みます: {path}。",
        "similar": "類似するメモリ", "approved": "承認済み", "same": "このマージリクエスト内",
        "rules": "矛盾する可能性のあるルール(ルールがメモリに優先します)",
        "stale": "検証後に変更された refs",
        "stale_row": "{id}: {ref} ({reason})",
        "consult": "あわせて相談する人: {people}",
        "checklist": "承認者の確認事項",
        "checks": "各メモリは一つの事実だけを述べ、最後にすべきことが書かれている。\n"
                  "内容が正しく、既知のものではない(上の類似メモリを参照)。\n"
                  "正しい場所にある(領域・役割・機能)。\n"
                  "秘密情報や個人情報を含まない。\n"
                  "プロジェクトのルールと矛盾しない。",
        "more": "… ほか {count} 件",
        "pulled": "作成者が {count} 件のメモリを編集のために取り下げました。次の `brain submit` で再提出されます。",
    },
}  # fmt: skip
"""Language → name → text. Every language has the same names (a test says so)."""
