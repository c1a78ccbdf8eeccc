"use strict";
// Every page works without this script. It uploads files, follows a run, and sends forms in the background: the server's
// answer is a whole page, of which the regions marked data-live take the place of their namesakes here.
(() => {
  const rules = { createHTML: (text) => text }, policy = window.trustedTypes ? trustedTypes.createPolicy("seethrough", rules) : rules;
  const read = (text) => new DOMParser().parseFromString(policy.createHTML(text), "text/html");
  const all = (selector) => [...document.querySelectorAll(selector)], first = (selector) => document.querySelector(selector);
  const live = "[data-live][id]";  // a region; a form or a link that is marked so is sent in the background
  const one = (id) => document.getElementById(id);
  const say = (text) => { const said = one("said"); if (said && said.textContent !== text) said.textContent = text; };
  const sentence = (page) => (page.querySelector(".lead bdi") || page.body).textContent.trim().slice(0, 400);  // of an error
  document.documentElement.classList.add("scripted");

  // Exchanging regions.
  function whereFocusIs() {
    const on = document.activeElement;
    if (!on || on === document.body || !on.closest(live)) return null;
    const same = on.id ? `#${CSS.escape(on.id)}` : on.name ? `${on.localName}[name="${CSS.escape(on.name)}"]` : null;
    const place = same && all(same).indexOf(on);
    return { same, place, region: on.closest(live).id, start: on.selectionStart, end: on.selectionEnd };
  }
  function putFocusBack(was) {
    if (!was || (document.activeElement && document.activeElement !== document.body)) return;
    const found = (was.same && all(was.same)[was.place]) || one(was.region);
    if (!found) return;
    if (found.id === was.region && !found.hasAttribute("tabindex")) found.tabIndex = -1;
    found.focus({ preventScroll: true });
    if (was.start != null && found.setSelectionRange) try { found.setSelectionRange(was.start, was.end); } catch { /* not a text field */ }
  }
  function exchange(text) {
    const page = read(text), was = whereFocusIs(), opened = all("details[open][id]").map((each) => each.id);
    for (const old of all(live)) {
      const fresh = page.getElementById(old.id);
      // A region that says the same stays, so that screen readers do not say it again.
      if (!fresh || fresh.outerHTML === old.dataset.was) continue;
      const put = document.importNode(fresh, true), text = fresh.outerHTML;
      // What is read out keeps its element, and speaks at most twice a second.
      if (old.ariaLive) { clearTimeout(spoken); spoken = setTimeout(() => old.replaceChildren(...put.childNodes), 500); old.dataset.was = text; continue; }
      put.dataset.was = text;
      old.replaceWith(put);
    }
    for (const id of opened) if (one(id)) one(id).open = true;
    const said = page.getElementById("said");
    if (said) say(said.textContent.trim());
    document.title = page.title;
    putFocusBack(was);
    ready();
  }
  let latest = 0, spoken = 0, asking = 0;
  const tab = String(Math.random()).slice(2, 14);
  async function ask(address, options = {}, quiet = false) {
    const mine = ++latest;
    if (!quiet) { asking++; for (const each of all(live)) each.setAttribute("aria-busy", "true"); }
    try {
      const answer = await fetch(address, { ...options, headers: { ...options.headers, "Seethrough-Tab": tab } });
      const text = await answer.text();
      if (mine !== latest) return;  // a newer question is under way; its answer counts
      if (!answer.ok) say(sentence(read(text)));
      else if (answer.redirected && new URL(answer.url).pathname !== location.pathname) location.assign(answer.url);
      else exchange(text);
    } catch {
      if (mine === latest) say("Seethrough does not answer. Is it still running in the terminal?");
    } finally {
      if (!quiet) asking--;
      for (const each of all("[aria-busy=true]")) each.removeAttribute("aria-busy");
    }
  }
  const again = () => asking ? soon() : ask(location.href, {}, true);  // what the user asked comes first

  // Forms and links in the background.
  function send(form, by) {
    const data = new URLSearchParams(new FormData(form, by && by.form === form ? by : undefined));
    if (form.dataset.live) data.append("live", form.dataset.live);
    const target = new URL((by && by.getAttribute("formaction")) || form.getAttribute("action") || "", location.href);
    if (form.method === "post") return ask(target, { method: "POST", body: String(data), headers: { "Content-Type": "application/x-www-form-urlencoded" } });
    target.search = data;
    history.replaceState(null, "", target);
    return ask(target);
  }
  let pause = 0;
  addEventListener("change", (event) => {
    const form = event.target.form;
    if (!form || !form.matches("[data-live]") || event.target.matches("[data-quiet], [type=file]")) return;
    clearTimeout(pause);
    pause = setTimeout(() => send(form), 30);
  });
  addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-live]") || event.submitter?.matches("[data-whole]")) return;
    event.preventDefault();
    clearTimeout(pause);
    send(form, event.submitter);
  });
  addEventListener("click", (event) => {
    const link = event.target.closest("a[data-live]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    ask(link.href);
  });
  addEventListener("popstate", () => { if (!location.hash) again(); });

  // Uploads.
  const amount = (bytes) => bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
  function upload(zone, file, address) {
    const line = document.createElement("div"), bar = document.createElement("progress"), text = document.createElement("p"), stop = document.createElement("button");
    const request = new XMLHttpRequest(), began = performance.now();
    stop.type = "button"; stop.textContent = "Stop";
    bar.max = file.size || 1; bar.setAttribute("aria-label", `Sending ${file.name}`);
    text.textContent = `${file.name}: beginning`;
    line.append(text, bar, stop);
    zone.querySelector("[data-sending]").append(line);
    const ended = (said) => { text.textContent = `${file.name}: ${said}`; bar.remove(); stop.remove(); };
    request.upload.onprogress = (event) => {
      const seconds = (performance.now() - began) / 1000, speed = event.loaded / Math.max(seconds, 0.001);
      bar.value = event.loaded;
      text.textContent = `${file.name}: ${amount(event.loaded)} of ${amount(file.size)}, ${amount(speed)}/s`;
    };
    stop.onclick = () => request.abort();
    request.onabort = () => ended("stopped; nothing of it is kept.");
    request.onerror = () => ended("the connection broke off; nothing of it is kept.");
    request.onload = () => {
      if (request.status < 300) { line.remove(); again(); return; }
      ended(sentence(read(request.responseText)));
    };
    request.open("PUT", address);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("Seethrough-Label", encodeURIComponent(file.name.slice(0, 200)));
    request.send(file);
  }
  function uploadAll(zone, files) {
    const role = zone.dataset.role, several = zone.hasAttribute("data-several");
    let number = Number(zone.dataset.next || 0);
    for (const file of several ? files : [...files].slice(0, 1)) upload(zone, file, `files/${role}/${several ? number++ : 0}`);
    zone.dataset.next = number;
  }
  const zoneOf = (event) => event.target.closest?.("[data-role]"), mark = (zone) => { for (const each of all("[data-role]")) each.classList.toggle("over", each === zone); };
  addEventListener("dragover", (event) => { event.preventDefault(); mark(zoneOf(event)); });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(); });
  addEventListener("drop", (event) => {
    event.preventDefault();  // a file dropped beside a zone must not replace the page
    mark();
    const zone = zoneOf(event);
    if (zone && event.dataTransfer.files.length) uploadAll(zone, event.dataTransfer.files);
  });
  addEventListener("change", async (event) => {
    const field = event.target;
    if (field.type !== "file" || !field.files.length) return;
    const zone = zoneOf(event), into = field.dataset.into && one(field.dataset.into);
    if (zone) uploadAll(zone, field.files);
    else if (into) into.value = await field.files[0].text();
    field.value = "";
  });

  // Following a run.
  let stream = null, planned = 0;
  function soon() { if (!planned) planned = setTimeout(() => { planned = 0; again(); }, 700); }
  function follow() {
    const address = first("[data-events]")?.dataset.events;
    if (!address || stream) return;
    stream = new EventSource(address);  // on waking it asks again with Last-Event-ID by itself
    for (const kind of ["begun", "progress", "outcome", "waiting", "file"]) stream.addEventListener(kind, soon);
    stream.addEventListener("verdict", () => { const go = first("[data-on-verdict]"); if (go) location.assign(go.dataset.onVerdict); else soon(); });
    stream.addEventListener("done", () => { stream.close(); soon(); });
  }
  let timer = 0;
  function ready() {
    follow();
    clearTimeout(timer);
    const wait = first("[data-again]")?.dataset.again;
    if (wait) timer = setTimeout(again, Number(wait));
    const later = first("[data-later]")?.dataset.later;
    if (later) { history.replaceState(null, "", later); ask(later, {}, true); }
  }

  // The map.
  addEventListener("click", (event) => {
    const map = event.target.closest("[data-pick] svg"), form = map && one(map.closest("[data-pick]").dataset.pick);
    if (!form) return;
    const box = map.getBoundingClientRect(), part = (at, start, size) => Math.min(1000, Math.max(0, Math.round(1000 * (at - start) / size)));
    form.elements.x.value = part(event.clientX, box.left, box.width);
    form.elements.y.value = part(event.clientY, box.top, box.height);
    form.submit();
  });
  addEventListener("keydown", (event) => {
    const way = event.target.matches?.("[data-pick]") && first(`[data-arrow="${event.key.slice(5).toLowerCase()}"]`);
    if (way) { event.preventDefault(); way.click(); }
  });

  // Keys.
  let before = "";
  const off = one("keys-off");
  if (off) { off.checked = sessionStorage.getItem("keys") === "off"; off.onchange = () => sessionStorage.setItem("keys", off.checked ? "off" : "on"); }
  addEventListener("keydown", (event) => {
    const on = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || on.isContentEditable || on.matches?.("input:not([type=checkbox]):not([type=radio]), textarea, select")) return;
    if (event.key === "?") { one("keys").showModal(); return; }
    if (event.key.length > 1 || off?.checked) return;
    const found = (before && first(`[data-key="${CSS.escape(before)} ${CSS.escape(event.key)}"]`)) || first(`[data-key="${CSS.escape(event.key)}"]`);
    before = before ? "" : event.key;
    if (found) { before = ""; event.preventDefault(); found.click(); }
  });
  addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    try { await navigator.clipboard.writeText(one(button.dataset.copy).textContent); say("Copied."); } catch { say("This browser does not let pages copy; mark the text instead."); }
  });
  ready();
})();
