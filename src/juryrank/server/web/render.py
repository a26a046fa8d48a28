"""An item as safe HTML: text, Markdown, an image, a link, sound or film by URL; and how long reading it takes."""

from __future__ import annotations

import enum
import html
import json
import re
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from juryrank.defaults import ITEM_CHARACTERS, WORDS_PER_MINUTE
from juryrank.errors import BadInput, need_extra
from juryrank.run.items import MOST_SHORT_NAME
from juryrank.server.languages.speaking import tr

MOST_RENDERED = 30_000_000  # characters of rendered Markdown kept in memory
EMPTY = "(empty)"  # an output of no letters
SHORT = 160  # characters up to which one line is shown large and centred
TAGS = {
    "p", "br", "hr", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a", "img",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
ATTRIBUTES = {"a": {"href", "title"}, "img": {"src", "alt", "title"}, "ol": {"start"}}
PICTURE = "!["  # how every picture in Markdown begins; without it there is nothing to look for
SCHEMES = {"http", "https", "mailto"}


class Kind(enum.StrEnum):
    """How an item is shown."""

    TEXT = "text"
    MARKDOWN = "markdown"
    IMAGE = "image"
    LINK = "link"
    AUDIO = "audio"
    VIDEO = "video"
    PAGES = "pages"  # pictures of pages, one below the other
    DOCUMENT = "document"  # HTML as a word processor wrote it, cleaned


FILE = "file:"  # before the hash of an uploaded file, where others have a web address
MEDIA_FILE = re.compile(r'(<(?:img|audio|video) [^<>]*?src=")file:([0-9a-f]{64}")')
BY_URL = frozenset({Kind.IMAGE, Kind.LINK, Kind.AUDIO, Kind.VIDEO})


@dataclass(frozen=True, slots=True)
class Content:
    """What is shown for one item: `body` is text, or the address of a picture, page, sound or film.

    An uploaded file's address is `file:` and its hash; pages have one address each, separated by spaces.
    """

    body: str
    kind: Kind = Kind.TEXT
    alt: str = ""  # what a picture shows, for those who do not see it; the words of pages
    thumb: str = ""  # the hash of a small picture, for lists

    @property
    def title(self) -> str:
        """The beginning of the body, which names an item that was given no other name."""
        return unicodedata.normalize("NFC", self.body.strip().partition("\n")[0].strip()[:MOST_SHORT_NAME].strip())

    @classmethod
    def checked(cls, body: str, *, kind: str = "text", alt: str = "") -> Content:
        """Content that can be shown, or an error that says why not.

        >>> Content.checked("https://example.org/a.png", kind="image").kind.value
        'image'
        """
        try:
            known = Kind(kind)
        except ValueError:
            kinds = ", ".join(k.value for k in Kind)
            raise BadInput(f"{kind!r} is not a way to show an item; there are: {kinds}") from None
        if len(body) > ITEM_CHARACTERS:
            raise BadInput(f"an item has {len(body):,} characters; at most {ITEM_CHARACTERS:,} can be shown")
        if known is Kind.PAGES:
            raise BadInput("pages come from an uploaded PDF; upload it")
        if known in BY_URL and not is_web_address(body):
            raise BadInput(f"{body[:80]!r} is not a web address; a {known.value} needs http:// or https://")
        return cls(body, known, alt)


def is_web_address(text: str) -> bool:
    """Is this an http(s) URL with a host?

    >>> is_web_address("https://a.org/x.png"), is_web_address("javascript:alert(1)")
    (True, False)
    """
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def guess_kind(body: str) -> Kind:
    """How a body is best shown when nobody said.

    >>> guess_kind("https://a.org/x.PNG").value, guess_kind("plain words").value
    ('image', 'text')
    """
    if not is_web_address(body) or re.search(r"\s", body.strip()):
        return Kind.TEXT
    path = urlsplit(body.strip()).path.lower()
    for kind, endings in _ENDINGS.items():
        if path.endswith(endings):
            return kind
    return Kind.LINK


_ENDINGS: dict[Kind, tuple[str, ...]] = {
    Kind.IMAGE: (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif"),
    Kind.AUDIO: (".mp3", ".ogg", ".wav", ".m4a", ".flac", ".opus"),
    Kind.VIDEO: (".mp4", ".webm", ".mov", ".ogv"),
}


def item_html(content: Content, *, name: str = "") -> str:
    """The HTML of an item; whatever it holds, nothing in it can run. `name`: for a picture without a description.

    >>> item_html(Content("a<b"))
    '<p class="words">a&lt;b</p>'
    """
    shown = content
    body, label = html.escape(shown.body), html.escape(shown.alt or name or _nameless(shown))
    if shown.kind is Kind.MARKDOWN:
        size = "" if is_long(shown.body) else " short"
        return f'<div class="prose{size}">{markdown_html(shown.body)}</div>'
    if shown.kind is Kind.IMAGE:
        return f'<img src="{body}" alt="{label}" decoding="async">'
    if shown.kind is Kind.PAGES:
        return _pages_html(shown)
    if shown.kind is Kind.DOCUMENT:
        return f'<div class="prose">{_documents.get(shown.body, document_html)}</div>'
    if shown.kind is Kind.LINK:
        return f'<p class="words"><a href="{body}" target="_blank" rel="noopener noreferrer">{label}</a></p>'
    if shown.kind is Kind.AUDIO:
        return f'<audio controls preload="metadata" src="{body}" aria-label="{label}"></audio>'
    if shown.kind is Kind.VIDEO:
        return f'<video controls playsinline preload="metadata" src="{body}" aria-label="{label}"></video>'
    return f'<p class="words{" long" if is_long(shown.body) else ""}">{body}</p>'


def plain_words(content: Content) -> str:
    """What can be read in a text, in pages or in a document."""
    if content.kind is Kind.PAGES:
        return content.alt.replace("\f", "\n").strip()
    if content.kind is Kind.DOCUMENT:
        return html.unescape(re.sub(r"<[^<>]*>", " ", content.body)).strip()
    return content.body.strip()


def case_html(thing: Any, *, kind: str) -> str:
    """The input or output of a case as safe HTML; what is not text is shown as JSON.

    >>> case_html(["2 < 3"], kind="text")
    '<p class="words">[&quot;2 &lt; 3&quot;]</p>'
    """
    text = thing if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False)
    return item_html(Content(text or EMPTY, Kind(kind)))


def _nameless(shown: Content) -> str:
    """What to call an item without a description: its name may name its author, so judges do not see it."""
    words = {Kind.IMAGE: tr("A picture"), Kind.AUDIO: tr("A sound"), Kind.VIDEO: tr("A film")}
    return words.get(shown.kind) or tr("Open the page")


def _pages_html(shown: Content) -> str:
    """Pages one below the other, with their text for people who cannot see them."""
    addresses, words = shown.body.split(), shown.alt.split("\f")
    pages = [
        f'<img src="{html.escape(address)}" alt="{html.escape(_page_words(k, len(addresses)))}" decoding="async">'
        + (f'<p class="visually-hidden">{html.escape(words[k - 1])}</p>' if len(words) == len(addresses) else "")
        for k, address in enumerate(addresses, start=1)
    ]
    return f'<div class="sheets">{"".join(pages)}</div>'


def _page_words(page: int, pages: int) -> str:
    return tr("Page {page} of {pages}", page=page, pages=pages)


def with_files(html: str, base: str) -> str:
    """The same HTML with the addresses under which this page gets uploaded files.

    >>> with_files('<img src="file:' + "0" * 64 + '">', "/j/x")[:22]
    '<img src="/j/x/file/00'
    """
    return MEDIA_FILE.sub(rf"\g<1>{base}/file/\g<2>", html)


def is_long(text: str) -> bool:
    """Is it long enough to be read like a page, aligned at its edge, rather than seen at a glance?"""
    return len(text) > SHORT or "\n" in text.strip()


class _Rendered:
    """A cache of HTML by text; the least recently used are dropped when they take too much room."""

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, text: str, render: Callable[[str], str]) -> str:
        with self._lock:
            if text in self._kept:
                self._kept.move_to_end(text)
                return self._kept[text]
        made = render(text)
        with self._lock:
            self._size += 0 if text in self._kept else len(text) + len(made)
            self._kept[text] = made
            while self._size > self._most:
                gone, html = self._kept.popitem(last=False)
                self._size -= len(gone) + len(html)
        return made


_rendered, _documents = _Rendered(MOST_RENDERED), _Rendered(MOST_RENDERED)


def markdown_html(text: str) -> str:
    """Markdown as HTML from which everything that could run is removed; rendered once per text.

    >>> markdown_html("*hi* <script>alert(1)</script>").strip()
    '<p><em>hi</em> &lt;script&gt;alert(1)&lt;/script&gt;</p>'
    """
    return _rendered.get(text, _safe_html)


def _safe_html(text: str) -> str:
    nh3 = need_extra("nh3", extra="server", what="showing Markdown")
    safe: str = nh3.clean(
        _markdown().render(text),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return safe


def document_html(text: str) -> str:
    """A document's HTML from which everything that could run, or fetch something, is removed.

    >>> document_html('<p onclick="x()">a<script>b()</script><img src="http://c.org/d.png"></p>')
    '<p>a<img></p>'
    """
    nh3 = need_extra("nh3", extra="server", what="showing documents")
    safe: str = nh3.clean(
        text,
        tags=TAGS | {"sup", "sub", "u", "s"},
        attributes=ATTRIBUTES,
        attribute_filter=_documents_own,
        url_schemes=SCHEMES | {"file"},
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return safe


def _documents_own(tag: str, name: str, value: str) -> str | None:
    """Pictures come from the document itself; links do not lead into the reader's disk."""
    ours = re.fullmatch(r"file:[0-9a-f]{64}", value) is not None
    if (tag, name) == ("img", "src"):
        return value if ours else None
    return None if (tag, name) == ("a", "href") and value.lower().lstrip().startswith("file:") else value


@cache
def _markdown() -> Any:
    library = need_extra("markdown_it", extra="server", what="showing Markdown")
    return library.MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])


def outside_origins(contents: Iterable[Content]) -> tuple[str, ...]:
    """The sites that a page with these items may load pictures, sound and film from, and no others.

    >>> outside_origins([Content("https://a.org/x.png", Kind.IMAGE), Content("words")])
    ('https://a.org',)
    """
    found: set[str] = set()
    for content in contents:
        if content.kind in BY_URL and content.kind is not Kind.LINK:
            found.add(_origin(content.body))
        elif content.kind is Kind.MARKDOWN and PICTURE in content.body:
            found.update(
                _origin(url) for url in re.findall(r'<img[^>]* src="([^"]+)"', markdown_html(content.body))
            )
    return tuple(sorted(origin for origin in found if origin))


def _origin(url: str) -> str:
    """The scheme and host of a URL, if it is safe to put in a header."""
    if not is_web_address(url):
        return ""
    parts = urlsplit(url.strip())
    origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return origin if re.fullmatch(r"https?://[A-Za-z0-9.\-\[\]:]+", origin) else ""


# ----------------------------------------------------------------------------
# How long reading takes: announced to a judge before they start, from the words of what they will see
SIGNS = "\u3040-\u30ff\u3400-\u9fff"  # of scripts without spaces: two of them are read like one word
WORD = re.compile(rf"[{SIGNS}]{{1,2}}|[^\s{SIGNS}]+")


def words_in(text: str) -> int:
    """The number of words; scripts without spaces are counted by their signs.

    >>> words_in("a cat, a dog"), words_in("吾輩は猫である")
    (4, 4)
    """
    return sum(1 for _ in WORD.finditer(text))


def words_shown(item: str, content: Content | None) -> int:
    """The words that a judge reads of an item; pictures, sound and film have none."""
    if content is None:
        return words_in(item)
    return 0 if content.kind in BY_URL else words_in(plain_words(content))


def minutes_to_read(words: Iterable[float], *, questions: int) -> int:
    """Minutes for a person with so many questions about items of so many words; 0: less than one.

    An item that comes again is known: each is read once. The more questions, the fewer of their items are new.

    >>> minutes_to_read([437] * 14, questions=20), minutes_to_read([3] * 14, questions=20)
    (25, 0)
    """
    counts = list(words)
    if not counts:
        return 0
    met = len(counts) * (1 - (1 - 1 / len(counts)) ** (2 * questions))
    return _rounded(met * sum(counts) / len(counts) / WORDS_PER_MINUTE)


def _rounded(minutes: float) -> int:
    """As one would say it: to five minutes from ten on, and to ten from an hour on.

    >>> [_rounded(minutes) for minutes in (0.4, 3.6, 26.6, 76.1)]
    [0, 4, 25, 80]
    """
    step = 1 if minutes < 10 else 5 if minutes < 60 else 10
    return step * round(minutes / step)
