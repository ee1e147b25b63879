"""What a tool returned: parts joined to one text, cut where it is long, and never lost."""

import base64
import binascii
from hashlib import sha256
from typing import Any

from msgspec import Struct

from ledger.importers.source_json import Json, bytes_of

from .texts import Values

MAX_TEXT = 20_000
"""From how many characters on a result's text is cut, unless a command says otherwise."""

FULL_TEXTS = "imports/results"
"""Folder of a run in which whole texts of results stand, under their digests."""


class Attachment(Struct, frozen=True):
    """The whole text of a result of which a record holds the head and the tail.

    Attributes:
        path: Where it belongs in a run directory.
        sha256: Of its bytes, 32 bytes.
        data: The text in UTF-8.
    """

    path: str
    sha256: bytes
    data: bytes


class Content(Struct, frozen=True):
    """What a result is made of.

    Attributes:
        body: The value of ``result`` in a record.
        attachment: The whole text, where ``body`` has not all of it.
        images: How many images stood in it.
        thinking: How many parts were private reasoning, which is left out (PI-9).
    """

    body: dict[str, Any]
    attachment: Attachment | None
    images: int
    thinking: int


def content_of(content: Json, values: Values, max_text: int) -> Content:
    """Return what a record says of the content of a result (PI-10 to PI-12).

    Args:
        content: As it stands in the message: parts, or a text.
        values: Cleans texts.
        max_text: From how many characters on the text is cut.
    """
    texts: list[str] = []
    images: list[dict[str, Any]] = []
    thinking = 0
    for part in content if type(content) is list else [content]:
        said = part if type(part) is dict else {"type": "text", "text": part}
        match said.get("type"), said.get("text"):
            case "text", str(text):
                texts.append(values.text(text))
            case "thinking", _:
                thinking += 1
            case "image", _:
                texts.append("[image]")
                images.append(_image(said.get("mimeType"), said.get("data"), values))
            case _:
                if part is not None:
                    texts.append(values.json(part))
    body, attachment = _cut("\n".join(texts), max_text)
    if images:
        body["images"] = images
    return Content(body, attachment, len(images), thinking)


def _image(media: Json, data: Json, values: Values) -> dict[str, Any]:
    """Return what is said of an image: never its bytes, which stay in the copy of the session."""
    said: dict[str, Any] = {"media_type": values.value(media) if type(media) is str else None}
    if type(data) is not str:
        return {**said, "sha256": None, "size_bytes": None}
    try:
        image = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        # What is no base64 has a digest all the same: of the text itself.
        image, said["not_base64"] = bytes_of(values.text(data)), True
    return {**said, "sha256": sha256(image).hexdigest(), "size_bytes": len(image)}


def _cut(text: str, max_text: int) -> tuple[dict[str, Any], Attachment | None]:
    """Return a text with its digest, and the whole of it where that is as long as the limit."""
    data = text.encode()
    digest = sha256(data)
    body: dict[str, Any] = {"text": text, "sha256": digest.hexdigest(), "truncated": False}
    if len(text) < max_text:
        return body, None
    path = f"{FULL_TEXTS}/{digest.hexdigest()}.txt"
    left = len(text) - max_text
    if left:
        tail = max_text // 2
        head = max_text - tail
        body["text"] = (
            f"{text[:head]}\n[{left} characters left out; all of them: {path}]\n"
            f"{text[len(text) - tail :]}"
        )
    body |= {"truncated": True, "characters": len(text), "full": path}
    return body, Attachment(path, digest.digest(), data)
