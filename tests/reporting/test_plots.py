"""Plots: drawings whose bytes depend on the figures alone."""

import re
import xml.etree.ElementTree as ET

from pipeline.reporting.plots import coverage_plot, top_k_plot

CURVE = [(n / 10, 100.0 - 10 * n) for n in range(1, 11)]


def test_the_same_figures_give_the_same_bytes() -> None:
    one, other = (coverage_plot({"own": CURVE}, {"own": CURVE[:3]}, 0.4) for _ in range(2))
    assert one == other
    assert top_k_plot({"own": [(1, 20.0), (5, 30.0)]}) == top_k_plot({"own": [(1, 20), (5, 30)]})


def test_the_users_own_style_changes_nothing() -> None:
    before = coverage_plot({"own": CURVE}, {}, 0.4), top_k_plot({"own": [(1, 20.0), (5, 30.0)]})
    import matplotlib  # only now, since the plots keep it from writing below the home folder

    theirs = {"lines.linewidth": 5.0, "font.size": 20.0, "figure.dpi": 50.0, "svg.hashsalt": "x"}
    with matplotlib.rc_context(rc=theirs):
        after = coverage_plot({"own": CURVE}, {}, 0.4), top_k_plot({"own": [(1, 20), (5, 30)]})
        assert matplotlib.rcParams["lines.linewidth"] == 5.0
    assert after == before


def test_other_figures_give_another_drawing() -> None:
    assert coverage_plot({"own": CURVE}, {}, 0.4) != coverage_plot({"own": CURVE}, {}, 0.5)


def test_a_drawing_is_whole_xml_without_date_script_or_anything_from_elsewhere() -> None:
    for svg in (coverage_plot({"own": CURVE}, {}, 0.4), top_k_plot({"own": [(1, 50.0)]})):
        root = ET.fromstring(svg)
        assert root.tag.endswith("svg")
        assert "script" not in svg and "<dc:date" not in svg
        links = re.findall(r'href="([^"]*)"', svg)
        assert all(link.startswith("#") for link in links)


def test_odd_names_of_corpora_are_drawn_as_text() -> None:
    for name in ("a_b-c", "x" * 30, "été"):
        ET.fromstring(coverage_plot({name: CURVE}, {name: CURVE}, 0.4))
        ET.fromstring(top_k_plot({name: [(1, 50.0)]}))


def test_more_corpora_than_colours_and_none_at_all_are_drawn() -> None:
    many = {f"c{n}": CURVE for n in range(9)}
    ET.fromstring(coverage_plot(many, {}, 0.4))
    ET.fromstring(top_k_plot({name: [(1, 1.0), (100, 2.0)] for name in many}))
