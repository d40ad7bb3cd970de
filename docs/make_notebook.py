"""Write docs/example.ipynb with its outputs: ``python -m docs.make_notebook``. Nothing of Jupyter is needed.

A cell is run as a notebook runs it: what it prints is its output, and what its last expression shows of itself.
"""

import ast
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("example.ipynb")
INTRODUCTION = """# What can an attacker do against this training run?
The mathematics needs NumPy and SciPy alone (`python -m pip install .`); the table needs pandas, the sheet the app
(`".[app]"`). In every bracket, `upper` is the guarantee and `lower` is what a real attack reaches.
`python -m docs.make_notebook` writes this file, and a test compares its outputs with new ones."""
CELLS = (
    '''# What TensorFlow Privacy printed; an Opacus engine, a DpEvent or a DpParams is read by the same function.
from privacy_trade_offs import release_of

run = release_of("""DP-SGD performed over 60000 examples with 256 examples per iteration, noise
multiplier 1.12 for 60 epochs without microbatching, and no bound on number of examples per user.""")
run''',
    """# How many members are found while 1 in 1,000 outsiders is falsely accused?
release = run.mechanism
found = release.power(alpha=0.001)
f"at most {found.upper:.5f}; an attack finds {found.lower:.5f}\"""",
    """# The whole curve. Nothing is interpolated: ask at the rates that are wanted.
from privacy_trade_offs import alpha_grid

curve = release.trade_off(alpha_grid(points=100))
curve""",
    """# The same as a table.
table = curve.to_frame()[["alpha", "power_at_most", "power_reached"]]
print(table[table.alpha.between(1e-4, 1e-3)].to_string(index=False, float_format="{:.8f}".format))""",
    """# Epsilon is one number of it, at a delta.
for delta in (1e-5, 1e-6):
    print(f"at delta = {delta:g}, epsilon is at most {release.epsilon(delta).upper:.4f}")""",
    """# How much noise keeps a limit of 20 in 10,000? The answer never misses it.
from privacy_trade_offs import PowerTarget, noise_for

safer = noise_for(PowerTarget(power=0.002, alpha=0.001), release)
print(f"noise {safer.noise_multiplier:g}: at most {safer.reached.upper:.6f}")""",
    """# A guess about somebody's record that is right 1 in 1,000 times: how often with the release in hand?
surer = release.reconstruction(prior=0.001)
print(f"at most 1 in {int(1 / surer.upper)}")""",
    """# What if the attacker does not know the record?
from numerics import relaxed

print(f"about {relaxed.power(release, alpha=0.001).estimate:.4f} are found, where all is known {found.upper:.4f}")""",
    """# The sheet to file, as the app writes it: `document.save("sheet.html")`. Its first lines go into a model card.
from privacy_trade_offs import sheet

document = sheet(run, limit=0.002)
print("\\n".join(document.markdown.splitlines()[3:11]))""",
)


def executed() -> dict[str, Any]:
    """The notebook, its cells run one after the other."""
    names: dict[str, Any] = {}
    cells = [_cell("introduction", INTRODUCTION)]
    for number, source in enumerate(CELLS, 1):
        cells.append(_cell(f"cell-{number}", source) | {"execution_count": number, "outputs": _outputs(source, names)})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _cell(name: str, source: str) -> dict[str, Any]:
    kind = "markdown" if name == "introduction" else "code"
    return {"cell_type": kind, "id": name, "metadata": {}, "source": source.splitlines(keepends=True)}


def _outputs(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    *statements, last = ast.parse(source).body
    shown, printed = None, io.StringIO()
    is_shown = isinstance(last, ast.Expr)
    with redirect_stdout(printed):
        exec(compile(ast.Module(statements if is_shown else [*statements, last], []), "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if text := printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)})
    if shown is not None:
        data = {"text/html": shown._repr_html_()} if hasattr(shown, "_repr_html_") else {"text/plain": repr(shown)}
        outputs.append({"data": data, "metadata": {}, "output_type": "display_data"})
    return outputs


if __name__ == "__main__":
    FILE.write_text(json.dumps(executed(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
