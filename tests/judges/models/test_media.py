"""What models are shown besides lines of text: conversations as turns, pictures in both wire formats."""

import base64

import pytest

from juryrank.errors import BadInput
from juryrank.judges.models import wire
from juryrank.judges.models.prompts import first_message
from juryrank.judges.models.settings import ModelSettings

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
TALK = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"type": "text", "text": "Hello"}]}]


@pytest.mark.parametrize("api", ["openai", "anthropic"])
def test_pictures_are_sent_in_their_places(api, tmp_path):
    settings = ModelSettings(name="m", api=api, model="v")
    for name, more in (("a.png", b"1"), ("b.png", b"2")):
        (tmp_path / name).write_bytes(PNG + more)
    items = [{"id": name, "file": str(tmp_path / name)} for name in ("a.png", "b.png")]
    message = first_message(settings, *items)
    (sent,) = [each for each in wire.body(settings, [message])["messages"] if each["role"] == "user"]
    kinds = [part["type"] for part in sent["content"]]
    assert kinds == ["text", {"openai": "image_url", "anthropic": "image"}[api]] * 2 + ["text"]
    for part, more in zip(sent["content"][1::2], (b"1", b"2"), strict=True):
        assert base64.b64encode(PNG + more).decode() in str(part)
    assert str(tmp_path) not in message["content"] and wire.most_tokens(settings, [message])[0] > 4000
    (tmp_path / "a.png").write_bytes(b"no picture")
    with pytest.raises(BadInput, match="is not a picture that models are shown"):
        first_message(settings, *items)


def test_a_conversation_is_shown_as_turns():
    settings = ModelSettings(name="m", api="openai", model="v")
    text = first_message(settings, TALK, "Hey", {"input": TALK})["content"]
    assert text.count("user: Hi\n\nassistant: Hello") == 2 and "{'role'" not in text
