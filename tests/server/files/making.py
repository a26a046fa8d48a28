"""Files such as people upload, and hostile ones."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence

from PIL import Image

SECRET_PLACE = "48.2082 N"  # what a camera wrote into a picture


def picture(width: int = 60, height: int = 40, *, format: str = "JPEG", colour: str = "#7799bb") -> bytes:
    body = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(body, format)
    return body.getvalue()


def photograph(width: int = 60, height: int = 40) -> bytes:
    """A JPEG that lies on its side, with what a camera says about it."""
    body, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6  # turn it by a quarter
    exif[0x010E] = SECRET_PLACE
    Image.new("RGB", (width, height), "#335577").save(body, "JPEG", exif=exif)
    return body.getvalue()


def moving_picture() -> bytes:
    body = io.BytesIO()
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    frames[0].save(body, "GIF", save_all=True, append_images=frames[1:])
    return body.getvalue()


def picture_bomb(side: int = 30_000) -> bytes:
    """A PNG of a few bytes that says it is enormous."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def zipped(files: Mapping[str, bytes]) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return body.getvalue()


def lying_zip(name: str, content: bytes, *, says: int) -> bytes:
    """A ZIP whose directory says that the file in it has another size."""
    body = bytearray(zipped({name: content}))
    directory = body.rindex(b"PK\x01\x02")
    body[directory + 24 : directory + 28] = struct.pack("<I", says)
    return bytes(body)


WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def document(paragraphs: Sequence[str], *, outside: str = "") -> bytes:
    """A DOCX; `outside`: an address of a link in it."""
    linked = (
        f'<w:p><w:hyperlink r:id="rId9" xmlns:r="{RELATIONS}"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p>'
        if outside
        else ""
    )
    said = "".join(f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>" for words in paragraphs) + linked
    link = f'<Relationship Id="rId9" Type="{RELATIONS}/hyperlink" Target="{outside}" TargetMode="External"/>'
    package = "http://schemas.openxmlformats.org/package/2006"
    types = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
            f'PartName="/word/document.xml" ContentType="{types}"/></Types>'.encode(),
            "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
            f'Type="{RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>'.encode(),
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{package}/relationships">'
            f"{link if outside else ''}</Relationships>".encode(),
            "word/document.xml": f"<w:document {WORD}><w:body>{said}</w:body></w:document>".encode(),
        }
    )


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A PDF with these lines on its pages."""
    count = len(pages)
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{' '.join(f'{4 + 2 * k} 0 R' for k in range(count))}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for k, lines in enumerate(pages):
        shown = " ".join(f"({line}) Tj 0 -16 Td" for line in lines)
        stream = f"BT /F1 12 Tf 60 780 Td {shown} ET".encode()
        parts.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * k} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        parts.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    body, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(parts) + 1
    end = b"<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n%s" % (size, table, end)


SOUND = b"RIFF" + struct.pack("<I4s4sIHHIIHH4sI", 36, b"WAVE", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8, b"data", 0)
