"""The example's own suite: `pytest --pyargs independence_bench_extra.suite`."""
