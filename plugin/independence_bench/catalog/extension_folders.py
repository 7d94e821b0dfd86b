"""The configs of installed packages: folders laid over the packaged one. None may take a name that is taken."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from independence_bench.bad_input import BadInput
from independence_bench.catalog.yaml_files import read_mapping
from independence_bench.extensions import Extension, extensions_of, load_extension

_ROWS = {"models.yaml": "label", "judges.yaml": "model", "endpoints.yaml": "name", "experiments.yaml": "id"}
"""Files whose rows are merged, and what names a row."""
_VARIANTS, _MODES = "prompts/system_variants.yaml", "prompts/delivery_modes.yaml"


def extension_folders(packaged: Path) -> dict[Path, Extension]:
    """Return the folders of packages that bring configs. Raises BadInput: one is missing, or takes a taken name."""
    return _checked(packaged, tuple(extensions_of("configs").values()))


@lru_cache(maxsize=4)
def _checked(packaged: Path, extensions: tuple[Extension, ...]) -> dict[Path, Extension]:
    folders: dict[Path, Extension] = {}
    for extension in extensions:
        folder: Path = load_extension(extension)
        for file in sorted(folder.rglob("*.yaml")):
            name = file.relative_to(folder).as_posix()
            own = _names(name, file, extension)
            for earlier in (packaged, *folders):
                taken = own & _names(name, earlier / name, extension) if (earlier / name).is_file() else set()
                if taken:
                    whose = folders.get(earlier, "independence-bench")
                    raise extension.fault(f"its {name} gives {min(taken)!r}, which {whose} gives too; rename it")
        folders[folder] = extension
    return folders


def _names(name: str, file: Path, extension: Extension) -> set[str]:
    if name not in (*_ROWS, _VARIANTS, _MODES):
        return {name}
    try:
        content: dict[str, Any] = read_mapping(file)
    except BadInput as error:
        raise extension.fault(str(error)) from None
    if name == _MODES:
        return {*content}
    listed = content.pop("variants" if name == _VARIANTS else name.removesuffix(".yaml"), ())
    rows = listed if name == _VARIANTS else (row.get(_ROWS[name]) for row in listed if isinstance(row, dict))
    return {*map(str, rows), *content}
