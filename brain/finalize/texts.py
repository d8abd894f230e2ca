"""The words for what is not final, for the job's log in English and for notes in the team's language."""

from __future__ import annotations

from brain.submit.body import code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from brain.finalize.approval import Reason
    from brain.finalize.plan import Problem

MARKER = "<!-- brain:finalize -->"
"""By this the note is found again."""
MOST_ROWS, MOST_NAMES = 50, 5
WORDS: dict[str, dict[str, str]] = {
    "en": {
        "done": "Final: it was merged as a PM approved it.",
        "title": "Not final", "mend": "What to do",
        "stays": "stays pending", "put back": "is put back to pending", "kept": "stays, its removal is not carried out",
        "not in force": "does not count: the PMs before it stay in force", "broken": "cannot be read",
        "open": "is not finalized",
        "reset": "the commit that makes it final took the approval back: approve once more, or set review.finalize to "
                 "\"on-main\"",
        "outside": "it changes what is no memory, and is left to people: {names}",
        "stuck": "{names}",
        "foreign": "the merge request comes from a fork",
        "own": "its author approved it: {names}",
        "not_pm": "approved by {names}, who is not in people.pm",
        "nobody": "no PM approved it",
        "bot": "approved by a bot: {names}",
        "blocked": "the PM who approved it is blocked: {names}",
        "left": "the PM who approved it is no member of the project any more: {names}",
        "changed": "changed after the approval: {names}",
        "differs": "what is on the default branch is not what was approved",
        "unknown": "it cannot be told which commit was approved",
        "pushed": "it came without a merge request, by commit {names}",
        "unproven": "no merge request tells where it comes from",
        "advice": "A PM approves a merge request that changes these files once more; the next run makes them final.",
    },
    "vi": {
        "done": "Đã hoàn tất: được merge đúng như PM đã duyệt.",
        "title": "Chưa chính thức", "mend": "Cần làm gì",
        "stays": "vẫn ở trạng thái chờ duyệt", "put back": "được đưa về trạng thái chờ duyệt",
        "kept": "được giữ lại, chưa gỡ bỏ", "not in force": "chưa có hiệu lực: danh sách PM trước đó vẫn được dùng",
        "broken": "không đọc được",
        "open": "chưa được hoàn tất",
        "reset": "commit hoàn tất đã làm mất phê duyệt: hãy duyệt lại một lần, hoặc đặt review.finalize là \"on-main\"",
        "outside": "có thay đổi ngoài thư mục ghi nhớ, cần người xử lý: {names}",
        "stuck": "{names}",
        "foreign": "merge request đến từ một fork",
        "own": "chính tác giả đã duyệt: {names}",
        "not_pm": "người duyệt {names} không có trong people.pm",
        "nobody": "chưa có PM nào duyệt",
        "bot": "người duyệt là bot: {names}",
        "blocked": "PM đã duyệt hiện bị khóa: {names}",
        "left": "PM đã duyệt không còn là thành viên của dự án: {names}",
        "changed": "đã thay đổi sau khi duyệt: {names}",
        "differs": "nội dung trên nhánh mặc định không phải là nội dung đã duyệt",
        "unknown": "không xác định được commit nào đã được duyệt",
        "pushed": "được đưa lên không qua merge request, bởi commit {names}",
        "unproven": "không có merge request nào cho biết nguồn gốc",
        "advice": "Một PM duyệt một merge request có sửa các tệp này; lần chạy sau sẽ hoàn tất.",
    },
    "ja": {
        "done": "確定しました。PMが承認した内容でマージされました。",
        "title": "未確定", "mend": "対処",
        "stays": "承認待ちのままです", "put back": "承認待ちに戻しました", "kept": "残します(削除は行っていません)",
        "not in force": "有効ではありません(以前のPMが引き続き有効です)", "broken": "読み取れません",
        "open": "確定していません",
        "reset": "確定のコミットで承認が取り消されました。もう一度承認するか、review.finalize を \"on-main\" に"
                 "してください",
        "outside": "メモリ以外のファイルを変更しているため、人がマージしてください: {names}",
        "stuck": "{names}",
        "foreign": "フォークからのマージリクエストです",
        "own": "作成者自身が承認しています: {names}",
        "not_pm": "承認した {names} は people.pm にいません",
        "nobody": "PMの承認がありません",
        "bot": "承認したのはボットです: {names}",
        "blocked": "承認したPMはブロックされています: {names}",
        "left": "承認したPMはもうプロジェクトのメンバーではありません: {names}",
        "changed": "承認後に変更されました: {names}",
        "differs": "デフォルトブランチの内容が承認された内容と異なります",
        "unknown": "どのコミットが承認されたか判断できません",
        "pushed": "マージリクエストなしで入りました(コミット {names})",
        "unproven": "どのマージリクエストから来たか分かりません",
        "advice": "これらのファイルを変更するマージリクエストをPMが承認すれば、次の実行で確定します。",
    },
}  # fmt: skip
"""Language → name → text. Every language has the same names (a test says so)."""


def say(problem: Problem) -> str:
    """Return a problem on one line, for the job's log."""
    words = WORDS["en"]
    if problem.kind == "broken":
        return problem.reason.names[0]
    where = f"!{problem.iid} " if problem.iid else ""
    return f"{where}{problem.path} {words[problem.kind]}: {_reason(problem.reason, words, ', '.join)}"


def render_note(problems: Iterable[Problem], language: str) -> str:
    """Return a note's text in markdown; what comes from files stands in code spans alone."""
    words = WORDS[language]
    rows = list(problems)
    lines = [f"- {code(row.path, 160)} {words[row.kind]}: {_reason(row.reason, words, _spans)}" for row in rows]
    lines = lines[:MOST_ROWS] + (["- …"] if len(lines) > MOST_ROWS else [])
    return "\n".join([f"### {words['title']}", "", *lines, "", f"{words['mend']}: {words['advice']}"])


def _spans(names: Iterable[str]) -> str:
    return ", ".join(code(name, 160) for name in names)


def _reason(reason: Reason, words: dict[str, str], join: Callable[[Iterable[str]], str]) -> str:
    more = ", …" if len(reason.names) > MOST_NAMES else ""
    return words[reason.code].format(names=join(reason.names[:MOST_NAMES]) + more)
