"""An example of a package that extends independence-bench. Its parts are named in pyproject.toml."""
