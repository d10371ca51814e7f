"""Pages of HTML built as trees, so that no text can become markup. One file each: nothing is loaded from anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from oracle.report.words.escape import shown

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2024; --quiet: #5a6270; --line: #d5d9df; --soft: #f4f5f7;
  --good: #1a7f37; --bad: #b42318; --bad-soft: #fdecea; --open: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #e6e8eb; --quiet: #a0a8b4; --line: #363c45; --soft: #1f242a;
    --good: #57c478; --bad: #ff8f84; --bad-soft: #43201d; --open: #e0ac4f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p, ul, dl { margin: .5rem 0; }
ul { padding-left: 1.25rem; }
.conforms, .agrees { color: var(--good); } .differs { color: var(--bad); } .incomplete { color: var(--open); }
.quiet { color: var(--quiet); }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: .5rem .75rem;
  white-space: pre-wrap; margin: .5rem 0; }
.whole { white-space: nowrap; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); padding-bottom: .25rem; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: center; white-space: nowrap; }
thead th, tbody th { background: var(--soft); font-weight: 600; }
td.wrong { background: var(--bad-soft); color: var(--bad); font-weight: 700; outline: 2px solid var(--bad);
  outline-offset: -2px; }
td.unseen { color: var(--quiet); }
@media (max-width: 32rem) { th, td { padding: .1rem .25rem; font-size: .75rem; } td.wrong { white-space: normal; } }
@media print { body { max-width: none; } }
"""
_OPTION = re.compile(r"((?<!\S)--[a-z-]{0,20}(?!\S))")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def element(tag: str, *content: str | ET.Element, **attributes: str) -> ET.Element:
    """An element; text in it is shown as it is, with unprintable characters escaped. `class_` gives its class."""
    made = ET.Element(tag, {name.rstrip("_"): shown(value) for name, value in attributes.items()})
    for part in content:
        if isinstance(part, ET.Element):
            made.append(part)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + shown(part)
        else:
            made.text = (made.text or "") + shown(part)
    return made


def lines(texts: Iterable[str]) -> ET.Element:
    """Lines as they are, in a box; one that is too long is not broken within an option."""
    made = element("pre")
    for part in _OPTION.split("\n".join(shown(text) for text in texts)):
        if _OPTION.fullmatch(part):
            made.append(element("span", part, class_="whole"))
        elif len(made):
            made[-1].tail = part
        else:
            made.text = part
    return made


def listed(entries: Iterable[str | ET.Element]) -> ET.Element:
    """A list."""
    return element("ul", *(element("li", entry) for entry in entries))


def page(title: str, content: Iterable[ET.Element]) -> str:
    """A whole page."""
    head = element("head", element("meta", charset="utf-8"))
    head.append(ET.Element("meta", {"http-equiv": "Content-Security-Policy", "content": _POLICY}))
    head.append(element("meta", name="viewport", content="width=device-width, initial-scale=1"))
    head.append(element("title", title))
    style = ET.SubElement(head, "style")
    style.text = STYLE
    root = element("html", head, element("body", element("main", *content)), lang="en")
    return "<!doctype html>\n" + ET.tostring(root, encoding="unicode", method="html") + "\n"
