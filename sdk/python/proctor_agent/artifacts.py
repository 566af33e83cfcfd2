"""Artifacts as the protocol defines them, with sizes and hashes that fit their content."""

from __future__ import annotations

import base64
import hashlib
import mimetypes
import os
from typing import Any, Dict, Mapping, Optional, Union

from .redact import Redactor


class Artifact(Dict[str, Any]):
    """A dict whose type tells an artifact from any other dict that a function returns."""


def file(path: Union[str, "os.PathLike[str]"], content: Union[str, bytes], content_type: Optional[str] = None) -> Artifact:
    """Makes a file with its content. Bytes are sent as base64, which `content_encoding` says."""
    if not isinstance(content, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"the content of a file is str or bytes, not {type(content).__name__}")
    artifact = Artifact(type="file", path=os.fspath(path))
    kind = content_type or mimetypes.guess_type(artifact["path"])[0]
    if isinstance(content, str):
        artifact.update(content_type=kind or "text/plain", content=content)
        return _measured(artifact, content.encode("utf-8", "replace"))
    data = bytes(content)
    encoded = base64.b64encode(data).decode("ascii")
    artifact.update(content_type=kind or "application/octet-stream", content=encoded, content_encoding="base64")
    return _measured(artifact, data)


def structured(name: str, data: Mapping[str, Any], schema: Optional[str] = None) -> Artifact:
    """Makes an artifact of named data. `schema` says what kind of data it is."""
    if not isinstance(data, Mapping):
        raise TypeError(f"the data of a structured artifact is a dict, not {type(data).__name__}")
    artifact = Artifact(type="structured", name=name, data=dict(data))
    if schema is not None:
        artifact["schema"] = schema
    return artifact


def reference(path: Union[str, "os.PathLike[str]"], content_type: Optional[str] = None) -> Artifact:
    """Makes a reference to a file that stays in the workspace. Size and hash are read now, if the file exists."""
    artifact = Artifact(type="reference", path=os.fspath(path))
    kind = content_type or mimetypes.guess_type(artifact["path"])[0]
    if kind is not None:
        artifact["content_type"] = kind
    if os.path.isfile(artifact["path"]):
        digest = hashlib.sha256()
        size = 0
        with open(artifact["path"], "rb") as source:
            for chunk in iter(lambda: source.read(1 << 20), b""):
                digest.update(chunk)
                size += len(chunk)
        artifact.update(size_bytes=size, content_hash=f"sha256:{digest.hexdigest()}")
    return artifact


def redacted(artifact: Dict[str, Any], redactor: Redactor) -> Dict[str, Any]:
    """Returns the artifact without secrets, even in encoded content. Size and hash fit the content that is sent."""
    content = artifact.get("content")
    rest = {key: value for key, value in artifact.items() if key != "content"}
    shown: Dict[str, Any] = {**redactor.value(rest), "type": artifact["type"]}
    if not isinstance(content, str):
        return shown
    if artifact.get("content_encoding") == "base64":
        try:
            data = base64.b64decode(content, validate=True)
        except ValueError:
            return {**shown, "content": redactor.text(content)}
        safe = redactor.data(data)
        shown["content"] = content if safe == data else base64.b64encode(safe).decode("ascii")
        return shown if safe == data else _measured(shown, safe)
    text = redactor.text(content)
    shown["content"] = text
    return shown if text == content else _measured(shown, text.encode("utf-8", "replace"))


def _measured(artifact: Any, data: bytes) -> Any:
    artifact.update(size_bytes=len(data), content_hash=f"sha256:{hashlib.sha256(data).hexdigest()}")
    return artifact
