"""What a program calls the service's calls."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.resources import files


def in_python(text: str) -> str:
    """A text of the service, which names calls as HTTP does (POST /links/list), with the client's names (links.list_links)."""
    return re.sub(r"\b(?:GET|POST|PUT|PATCH|DELETE) /[\w/{}-]*", lambda found: _names().get(found[0], found[0]), text)


@lru_cache(maxsize=None)
def _names() -> dict[str, str]:
    names: dict[str, str] = json.loads(files("lookout").joinpath("_calls_by_path.json").read_bytes())
    return names
