"""Stand-alone HTML documents without scripts, which print to PDF: the skeleton of reports and sheets.

A content policy in the file forbids scripts and requests whatever it contains. A stranger's text is escaped, loses its
direction marks, and stands in elements of its own direction. The same content gives the same file.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape

from losses.errors import visible

LONGEST = 1000  # characters of a stranger's text
_STYLE = """
:root{color-scheme:light}
body{font:16px/1.5 system-ui,sans-serif;color:#10171e;background:#fff;max-width:46rem;margin:2rem auto;padding:0 1rem;
overflow-wrap:anywhere}
h1{font-size:1.7rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin:1.6rem 0 .4rem;border-bottom:1px solid #d5dbe1}
.answer{border:2px solid #0077bb;border-radius:6px;padding:.6rem 1rem}.answer p{margin:.4rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid #d5dbe1;
overflow-wrap:normal}.files td,.facts td{overflow-wrap:anywhere}
.facts th{width:11rem}td.n{font-variant-numeric:tabular-nums;white-space:nowrap}
figure{margin:.8rem 0;overflow-x:auto}svg{width:100%;min-width:30rem;height:auto;display:block}
figcaption{font-size:.9rem}
pre{white-space:pre-wrap;background:#f2f5f8;padding:.6rem;font-size:.85rem}code{font-size:.85rem}
.wide{overflow-x:auto}.sign{display:flex;gap:2rem;margin-top:2.5rem}
.sign span{flex:1;border-top:1px solid #10171e;font-size:.9rem}
@page{margin:15mm}
@media print{body{font-size:10.5pt;margin:0;padding:0;max-width:none;print-color-adjust:exact;
-webkit-print-color-adjust:exact}figure,table,pre,.answer,.sign{break-inside:avoid}h2{break-after:avoid}
svg{min-width:0;max-height:11cm}figure,.wide{overflow:visible}}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(title: str, body: str, style: str = "") -> str:
    """The file: ``title`` as text, ``body`` as HTML, and ``style`` in addition to that of all documents."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}{style}</style></head>\n<body>\n{body}</body></html>\n"
    )


def stranger(text: str, longest: int = LONGEST) -> str:
    """A text from outside: no markup, no direction marks, and its own direction stays inside."""
    return f"<bdi>{escape(visible(text, longest))}</bdi>"


def marked(text: str) -> str:
    """The pages' own Markdown, of which they use badges, bold, italics, struck words and escaped stars, as HTML."""
    plain = escape(text).replace(r"\*", "&#42;")
    plain = re.sub(r":[a-z]+-badge\[(.+?)\]", r"<strong>\1.</strong>", plain)
    plain = re.sub(r":[a-z]+\[~~(.+?)~~\]", r"<s>\1</s>", plain)
    bold = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", plain)
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", bold)


def section(title: str, content: str, css: str = "") -> str:
    """A part with its heading."""
    return f"<section{_css(css)}><h2>{escape(title)}</h2>\n{content}</section>\n"


def items(lines: Iterable[str], escaped: bool = False) -> str:
    """A list of lines of text, or with ``escaped`` of HTML."""
    return "<ul>" + "".join(f"<li>{line if escaped else escape(line)}</li>" for line in lines) + "</ul>\n"


def answer(paragraphs: Iterable[str]) -> str:
    """What the document says first: paragraphs of HTML in a frame."""
    return f'<div class="answer">{"".join(f"<p>{line}</p>" for line in paragraphs)}</div>\n'


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Names with words."""
    lines = "".join(f"<tr><th>{escape(name)}</th><td>{escape(words)}</td></tr>" for name, words in rows)
    return f'<table class="facts">{lines}</table>\n'


def table(head: Sequence[str], rows: Iterable[Sequence[str]], css: str = "") -> str:
    """Cells of text under their heads, in a frame that scrolls where it is too wide; numbers stay on one line."""
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = "".join("<tr>" + "".join(f'<td class="n">{escape(cell)}</td>' for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table{_css(css)}><tr>{names}</tr>{lines}</table></div>'


def _css(name: str) -> str:
    return f' class="{name}"' if name else ""


def figure(svg: str, caption: str) -> str:
    """A drawing (``plotting.printed``) with its caption."""
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>\n"


def code(text: str) -> str:
    """Lines of a program."""
    lines = "\n".join(_without_marks(line) for line in text.rstrip("\n").split("\n"))
    return f"<pre>{lines}</pre>\n"


def _without_marks(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip(" "))]
    return indent + escape(visible(line, LONGEST))


def signature(*lines: str) -> str:
    """Lines to sign on."""
    return f'<div class="sign">{"".join(f"<span>{escape(line)}</span>" for line in lines)}</div>\n'


def link(address: str) -> str:
    """An address to follow, in full; nothing where it is none of the web's."""
    if not address.startswith(("http://", "https://")):
        return ""
    return f'<a href="{escape(address)}" rel="noreferrer">{escape(visible(address, len(address)))}</a>'
