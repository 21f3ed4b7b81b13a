"use strict";
(() => {
  const panel = document.querySelector("aside");
  const week = document.querySelector(".week");
  const isMark = (node) => node instanceof Element && node.closest("button.mark");

  const show = (mark) => {
    const [head, ...rest] = mark.getAttribute("aria-label").split("; ");
    rest.push(...mark.closest(".lane").querySelector(".name").title.split("\n"));
    panel.replaceChildren(
      Object.assign(document.createElement("b"), { textContent: head }),
      ...rest.map((text) => Object.assign(document.createElement("span"), { textContent: text })),
    );
    panel.hidden = false;
  };
  const rest = () => {
    const mark = isMark(document.activeElement);
    if (mark) show(mark);
    else panel.hidden = true;
  };
  week.addEventListener("mouseover", (event) => {
    const mark = isMark(event.target);
    if (mark) show(mark);
    else rest();
  });
  week.addEventListener("mouseleave", rest);
  week.addEventListener("focusin", (event) => {
    const mark = isMark(event.target);
    if (mark) show(mark);
  });
  week.addEventListener("focusout", () => { panel.hidden = true; });

  // Arrows: left and right in a lane, up and down to the mark of the next lane that stands nearest.
  const place = (mark) => Number.parseFloat(mark.style.left);
  const go = (mark) => {
    for (const other of mark.parentElement.querySelectorAll(".mark")) other.tabIndex = other === mark ? 0 : -1;
    mark.focus();
    mark.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  week.addEventListener("keydown", (event) => {
    const mark = isMark(event.target);
    if (!mark) return;
    const lane = [...mark.parentElement.querySelectorAll(".mark")];
    const at = lane.indexOf(mark);
    let next = null;
    if (event.key === "ArrowRight") next = lane[at + 1];
    else if (event.key === "ArrowLeft") next = lane[at - 1];
    else if (event.key === "Home") next = lane[0];
    else if (event.key === "End") next = lane[lane.length - 1];
    else if (event.key === "Escape") { mark.blur(); return; }
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const tracks = [...week.querySelectorAll(".track")].filter((track) => track.querySelector(".mark"));
      const track = tracks[tracks.indexOf(mark.parentElement) + (event.key === "ArrowDown" ? 1 : -1)];
      if (track) {
        next = [...track.querySelectorAll(".mark")].reduce((best, other) =>
          Math.abs(place(other) - place(mark)) < Math.abs(place(best) - place(mark)) ? other : best);
      }
    } else return;
    event.preventDefault();
    if (next) go(next);
  });

  // Where not all days fit, begin with today.
  const today = document.querySelector("time.today");
  if (today) today.scrollIntoView({ block: "nearest", inline: "start" });

  // The line of now walks on while the page is open.
  const { first, days, offsets } = JSON.parse(week.dataset.clockwork ?? '{"offsets": []}');
  const walk = () => {
    const now = Date.now() / 1000;
    const known = offsets.filter(([since]) => since <= now).pop();
    if (!known) return;
    const wall = now + known[1];
    const left = (wall - first) / (days * 86400);
    for (const line of week.querySelectorAll(".now")) {
      line.hidden = left >= 1;
      line.style.left = `${100 * left}%`;
      if (line.textContent) line.textContent = new Date(wall * 1000).toISOString().slice(11, 16);
    }
  };
  if (offsets.length) setInterval(walk, 30000);
})();
