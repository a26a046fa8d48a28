"""Files that a stranger has made: a few kilobytes take neither minutes nor all memory, and end in a sentence."""

import gzip
import io
import json
import resource
import subprocess
import sys
import zipfile

import pytest

from juryrank.errors import BadInput
from juryrank.votes import containers, tables
from juryrank.votes import workbook as votes_workbook
from juryrank.votes.formats import inspect_log
from juryrank.votes.tables import FileContent, plain_table

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMES = ("judge", "left", "right", "winner")


def zipped(parts):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


def workbook(*rows, before="", texts=None):
    """A workbook with these rows; `before`: what stands above its sheet."""
    sheets = '<sheets><sheet name="s" r:id="r1"/></sheets>'
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{LINKS}">{sheets}</workbook>',
        "xl/_rels/workbook.xml.rels": '<R><R Id="r1" Target="worksheets/sheet1.xml"/></R>',
        "xl/worksheets/sheet1.xml": f'{before}<worksheet xmlns="{MAIN}">{"".join(rows)}</worksheet>',
    }
    return zipped(parts | ({"xl/sharedStrings.xml": texts} if texts else {}))


def cell(text, at="", kind="str"):
    where = f' r="{at}"' if at else ""
    return f'<c t="{kind}"{where}><v>{text}</v></c>'


def row(*texts, more=""):
    return f"<row>{''.join(map(cell, texts))}{more}</row>"


LONG = "a" * 100_000
TENFOLD = {k: f"&a{k - 1};" * 10 for k in range(1, 10)}
ENTITIES = "".join(f'<!ENTITY a{k} "{text}">' for k, text in TENFOLD.items())
BOMBS = {
    "a far column": lambda: workbook(row(*NAMES), row(more=cell("m", "ZZZZZZZ2"))),
    "a column beyond the last": lambda: workbook(row(*NAMES), row(more=cell("m", "ZZZ2"))),
    "a text that is not there": lambda: workbook(row(*NAMES), row(more=cell(9, kind="s"))),
    "a text before the first": lambda: workbook(row(*NAMES), row(more=cell(-1, kind="s")), texts="<t><si/></t>"),
    "a row without a number": lambda: workbook(row(*NAMES), '<row r="x"/>'),
    "a row beyond the last": lambda: workbook(row(*NAMES), f'<row r="{10**9}">{cell("m")}</row>'),
    "a sheet that breaks off": lambda: workbook(row(*NAMES), row(*"mabb"), "<row>"),
    "a billion laughs": lambda: workbook(
        row("&a9;"), before=f'<!DOCTYPE l [<!ENTITY a0 "lol">{ENTITIES}]>'
    ),
    "one long text again and again": lambda: workbook(
        row("&a;" * 20_000), before=f'<!DOCTYPE l [<!ENTITY a "{LONG}">]>'
    ),
}  # fmt: skip


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (100, 100))
    resource.setrlimit(resource.RLIMIT_AS, (5 << 30, 5 << 30))


def test_a_small_file_of_votes_takes_neither_long_nor_much_memory(tmp_path):
    """One process reads all of them, through the command line's own reader."""
    for number, make in enumerate(BOMBS.values()):
        (tmp_path / f"{number:02}").write_bytes(make())
    code = (
        "import pathlib, resource, sys, time\n"
        "from juryrank.errors import BadInput\n"
        "from juryrank.votes import read_votes\n"
        "for file in sorted(pathlib.Path(sys.argv[1]).iterdir()):\n"
        "    began = time.process_time()\n"
        "    try:\n"
        "        read_votes(file)\n"
        "        said = 'read'\n"
        "    except BadInput as problem:\n"
        "        said = str(problem)\n"
        "    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10\n"
        "    print(time.process_time() - began, peak, said, flush=True)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, tmp_path], capture_output=True, text=True, preexec_fn=limited, check=False
    )
    lines = ran.stdout.splitlines()
    assert len(lines) == len(BOMBS), (lines[-1:], ran.stderr[-500:])
    for name, line in zip(BOMBS, lines, strict=True):
        seconds, peak, said = line.split(" ", 2)
        assert said != "read", name
        assert float(seconds) < 30 and int(peak) < 1000, (name, line)


def test_rows_as_wide_as_a_sheet_are_not_filled_up(monkeypatch):
    """Of each row one cell may be said, and sixteen thousand meant."""
    monkeypatch.setattr(votes_workbook, "MOST_CELLS", 1 << 16)
    data = workbook(row(*NAMES, more=cell("", "XFD1")), row(*"mabb") * 100)
    with pytest.raises(BadInput, match="has 81,920 cells up to row 5"):
        plain_table(FileContent(data))


def test_a_part_of_a_workbook_is_unpacked_within_reason(monkeypatch):
    monkeypatch.setattr(containers, "UNPACKED_BYTES", 1 << 20)
    with pytest.raises(BadInput, match=r"sheet1\.xml has 3 MB once unpacked, and at most 1 are"):
        plain_table(FileContent(workbook(row(*NAMES), " " * (3 << 20))))


def test_a_gzip_file_is_unpacked_within_reason(monkeypatch):
    monkeypatch.setattr(containers, "GZIP_BYTES", 1000)
    with pytest.raises(BadInput, match="more than 1 GB once unpacked"):
        FileContent(gzip.compress(b"judge,left,right,winner" + b"\n" * 1000))


def test_a_log_of_inspect_ai_is_unpacked_within_reason(monkeypatch):
    parts = {"header.json": '{"eval": {"model": "m"}}', "samples/1.json": json.dumps({"id": "a" * 2_000_000})}
    monkeypatch.setattr(containers, "UNPACKED_BYTES", 1 << 20)
    with pytest.raises(BadInput, match=r"samples/1\.json has 1 MB once"):
        list(inspect_log.outputs(FileContent(zipped(parts))))


def test_parts_on_top_of_each_other_are_a_trap():
    """The directory names one part a thousand times: each claims the same bytes."""
    whole = zipped({"header.json": "{}", "samples/1.json": json.dumps({"input": "ab" * 50_000})})
    archive = zipfile.ZipFile(io.BytesIO(whole))
    archive.filelist *= 1000
    with pytest.raises(BadInput, match="made to be a trap"):
        containers.members_of(archive, whole)


def test_what_is_kept_of_a_sample_is_what_is_needed():
    sample = {"id": 1, "epoch": 1, "input": "?", "output": {"completion": "!"}, "events": ["x" * 1000] * 100}
    kept = inspect_log._zipped(
        FileContent(zipped({"header.json": '{"eval": {"model": "m"}}', "samples/1.json": json.dumps(sample)}))
    )[1]
    assert kept == [{"id": 1, "epoch": 1, "input": "?", "output": {"completion": "!"}}]


pyarrow = pytest.importorskip("pyarrow")


def parquet(columns):
    import pyarrow.parquet as parquet

    file = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), file, compression="zstd")
    return file.getvalue()


def test_more_rows_than_fit_a_memory_are_refused(monkeypatch):
    monkeypatch.setattr(tables, "TABLE_CELLS", 100)
    content = FileContent(parquet({name: ["m"] * 30 for name in NAMES}))
    with pytest.raises(BadInput, match="it has 30 rows of 4 columns or more"):
        plain_table(content)
    with pytest.raises(BadInput, match="rows of 4 columns or more"):
        plain_table(FileContent(b"judge,left,right,winner\n" + b"m,a,b,b\n" * 30))


def test_a_long_text_in_every_row_is_one_text():
    """A megabyte, a hundred thousand times: 100 GB as a column of texts, and 150 kB as a file."""
    text = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 100_000, pyarrow.int32()), ["x" * 1_000_000])
    data = parquet({"judge": ["m"] * 100_000, "left": text, "right": ["b"] * 100_000, "winner": ["b"] * 100_000})
    assert len(data) < 500_000
    table = plain_table(FileContent(data))
    assert len(table.columns["left"].values) == 1 and len(table.lines) == 100_000


def test_only_texts_that_stand_in_a_row_are_read():
    """A dictionary may hold names that no row has: nobody of that name has judged."""
    judges = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, None, 0], pyarrow.int32()), ["m", "ghost"])
    table = plain_table(FileContent(parquet({"judge": judges, "left": list("aab"), "right": list("bbb")})))
    assert table.columns["judge"].texts() == ["m", "", "m"]
    assert "ghost" not in table.columns["judge"].values
