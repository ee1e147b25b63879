"""What a cart holds: items by one name each, and whether a text shows them (AUDIT-30 to -34)."""

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any

from msgspec import Struct

from ledger.runs.json_text import decimal

NAMESPACE = "minecraft:"
_COUNTED = re.compile(r"(.+?) x([0-9]{1,18})", re.DOTALL)
_WORD = re.compile(r"[a-z0-9_]+")
_BRACE = re.compile(r"[{}]")
_LONGEST_STACK = 1_024
_FEW = 64
_LONGEST_NAME = 256
_SLOT = re.compile(r"-?[0-9]{1,9}")
_NAMES = ("item", "id", "name")


class Item(Struct, frozen=True, order=True):
    """Some of one kind of thing.

    Attributes:
        id: With its namespace.
        count: As text; ``1`` where none is said.
    """

    id: str
    count: str = "1"

    @property
    def text(self) -> str:
        """The item as it is written."""
        return self.id if self.count == "1" else f"{self.id} x{self.count}"


def items_of(value: Any) -> tuple[Item, ...] | None:
    """Return the items of a list, or of a map of slots by their numbers; None of anything else."""
    if isinstance(value, Mapping):
        if not all(_SLOT.fullmatch(key) for key in value):
            return None
        value = [value[key] for key in sorted(value, key=int)]
    return tuple(map(item_of, value)) if isinstance(value, list) else None


def item_of(value: Any) -> Item:
    """Return one item by its one name."""
    count: Any = 1
    if isinstance(value, Mapping):
        count = value.get("count", 1)
        value = next((value[name] for name in _NAMES if isinstance(value.get(name), str)), value)
    if not isinstance(value, str):
        return Item(as_json(value), _count(count))
    name, number = value.strip(), _count(count)
    match = _COUNTED.fullmatch(name)
    if match is not None and number == "1":
        name, number = match[1].strip(), str(int(match[2]))
    return Item(name if ":" in name else NAMESPACE + name, number)


def _count(value: Any) -> str:
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return value.lstrip("0") or "0"
    whole = isinstance(value, Decimal) and value == value.to_integral_value()
    if whole and abs(value.adjusted()) < 18:
        return str(int(value))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else as_json(value)


def as_json(value: Any) -> str:
    """Return a JSON value as text to look through; numbers with a fraction stand in quotes.

    Results may be long, and this is several times as fast as ``json_text.text_of``, which writes
    what is read again.
    """
    return json.dumps(value, ensure_ascii=False, default=str)


class Shown:
    """A text that a call returned, and what of carts it shows."""

    def __init__(self, text: str) -> None:
        """Look at *text*, whatever its case."""
        self._text = text.lower()

    def near(self, words: Collection[str]) -> list[str]:
        """Return those of *words* that stand here, in whatever surroundings.

        A few are looked for one by one; where there are many, it is the text that is cut up.
        """
        if len(words) <= _FEW:
            return [word for word in words if word in self._text]
        few, many = sorted((words, self._words), key=len)
        return [word for word in few if word in many]

    @cached_property
    def _words(self) -> set[str]:
        """The words of the text, each once; nothing, too, which stands everywhere."""
        return {"", *(match[0] for match in _WORD.finditer(self._text))}

    @cached_property
    def _counted(self) -> Mapping[Item, Sequence[int]]:
        """Objects with an id and a count, by where they end, ascending."""
        found: dict[Item, list[int]] = {}
        for end, text in _objects(self._text):
            for item in _stacks(text):
                found.setdefault(item, []).append(end)
        return found

    def has(self, word: str) -> bool:
        """Tell whether *word* stands here by itself: ``stone`` does not in ``cobblestone``."""
        return self._after(word.lower(), 0) is not None

    def has_all(self, items: Sequence[Item]) -> bool:
        """Tell whether every one of *items* stands here, in whatever order."""
        wanted = set(items)
        if len(wanted) > _FEW:
            if any(word not in self._words for item in wanted for word in words_of(item)):
                return False
            wanted = {item for item in wanted if item.count != "1" or not _is_word(item)}
        return bool(items) and all(self._item_after(item, 0) is not None for item in wanted)

    def has_in_order(self, items: Sequence[Item]) -> bool:
        """Tell whether *items* stand here one behind the other."""
        at = 0
        for item in items:
            end = self._item_after(item, at)
            if end is None:
                return False
            at = end
        return bool(items)

    def _item_after(self, item: Item, start: int) -> int | None:
        """Return where the first such item from *start* on ends."""
        short = _short(item)
        if item.count == "1" or not short:
            return self._after(short, start)
        ends = [self._after(f"{short} x{item.count}", start)]
        counted = self._counted.get(Item(item.id.lower(), item.count), ())
        ends += counted[bisect_right(counted, start) :][:1]
        return min((end for end in ends if end is not None), default=None)

    def _after(self, word: str, start: int) -> int | None:
        """Return where *word* ends; what is no name, or longer than any, stands nowhere."""
        if not word or len(word) > _LONGEST_NAME:
            return None
        at = self._text.find(word, start)
        while at >= 0:
            end = at + len(word)
            if not (_joins(self._text, at - 1) or _joins(self._text, end)):
                return end
            at = self._text.find(word, at + 1)
        return None


def words_of(item: Item) -> list[str]:
    """Return the words that a text has to have if it shows an item."""
    return _WORD.findall(_short(item))


def _is_word(item: Item) -> bool:
    short = _short(item)
    return len(short) <= _LONGEST_NAME and _WORD.fullmatch(short) is not None


def _short(item: Item) -> str:
    """Return how an item may be written at least: in lower case, without the game's namespace."""
    return item.id.lower().removeprefix(NAMESPACE)


def _joins(text: str, at: int) -> bool:
    """Tell whether a character goes on with a word: a letter of ASCII, a digit, an underscore."""
    return 0 <= at < len(text) and (text[at] in "_" or (text[at].isascii() and text[at].isalnum()))


def _objects(text: str) -> Iterator[tuple[int, str]]:
    """Yield what stands between braces that belong together, by where it ends, inner ones first.

    Only what is short enough for a stack of items, so that no text takes long.
    """
    opened: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            opened.append(match.start())
        elif opened:
            start = opened.pop()
            if match.end() - start <= _LONGEST_STACK:
                yield match.end(), text[start : match.end()]


def _stacks(text: str) -> Iterator[Item]:
    if '"count"' not in text:
        return
    try:
        said = json.loads(text, parse_float=decimal)
    except (ValueError, RecursionError):
        return
    if isinstance(said, Mapping):
        item = item_of(said)
        yield Item(item.id.lower(), item.count)
