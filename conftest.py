"""Makes a checkout work in place: the plugin is loaded from plugin/ whether or not the package is installed."""

# pytester is for unit_tests; only a root conftest may name plugins.
pytest_plugins = ["independence_bench.pytest_plugin", "pytester"]
