"""Stand-alone HTML documents without scripts, which print to PDF: the skeleton of reports and sheets.

A content policy in the file forbids scripts and requests whatever it contains. Every text is escaped, loses marks of
control and direction, and is cut where it is too long; a stranger's stands in an element of its own direction. The same
content gives the same file.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape

from losses.errors import visible
from reports.audit_report import ReportPart

LONGEST, LONGEST_NAME = 1000, 300  # characters of a text, and of a name
EDITABLE = ' contenteditable="true"'
"""Of an element whose words are for the reader to write; a browser saves and prints them with the page."""
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
figcaption{font-size:.9rem}[contenteditable]:empty::before{content:"Not stated";color:#56606b}
[contenteditable]:hover{background:#f2f5f8}.hint{font-size:.8rem;color:#56606b}@media print{.hint{display:none}}
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
        f"<title>{text(title)}</title><style>{_STYLE}{style}</style></head>\n<body>\n{body}</body></html>\n"
    )


def text(words: str, longest: int = LONGEST) -> str:
    """Text as HTML: no markup, no marks of control or direction, and not too long."""
    return escape(visible(words, longest))


def stranger(words: str, longest: int = LONGEST) -> str:
    """A text from outside, whose own direction stays inside."""
    return f"<bdi>{text(words, longest)}</bdi>"


def marked(words: str) -> str:
    """The pages' own Markdown, of which they use badges, bold, italics, struck words and escaped stars, as HTML."""
    plain = text(words).replace(r"\*", "&#42;")
    plain = re.sub(r":[a-z]+-badge\[(.+?)\]", r"<strong>\1.</strong>", plain)
    plain = re.sub(r":[a-z]+\[~~(.+?)~~\]", r"<s>\1</s>", plain)
    bold = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", plain)
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", bold)


def section(title: str, content: str, css: str = "") -> str:
    """A part with its heading."""
    return f"<section{_css(css)}><h2>{text(title)}</h2>\n{content}</section>\n"


def items(lines: Iterable[str], *, is_marked: bool = False) -> str:
    """A list of lines of text, or of the pages' Markdown; nothing where there are none."""
    made = "".join(f"<li>{marked(line) if is_marked else text(line)}</li>" for line in lines)
    return f"<ul>{made}</ul>\n" if made else ""


def answer(paragraphs: Iterable[str], css: str = "") -> str:
    """What the document says first, in a frame: paragraphs in the pages' Markdown."""
    return f'<div class="answer {css}">{"".join(f"<p>{marked(line)}</p>" for line in paragraphs)}</div>\n'


def facts(rows: Iterable[tuple[str, str]], *, is_editable: bool = False) -> str:
    """Names with words, which may be written anew where the document is read; nothing where there are none."""
    cell = f"<td{EDITABLE if is_editable else ''}>"
    lines = "".join(f"<tr><th>{text(name)}</th>{cell}{text(words)}</td></tr>" for name, words in rows)
    return f'<table class="facts">{lines}</table>\n' if lines else ""


def part(found: ReportPart) -> str:
    """A part of the evidence: a table that scrolls where it is too wide, names with words, or sentences."""
    note = f"<p>{text(found.note)}</p>\n" if found.note else ""
    if found.head:
        names = "".join(f"<th>{text(name)}</th>" for name in found.head)
        cells = ("".join(f'<td class="n">{text(cell)}</td>' for cell in row) for row in found.rows)
        lines = "".join(f"<tr>{row}</tr>" for row in cells)
        content = f'<div class="wide"><table><tr>{names}</tr>{lines}</table></div>'
    elif found.rows and len(found.rows[0]) == 2:
        content = facts((name, words) for name, words in found.rows)
    else:
        content = items((line for (line,) in found.rows), is_marked=True)
    return section(found.title, f"{content}{note}", "" if found.head else "columns")


def files(found: Sequence[tuple[str, str]], more: str = "") -> str:
    """Names of files with their SHA-256, and what is to be said of ``more``; a table of a database has none."""
    if not found:
        return "<p>The numbers came from no file.</p>\n"
    lines = "".join(
        f"<tr><td>{stranger(name, LONGEST_NAME)}</td>"
        f"<td>{f'<code>{text(digest)}</code>' if digest else 'a table, not a file'}</td></tr>"
        for name, digest in found
    )
    further = f"<p>{more}</p>" if more else ""
    return f'<table class="files"><tr><th>Name</th><th>SHA-256</th></tr>{lines}</table>\n{further}'


def _css(name: str) -> str:
    return f' class="{name}"' if name else ""


def figure(svg: str, caption: str) -> str:
    """A drawing (``plotting.printed``) with its caption."""
    return f"<figure>{svg}<figcaption>{text(caption)}</figcaption></figure>\n"


def code(program: str) -> str:
    """Lines of a program."""
    lines = (" " * (len(line) - len(line.lstrip(" "))) + text(line) for line in program.rstrip("\n").split("\n"))
    return "<pre>{}</pre>\n".format("\n".join(lines))


def to_tick(statements: Sequence[str]) -> str:
    """Statements of which the reader marks one; a browser prints it as it is marked."""
    boxes = (f'<label><input type="radio" name="tick"> {text(one)}</label>' for one in statements)
    return f'<p class="tick">{"<br>".join(boxes)}</p>\n' if statements else ""


def signature(*lines: str) -> str:
    """Lines to sign on."""
    return f'<div class="sign">{"".join(f"<span>{text(line, LONGEST_NAME)}</span>" for line in lines)}</div>\n'


def link(address: str) -> str:
    """An address to follow, in full; nothing where it is none of the web's."""
    if not address.startswith(("http://", "https://")):
        return ""
    return f'<a href="{escape(address)}" rel="noreferrer">{text(address, len(address))}</a>'
