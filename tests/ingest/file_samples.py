"""Files of every format, made as the tests need them: whole ones and broken ones."""

import io
import zipfile
import zlib
from collections.abc import Mapping

PROSE = "The bridge over the river is open again after two years of work."


def pdf(*pages: str, info: Mapping[str, str] | None = None) -> bytes:
    """Return a PDF with a line of text for each line of a page; a page "" has none, as a scanned one."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for page in pages:
        shown = " T* ".join(f"({line}) Tj" for line in page.split("\n"))
        stream = f"BT /F1 12 Tf 14 TL 72 720 Td {shown} ET".encode("latin-1") if page else b"0 0 10 10 re f"
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            b"/Contents %d 0 R >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    objects.append(b"<< " + b" ".join(f"/{key} ({value})".encode() for key, value in (info or {}).items()) + b" >>")
    made = io.BytesIO(b"%PDF-1.4\n")
    made.seek(0, io.SEEK_END)
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(made.tell())
        made.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    start = made.tell()
    made.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    made.writelines(b"%010d 00000 n \n" % place for place in places)
    made.write(
        b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, len(objects), start)
    )
    return made.getvalue()


def encrypted_pdf(password: str, page: str = PROSE, *, algorithm: str = "RC4-128") -> bytes:
    """Return a PDF that opens with a password, where it is "" for anyone, and whose printing is locked by another."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(page))))
    writer.encrypt(user_password=password, owner_password="owner", algorithm=algorithm)
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def endless_pdf() -> bytes:
    """Return a PDF whose page is one drawing operation many times over, to keep a reader busy."""
    body = b"BT /F1 12 Tf " + b"1 0 0 1 7 7 Tm (a) Tj " * 400_000 + b"ET"
    packed = zlib.compress(body)
    plain = pdf("here")
    start, end = plain.index(b"<< /Length"), plain.index(b"endstream")
    stream = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\n" % (len(packed), packed)
    return plain[:start] + stream + plain[end:]


def docx(*paragraphs: str, title: str = "", author: str = "", table: tuple[tuple[str, ...], ...] = ()) -> bytes:
    import datetime as dt

    from docx import Document

    document = Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    if table:
        grid = document.add_table(rows=len(table), cols=len(table[0]))
        for row, cells in zip(grid.rows, table, strict=True):
            for cell, value in zip(row.cells, cells, strict=True):
                cell.text = value
        document.add_paragraph("After the table.")
    document.core_properties.title = title
    document.core_properties.author = author
    document.core_properties.created = dt.datetime(2021, 7, 11, 9, 30, tzinfo=dt.UTC)
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def mail(*lines: str, body: bytes = PROSE.encode()) -> bytes:
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body


HTML = f"""<!doctype html><html><head><title>Bridge opens | The Town Paper</title>
<link rel="canonical" href="https://paper.example/bridge"><meta property="og:site_name" content="The Town Paper">
<meta name="author" content="Ann Lee"><meta property="article:published_time" content="2021-07-11T10:00:00+02:00">
<script>var hidden = "do not read";</script><style>p {{ color: red }}</style></head>
<body><nav>Home News Sport</nav><article><h1>Bridge opens</h1>
<p>The caf&eacute; at the bridge &amp; the ferry are open again after two years of work, the town said on Sunday.</p>
<p>{PROSE} Thousands walked over it on the first day, and the mayor thanked everybody who had worked on it.</p>
</article></body></html>""".encode()

MAIL = mail("From: Ann Lee <ann@paper.example>", "Subject: Bridge opens", "Date: Sun, 11 Jul 2021 09:30:00 +0200")


def zipped(files: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()
