"""Coverage and width of intervals that labels of people correct. Run by hand; pytest collects nothing here.

    python benchmarks/calibration_coverage.py [--fields=300]

Ten models that hold 45–97 % of their answers, edition v2's weights, five runs, a judge with a known error
(``calibration_worlds.py``). Per question: coverage of 95 % intervals in per cent, of all models and of the one that is
covered least (mean width in points): by the judge alone, by the mean difference of people and judge (prediction-powered inference, one correction for all models), and by
the line through the labels, which the report uses. ``refused``: too few labels of the rarer class.
"""

import argparse
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CHECKOUT / "plugin"), str(CHECKOUT / "unit_tests" / "scoring" / "uncertainty")]

from calibration_worlds import METHODS, CalibrationWorld, calibration_coverage  # noqa: E402

WORLDS = {
    "sensitivity, specificity .90": CalibrationWorld(),
    "30 labels": CalibrationWorld(labels=30),
    "120 labels": CalibrationWorld(labels=120),
    ".98": CalibrationWorld(sensitivity=0.98, specificity=0.98),
    ".80": CalibrationWorld(sensitivity=0.8, specificity=0.8),
    "sensitivity .75, specificity .95": CalibrationWorld(sensitivity=0.75, specificity=0.95),
    ".90, scores blurred by .15": CalibrationWorld(blur=0.15),
    "no confusion, blurred by .15": CalibrationWorld(sensitivity=1.0, specificity=1.0, blur=0.15),
    ".90, a field of good models": CalibrationWorld(weakest=0.75, best=0.97),
    ".90, half: sensitivity .80": CalibrationWorld(sensitivity_apart=0.10),
    ".90, half: specificity .80": CalibrationWorld(specificity_apart=0.10),
    ".90, half: both .80": CalibrationWorld(sensitivity_apart=0.10, specificity_apart=0.10),
    ".90, half: specificity .70": CalibrationWorld(specificity_apart=0.20),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fields", type=int, default=300)
    fields = parser.parse_args().fields
    print(f"{'judge':34}{'question':20}" + "".join(f"{method:>21}" for method in METHODS) + f"{'refused':>9}")
    for name, world in WORLDS.items():
        found, refused = calibration_coverage(world, fields)
        for question in dict.fromkeys(question for question, _ in found):
            cells = "".join(f"{found[question, method]!s:>21}" for method in METHODS)
            print(f"{name:34}{question:20}{cells}{refused / fields:9.0%}", flush=True)


if __name__ == "__main__":
    main()
