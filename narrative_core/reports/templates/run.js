"use strict";
// Draws each figure when it comes near the window, and all of them before the page is printed.
(() => {
  const PAPER_PX = 660;
  const boxes = [...document.querySelectorAll("figure[data-key]")];
  const drawn = new Map();

  function draw(box) {
    if (drawn.has(box)) return;
    const told = JSON.parse(box.querySelector("script").textContent);
    const place = box.querySelector(".plot");
    drawn.set(box, place);
    Plotly.newPlot(place, told.data, told.layout, {
      displaylogo: false,
      responsive: true,
      scrollZoom: false,
      modeBarButtons: [["toImage"]],
      toImageButtonOptions: { format: "svg", filename: box.dataset.key },
    });
  }

  const watcher = new IntersectionObserver(
    (seen) => {
      for (const one of seen) {
        if (one.isIntersecting) {
          watcher.unobserve(one.target);
          draw(one.target);
        }
      }
    },
    { rootMargin: "600px" },
  );
  boxes.forEach((box) => watcher.observe(box));

  addEventListener("beforeprint", () => {
    boxes.forEach(draw);
    drawn.forEach((place) => Plotly.relayout(place, { autosize: false, width: PAPER_PX }));
  });
  addEventListener("afterprint", () => {
    drawn.forEach((place) => Plotly.relayout(place, { autosize: true, width: null }));
  });
})();
