"""Text and its tokens: what separates, what belongs together, what is skipped and what is not."""

import pytest
from language_world import play, read, value_of

from sayso.errors import PlanSyntaxError
from sayso.language import PlanStream, parse, show


def same(*texts: str) -> bool:
    return len({show(parse(text)) for text in texts}) == 1


def test_white_space_means_nothing() -> None:
    """L2: white space separates tokens and means nothing else."""
    assert same("?iv('a')==True{tc(1);tp}", " ?\niv ( 'a' )\t== True\n{ tc ( 1 ) ;\r\n tp\n}\n ")
    with pytest.raises(PlanSyntaxError):
        parse("t p;")


@pytest.mark.parametrize(
    "text",
    [
        "tc(1)tp",
        "tc(1) tp",
        "tp\ntc(1)",
        "8{tp}tc(1)",
        "tp->1",
        "_1=5\n_2=6",
        "_1=ox('a')_2=3",
        "_1=5?_1{tp}",
        "_1=(5)8{tp}",
        "replan\ntp",
        "tp;;;tc(1);",
        "->1->2",
    ],
)
def test_semicolon_is_optional(text: str) -> None:
    """L3: behind `)` and `}`, before `->` and `?`, on a new line and at the end, a `;` may be left out."""
    assert len(parse(text).body.statements) == 2


@pytest.mark.parametrize("text", ["tp tp", "_1=5 _2=6", "tp _1=5", "->1 tp", "_1=5 8{tp}", "replan tp", "l('a') 'b'"])
def test_semicolon_is_needed(text: str) -> None:
    """L3: on one line, two statements need a `;` where the first ends in a name or a value."""
    with pytest.raises(PlanSyntaxError):
        parse(text)


def test_line_break_in_any_chunking() -> None:
    """L3: a line break counts however it arrives."""
    assert len(read("tp \n \n tp", chunk=1).ready) == 2


@pytest.mark.parametrize(
    ("text", "value"), [("5", 5), ("22.5", 22.5), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("1e-2", 0.01)]
)
def test_numbers(text: str, value: float) -> None:
    """L5: ints and floats."""
    found = value_of(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", ["5tc", "1.2.3", "1e", "0x10", "1_000", "1e999", "9" * 65])
def test_no_numbers(text: str) -> None:
    """L5: what is glued to a number, or does not fit one, is an error."""
    with pytest.raises(PlanSyntaxError) as caught:
        parse(f"->{text};")
    assert caught.value.place.column == 3


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a;b}c) & d==e'", "a;b}c) & d==e"),
        ('"it\'s"', "it's"),
        (r"'it\'s'", "it's"),
        (r"'a\\'", "a\\"),
        (r"'one\ntwo\t'", "one\ntwo\t"),
        (r"'\x41\u00e9\U0001F600\!'", "Aé😀!"),
        ("'two\nlines'", "two\nlines"),
        ("''", ""),
    ],
)
def test_strings(text: str, value: str) -> None:
    """L6: both quotes, and backslash escapes."""
    for chunk in (0, 1, 3):
        assert play(f"->{text}", chunk).ended.value == value


@pytest.mark.parametrize("text", [r"'\ud800'", r"'\UFFFFFFFF'", "'\ud800'", "'never closed", "\"never closed'"])
def test_no_strings(text: str) -> None:
    """L6: an open string and half a character are errors at the opening quote."""
    with pytest.raises(PlanSyntaxError) as caught:
        parse(f"l({text})")
    assert caught.value.place.column == 3


@pytest.mark.parametrize("chunk", [0, 1, 2, 5])
def test_apostrophe_between_letters(chunk: int) -> None:
    """L7: an apostrophe between two letters belongs to a single-quoted string."""
    assert play("l('I can't');l('l'été')", chunk).calls == ['log("I can\'t")', 'log("l\'été")']
    assert play("l('dogs' + ' ')", chunk).calls == ["log('dogs ')"]
    assert play("l('a')l('b')", chunk).calls == ["log('a')", "log('b')"]


def test_one_character_decides_an_apostrophe() -> None:
    """L7: one character of look-ahead is enough, and none is needed behind anything but a letter."""
    assert [r.text for r in read("->'a'", chunk=1).ready] == ["->'a'"]
    assert play("l('5')", 1).calls == ["log('5')"]


OTHER_KEYBOARDS = {
    "ｍｆ（５０）；ｔｃ（－９０）": "mf(50);tc(-90)",
    "l(“it’s １２”);l(‘it’s a cat’);l(„ja“)": "l('it’s １２');l('it’s a cat');l('ja')",
    "l('１２ “x”');l(\"“a” b\")": "l('１２ “x”');l('“a” b')",
    "？iv(’chair’)＝＝True｛mf(1)｝：{tc(−5)}": "?iv('chair')==True{mf(1)}:{tc(-5)}",
    "_1＝５；mf(_1＋３．５)；-＞True": "_1=5;mf(_1+3.5);->True",
}


@pytest.mark.parametrize("text", OTHER_KEYBOARDS)
def test_other_keyboards(text: str) -> None:
    """L7: full-width signs outside of strings, curly quotes round them; in any pieces."""
    assert show(parse(text)) == OTHER_KEYBOARDS[text]
    stream = PlanStream(None)
    for sign in text:
        stream.feed(sign)
    stream.end()
    assert show(stream.plan) == OTHER_KEYBOARDS[text]


def test_constants() -> None:
    """L8: True, False, true, false and None."""
    assert [value_of(t) for t in ("True", "true", "False", "false", "None")] == [True, True, False, False, None]


@pytest.mark.parametrize("text", ["_=5;", "l(_)", "x=5;"])
def test_variables_begin_with_an_underscore(text: str) -> None:
    """L9: `_` and letters or digits."""
    assert play("_1=1;_count=2;->_1+_count").ended.value == 3
    with pytest.raises(PlanSyntaxError):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "```\ntp;tc(1)\n```",
        "```minispec\ntp;tc(1)\n```\n",
        "```\n\ntp;tc(1)",
        "```tp;tc(1)```",
        "  \n```python\n  tp\ntc(1)\n  ```  \n",
    ],
)
@pytest.mark.parametrize("chunk", [0, 1])
def test_markdown_fence(text: str, chunk: int) -> None:
    """L10: a leading fence, with or without a tag, and its closing fence are skipped."""
    assert play(text, chunk).calls == ["take_picture()", "turn_cw(1)"]


@pytest.mark.parametrize("text", ["tp\n```", "```\ntp\n```\ntp", "```\n8{tp\n```", "``\ntp``", "tp;```\ntp\n```"])
def test_stray_fences(text: str) -> None:
    """L10: any other fence is an error, and so is text behind the closing one."""
    with pytest.raises(PlanSyntaxError):
        parse(text)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("Here is the plan: tc(1)", 6),
        ("# a comment", 1),
        ("tc(1) // turn", 7),
        ("tc(1).", 6),
        ("{tp}", 1),
        ("5;", 2),
        ("'a'", 1),
        ("tc[1]", 3),
        ("tc(1)}", 6),
        ("\ufefftp", 1),
    ],
)
def test_nothing_else_is_skipped(text: str, column: int) -> None:
    """L11: everything else outside the language is an error with its place."""
    for chunk in (0, 1):
        with pytest.raises(PlanSyntaxError) as caught:
            read(text, chunk=chunk)
        assert caught.value.place.column == column
