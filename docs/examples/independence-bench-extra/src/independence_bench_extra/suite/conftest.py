"""Marks the folder as a bench suite."""

independence_bench_suite = True
