"""The words for what is not final, for the job's log in English and for notes in the team's language."""

from __future__ import annotations

from brain.submit.body import code, fence

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
        "request": "`brain-ci finalize` made this merge request and merges it by itself. It makes official what a PM "
                   "approved: it changes status, reviewer, the removals and the index alone, and a job checks that.",
        "title": "Not final", "mend": "What to do",
        "stays": "stays pending", "put back": "is put back to pending", "kept": "stays, its removal is not carried out",
        "taken out": "was approved, and is gone",
        "returned": "is put back as it was approved before",
        "not in force": "does not count: the PMs before it stay in force", "broken": "cannot be read",
        "open": "is not finalized",
        "reset": "the commit that makes it final took the approval back: approve once more, or set review.finalize to "
                 "\"on-main\"",
        "meanwhile": "its text was changed at the same time; propose the removal again if it still is to go",
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
        "mended": "Mended: nothing of this merge request waits any more.",
        "again": "What stays as it was approved needs nothing; propose the change again if it is still wanted, and a "
                 "PM other than its author approves it.",
        "settings": "Put the names before back; or somebody else opens a merge request that changes brain.toml once "
                    "more, if only by a comment, and a PM in force approves it.",
        "restore": "What is gone comes back by `git revert` of the merge, in a merge request that a PM approves.",
        "advice": "`brain pull-back ID`, then `brain submit`: a PM approves that merge request, and the next run makes "
                  "it final. Until then neither what waits is recalled nor what was approved in its place before.",
    },
    "vi": {
        "done": "Đã hoàn tất: được merge đúng như PM đã duyệt.",
        "request": "Merge request này do `brain-ci finalize` tạo và tự merge. Nó chính thức hóa những gì PM đã duyệt: "
                   "chỉ thay đổi trạng thái, người duyệt, các mục gỡ bỏ và mục lục; một job kiểm tra điều đó.",
        "title": "Chưa chính thức", "mend": "Cần làm gì",
        "stays": "vẫn ở trạng thái chờ duyệt", "put back": "được đưa về trạng thái chờ duyệt",
        "kept": "được giữ lại, chưa gỡ bỏ", "taken out": "đã được duyệt nhưng không còn nữa",
        "returned": "được đưa về đúng như bản đã duyệt trước đó",
        "not in force": "chưa có hiệu lực: danh sách PM trước đó vẫn được dùng",
        "broken": "không đọc được",
        "open": "chưa được hoàn tất",
        "reset": "commit hoàn tất đã làm mất phê duyệt: hãy duyệt lại một lần, hoặc đặt review.finalize là \"on-main\"",
        "meanwhile": "nội dung đã được sửa cùng lúc; hãy đề xuất gỡ lại nếu vẫn cần",
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
        "mended": "Đã xử lý: không còn gì của merge request này phải chờ.",
        "again": "Ghi nhớ được giữ như bản đã duyệt thì không cần làm gì; nếu vẫn muốn thay đổi, hãy đề xuất lại và "
                 "một PM khác với tác giả sẽ duyệt.",
        "settings": "Hãy đưa danh sách trước đó trở lại; hoặc một người khác mở merge request sửa brain.toml thêm một "
                    "lần (chỉ một dòng chú thích cũng được), và một PM đang có hiệu lực duyệt.",
        "restore": "Ghi nhớ đã mất được đưa lại bằng một merge request do PM duyệt: `git revert` commit merge của "
                   "merge request này.",
        "advice": "`brain pull-back ID`, rồi `brain submit`: PM duyệt merge request đó, lần chạy sau sẽ hoàn tất. Cho "
                  "đến lúc đó, cả bản đang chờ lẫn bản đã duyệt trước đó đều không được gợi lại.",
    },
    "ja": {
        "done": "確定しました。PMが承認した内容でマージされました。",
        "request": "`brain-ci finalize` が作成し、自動的にマージするマージリクエストです。PMが承認した内容を"
                   "正式なものにします。変更するのは状態・承認者・削除・索引だけで、ジョブがそれを確認します。",
        "title": "未確定", "mend": "対処",
        "stays": "承認待ちのままです", "put back": "承認待ちに戻しました", "kept": "残します(削除は行っていません)",
        "taken out": "承認済みでしたが、なくなりました", "returned": "以前承認された内容に戻しました",
        "not in force": "有効ではありません(以前のPMが引き続き有効です)", "broken": "読み取れません",
        "open": "確定していません",
        "reset": "確定のコミットで承認が取り消されました。もう一度承認するか、review.finalize を \"on-main\" に"
                 "してください",
        "meanwhile": "同時に内容が変更されました。まだ削除が必要なら、もう一度提案してください",
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
        "mended": "対処済みです。このマージリクエストに未確定のものはありません。",
        "again": "承認済みの内容に戻したものは、そのままでかまいません。変更がまだ必要なら、もう一度提案し、"
                 "作成者以外のPMが承認してください。",
        "settings": "以前の名前に戻してください。または、別の人が brain.toml をもう一度変更する(コメントだけでも可)"
                    "マージリクエストを作成し、有効なPMが承認してください。",
        "restore": "なくなったメモリは、このマージリクエストのマージコミットを `git revert` し、"
                   "PMが承認すれば戻ります。",
        "advice": "`brain pull-back ID` の後に `brain submit` を実行してください。"
                  "PMがそのマージリクエストを承認すれば、次の実行で確定します。それまでは、"
                  "承認待ちの内容も、以前に承認された内容も参照されません。",
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
    kinds = {row.kind for row in rows}
    advice = [words["restore"]] if "taken out" in kinds else []
    advice += [words["again"]] if kinds & {"returned", "kept"} else []
    advice += [words["settings"]] if "not in force" in kinds else []
    advice += [words["advice"]] if kinds - {"taken out", "returned", "kept", "not in force"} else []
    return "\n".join([f"### {words['title']}", "", *lines, "", f"{words['mend']}: {' '.join(advice)}"])


def render_own(message: str, language: str) -> str:
    """Return the description of finalize's own merge request: what it is for, and its commit's message as it is."""
    return f"{WORDS[language]['request']}\n\n{fence(message)}\n"


def _spans(names: Iterable[str]) -> str:
    return ", ".join(code(name, 160) for name in names)


def _reason(reason: Reason, words: dict[str, str], join: Callable[[Iterable[str]], str]) -> str:
    more = ", …" if len(reason.names) > MOST_NAMES else ""
    return words[reason.code].format(names=join(reason.names[:MOST_NAMES]) + more)
