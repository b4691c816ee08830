"""The small map beside the list of documents: where each stands on the screen and in the picture, and a lasso."""

from playwright.sync_api import expect

from tests.browser.visitor import PATIENCE_MS, Place, Visitor

PLOT = ".st-key-documents-side .js-plotly-plot"
_ON_SCREEN = """() => {
  const plot = document.querySelector('.st-key-documents-side .js-plotly-plot');
  const {_fullLayout: layout} = plot, box = plot.getBoundingClientRect();
  return plot._fullData.filter(one => ['documents', 'outside'].includes(one.name)).flatMap(data =>
    Array.from(data.x, (x, at) => [
      String(data.customdata[at]),
      box.left + layout._size.l + layout.xaxis.d2p(x), box.top + layout._size.t + layout.yaxis.d2p(data.y[at]),
    ]));
}"""
_IN_PICTURE = """() => {
  const plot = document.querySelector('.st-key-documents-side .js-plotly-plot');
  return plot._fullData.filter(one => ['documents', 'outside'].includes(one.name)).flatMap(data =>
    Array.from(data.x, (x, at) => [String(data.customdata[at]), x, data.y[at]]));
}"""


def open_documents(visitor: Visitor, collection: str, rest: str = "") -> None:
    """Open the page of documents of a collection."""
    visitor.open(f"/documents?collection={collection}{rest}")
    expect(visitor.key("documents-main")).to_be_visible(timeout=PATIENCE_MS)
    visitor.settle()


def points(visitor: Visitor) -> dict[str, Place]:
    """Return where the documents stand on the screen, in every topic or outside, by id, as soon as they are drawn."""
    _wait_for_plot(visitor)
    return {str(one): (float(x), float(y)) for one, x, y in visitor.page.evaluate(_ON_SCREEN)}


def positions(visitor: Visitor) -> dict[str, Place]:
    """Return where the documents stand in the picture, whatever its size on the screen, by id."""
    _wait_for_plot(visitor)
    return {str(one): (float(x), float(y)) for one, x, y in visitor.page.evaluate(_IN_PICTURE)}


def draw_around(visitor: Visitor, left: float, top: float, right: float, bottom: float) -> None:
    """Draw a lasso along a rectangle."""
    mouse = visitor.page.mouse
    mouse.move(left, top)
    mouse.down()
    for corner in ((right, top), (right, bottom), (left, bottom), (left, top + 1)):
        mouse.move(*corner, steps=12)
    mouse.up()


def _wait_for_plot(visitor: Visitor) -> None:
    expect(visitor.page.locator(f"{PLOT} .draglayer").first).to_be_attached(timeout=PATIENCE_MS)
