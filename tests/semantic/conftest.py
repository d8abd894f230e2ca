"""Stores with vectors, made by a small embedder in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brain.semantic.embedder import EmbedderError
from brain.semantic.packaged import find_model
from brain.workspace import open_brain
from tests.support.repos import make_memory_repo, memory_text

if TYPE_CHECKING:
    from pathlib import Path

    from brain.workspace import Brain

RETRY, EXPORT, ORDER = (
    "01.Lessons/dev/F-001_Pay/retry.md", "01.Lessons/dev/F-002_Stock/export.md", "00.Shared/domain/_global/order.md",
)  # fmt: skip
MEMORIES = {
    RETRY: memory_text(RETRY, "Retry payment twice.\n\n**Apply:** retry.", tags=("pay",), workflows=("none",)),
    EXPORT: memory_text(EXPORT, "在庫の再試行は在庫の後。\n\n**適用：** 在庫。", tags=("stock",), workflows=("none",)),
    ORDER: memory_text(ORDER, "Đơn hàng được khóa khi xuất kho.\n\n**Áp dụng:** chờ.", tags=("order",), workflows=("none",)),
}  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A memory repo with three memories, one a language."""
    return make_memory_repo(tmp_path / "memory", MEMORIES, '[recall]\nscorer = "hybrid"\n')


@pytest.fixture
def brain(store: Path) -> Brain:
    return open_brain(str(store), {})


def packaged_is_here() -> bool:
    try:
        return bool(find_model())
    except EmbedderError:
        return False


needs_model = pytest.mark.skipif(not packaged_is_here(), reason="the packaged model (extra semantic) is not installed")
