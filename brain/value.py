"""``@value``: a frozen record, as light as a hook needs it.

``dataclasses`` imports ``inspect`` and costs 20 ms, twice a bare interpreter's start; a hook that must answer
within three of those cannot have it. Type checkers see a frozen dataclass.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")

    @dataclass_transform(frozen_default=True)
    def value(cls: type[T]) -> type[T]:
        """Make ``cls`` a frozen record of its annotated fields."""

    def replace(record: T, **changes: Any) -> T:
        """Return a copy of ``record`` with some fields changed."""

    def fields_of(record: object) -> dict[str, Any]:
        """Return the fields of ``record`` by name, in order."""
else:

    def value(cls):  # noqa: C901 - one function a method
        """Make ``cls`` a frozen record of its annotated fields."""
        names = tuple(cls.__annotations__)
        required = tuple(name for name in names if name not in cls.__dict__)

        def __init__(self, *args, **named):  # noqa: N807 - becomes the class's own
            if len(args) == len(names) and not named:
                self.__dict__.update(zip(names, args, strict=True))
                return
            fields = dict(zip(names, args, strict=False))
            fields.update(named)
            if len(fields) != len(args) + len(named) or not named.keys() <= set(names):
                raise TypeError(f"{cls.__name__} takes {', '.join(names)}")
            if len(fields) < len(names):
                missing = [name for name in required if name not in fields]
                if missing:
                    raise TypeError(f"{cls.__name__} needs {', '.join(missing)}")
            self.__dict__.update(fields)

        def __eq__(self, other):  # noqa: N807
            return type(self) is type(other) and astuple(self) == astuple(other)

        def __hash__(self):  # noqa: N807
            return hash(astuple(self))

        def __lt__(self, other):  # noqa: N807
            return astuple(self) < astuple(other)

        def __repr__(self):  # noqa: N807
            return f"{cls.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

        def __setattr__(self, name, _):  # noqa: ARG001, N807
            raise AttributeError(f"{cls.__name__}.{name} cannot be set")

        def astuple(self):
            return tuple(getattr(self, name) for name in names)

        for method in (__init__, __eq__, __hash__, __lt__, __repr__, __setattr__):
            setattr(cls, method.__name__, method)
        return cls

    def replace(record, **changes):
        """Return a copy of ``record`` with some fields changed."""
        return type(record)(**{**record.__dict__, **changes})

    def fields_of(record):
        """Return the fields of ``record`` by name, in order."""
        return {name: getattr(record, name) for name in type(record).__annotations__}
