"""Makes a checkout work in place: the plugin is loaded from plugin/ whether or not the package is installed."""

pytest_plugins = ["independence_bench.pytest_plugin"]
