"""Marks this folder as a bench suite: a pytest run that names it becomes a benchmark session."""

independence_bench_suite = True
