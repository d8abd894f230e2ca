"""What the demo's team remembers: ten approved memories and the code they rest on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """One memory of the demo, as its author would tell it."""

    path: str
    tags: str
    body: str
    workflows: str = "coding, review"
    confidence: str = "0.8"
    hits: str = "3"
    created: str = "2026-09-14"
    source: str = "SHOP-118 / Gate 4"
    refs: str = ""
    aliases: str = ""


NOTES = (
    Note(
        "01.Lessons/dev/F-003_Payment/retry-after-429.md", "payment, http-429, retry",
        "The payment gateway answers 429 with a Retry-After header; retrying at once got our key blocked for an hour "
        "in SHOP-118.\n\n**Apply:** wait as long as Retry-After says, at most five times, and log the request id.",
        refs="src/payment/retry.py", hits="5",
    ),
    Note(
        "01.Lessons/dev/F-003_Payment/idempotency-key.md", "payment, retry, idempotency",
        "再送のたびに新しい冪等キーを作ると、二重決済になる。キーは注文ごとに一つで、再送でも同じものを使う。\n\n"
        "**適用：** `idempotency_key` は注文IDから作り、再試行の外側で一度だけ決める。",
        refs="src/payment/client.py", source="SHOP-97 / Gate 5",
    ),
    Note(
        "00.Shared/architecture/F-003_Payment/gateway-timeouts.md", "payment, timeout",
        "Cổng thanh toán giữ kết nối tối đa 25 giây; proxy của ta cắt ở giây thứ 30, nên lỗi hết giờ luôn là của cổng.\n\n"
        "**Áp dụng:** đặt timeout phía client là 27 giây và coi quá giờ là «không biết», không phải «thất bại».",
        refs="src/payment/client.py", source="SHOP-64 / Gate 2",
    ),
    Note(
        "00.Shared/domain/F-003_Payment/refund-window.md", "payment, refund",
        "Refunds are possible for 180 days after capture; later ones go through the accounting form.\n\n"
        "**Apply:** hide the refund button after 180 days and link the form.",
        workflows="create-spec, coding", source="QnA 2026-05-11",
    ),
    Note(
        "00.Shared/domain/F-002_Order/cancelled-orders-are-kept.md", "order, retention",
        "キャンセルされた注文も、会計法により5年間は保存する。物理削除はしない。\n\n**適用：** 注文の削除は `cancelled_at` を入れるだけにする。",
        workflows="create-spec, coding", source="QnA 2026-04-02",
    ),
    Note(
        "00.Shared/glossary/juchu.md", "order, sales-order",
        "受注 is a sales order we received; it is not 発注, which is an order we place with a supplier.\n\n"
        "**Apply:** write `sales_order` in code and «đơn nhận» in Vietnamese texts.",
        workflows="all", source="glossary meeting 2026-03-20", aliases="受注, đơn nhận, sales order",
    ),
    Note(
        "00.Shared/glossary/kessai.md", "payment, settlement",
        "決済 is the payment itself, 請求 the invoice, 精算 the settlement of expenses.\n\n"
        "**Apply:** `payment`, `invoice` and `settlement` in code, never `billing` for all three.",
        workflows="all", source="glossary meeting 2026-03-20", aliases="決済, thanh toán",
    ),
    Note(
        "00.Shared/decisions/soft-delete.md", "database, retention",
        "All tables use soft delete: restoring by hand cost us a weekend in SHOP-45.\n\n"
        "**Apply:** add `deleted_at`, never DELETE.",
        workflows="create-spec, coding", source="SHOP-45",
    ),
    Note(
        "02.Instincts/approved/_global/ask-before-migrating.md", "database, migration",
        "When a ticket mentions a column rename, check for running batch jobs first.\n\n"
        "**Apply:** list the jobs that read the table before writing the migration.",
        confidence="0.6", source="SHOP-77 / Gate 1",
    ),
    Note(
        "01.Lessons/qa/F-003_Payment/test-cards-expire.md", "payment, test-data",
        "Thẻ thử của cổng hết hạn ngày 31/12 hằng năm; bộ kiểm thử đỏ vào tháng một là vì thế.\n\n"
        "**Áp dụng:** tạo lại thẻ thử trong tuần cuối tháng mười hai.",
        workflows="create-testcase, execute-test", source="SHOP-81",
    ),
)  # fmt: skip

CODE = {
    "src/payment/client.py": (
        "import requests\n\n\ndef charge(order, key):\n    return requests.post(URL, json=order, headers={'Idempotency-Key': key}, timeout=27)\n"
    ),
    "src/payment/retry.py": "def with_retry(call):\n    for _ in range(5):\n        answer = call()\n        if answer.status_code != 429:\n            return answer\n",
    "src/order/cancel.py": "def cancel(order, now):\n    order.cancelled_at = now\n",
}
CODE_LATER = {
    "src/payment/retry.py": "import time\n\n\ndef with_retry(call, attempts=3):\n    for _ in range(attempts):\n        answer = call()\n        if answer.status_code != 429:\n            return answer\n        time.sleep(1)\n",
}
TICKET = {
    "taskId": "SHOP-131",
    "functionId": "F-003_Payment",
    "title": "決済APIが429を返したとき、再送で二重決済になる",
    "description": "夜間バッチで payment gateway が 429 を返すと with_retry がすぐ再送し、同じ受注が二回決済されることがある。",
    "keywords": ["payment", "retry", "http-429"],
    "workflow": "coding",
    "kind": "bugfix",
}
