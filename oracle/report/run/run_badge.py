"""A badge of a run, as SVG: verdict, how much was checked, by which version of the suite. No word of the program's."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from oracle.conformance.run.log import Verdict
from oracle.report.run.outline import Outline
from oracle.report.words.escape import shown

_COLOURS: dict[Verdict, str] = {
    "conforms": "#1a7f37",
    "agrees": "#0b5cad",
    "differs": "#b42318",
    "incomplete": "#8a5a00",
}
_WIDTH = 6.6  # of a character of the font that is asked for, at its size; `textLength` makes it so in any other


def run_badge(said: Outline) -> str:
    """The SVG text."""
    left = shown(f"{said.rules}, {said.suite}", 100)
    green = said.verdict in ("conforms", "agrees")
    right = f"{shown(said.headline, 200) if green else said.verdict}, {said.checked}"
    widths = [round(len(text) * _WIDTH) + 14 for text in (left, right)]
    whole = str(sum(widths))
    root = ET.Element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "width": whole, "height": "20", "role": "img"},
    )
    root.set("aria-label", f"baccarat-oracle: {left}: {right}")
    ET.SubElement(root, "title").text = f"baccarat-oracle: {left}: {right}"
    place = 0
    for text, width, colour in zip((left, right), widths, ("#3d444d", _COLOURS[said.verdict]), strict=True):
        box = {"x": str(place), "width": str(width), "height": "20", "fill": colour}
        ET.SubElement(root, "rect", box)
        written = ET.SubElement(root, "text", {"x": str(place + 7), "y": "14", "fill": "#fff"})
        written.set("font-family", "Verdana,DejaVu Sans,sans-serif")
        written.set("font-size", "11")
        written.set("textLength", str(width - 14))
        written.text = text
        place += width
    return ET.tostring(root, encoding="unicode") + "\n"
