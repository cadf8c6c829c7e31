"""The plots of the report, as SVG whose bytes depend on the figures alone."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Curve = Sequence[tuple[float, float]]

# Okabe and Ito's colours: told apart by readers who do not see red and green alike.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")


def coverage_plot(
    active: Mapping[str, Curve], decoys: Mapping[str, Curve], threshold: float
) -> str:
    """Coverage against the threshold, a line a corpus; decoy rates dashed; the setting marked."""
    with _own_style():
        figure, axes = _axes("threshold", "questions mapped, %")
        for colour, (corpus, curve) in zip(_cycle(len(active)), active.items(), strict=True):
            axes.plot(*zip(*curve, strict=True), color=colour, label=corpus)
            if decoys.get(corpus):
                axes.plot(*zip(*decoys[corpus], strict=True), color=colour, linestyle="--",
                          linewidth=1, label=f"{corpus}, named article taken away")  # fmt: skip
        axes.axvline(threshold, color="#666666", linewidth=0.8, linestyle=":")
        axes.set_xlim(0, 1)
        axes.legend(frameon=False, fontsize=8)
        return _svg(figure)


def top_k_plot(curves: Mapping[str, Curve]) -> str:
    """Success@k against k on a logarithmic axis, a line a corpus."""
    with _own_style():
        figure, axes = _axes("k", "questions with a right passage in the first k, %")
        for colour, (corpus, curve) in zip(_cycle(len(curves)), curves.items(), strict=True):
            axes.plot(*zip(*curve, strict=True), color=colour, label=corpus, marker="o",
                      markersize=3)  # fmt: skip
        ks = sorted({k for curve in curves.values() for k, _ in curve})
        axes.set_xscale("log")
        axes.set_xticks(ks, [f"{k:g}" for k in ks])
        axes.minorticks_off()
        axes.legend(frameon=False, fontsize=8)
        return _svg(figure)


def precision_plot(curves: Mapping[str, Curve], target: float) -> str:
    """Precision against recall in percent, a line a scorer; the wanted precision dotted."""
    with _own_style():
        figure, axes = _axes("right pairs kept, %", "right among the pairs kept, %")
        for colour, (scorer, curve) in zip(_cycle(len(curves)), curves.items(), strict=True):
            axes.step(*zip(*curve, strict=True), where="post", color=colour, label=scorer)
        axes.axhline(100 * target, color="#666666", linewidth=0.8, linestyle=":")
        axes.set_xlim(0, 101)
        axes.legend(frameon=False, fontsize=8, loc="lower left")
        return _svg(figure)


@contextlib.contextmanager
def _own_style() -> Iterator[None]:
    """Matplotlib's defaults and two settings of ours, whatever the user's matplotlibrc says."""
    _keep_matplotlib_at_home()
    import matplotlib

    # The backend is none of the style: it is chosen once a process, and no drawing here uses it.
    style: Any = dict(matplotlib.rcParamsDefault)
    del style["backend"]
    style |= {"svg.hashsalt": "silver", "svg.fonttype": "path"}
    with matplotlib.rc_context(rc=style):
        yield


def _axes(x: str, y: str) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    axes = figure.subplots()
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_ylim(0, 102)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


@functools.cache
def _keep_matplotlib_at_home() -> object:
    """Matplotlib writes its font list below the home folder unless told another place."""
    folder = tempfile.TemporaryDirectory(prefix="silver-matplotlib-")
    os.environ.setdefault("MPLCONFIGDIR", folder.name)
    return folder  # kept by the cache, so removed when the process ends


def _svg(figure: Any) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def _cycle(count: int) -> list[str]:
    return [_COLOURS[n % len(_COLOURS)] for n in range(count)]
