"""Names and definitions of the report's figures, in vi, en, ja."""

from __future__ import annotations

FIGURES: dict[str, dict[str, tuple[str, str]]] = {
    "en": {
        "memories": ("Memories in force", "approved memories on the default branch"),
        "used": ("Used lately", "share of them that were cited or read within recall.decayDays"),
        "hits": ("Hits", "sessions in which a memory was cited or read on demand, each memory once a session"),
        "citations": ("Citations", "those of them in which an assistant's own text named the memory"),
        "tasks": ("Tasks", "tickets that memory was at hand for"),
        "citationsPerTask": ("Citations per task", "citations divided by tasks"),
        "lessonsThatHelped": ("Lessons that helped again", "lessons used for a ticket other than their own"),
        "repeatsPrevented": ("Repeats prevented", "tickets in which that happened, counted once for each lesson"),
        "sessions": ("Sessions", "sessions that got memories at their start"),
        "tokensPerSession": ("Tokens per session", "tokens injected, divided by sessions"),
        "sessionsOver": ("Sessions over the limit", "share of sessions above memory.contextShare of the window"),
        "approved": ("Approved", "merge requests of memories that were merged"),
        "rejected": ("Rejected", "merge requests of memories that were closed without merging"),
        "queue": ("Waiting", "merge requests of memories that are open now"),
        "queueOldestDays": ("Oldest waiting", "days since the oldest of them was opened"),
        "daysToApproval": ("Draft to approval", "median days from a memory's created date to its approval on main"),
        "removed": ("Removed", "softly removed memories"),
        "flagged": ("Ever stale", "memories that were ever flagged as stale"),
        "verifiedAgain": ("Verified again", "share of those that are in force and no longer flagged"),
    },
    "vi": {
        "memories": ("Ghi nhớ có hiệu lực", "ghi nhớ đã duyệt trên nhánh mặc định"),
        "used": ("Được dùng gần đây", "tỷ lệ được trích dẫn hoặc đọc trong recall.decayDays ngày"),
        "hits": ("Lượt dùng", "phiên có ghi nhớ được trích dẫn hoặc đọc; mỗi ghi nhớ một lần trong một phiên"),
        "citations": ("Trích dẫn", "trong đó lời của trợ lý có nêu ghi nhớ"),
        "tasks": ("Công việc", "ticket có ghi nhớ sẵn dùng"),
        "citationsPerTask": ("Trích dẫn mỗi công việc", "số trích dẫn chia cho số công việc"),
        "lessonsThatHelped": ("Bài học giúp được lần nữa", "bài học được dùng cho ticket khác ticket sinh ra nó"),
        "repeatsPrevented": ("Lần tránh lặp lỗi", "số ticket như vậy, tính một lần cho mỗi bài học"),
        "sessions": ("Phiên", "phiên nhận ghi nhớ khi bắt đầu"),
        "tokensPerSession": ("Token mỗi phiên", "token đã nạp chia cho số phiên"),
        "sessionsOver": ("Phiên vượt mức", "tỷ lệ phiên vượt memory.contextShare của cửa sổ ngữ cảnh"),
        "approved": ("Đã duyệt", "merge request ghi nhớ đã merge"),
        "rejected": ("Bị từ chối", "merge request ghi nhớ bị đóng mà không merge"),
        "queue": ("Đang chờ", "merge request ghi nhớ đang mở"),
        "queueOldestDays": ("Chờ lâu nhất", "số ngày từ khi mở merge request cũ nhất"),
        "daysToApproval": ("Từ nháp đến duyệt", "trung vị số ngày từ ngày tạo đến khi được duyệt trên main"),
        "removed": ("Đã gỡ", "ghi nhớ đã gỡ mềm"),
        "flagged": ("Từng nghi cũ", "ghi nhớ từng bị gắn cờ nghi cũ"),
        "verifiedAgain": ("Đã kiểm chứng lại", "tỷ lệ trong đó còn hiệu lực và không còn cờ"),
    },
    "ja": {
        "memories": ("有効なメモリ", "デフォルトブランチにある承認済みのメモリ"),
        "used": ("最近使われた割合", "recall.decayDays 日以内に引用または参照された割合"),
        "hits": ("使用回数", "メモリが引用または参照されたセッション数(1 セッションにつき各メモリ 1 回)"),
        "citations": ("引用", "そのうち、アシスタントの文章がメモリを挙げたもの"),
        "tasks": ("タスク", "メモリが用意されたチケット"),
        "citationsPerTask": ("タスクあたりの引用", "引用をタスクで割ったもの"),
        "lessonsThatHelped": ("再び役立った教訓", "生まれたチケット以外で使われた教訓"),
        "repeatsPrevented": ("防いだ再発", "そのチケット数(教訓ごとに 1 回)"),
        "sessions": ("セッション", "開始時にメモリを受け取ったセッション"),
        "tokensPerSession": ("セッションあたりのトークン", "注入したトークンをセッションで割ったもの"),
        "sessionsOver": ("上限を超えたセッション", "コンテキストの memory.contextShare を超えた割合"),
        "approved": ("承認", "マージされたメモリのマージリクエスト"),
        "rejected": ("却下", "マージされずに閉じられたメモリのマージリクエスト"),
        "queue": ("待ち", "開いているメモリのマージリクエスト"),
        "queueOldestDays": ("最長の待ち", "そのうち最も古いものの経過日数"),
        "daysToApproval": ("下書きから承認まで", "作成日から main での承認までの日数の中央値"),
        "removed": ("削除済み", "ソフト削除されたメモリ"),
        "flagged": ("古い可能性があったもの", "一度でも古い可能性の印が付いたメモリ"),
        "verifiedAgain": ("再検証の割合", "そのうち有効で、印が消えたものの割合"),
    },
}  # fmt: skip
"""Language → figure → its name and its definition. Every language has the same figures (a test says so)."""

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "title": "Project memory: pilot report", "asOf": "As of {today}", "figure": "Figure", "number": "Number",
        "definition": "Definition", "tokens": "Injected tokens per session, by week",
        "cited": "Citations per task, by week",
        "sprints": "Approved and rejected, by sprint", "reasons": "Removals by reason", "unknown": "not known",
        "approved": "approved", "rejected": "rejected", "R1": "unused", "R2": "stale, not verified",
        "R3": "promoted to the kit", "R4": "a person's reason",
    },
    "vi": {
        "title": "Bộ nhớ dự án: báo cáo thử nghiệm", "asOf": "Tính đến {today}",
        "figure": "Chỉ số", "number": "Giá trị",
        "definition": "Định nghĩa", "tokens": "Token nạp mỗi phiên, theo tuần",
        "cited": "Trích dẫn mỗi công việc, theo tuần",
        "sprints": "Duyệt và từ chối, theo sprint", "reasons": "Gỡ theo lý do", "unknown": "chưa biết",
        "approved": "đã duyệt", "rejected": "bị từ chối", "R1": "không được dùng", "R2": "nghi cũ, không kiểm chứng",
        "R3": "đã đưa vào kit", "R4": "lý do của một người",
    },
    "ja": {
        "title": "プロジェクトメモリ: パイロット報告", "asOf": "{today} 時点", "figure": "指標", "number": "値",
        "definition": "定義", "tokens": "セッションあたりの注入トークン(週別)", "cited": "タスクあたりの引用(週別)",
        "sprints": "承認と却下(スプリント別)", "reasons": "理由別の削除", "unknown": "不明",
        "approved": "承認", "rejected": "却下", "R1": "未使用", "R2": "古い可能性・未検証",
        "R3": "キットへ昇格", "R4": "人による理由",
    },
}  # fmt: skip

SHARES = frozenset(("used", "sessionsOver", "verifiedAgain"))
"""Figures that are shares, said in per cent."""


def said(name: str, number: float | None, language: str) -> str:
    """Return a figure as people read it."""
    if number is None:
        return WORDS[language]["unknown"]
    if name in SHARES:
        return f"{number:.1%}"
    return f"{number:,.0f}" if number == int(number) or number >= 100 else f"{number:,.2f}"
