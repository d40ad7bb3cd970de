"""The README's Python prints what it says, and what it names exists."""

import doctest
import re

import pytest

from tests import ROOT

README = (ROOT / "README.md").read_text()


def test_examples_print_what_the_readme_says() -> None:
    examples = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "README.md", "README.md", 0)
    assert len(test.examples) > 10
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([\w./]+\.(?:py|md)|LICENSE|\.ci/run)`", README))))
def test_files_it_names_exist(name: str) -> None:
    candidates = [ROOT / name, *ROOT.glob(f"*/{name}"), *ROOT.glob(f"pages/*/{name}")]
    assert any(path.exists() for path in candidates) or "your_" in name


def test_tests_that_documents_name_exist() -> None:
    texts = {path: path.read_text() for path in (*ROOT.glob("docs/*.md"), ROOT / "CONTRIBUTING.md")}
    named = {(path.name, name) for path, text in texts.items() for name in re.findall(r"`([\w/]*test_\w+\.py)`", text)}
    assert len(named) > 20
    assert [one for one in named if not any((root / one[1]).exists() for root in (ROOT, ROOT / "tests"))] == [
        ("CONTRIBUTING.md", "tests/pages/your_page/test_page.py")
    ]


def test_commands_it_names_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"make (run|test|bench)\b", README)) <= targets
