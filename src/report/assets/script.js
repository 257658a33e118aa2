"use strict";
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const valueOf = (row, at) => {
    const cell = row.cells[at];
    return cell ? cell.dataset.v ?? cell.textContent.trim() : "";
  };
  const order = new Intl.Collator(undefined, { numeric: true });

  for (const table of all("table[data-sort]")) {
    const heads = all("thead th", table);
    heads.forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      const isNumber = head.classList.contains("n");
      button.addEventListener("click", () => {
        const first = isNumber ? "descending" : "ascending";
        const other = isNumber ? "ascending" : "descending";
        const wanted = head.getAttribute("aria-sort") === first ? other : first;
        heads.forEach((h) => h.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", wanted);
        const sign = wanted === "ascending" ? 1 : -1;
        const rows = [...table.tBodies[0].rows].map((row) => [valueOf(row, at), row]);
        rows.sort(([a], [b]) => sign * (isNumber ? (parseFloat(a) || 0) - (parseFloat(b) || 0) : order.compare(a, b)));
        table.tBodies[0].append(...rows.map(([, row]) => row));
      });
    });
  }

  for (const tools of all("[data-filter]")) {
    const table = document.getElementById(tools.dataset.filter);
    if (!table) continue;
    tools.hidden = false;
    const text = tools.querySelector("input");
    const choices = all("select", tools);
    const said = tools.querySelector("output");
    const rows = [...table.tBodies[0].rows];
    // Addresses that are cut stand in full in their titles.
    const words = rows.map((row) => [row, ...all("[title]", row)].map((part) => part.title || part.textContent).join(" ").toLowerCase());
    const filter = () => {
      const wanted = text ? text.value.toLowerCase().split(/\s+/).filter(Boolean) : [];
      let shown = 0;
      for (const [at, row] of rows.entries()) {
        const fits =
          wanted.every((word) => words[at].includes(word)) &&
          choices.every((choice) => !choice.value || valueOf(row, Number(choice.dataset.column)) === choice.value);
        row.hidden = !fits;
        shown += fits ? 1 : 0;
      }
      if (said) said.textContent = `${shown} of ${rows.length} shown`;
    };
    for (const choice of choices) {
      const values = new Set(rows.map((row) => valueOf(row, Number(choice.dataset.column))));
      for (const value of [...values].sort(order.compare)) {
        if (value) choice.append(new Option(value, value));
      }
      choice.addEventListener("change", filter);
    }
    if (text) text.addEventListener("input", filter);
    filter();
  }

  for (const tools of all("[data-fold]")) {
    const folds = document.getElementById(tools.dataset.fold);
    if (!folds) continue;
    tools.hidden = false;
    const [open, close] = all("button", tools);
    open.addEventListener("click", () => all("details", folds).forEach((d) => (d.open = true)));
    close.addEventListener("click", () => all("details", folds).forEach((d) => (d.open = false)));
  }

  const live = document.querySelector("[data-live]");
  if (live) {
    const ask = async () => {
      try {
        const answer = await fetch(live.dataset.live, { headers: { accept: "application/json" } });
        if (answer.ok) {
          const counts = await answer.json();
          for (const place of all("[data-count]")) {
            const count = counts[place.dataset.count];
            if (count !== undefined && count !== null) place.textContent = String(count);
          }
        }
      } catch {
        /* The server has ended with its crawl: what is shown stays. */
      }
    };
    setInterval(ask, 2000);
  }
})();
