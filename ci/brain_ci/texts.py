"""The words of lint's notes in the team's language (``review.language``): vi, en, ja."""

from __future__ import annotations

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "failed": "❌ Memory lint: this has to be mended before the merge",
        "passed": "✅ Memory lint: nothing stands in the way of the merge",
        "clean": "✅ Memory lint: no findings",
        "counts": "Errors: {errors} · warnings: {warnings} · allowed: {allowed} · files: {files}",
        "columns": "| rule | where | what | what to do |",
        "warnings": "Warnings: {count}",
        "allowed": "Allowed by brain.toml: {count}",
        "reason": "allowed: {reason}",
        "more": "… and {count} more, in the job log",
        "log": "job log",
        "mend": "What to do: {mend}",
        "thread": "This thread is resolved by itself once the finding is gone.",
    },
    "vi": {
        "failed": "❌ Memory lint: cần sửa trước khi merge",
        "passed": "✅ Memory lint: không có gì cản trở việc merge",
        "clean": "✅ Memory lint: không phát hiện vấn đề",
        "counts": "Lỗi: {errors} · cảnh báo: {warnings} · được cho phép: {allowed} · tệp: {files}",
        "columns": "| quy tắc | vị trí | vấn đề | việc cần làm |",
        "warnings": "Cảnh báo: {count}",
        "allowed": "Được brain.toml cho phép: {count}",
        "reason": "được cho phép: {reason}",
        "more": "… và {count} mục nữa, xem nhật ký job",
        "log": "nhật ký job",
        "mend": "Việc cần làm: {mend}",
        "thread": "Thảo luận này tự được đánh dấu đã giải quyết khi vấn đề không còn.",
    },
    "ja": {
        "failed": "❌ Memory lint: マージ前に修正が必要です",
        "passed": "✅ Memory lint: マージを妨げる問題はありません",
        "clean": "✅ Memory lint: 指摘はありません",
        "counts": "エラー: {errors} · 警告: {warnings} · 許可済み: {allowed} · ファイル: {files}",
        "columns": "| ルール | 場所 | 内容 | 対処 |",
        "warnings": "警告: {count} 件",
        "allowed": "brain.toml で許可済み: {count} 件",
        "reason": "許可: {reason}",
        "more": "… ほか {count} 件はジョブログを参照",
        "log": "ジョブログ",
        "mend": "対処: {mend}",
        "thread": "このスレッドは、指摘が解消されると自動的に解決済みになります。",
    },
}
"""Language → name → text. Every language has the same names (a test says so)."""
