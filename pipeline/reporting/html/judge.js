"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const pairs = data.pairs;
  const byId = (id) => document.getElementById(id);
  const labelButtons = [...document.querySelectorAll("[data-label]")];
  // labels by position; history holds [position, label before], for undo; at is what is shown.
  const state = { labels: {}, history: [], at: 0, name: "", kind: "person" };

  function load() {
    try {
      const kept = JSON.parse(localStorage.getItem(data.key) || "null");
      if (kept && typeof kept === "object") {
        for (const [position, label] of Object.entries(kept.labels || {})) {
          if (pairs[position] && ["1", "0", "?"].includes(label)) state.labels[position] = label;
        }
        state.history = (Array.isArray(kept.history) ? kept.history : [])
          .filter((step) => Array.isArray(step) && pairs[step[0]]);
        state.at = Math.min(Math.max(Number(kept.at) || 0, 0), pairs.length);
        state.name = String(kept.name || "");
        state.kind = kept.kind === "program" ? "program" : "person";
      }
    } catch (error) {
      say("This browser keeps nothing for this page: download before you close it.");
    }
  }

  function save() {
    try {
      localStorage.setItem(data.key, JSON.stringify(state));
    } catch (error) {
      say("This browser keeps nothing for this page: download before you close it.");
    }
  }

  function say(text) { byId("message").textContent = text; }

  function fill(element, pieces) {
    element.replaceChildren(...pieces.map(([text, order]) => {
      if (!order) return document.createTextNode(text);
      const mark = document.createElement("mark");
      mark.className = "n" + order;
      mark.textContent = text;
      return mark;
    }));
  }

  function judged() { return Object.keys(state.labels).length; }

  function show() {
    const pair = pairs[state.at];
    byId("pair").hidden = !pair;
    byId("done").hidden = judged() < pairs.length;
    if (pair) {
      const row = pair.row;
      byId("label-question").hidden = byId("question").hidden = !row.question;
      byId("question").textContent = row.question;
      byId("title").textContent = row.title ? "quoted from " + row.title : "";
      byId("passage-title").textContent = "of " + row.passage_title;
      fill(byId("answer"), pair.answer);
      const sentence = document.createElement("span");
      sentence.className = "window";
      fill(sentence, pair.window);
      byId("passage").replaceChildren(
        document.createTextNode(pair.before), sentence, document.createTextNode(pair.after));
    }
    const place = pair ? "pair " + (state.at + 1) + " of " + pairs.length + ", " : "";
    byId("progress").textContent =
      place + judged() + " judged, " + (pairs.length - judged()) + " to go";
    byId("bar").value = judged();
    for (const button of labelButtons) {
      button.disabled = !pair;
      button.setAttribute("aria-pressed", String(state.labels[state.at] === button.dataset.label));
    }
    byId("back").disabled = state.at === 0;
    byId("next").disabled = !pair;
    byId("undo").disabled = state.history.length === 0;
    byId("download").disabled = judged() === 0;
  }

  function judge(label) {
    if (!pairs[state.at]) return;
    state.history.push([state.at, state.labels[state.at] || null]);
    state.labels[state.at] = label;
    state.at = following(state.at);
    say("");
    save();
    show();
  }

  // The next pair without a label, from here on and then from the start; past the end when done.
  function following(from) {
    for (let step = 1; step <= pairs.length; step += 1) {
      const position = (from + step) % pairs.length;
      if (!state.labels[position]) return position;
    }
    return pairs.length;
  }

  function undo() {
    const last = state.history.pop();
    if (!last) return;
    if (last[1]) state.labels[last[0]] = last[1]; else delete state.labels[last[0]];
    state.at = last[0];
    save();
    show();
  }

  function move(step) {
    state.at = Math.min(Math.max(state.at + step, 0), pairs.length);
    save();
    show();
  }

  function cell(value) {
    const text = String(value === null ? "" : value);
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  }

  function csv() {
    const lines = [data.columns.join(",")];
    pairs.forEach((pair, position) => {
      const label = state.labels[position];
      if (!label) return;
      const row = { ...pair.row, label, judge: state.name.trim(), judge_kind: state.kind };
      lines.push(data.columns.map((name) => cell(row[name])).join(","));
    });
    return lines.join("\n") + "\n";
  }

  function download(event) {
    event.preventDefault();
    if (!state.name.trim()) {
      say("Say who judged: the name goes into the file.");
      byId("name").focus();
      return;
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv;charset=utf-8" }));
    const who = state.name.trim().replace(/[^\p{L}\p{N}]+/gu, "-");
    link.download = "judgments-" + data.corpus + "-" + who + ".csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(judged() + " judgments downloaded.");
  }

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLInputElement && event.target.type === "text") return;
    if (["1", "0", "?"].includes(event.key)) judge(event.key);
    else if (event.key === "u" || event.key === "U") undo();
    else if (event.key === "ArrowLeft" && event.target.type !== "radio") move(-1);
    else if (event.key === "ArrowRight" && event.target.type !== "radio") move(1);
    else return;
    event.preventDefault();
  }

  load();
  byId("name").value = state.name;
  for (const choice of document.querySelectorAll("[name=kind]")) {
    choice.checked = choice.value === state.kind;
    choice.addEventListener("change", () => { state.kind = choice.value; save(); });
  }
  byId("name").addEventListener("input", () => { state.name = byId("name").value; save(); });
  for (const button of labelButtons) {
    button.addEventListener("click", () => judge(button.dataset.label));
  }
  byId("back").addEventListener("click", () => move(-1));
  byId("next").addEventListener("click", () => move(1));
  byId("undo").addEventListener("click", undo);
  byId("judge").addEventListener("submit", download);
  document.addEventListener("keydown", pressed);
  if (judged()) byId("guideline").open = false;
  show();
})();
