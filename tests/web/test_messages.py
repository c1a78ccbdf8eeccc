"""Messages between the server and a worker."""

import io

import pytest

from seethrough.web.messages import (
    LARGEST,
    Answer,
    Asked,
    MessageRefused,
    message_length,
    pack_message,
    question,
    read_message,
    read_question,
    read_reply,
    redirect,
    reply,
)


def test_a_message_is_its_length_in_four_bytes_and_json():
    assert pack_message({"n": 7}) == b"\x00\x00\x00\x07" + b'{"n":7}'
    assert pack_message({"é": 7}) == b"\x00\x00\x00\x08" + '{"é":7}'.encode()


def test_messages_follow_each_other_and_a_torn_one_is_none():
    stream = io.BytesIO(pack_message({"a": 1}) + pack_message({"b": "\ud800"}) + pack_message({"c": 3})[:-1])
    assert read_message(stream) == {"a": 1}
    assert read_message(stream) == {"b": "?"}
    assert read_message(stream) is None
    assert read_message(stream) is None


def test_what_is_too_large_or_no_object_is_refused():
    with pytest.raises(MessageRefused):
        pack_message({"html": "x" * LARGEST})
    with pytest.raises(MessageRefused):
        message_length((LARGEST + 1).to_bytes(4, "big"))
    for content in (b"[1]", b"nonsense", b"\xff"):
        with pytest.raises(MessageRefused):
            read_message(io.BytesIO(len(content).to_bytes(4, "big") + content))


@pytest.mark.parametrize("form", [None, {}, {"known": ("age", "sex"), "row": ("12",)}])
def test_a_question_comes_through_as_it_was_asked(form):
    asked = Asked("attacker", {"name": "gcap"}, {"row": "12"}, form, "tab")
    message = read_message(io.BytesIO(pack_message(question(7, asked))))
    assert message["n"] == 7
    assert read_question(message) == asked


def test_fields_of_a_form():
    asked = Asked("x", form={"known": ("age", "sex")})
    assert (asked.first("known"), asked.all("known"), asked.first("row", "1"), asked.all("row")) == (
        "age",
        ("age", "sex"),
        "1",
        (),
    )
    assert Asked("x").first("known") == ""


@pytest.mark.parametrize("answer", [Answer(200, "<p>"), redirect("verdict"), Answer(409, said="no")])
def test_an_answer_comes_through(answer):
    assert read_reply(read_message(io.BytesIO(pack_message(reply(3, answer))))) == answer
