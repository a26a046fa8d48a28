"""`juryrank report`: one self-contained page about a study, or the same as Markdown, text, SVG or PNG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from juryrank.cli.common import Storage
from juryrank.defaults import DEFAULT_STORAGE
from juryrank.errors import BadInput

if TYPE_CHECKING:
    from juryrank.report.material import Material

HELP = """
Write a study's result with everything behind it: evidence, judges, bias, cost,
assumptions.

html is one page that opens offline; md the same as Markdown; txt what the
terminal shows; svg and png the picture of the result.

[bold]Examples[/bold]

  juryrank report wines --out report.html
  juryrank report wines --out report.md --title "Which wine?"
  juryrank report wines --out picture.svg --theme dark
  juryrank rank wines.txt --out result.json
  juryrank report result.json --out report.html
"""
FORMATS = ("html", "md", "txt", "svg", "png")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report", help=HELP)(report)


def report(
    study: Annotated[str, typer.Argument(help="The study, or a certificate's file (.json).")],
    out: Annotated[Path | None, typer.Option("--out", help="A file; by default standard output.")] = None,
    format: Annotated[
        str | None,
        typer.Option("--format", "-f", help="html | md | txt | svg | png; by default from the file's ending."),
    ] = None,
    title: Annotated[str, typer.Option("--title", help="Title, instead of the study's name.")] = "",
    theme: Annotated[str, typer.Option("--theme", help="Theme of a picture: light or dark.")] = "light",
    names: Annotated[bool, typer.Option("--names", help="Show people's names, not their pseudonyms.")] = False,
    storage: Storage = DEFAULT_STORAGE,
) -> None:
    """The result with everything behind it: order, evidence, judges, bias, cost, assumptions, settings."""
    from juryrank.cli.study.votes import write_out

    kind = _kind(format, out)
    if theme not in ("light", "dark"):
        raise BadInput(f"there is no theme {theme!r}; there are: light, dark")
    material = _material(study, storage, names=names)
    write_out(_made(material, kind, title=title or material.name, theme=theme), out)
    if out is not None:
        typer.echo(f"Wrote {out}.", err=True)


def _kind(format: str | None, out: Path | None) -> str:
    ending = {"htm": "html", "markdown": "md", "text": "txt"}
    kind = format or (out.suffix.lstrip(".").lower() if out is not None else "") or "html"
    kind = ending.get(kind, kind)
    if kind not in FORMATS:
        raise BadInput(f"there is no report format {kind!r}; say --format {' | '.join(FORMATS)}")
    return kind


def _material(study: str, storage: str, *, names: bool) -> Material:
    """Of a study, or of a certificate's file."""
    from juryrank.report.page.compose import certificate_material, study_material
    from juryrank.study import open_study

    file = Path(study)
    if file.suffix == ".json" and file.is_file():
        from juryrank.verify import read_certificate

        return certificate_material(read_certificate(file.read_text(encoding="utf-8")), name=file.stem)
    return study_material(open_study(study, storage=storage), names=names)


def _made(material: Material, kind: str, *, title: str, theme: str) -> bytes:
    from juryrank.report import picture_png, picture_svg, result_text
    from juryrank.report.page.compose import rendered

    if kind == "png":
        return picture_png(material.ranking, title=title, theme=theme)
    if kind == "svg":
        return picture_svg(material.ranking, title=title, theme=theme).encode()
    if kind == "txt":
        return result_text(material.ranking, title=title).encode()
    return rendered(material, format=kind, title=title).encode()
