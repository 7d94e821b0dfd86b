"""Makes this folder a bench suite: `pytest bench` measures, and a plain `pytest` leaves it out."""

independence_bench_suite = True
independence_bench_edition = "edition.yaml"
