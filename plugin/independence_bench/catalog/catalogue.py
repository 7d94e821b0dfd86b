"""All of configs/, packaged files first then the user's folder, laid over them row by row."""

from collections.abc import Collection, Iterator
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.catalog.endpoints import normalised_url
from independence_bench.catalog.rows import (
    DeliveryPrompt,
    EditionFile,
    Experiment,
    JudgeRow,
    JudgesFile,
    ModelDefaults,
    ModelRow,
    VariantsFile,
)
from independence_bench.catalog.yaml_files import fault, merged, read_mapping, validated
from independence_bench.extensions import Extension, extensions_of, load_extension
from independence_bench.kind_registry import KINDS
from independence_bench.option_values import is_edition_file
from independence_bench.spec import EMBEDDED, Endpoint, JudgeFrame


@cache
def packaged_configs() -> Path:
    """Return the configs/ that came with this package: inside the wheel, or at the root of a checkout."""
    package = Path(__file__).resolve().parents[1]
    return next(folder for folder in (package / "configs", package.parents[1] / "configs") if folder.is_dir())


_Row = TypeVar("_Row", bound=BaseModel)

EXTENDS = "extends"  # key of an edition's YAML: the edition whose keys it takes over
_NOT_INHERITED = ("id", "title", "about")  # keys that say what an edition is by itself


class EditionSource(NamedTuple):
    """An edition's file with what it extends, before its kind resolves what it asks."""

    file: Path
    row: EditionFile
    kind: str
    choice: object  # the value of the one key that chooses the kind


_ROWS = {"models.yaml": "label", "judges.yaml": "model", "endpoints.yaml": "name", "experiments.yaml": "id"}
"""Files whose rows are merged, and what names a row."""
_VARIANTS, _MODES = "prompts/system_variants.yaml", "prompts/delivery_modes.yaml"


@lru_cache(maxsize=4)
def _extension_folders(packaged: Path, extensions: tuple[Extension, ...]) -> dict[Path, Extension]:
    """Return the folders of packages that bring configs. Raises BadInput: one is missing, or takes a taken name."""
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


class Catalogue:
    """The rows and texts of configs/; files are read when first needed, each once."""

    def __init__(self, overlay: Path | None = None) -> None:
        """Read the packaged configs with folders of the same layout laid over them: those of installed packages first,
        then ``overlay``, the user's configs/.
        """
        packaged = packaged_configs()
        if overlay is not None and not overlay.is_dir():
            raise BadInput(f"--configs={overlay}: there is no such folder; give one laid out like {packaged}")
        self._extensions = _extension_folders(packaged, tuple(extensions_of("configs").values()))
        self.folders: tuple[Path, ...] = (packaged, *self._extensions)
        self.taken_part: set[Extension] = set()  # those of whose configs a file of its own was read, such as an edition
        if overlay is not None and overlay.resolve() != packaged.resolve():
            self.folders += (overlay,)
        self.read = cache(read_mapping)  # read a file of configs/, each once

    def _files(self, name: str) -> Iterator[tuple[Path, dict[str, Any]]]:
        for folder in self.folders:
            if (file := folder / name).is_file():
                yield file, self.read(file)

    def _merged(self, name: str) -> tuple[Path, dict[str, Any]]:
        files = list(self._files(name))
        return files[-1][0], {key: value for _, content in files for key, value in content.items()}

    def _rows(
        self, shape: type[_Row], name: str, identify: str, others: Collection[str] = ()
    ) -> Iterator[tuple[_Row, Path, tuple[str, int]]]:
        """Yield the rows of ``name.yaml`` with file and place, a later folder's in place of earlier ones. ``identify``:
        the field that names a row; ``others``: the keys allowed next to the list.
        """
        merged: dict[str, tuple[Path, tuple[str, int], dict[str, Any]]] = {}
        for file, content in self._files(f"{name}.yaml"):
            for unknown in sorted(content.keys() - {name, *others}):
                raise fault(file, [unknown], f"unknown key; {near_matches(unknown, [name, *others])}")
            rows = content.get(name, [])
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise fault(file, [name], "must be a list of rows; see the packaged file")
            for index, row in enumerate(rows):
                key, where = str(row.get(identify, f"row {index + 1}")), (name, index)
                if merged.get(key, (None,))[0] == file:
                    raise fault(file, where, f"{identify} {key!r} is given twice; rename one")
                merged[key] = (file, where, row)
        for file, where, row in merged.values():
            yield validated(shape, row, file, *where), file, where

    @cached_property
    def endpoints(self) -> dict[str, Endpoint]:
        """Rows of endpoints.yaml by name."""
        rows: dict[str, Endpoint] = {}
        for row, file, (name, index) in self._rows(Endpoint, "endpoints", "name"):
            url = normalised_url(row.base_url, f"{file}: {name}.{index}.base_url", schemes=("http", "https", EMBEDDED))
            rows[row.name] = row.model_copy(update={"base_url": url})
        return rows

    @cached_property
    def experiments(self) -> dict[str, Experiment]:
        """Rows of experiments.yaml by id."""
        rows: dict[str, Experiment] = {}
        for row, file, where in self._rows(Experiment, "experiments", "id"):
            if row.marker in {other.marker for other in rows.values()}:
                raise fault(file, [*where, "marker"], f"{row.marker!r} is taken; write another")
            rows[row.id] = row
        return rows

    @cached_property
    def models(self) -> dict[str, ModelRow]:
        """Rows of models.yaml by label."""
        rows: dict[str, ModelRow] = {}
        for row, file, where in self._rows(ModelRow, "models", "label", ["defaults"]):
            if row.endpoint not in self.endpoints:
                near = near_matches(row.endpoint, self.endpoints)
                raise fault(file, [*where, "endpoint"], f"there is no endpoint {row.endpoint!r}; {near}")
            rows[row.label] = row
        return rows

    @cached_property
    def model_defaults(self) -> ModelDefaults:
        """How a model without a row is asked."""
        defaults = ModelDefaults()
        for file, content in self._files("models.yaml"):
            if "defaults" in content:
                defaults = validated(ModelDefaults, content["defaults"], file, "defaults")
        return defaults

    @cached_property
    def judges(self) -> dict[str, JudgeRow]:
        """Rows of judges.yaml by model id."""
        return {row.model: row for row, _, _ in self._rows(JudgeRow, "judges", "model", JudgesFile.model_fields)}

    @cached_property
    def judge_settings(self) -> JudgesFile:
        """Default judges and the sampling of any other judge."""
        file, content = self._merged("judges.yaml")
        return validated(JudgesFile, content, file)

    @cached_property
    def system_variants(self) -> dict[str, str]:
        """System prompt text by variant."""
        texts: dict[str, str] = {}
        for file, content in self._files("prompts/system_variants.yaml"):
            texts |= {name: text.strip() for name, text in validated(VariantsFile, content, file).variants.items()}
        return texts

    @cached_property
    def delivery_prompts(self) -> dict[str, DeliveryPrompt]:
        """Prompts of each delivery mode."""
        return {
            mode: validated(DeliveryPrompt, row, file, mode)
            for file, content in self._files("prompts/delivery_modes.yaml")
            for mode, row in content.items()
        }

    @cached_property
    def judge_frame(self) -> JudgeFrame:
        """The fixed texts around every judge request."""
        last, merged = self._merged("prompts/judge.yaml")
        for key in JudgeFrame.model_fields:
            if not isinstance(text := merged.get(key), str) or not text.strip():
                raise fault(last, [key], "this text is missing; add it")
        return validated(JudgeFrame, {key: text.strip() for key, text in merged.items()}, last)

    def stem_file(self, folder: str, stem: str, asked_by: str) -> Path:
        """Return the topmost file ``folder/stem.yaml``. Raises BadInput: there is none, with near matches."""
        for place in reversed(self.folders):
            file = place / folder / f"{stem}.yaml"
            if file.is_file():
                if place in self._extensions:
                    self.taken_part.add(self._extensions[place])
                return file
        raise BadInput(f"{asked_by}: there is no {folder}/{stem}.yaml; {near_matches(stem, self.stems(folder))}")

    def stems(self, folder: str) -> list[str]:
        """Return the stems of all files in a folder, sorted."""
        return sorted({file.stem for place in self.folders for file in (place / folder).glob("*.yaml")})

    def beside(self, edition: str) -> "Catalogue":
        """Return the catalogue with the folder of an edition's own file laid over it; itself, where it has that folder
        or the edition is named by its id.
        """
        folder = Path(edition).parent
        if not is_edition_file(edition) or folder.resolve() in map(Path.resolve, self.folders):
            return self
        widened = Catalogue()
        widened.folders = (*self.folders, folder)
        widened.taken_part = self.taken_part
        return widened

    def edition_sources(self, edition: str) -> Iterator[EditionSource]:
        """Yield an edition, by its id or from its file, after every edition that it extends: each must be without a
        fault, which would else be blamed on the next. Raises BadInput: by file and key.
        """
        by_id = not is_edition_file(edition)
        file = self.stem_file("editions", edition, f"--edition={edition}") if by_id else Path(edition)
        yield from self._edition_sources(file, ())

    def _edition_sources(self, file: Path, extending: tuple[Path, ...]) -> Iterator[EditionSource]:
        if (base := self._extended(file)) is not None:
            if base in (*extending, file):
                raise BadInput.at(file, EXTENDS, f"{base.stem} extends this edition itself; name another")
            yield from self._edition_sources(base, (*extending, file))
        content = self._edition_content(file)
        packaged = self.folders[0] / "editions" / f"{content.get('id')}.yaml"
        if packaged.is_file() and content != self._edition_content(packaged):
            # Its figures would pass for the packaged edition's.
            raise BadInput.at(file, "id", f"{content['id']!r} is the packaged edition's; give yours another id")
        choices = {kind: content.pop(entry.key) for kind, entry in KINDS.items() if content.get(entry.key)}
        if len(choices) != 1:
            keys = " or ".join(repr(entry.key) for entry in KINDS.values())
            raise BadInput(f"{file}: an edition needs {keys}, one of them")
        yield EditionSource(file, validated(EditionFile, content, file), *choices.popitem())

    def _extended(self, file: Path) -> Path | None:
        base = self.read(file).get(EXTENDS)
        if base is not None and not isinstance(base, str):
            raise BadInput.at(file, EXTENDS, "write the id of one edition, for example v2")
        return None if base is None else self.stem_file("editions", base, f"{file}: {EXTENDS}")

    def _edition_content(self, file: Path) -> dict[str, Any]:
        own = {key: value for key, value in self.read(file).items() if key != EXTENDS}
        if (base := self._extended(file)) is None:
            return own
        inherited = self._edition_content(base)
        return merged({key: value for key, value in inherited.items() if key not in _NOT_INHERITED}, own)

    def newest(self, name: str) -> tuple[Path, dict[str, Any]]:
        """Return the topmost file of this name with its content. Raises BadInput: there is none."""
        files = list(self._files(name))
        if not files:
            raise BadInput(f"configs: there is no {name}; the edition asked for needs it")
        return files[-1]
