"""A privacy label: the few numbers of a release that fit a model card, as YAML in Markdown, and as a picture in HTML.

Both are made from the same lines. Text of a release is written by this project; none of a stranger's gets here.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from reports import document

_STYLE = """
body{margin:1rem;max-width:none}.label{border:3px solid #10171e;padding:.6rem .8rem;width:22rem;max-width:100%;
box-sizing:border-box}.label h1{font-size:1.6rem;margin:0;border-bottom:6px solid #10171e}.label p{margin:.3rem 0;
font-size:.85rem}.label th{width:60%;font-weight:600}.label td{text-align:right}.label table{font-size:.9rem}
"""


@dataclass(frozen=True)
class PrivacyLabel:
    """What a label says.

    Attributes:
        facts: the release, by name: short lines of text.
        numbers: its guarantees, by name, rounded up.
        not_stated: what nobody has said, which a reader should ask for.
        address: restores the release; empty where there is none.
    """

    facts: Mapping[str, str]
    numbers: Mapping[str, str]
    not_stated: tuple[str, ...]
    address: str = ""

    @property
    def markdown(self) -> str:
        """A section of a model card: a heading, and YAML that programs read as well as people."""
        lines = ["## Privacy", "", "```yaml", "differential_privacy:"]
        lines += [f"  {_key(name)}: {_quoted(text)}" for name, text in self.facts.items()]
        lines += ["  guarantees: # at most"]
        lines += [f"    {_key(name)}: {_quoted(text)}" for name, text in self.numbers.items()]
        lines += [f"  not_stated: [{', '.join(map(_quoted, self.not_stated))}]"]
        lines += [f"  check: {_quoted(self.address)}"] if self.address else []
        return "\n".join([*lines, "```", ""])

    @property
    def html(self) -> str:
        """The picture: one file without scripts."""
        facts = "".join(f"<p><strong>{escape(name)}:</strong> {escape(text)}</p>" for name, text in self.facts.items())
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in self.numbers.items()
        )
        link = document.link(self.address)
        body = (
            f'<div class="label"><h1>Privacy facts</h1>{facts}<table><tr><th>Guarantee</th><td>at most</td></tr>{rows}'
            f"</table><p>Not stated: {escape(', '.join(self.not_stated))}.</p>{f'<p>{link}</p>' if link else ''}</div>"
        )
        return document.page("Privacy facts", body, _STYLE)


def _key(name: str) -> str:
    """A name that YAML reads as one."""
    return name if name.replace("_", "").isalnum() and name.isascii() else _quoted(name)


def _quoted(text: str) -> str:
    """A scalar of YAML: every string of JSON is one."""
    return json.dumps(text, ensure_ascii=False)
