"""Small files in the shapes that other programs write, with content made here."""

from __future__ import annotations

import io
import json
import zipfile

QUESTIONS = {f"q{k}": f"Question {k}: why?" for k in range(30)}
SIZES = {"new": 9, "old": 3}


def said(system: str, case: str) -> str:
    return "word " * (SIZES.get(system, 5) + int(case[1:]) % 3)


def lines(rows) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def alpaca_outputs(system):
    return json.dumps(
        [
            {"instruction": text, "output": said(system, case), "generator": system, "dataset": "made"}
            for case, text in QUESTIONS.items()
        ]
    )


def alpaca_annotations(model, baseline="base", prefer=lambda k: 1.0 + 0.9 * (k % 4 > 0)):
    """The model wins three of four, by .9; `prefer` gives the preference of a row."""
    return json.dumps(
        [
            {
                "instruction": text,
                "output_1": said(baseline, case),
                "generator_1": baseline,
                "output_2": said(model, case),
                "generator_2": model,
                "dataset": "made",
                "annotator": "judge-4",
                "preference": prefer(k),
                "price_per_example": 0.01,
            }
            for k, (case, text) in enumerate(QUESTIONS.items())
        ]
    )


def arena_answers(system):
    return lines(
        {
            "question_id": case,
            "model_id": system,
            "choices": [{"index": 0, "turns": [{"content": said(system, case)}]}],
        }
        for case in QUESTIONS
    )


def arena_judgments(model, scores=("B>A", "A>>B"), **more):
    """Game 1 has the baseline as A, game 2 as B."""
    return lines(
        {"question_id": case, "model": model, "judge": "judge-4", "games": [{"score": s} for s in scores], **more}
        for case in QUESTIONS
    )


def mt_pairs(winners=("model_1", "model_1")):
    first, second = winners
    return lines(
        {
            "question_id": k,
            "model_1": "new",
            "model_2": "old",
            "g1_winner": first,
            "g2_winner": second,
            "judge": ["judge-4", "pair-v2"],
            "turn": 1 + k % 2,
        }
        for k in range(20)
    )


def lm_eval(system, filters=1):
    return lines(
        {
            "doc_id": k,
            "doc": {"question": text},
            "arguments": {"gen_args_0": {"arg_0": text, "arg_1": {"until": []}}},
            "resps": [[said(system, case)]],
            "filtered_resps": [said(system, case)],
            "filter": f"filter-{f}",
        }
        for k, (case, text) in enumerate(QUESTIONS.items())
        for f in range(filters)
    )


def promptfoo(failed=()):
    rows = [
        {
            "promptIdx": 0,
            "testIdx": k,
            "testCase": {"vars": {"topic": text}},
            "provider": {"id": f"maker:{system}", "label": system},
            "prompt": {"raw": "Say: {{topic}}", "label": "say"},
            "vars": {"topic": text},
            "response": {} if (system, case) in failed else {"output": said(system, case)},
            "success": True,
        }
        for k, (case, text) in enumerate(QUESTIONS.items())
        for system in SIZES
    ]
    return json.dumps(
        {"evalId": "e", "results": {"version": 3, "results": rows, "prompts": []}, "config": {}}, indent=1
    )


def inspect_log(system, task="sums", *, finished=True):
    """(as .eval, as JSON)"""
    header = {"version": 2, "status": "success", "eval": {"task": task, "model": f"maker/{system}"}}
    samples = [
        {
            "id": case,
            "epoch": 1,
            "input": [{"role": "user", "content": text}],
            "output": {"choices": [{"message": {"content": [{"type": "text", "text": said(system, case)}]}}]},
        }
        for case, text in QUESTIONS.items()
    ]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("_journal/start.json", json.dumps(header))
        for sample in samples:
            log.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
        if finished:
            log.writestr("header.json", json.dumps(header))
    return packed.getvalue(), json.dumps({**header, "samples": samples})


def lmarena():
    return json.dumps(
        [
            {
                "question_id": f"b{k}",
                "model_a": "new",
                "model_b": "old",
                "winner": w,
                "judge_hash": f"p{k % 5}",
                "anony": k > 0,
            }
            for k, w in enumerate(["model_a", "model_a", "model_b", "tie (bothbad)", "model_a", "model_a"] * 4)
        ]
    )


def label_studio():
    def note(k):
        chosen = [
            {
                "type": "pairwise",
                "from_name": "pw",
                "to_name": "text1,text2",
                "value": {"selected": "right" if k % 4 else "left"},
            }
        ]
        return {
            "completed_by": {"id": k % 3, "email": f"p{k % 3}@example.org"},
            "result": chosen,
            "was_cancelled": k == 7,
        }

    return json.dumps(
        [
            {
                "id": k,
                "data": {"text1": "short", "text2": "longer", "model_a": "old", "model_b": "new"},
                "annotations": [note(k)],
            }
            for k in range(20)
        ]
    )


def argilla():
    def ranked(k):
        better, worse = ("response-1", "response-2") if k % 4 else ("response-2", "response-1")
        return better if k % 2 else [{"value": worse, "rank": 2}, {"value": better, "rank": 1}]

    return json.dumps(
        [
            {
                "id": str(k),
                "fields": {"prompt": "why?", "response-1": "a", "response-2": "b"},
                "metadata": {"model_a": "new", "model_b": "old"},
                "suggestions": {},
                "responses": {
                    "better": [{"value": ranked(k), "user_id": f"u{k % 3}"}],
                    "note": [{"value": "fine", "user_id": "u"}],
                },
            }
            for k in range(20)
        ]
    )


def label_studio_min():
    """The same annotations as JSON-MIN: one flat row each; what was skipped is not exported."""
    rows = []
    for task in json.loads(label_studio()):
        note = task["annotations"][0]
        if not note["was_cancelled"]:
            said = [{"selected": note["result"][0]["value"]["selected"]}]
            times = {"created_at": "2026-01-02T03:04:05Z", "lead_time": 3.5}
            who = {"annotator": note["completed_by"]["email"], "annotation_id": 100 + task["id"]}
            rows.append({**task["data"], "id": task["id"], **who, **times, "pw": said})
    return json.dumps(rows)


def argilla_flat():
    """The same records as `to_list(flatten=True)` gives them."""
    rows = []
    for record in json.loads(argilla()):
        row = {
            "id": record["id"],
            "status": "completed",
            "_server_id": None,
            **record["fields"],
            **record["metadata"],
        }
        for name, answers in record["responses"].items():
            row[f"{name}.responses"] = [answer["value"] for answer in answers]
            row[f"{name}.responses.users"] = [answer["user_id"] for answer in answers]
            row[f"{name}.responses.status"] = ["submitted" for _ in answers]
        rows.append(row)
    return json.dumps(rows)


def by_prompt():
    """CSV: model, prompt, response."""
    rows = [(system, text, said(system, case)) for system in SIZES for case, text in QUESTIONS.items()]
    return "model,prompt,response\n" + "".join(f"{','.join(row)}\n" for row in rows)


def across():
    """CSV: a prompt, and a column for each system."""
    rows = ((text, *(said(system, case) for system in SIZES)) for case, text in QUESTIONS.items())
    return f"prompt,{','.join(SIZES)}\n" + "".join(f"{','.join(row)}\n" for row in rows)


DEVPOST = (
    "Project Title,Submission Url,About The Project,Submitter First Name,Submitter Email\n"
    "Beaver,https://b,dams,Ann,ann@example.org\nOtter,https://o,ponds,Bob,bob@example.org\n"
)


def workbook(rows, *, more_sheets=()) -> bytes:
    """A small .xlsx as spreadsheet programs write it: shared texts, numbers as they are, empty cells left out."""
    texts = list(dict.fromkeys(cell for row in rows for cell in row if isinstance(cell, str) and cell))
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def cell(column, line, value):
        place = f"{chr(65 + column)}{line}"
        if isinstance(value, str):
            return f'<c r="{place}" t="s"><v>{texts.index(value)}</v></c>' if value else ""
        return f'<c r="{place}"><v>{value}</v></c>'

    lines = "".join(
        f'<row r="{n}">{"".join(cell(k, n, value) for k, value in enumerate(row))}</row>'
        for n, row in enumerate(rows, start=1)
    )
    names = ["Votes", *more_sheets]
    sheets = "".join(
        f'<sheet name="{name}" sheetId="{k}" r:id="rId{k}"/>' for k, name in enumerate(names, start=1)
    )
    links = "".join(
        f'<Relationship Id="rId{k}" Target="worksheets/sheet{k}.xml"/>' for k in range(1, len(names) + 1)
    )
    shared = "".join(f"<si><t>{text}</t></si>" for text in texts)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as book:
        book.writestr("xl/workbook.xml", f'<workbook {main} xmlns:r="{rel}"><sheets>{sheets}</sheets></workbook>')
        book.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{links}</Relationships>")
        book.writestr("xl/sharedStrings.xml", f"<sst {main}>{shared}</sst>")
        book.writestr("xl/worksheets/sheet1.xml", f"<worksheet {main}><sheetData>{lines}</sheetData></worksheet>")
    return out.getvalue()
