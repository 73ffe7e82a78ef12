"""The building blocks of every view: plain HTML elements whose content is text, never markup."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement


class Text(TextElement):
    """An element that holds text. The browser gets it as text, whatever is in it."""

    def __init__(self, text: object, classes: str = "", tag: str = "div") -> None:
        super().__init__(tag=tag, text=str(text))
        self.classes(classes)


def block(classes: str = "", tag: str = "div", **attributes: str) -> Element:
    """An element to put others in. Attributes are named as in Python: `aria_label` is aria-label."""
    element = Element(tag).classes(classes)
    for name, value in attributes.items():
        element.props[name.replace("_", "-")] = value
    return element


def button(text: str, pressed: Callable[[], Any], classes: str = "button", **attributes: str) -> Text:
    """A native button."""
    element = Text(text, classes, "button")
    element.props["type"] = "button"
    for name, value in attributes.items():
        element.props[name.replace("_", "-")] = value
    element.on("click", lambda _: pressed(), args=[])
    return element


def field(name: str, value: str, changed: Callable[[str], Any], kind: str = "text", **attributes: str) -> Element:
    """A native input with its label; `changed` hears of what was typed when the field is left or Enter pressed."""
    with block(tag="label"):
        Text(name, tag="span")
        element = block(tag="input", type=kind, **attributes)
        element.props["^value"] = value  # as an attribute: a property would undo what is being typed at every redraw
    element.on("change", lambda e: changed(str(e.args)), js_handler="(e) => emit(e.target.value)")
    return element


def choice(name: str, options: dict[str, str], value: str, changed: Callable[[str], Any]) -> Element:
    """A native list to choose from, with its label."""
    with block(tag="label"):
        Text(name, tag="span")
        element = block(tag="select")
        fill(element, options, value)
    element.on("change", lambda e: changed(str(e.args)), js_handler="(e) => emit(e.target.value)")
    return element


def fill(element: Element, options: dict[str, str], value: str) -> None:
    """Set the options of a list to choose from."""
    element.clear()
    with element:
        for key, text in options.items():
            option = Text(text, tag="option")
            option.props["value"] = key
            if key == value:
                option.props["^selected"] = ""


def mark_if(element: Element, name: str, marked: bool) -> None:
    """Add or remove a class; nothing is sent where it is so already."""
    if (name in element.classes) != marked:
        element.classes(name) if marked else element.classes(remove=name)


def show_if(element: Element, visible: bool) -> None:
    """Show or hide an element."""
    mark_if(element, "gone", not visible)


def put(element: TextElement, text: str) -> None:
    """Set an element's text; nothing is sent where it is the same."""
    if element.text != text:
        element.set_text(text)


Line: TypeAlias = tuple[Element, Sequence[Text]]
"""An element, and the texts in it that change."""


class Lines:
    """Lines in a box that change in place. NiceGUI takes some tenths of a millisecond to make an element: lines made
    anew at every change, for twenty pages, would take the time in which a stop waits to be heard. Each line has these
    classes, and a text of each of these tags and classes."""

    def __init__(self, box: Element, classes: str, *texts: tuple[str, str]) -> None:
        self._box, self._classes, self._texts = box, classes, texts
        self._made: list[Line] = []

    def show(self, count: int) -> Sequence[Line]:
        """So many of them, to be filled in; the others are gone until they are needed."""
        with self._box:
            while len(self._made) < count:
                with block(self._classes) as line:
                    self._made.append((line, [Text("", classes, tag) for tag, classes in self._texts]))
        for at, (line, _) in enumerate(self._made):
            show_if(line, at < count)
        return self._made[:count]


def title(text: str) -> Text:
    """The heading of a card."""
    return Text(text, tag="h2")
