// The inbox page of `triage review`. Plain script, no parts from elsewhere.
//
// Texts of messages are hostile. They reach the page in two ways only: `show` makes text nodes of them, with whatever
// cannot be seen turned into a mark, and `plain` does the same for labels that are read out. There is no markup made of
// strings here, and no address made of a text.
'use strict';
(() => {
  const $ = (id) => document.getElementById(id);

  // ---------------------------------------------------------------- Elements and texts

  /** An element; children that are null or false are left out, strings become text nodes. */
  function el(tag, props, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(props || {})) {
      if (value === undefined || value === null || value === false) continue;
      if (name === 'on') {
        for (const [event, action] of Object.entries(value)) node.addEventListener(event, action);
      } else if (name === 'value' || name === 'checked' || name === 'disabled' || name === 'hidden') {
        node[name] = value;
      } else {
        node.setAttribute(name, value === true ? '' : String(value));
      }
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  }

  function icon(name) {
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    svg.setAttribute('aria-hidden', 'true');
    const use = document.createElementNS(space, 'use');
    use.setAttribute('href', '#i-' + name);
    svg.append(use);
    return svg;
  }

  const button = (label, action, props) => el('button', { type: 'button', ...props, on: { click: action } }, label);

  // What stands in a text and cannot be seen, or turns what is around it. What writing needs stays: joiners inside of
  // emoji and between letters of scripts that join, variation selectors behind what they vary, three flags.
  const joining =
    '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
    '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}' +
    '\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Mongolian}';
  const unseen = new RegExp(
    '(\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}' +
      '|\\p{Extended_Pictographic}\\uFE0F?\\p{Emoji_Modifier}?(?:\\u200D\\p{Extended_Pictographic}\\uFE0F?\\p{Emoji_Modifier}?)*' +
      '|[0-9#*]\\uFE0F\\u20E3?' +
      '|(?<=[' + joining + '])[\\u200C\\u200D](?=[' + joining + '])' +
      '|(?<=\\p{Script=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]' +
      '|[\\u0600-\\u0605\\u06DD\\u070F\\u08E2\\t\\n]|\\r(?=\\n))' +
      '|([\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u2800\\u3164\\uFE00-\\uFE0F\\uFFA0\\u{E0100}-\\u{E01EF}])\\2*' +
      '|(\\p{Mn}{7,})' +
      '|(\\n(?:[ \\t\\r]*\\n){5,})',
    'gu');
  const blank = /\n(?:[ \t\r]*\n){5,}/y;

  const code = (character) => 'U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');

  /** The pieces of a text: what can be shown as it is, and marks for what cannot; each with its place. */
  function pieces(text) {
    const found = [];
    let shown = 0;
    let hidden = 0;
    const pass = (end) => {
      if (end > shown) found.push({ start: shown, end, text: text.slice(shown, end) });
    };
    const mark = (start, end, words, rest) => {
      pass(start);
      found.push({ start, end, mark: words, rest });
      shown = end;
    };
    unseen.lastIndex = 0;
    for (let match; (match = unseen.exec(text)); ) {
      const start = match.index;
      if (match[1] !== undefined) {
        blank.lastIndex = start;
        const lines = match[1] === '\n' ? blank.exec(text) : null;
        if (lines) {
          const end = start + lines[0].length;
          pass(start);
          found.push({ start, end: start + 1, text: '\n' });
          shown = start + 1;
          mark(start + 1, end, lines[0].split('\n').length - 2 + ' empty lines', '\n');
          unseen.lastIndex = end;
        }
        continue;
      }
      const end = start + match[0].length;
      if (match[2] !== undefined) {
        const count = match[0].length / match[2].length;
        hidden += count;
        mark(start, end, code(match[2]) + (count > 1 ? ' ×' + count : ''));
      } else if (match[3] !== undefined) {
        const kept = [...match[3]].slice(0, 3).join('');
        pass(start + kept.length);
        shown = start + kept.length;
        mark(shown, end, '+' + ([...match[3]].length - 3) + ' marks');
      }
    }
    pass(text.length);
    return { found, hidden };
  }

  /** A text as it is read out in a label: marks in brackets. */
  function plain(text, limit = 200) {
    const cut = String(text ?? '').slice(0, limit);
    return pieces(cut).found.map((piece) => piece.text ?? '[' + piece.mark + ']').join('').replace(/\s+/g, ' ');
  }

  /** Puts a text into an element as text nodes and marks. `spans`: {start, end, kinds} by UTF-16 index, disjoint. */
  function show(node, text, spans = []) {
    let next = 0;
    for (const piece of pieces(text).found) {
      if (piece.mark !== undefined) {
        node.append(el('span', { class: 'mark' }, '[' + piece.mark + ']'), piece.rest ?? '');
        continue;
      }
      let at = piece.start;
      while (at < piece.end) {
        while (next < spans.length && spans[next].end <= at) next += 1;
        const span = spans[next];
        if (!span || span.start >= piece.end) {
          node.append(text.slice(at, piece.end));
          break;
        }
        if (span.start > at) {
          node.append(text.slice(at, span.start));
          at = span.start;
        }
        const end = Math.min(span.end, piece.end);
        node.append(el('mark', { class: span.kinds, title: span.title }, text.slice(at, end)));
        at = end;
      }
    }
    return node;
  }

  /** Hostile text in a line of ours: kept apart from the direction around it. */
  const said = (text, props) => show(el('bdi', props), String(text ?? ''));

  /** Indexes of a JavaScript string for offsets in its UTF-8 bytes. */
  function indexes(text, offsets) {
    const sorted = [...new Set(offsets)].sort((a, b) => a - b);
    const found = new Map();
    let bytes = 0;
    let at = 0;
    for (const offset of sorted) {
      while (at < text.length && bytes < offset) {
        const unit = text.codePointAt(at);
        const width = unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit < 0x10000 ? 3 : 4;
        if (bytes + width > offset) break;
        bytes += width;
        at += unit > 0xffff ? 2 : 1;
      }
      found.set(offset, at);
    }
    return found;
  }

  const questions = { category: 'category', sentiment: 'sentiment', urgency: 'urgency', opportunity: 'offer', injection: 'injection' };

  /** What a sign of the rules means, in words: ids are for people who write rules. */
  const meaning = (signal, words) => words?.[signal] || 'A signal that the current rules do not describe';

  /** Every piece of evidence of a record: {question, signal, weight, quote, start, end}. */
  function evidence(triage) {
    const rows = [];
    const take = (question, list, part) => {
      for (const entry of Array.isArray(list) ? list : []) rows.push({ question, part, ...entry });
    };
    take('category', triage.category?.because);
    take('sentiment', triage.sentiment?.because);
    take('urgency', triage.urgency?.because);
    for (const [part, value] of Object.entries(triage.opportunity?.breakdown || {})) take('opportunity', value?.because, part);
    take('injection', triage.injection?.because);
    return rows;
  }

  /** Evidence as disjoint spans of the text, in order. */
  function spans(text, rows, words) {
    const placed = rows.filter((row) => Number.isInteger(row.start) && Number.isInteger(row.end) && row.end > row.start);
    const at = indexes(text, placed.flatMap((row) => [row.start, row.end]));
    const cuts = [...new Set(at.values())].sort((a, b) => a - b);
    const result = [];
    for (let k = 0; k + 1 < cuts.length; k += 1) {
      const [start, end] = [cuts[k], cuts[k + 1]];
      const over = placed.filter((row) => at.get(row.start) <= start && at.get(row.end) >= end);
      if (over.length === 0) continue;
      const kinds = [...new Set(over.map((row) => row.question))];
      result.push({ start, end, kinds: kinds.join(' '), title: over.map((row) => questions[row.question] + ': ' + plain(meaning(row.signal, words))).join(', ') });
    }
    return result;
  }

  // ---------------------------------------------------------------- What is kept in the browser

  const shelf = {
    get(name) {
      try { return JSON.parse(localStorage.getItem(name)); } catch { return null; }
    },
    set(name, value) {
      try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* Without a shelf things live as long as the page. */ }
    },
    drop(name) {
      try { localStorage.removeItem(name); } catch { /* As above. */ }
    },
    names(prefix) {
      try { return Object.keys(localStorage).filter((name) => name.startsWith(prefix)).sort(); } catch { return []; }
    },
  };

  /**
   * What a person typed and has not sent: kept through other messages, tabs, updates and reloads.
   *
   * In the storage of this tab, which the browser drops when the tab is closed: words to a person do not lie about in a
   * browser for ever. Names begin with the store, so that the words of one never show up in another on the same port.
   */
  const unsent = {
    kept: new Map(),
    name: (name) => 'triage.unsent.' + (document.body.dataset.store || '') + '.' + name,
    get(name) {
      if (!this.kept.has(name)) {
        let value = null;
        try { value = JSON.parse(sessionStorage.getItem(this.name(name))); } catch { /* As if there were nothing. */ }
        this.kept.set(name, value);
      }
      return this.kept.get(name);
    },
    set(name, value) {
      this.kept.set(name, value);
      try { sessionStorage.setItem(this.name(name), JSON.stringify(value)); } catch { /* It lives as long as the page. */ }
    },
    drop(name) {
      this.kept.set(name, null);
      try { sessionStorage.removeItem(this.name(name)); } catch { /* As above. */ }
    },
    /** Keeps what stands in controls whenever it changes; `first` is what stood there before anybody wrote. */
    watch(name, controls, first) {
      const take = () => {
        const values = {};
        for (const [key, control] of Object.entries(controls)) if (control.value !== first[key]) values[key] = control.value;
        if (Object.keys(values).length) this.set(name, values); else this.drop(name);
      };
      for (const control of Object.values(controls)) for (const event of ['input', 'change']) control.addEventListener(event, take);
    },
    /** Puts it back into controls; says whether there was any. */
    restore(name, controls) {
      const values = this.get(name);
      if (!values) return false;
      for (const [key, control] of Object.entries(controls)) if (typeof values[key] === 'string') control.value = values[key];
      return true;
    },
  };
  const settings = { keys: true, neutral: false, evidence: true, ...(shelf.get('triage.settings') || {}) };

  // ---------------------------------------------------------------- The program behind the page

  class Fault extends Error {
    constructor(status, body) {
      const error = (body && body.error) || {};
      super(error.message || (status ? 'The program answered with ' + status + '.' : 'The program is not responding.'));
      this.status = status;
      this.code = error.code || '';
      this.remedy = error.remedy || '';
      this.where = error.where || '';
      this.faults = (body && (body.faults || error.faults)) || [];
    }
    /** Whether the same request can go well later. */
    get isPassing() {
      return this.status === 0 || this.status >= 500 || [401, 403, 408, 423, 425, 429].includes(this.status);
    }
  }

  async function call(path, options = {}) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), 20000);
    let response;
    let body = null;
    try {
      response = await fetch(path, {
        method: options.method || 'GET', cache: 'no-store', credentials: 'same-origin', redirect: 'error', signal: patience.signal,
        headers: options.body === undefined ? {} : { 'Content-Type': 'application/json' },
        body: options.body === undefined ? undefined : JSON.stringify(options.body),
      });
      const text = await response.text();
      if (text) {
        try { body = JSON.parse(text); } catch { if (response.ok) throw new Error('no JSON'); }
      }
    } catch {
      link('away');
      throw new Fault(0, null);
    } finally {
      clearTimeout(timer);
    }
    if (response.status === 401 || response.status === 403) {
      link('out');
      throw new Fault(response.status, body);
    }
    link('there');
    if (!response.ok) throw new Fault(response.status, body);
    return body;
  }

  // `there`, `away` (no answer) or `out` (this browser is not known to the program that runs now).
  let linked = 'there';
  let patience = 1000;
  let knocking = 0;

  function link(state) {
    if (state !== 'there' && !knocking) {
      knocking = setTimeout(knock, patience);
      patience = Math.min(patience * 2, 8000);
    }
    if (state === linked) return;
    linked = state;
    if (state === 'there') {
      patience = 1000;
      speak('The program is responding again.');
    }
    drawBanner();
    drawUnsaved();
  }

  async function knock() {
    knocking = 0;
    try {
      takeState(await call('/api/state'));
      listen();
      drain();
      refresh();
    } catch { /* `link` has set the next knock. */ }
  }

  function drawBanner() {
    const banner = $('banner');
    banner.hidden = linked === 'there';
    if (linked === 'there') return;
    banner.replaceChildren(
      el('span', {}, linked === 'away'
        ? 'The program is not responding. Your decisions are kept here and saved when it is back.'
        : 'This page is not signed in to the running program. Open the link that “triage review” printed; your decisions here are kept and saved then.'),
      button('Try again', () => { clearTimeout(knocking); patience = 1000; knock(); }));
  }

  // ---------------------------------------------------------------- Decisions: a queue that outlives the page

  const queue = [];
  let draining = false;
  let isLate = false;
  let undoable = 0;
  /** What this page decided, newest last, to take back at once what the eye sees. */
  const stack = [];

  function request() {
    return crypto.randomUUID ? crypto.randomUUID() : [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  let ticket = 0;
  function enqueue(kind, body) {
    const entry = { kind, body: { request: request(), ...body } };
    ticket += 1;
    entry.name = 'triage.queue.' + String(Date.now()).padStart(15, '0') + '.' + String(ticket).padStart(6, '0') + '.' + entry.body.request;
    queue.push(entry);
    shelf.set(entry.name, { kind, body: entry.body });
    undoable = kind === 'undo' ? Math.max(0, undoable - 1) : Math.min(100, undoable + 1);
    drawUndo();
    setTimeout(drawUnsaved, 1500);
    drain();
    return entry;
  }

  /** Sends what waits, one after the other in the order in which it was decided. */
  async function drain() {
    if (draining) return;
    draining = true;
    try {
      while (queue.length) {
        const entry = queue[0];
        let answer;
        try {
          answer = await call(entry.kind === 'undo' ? '/api/undo' : '/api/decisions', { method: 'POST', body: entry.body });
        } catch (fault) {
          if (!(fault instanceof Fault)) throw fault;
          if (fault.isPassing) {
            isLate = true;
            if (fault.status !== 0 && !knocking) {
              knocking = setTimeout(knock, patience);
              patience = Math.min(patience * 2, 8000);
            }
            return;
          }
          settle(entry);
          refused(entry, fault);
          continue;
        }
        settle(entry);
        if (typeof answer?.undo === 'number') {
          undoable = answer.undo;
          for (const rest of queue) undoable = rest.kind === 'undo' ? Math.max(0, undoable - 1) : Math.min(100, undoable + 1);
        }
        drawUndo();
        if (entry.kind === 'undo' && entry.isBlind && answer?.key) {
          details.delete(answer.key);
          local.delete(answer.key);
          speak('Undone: ' + plain(answer.field || ''));
          open(answer.key, view.index);
        }
        soon();
      }
      isLate = false;
    } finally {
      draining = false;
      drawUnsaved();
    }
  }

  function settle(entry) {
    const at = queue.indexOf(entry);
    if (at >= 0) queue.splice(at, 1);
    shelf.drop(entry.name);
  }

  /** The program would not take a decision, and will not later: what the eye sees goes back. */
  function refused(entry, fault) {
    if (entry.kind === 'undo') {
      undoable = fault.status === 409 ? 0 : undoable + 1;
      speak(fault.status === 409 ? 'There is nothing left to undo.' : 'Not undone: ' + fault.message, true);
    } else {
      undoable = Math.max(0, undoable - 1);
      const at = stack.findIndex((one) => one.request === entry.body.request);
      if (at >= 0) restore(stack.splice(at, 1)[0]);
      speak('Not saved: ' + fault.message + (fault.remedy ? ' ' + fault.remedy : ''), true);
    }
    drawUndo();
    refresh();
  }

  function drawUnsaved() {
    const node = $('unsaved');
    const shown = queue.length > 0 && (isLate || linked !== 'there');
    node.hidden = !shown;
    if (shown) node.textContent = 'Not saved: ' + queue.length;
  }

  function drawUndo() {
    const node = $('undo');
    node.disabled = undoable === 0;
    node.setAttribute('aria-label', undoable ? 'Undo, ' + undoable + ' decisions' : 'Undo, nothing to undo');
    $('toast-undo').hidden = undoable === 0;
  }

  /** Brings back what an earlier page could not save. */
  function recall() {
    for (const name of shelf.names('triage.queue.')) {
      const kept = shelf.get(name);
      if (!kept || !kept.body || !kept.body.request) {
        shelf.drop(name);
      } else if (!queue.some((entry) => entry.name === name)) {
        queue.push({ ...kept, name });
      }
    }
    if (queue.length) isLate = true;
    drawUnsaved();
  }

  /** What was decided here and may not be in what the program sent last: key → {field: value}. */
  const local = new Map();

  function apply(item, field, value) {
    item.corrected = { ...(item.corrected || {}) };
    if (field === 'category' || field === 'sentiment') {
      item[field] = value;
      item.corrected[field] = value;
      if (field === 'category') item.level = 'high';
    } else if (field === 'urgent') {
      item.urgent = value === 'true' || value === true;
      item.corrected.urgent = value;
    }
    // To say that a draft is good settles nothing.
    if (field !== 'draft_rating') item.decided = true;
  }

  /** One decision of the person: seen at once, sent when it can be. */
  function decide(item, field, value, words, extra = {}) {
    const before = structuredClone(item);
    const spoken = local.has(item.key) ? { ...local.get(item.key) } : null;
    const index = view.index;
    // Another entry than the one that was found has a member of its own.
    const isEntry = field === 'faq' && value !== 'right' && value !== 'wrong';
    const sent = isEntry ? { entry: value.replace(/^entry:/, '') } : { value: field === 'seen' ? true : value };
    const entry = enqueue('decision', { key: item.key, field, ...sent, ...extra });
    stack.push({ request: entry.body.request, key: item.key, field, item: before, spoken, index, tab: view.tab });
    if (stack.length > 100) stack.shift();
    apply(item, field, value);
    local.set(item.key, { ...(spoken || {}), [field]: value });
    const detail = details.get(item.key);
    if (detail && detail.item !== item) apply(detail.item, field, value);
    speak(words, true);
    redraw(item.key);
  }

  /** Puts back what was seen before a decision. */
  function restore(one) {
    if (one.spoken) local.set(one.key, one.spoken); else local.delete(one.key);
    for (const [number, rows] of view.pages) {
      const at = rows.findIndex((row) => row.key === one.key);
      if (at >= 0) view.pages.get(number)[at] = structuredClone(one.item);
    }
    const detail = details.get(one.key);
    if (detail) {
      detail.item = structuredClone(one.item);
      const at = (detail.corrections || []).findLastIndex((row) => row.field === one.field);
      if (at >= 0 && detail.corrections[at].isOurs) detail.corrections.splice(at, 1);
    }
    if (current && current.key === one.key) current = structuredClone(one.item);
    redraw(one.key);
  }

  const fields = { category: 'category', sentiment: 'sentiment', urgent: 'urgency', faq: 'FAQ match', draft: 'draft', draft_rating: 'draft’s quality', opportunity: 'offer', seen: 'seen' };

  function undo() {
    if (!undoable) {
      speak('Nothing to undo.', true);
      return;
    }
    const one = stack.pop();
    const entry = enqueue('undo', {});
    copied.clear();
    if (!one) {
      entry.isBlind = true;
      return;
    }
    const detail = details.get(one.key);
    if (detail && detail.revision !== undefined) details.delete(one.key);
    restore(one);
    speak('Undone: ' + fields[one.field] + ' of ' + plain(one.item.from || one.item.handle || 'message'), true);
    if (view.tab !== 'profile') open(one.key, one.tab === view.tab ? one.index : view.index, one.item);
  }

  // ---------------------------------------------------------------- The list

  const size = 100;
  const view = { tab: 'all', pill: '', sort: 'score', q: '', decided: false, pages: new Map(), asked: new Map(), total: null, index: -1, key: null, goal: null, run: 0, fault: null, seen: null, newest: 0, newer: 0, firstNew: null };
  let current = null;
  let counts = null;
  let lastChange = -1;

  const isWide = () => matchMedia('(min-width: 60em)').matches;
  const list = $('list');
  const scroller = $('scroller');
  const rowsDrawn = new Map();

  /** `numbers`: messages of which it is asked where they stand in the list now. */
  function address(offset, numbers = []) {
    const words = new URLSearchParams();
    words.set('view', view.tab === 'all' ? view.pill || 'all' : view.tab);
    words.set('sort', view.q ? 'recent' : view.tab === 'business' ? view.sort : view.tab === 'priority' ? 'priority' : 'recent');
    if (view.q) words.set('q', view.q);
    if (view.tab === 'priority' && !view.decided) words.set('decided', 'no');
    words.set('offset', offset);
    words.set('limit', size);
    if (view.seen !== null) words.set('seen', view.seen);
    if (numbers.length) words.set('places', numbers.join());
    return '/api/messages?' + words;
  }

  /** A new list: other tab, filter, order or words. */
  function reset() {
    view.run += 1;
    view.pages.clear();
    view.asked.clear();
    view.total = null;
    view.fault = null;
    view.index = -1;
    view.key = null;
    view.goal = null;
    view.seen = null;
    view.newer = 0;
    view.firstNew = null;
    for (const row of rowsDrawn.values()) row.node.remove();
    rowsDrawn.clear();
    scroller.scrollTop = 0;
    drawList();
    fetchPage(0);
  }

  async function fetchPage(number) {
    if (view.asked.has(number)) return view.asked.get(number);
    const run = view.run;
    const work = (async () => {
      try {
        const answer = await call(address(number * size));
        if (run !== view.run) return;
        view.pages.set(number, taken(answer.items));
        takeTotals(answer);
        relocate();
      } catch (fault) {
        if (run !== view.run) return;
        if (!(fault instanceof Fault)) throw fault;
        view.fault = fault;
      } finally {
        if (run === view.run) {
          view.asked.delete(number);
          drawList();
          if (isWide() && view.index < 0 && !view.key && itemAt(0)) select(0, { quiet: true });
        }
      }
    })();
    view.asked.set(number, work);
    return work;
  }

  /** Rows as the program sends them, with what was decided here and is on its way. */
  function taken(rows) {
    for (const row of rows || []) {
      const waiting = queue.filter((entry) => entry.kind === 'decision' && entry.body.key === row.key);
      for (const entry of waiting) apply(row, entry.body.field, entry.body.value);
      if (!waiting.length && !details.has(row.key) && row.key !== view.key) local.delete(row.key);
    }
    return rows || [];
  }

  function takeTotals(answer) {
    view.total = answer.total || 0;
    view.fault = null;
    view.newest = answer.newest ?? view.newest;
    // What was there when the list was opened is not new.
    if (view.seen === null) view.seen = view.newest;
    const before = view.newer;
    view.newer = answer.newer || 0;
    view.firstNew = answer.first_newer ?? null;
    if (view.newer > before) speak(newWords());
  }

  const newWords = () => view.newer.toLocaleString() + (view.newer === 1 ? ' new message' : ' new messages');

  /** What keeps its place on the screen while the list changes: the chosen row, or else the first that can be seen. */
  function anchor() {
    if (scroller.hidden || document.body.classList.contains('reading') && !isWide()) return null;
    const [first, last] = visible();
    if (view.index >= first && view.index <= last && itemAt(view.index)?.key === view.key) return itemAt(view.index).number;
    const isAtTop = isWide() ? scroller.scrollTop <= 0 : scrollY <= 0;
    return isAtTop ? null : itemAt(first)?.number ?? null;
  }

  /** The first and the last row of which most can be seen. */
  function visible() {
    const height = rowHeight();
    const place = list.getBoundingClientRect();
    const frame = scroller.getBoundingClientRect();
    const bar = document.querySelector('.tabs');
    const low = isWide() || getComputedStyle(bar).position !== 'fixed' ? innerHeight : bar.getBoundingClientRect().top;
    const top = Math.max(0, frame.top) - place.top;
    const bottom = Math.min(low, frame.bottom) - place.top;
    return [Math.max(0, Math.round(top / height)), Math.round(bottom / height) - 1];
  }

  let isRenewing = false;
  let isRenewedAgain = false;
  /** Reads anew what the list shows, and puts it there in one go: nothing that is looked at moves away. */
  async function renew() {
    // What is being read may be from before the change that somebody calls for.
    isRenewedAgain = true;
    if (isRenewing) return;
    isRenewing = true;
    try {
      while (isRenewedAgain) {
        isRenewedAgain = false;
        await renewed();
      }
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
    } finally {
      isRenewing = false;
    }
  }

  async function renewed() {
    const run = view.run;
    // What is on its way was asked before.
    await Promise.all(view.asked.values());
    const indexOf = (number) => {
      for (const [page, rows] of view.pages) {
        const at = rows.findIndex((row) => row.number === number);
        if (at >= 0) return page * size + at;
      }
      return null;
    };
    const chosen = itemAt(view.index)?.key === view.key ? itemAt(view.index)?.number : findItem(view.key)?.number;
    const asked = [anchor(), chosen].filter((number) => Number.isInteger(number));
    const [first, last] = visible();
    const answer = await call(address(Math.floor(Math.max(0, first) / size) * size, asked));
    if (run !== view.run) return;
    const places = new Map(asked.map((number, place) => [number, answer.places?.[place] ?? null]));
    // People may have moved on meanwhile.
    const held = anchor();
    const [before, after] = [held === null ? null : indexOf(held), places.get(held) ?? null];
    const shift = before === null || after === null ? 0 : after - before;
    const pages = new Map([[Math.floor(Math.max(0, first) / size), taken(answer.items)]]);
    const wanted = new Set();
    const [from, to] = isWide() || !document.body.classList.contains('reading') ? visible() : [view.index, view.index];
    for (const index of [from + shift - 8, to + shift + 8, view.index < 0 ? 0 : places.get(chosen) ?? view.index]) {
      const inside = Math.max(0, Math.min((answer.total || 1) - 1, index));
      if (!pages.has(Math.floor(inside / size))) wanted.add(Math.floor(inside / size));
    }
    for (const number of wanted) pages.set(number, taken((await call(address(number * size))).items));
    if (run !== view.run) return;
    view.pages = pages;
    takeTotals(answer);
    if (!view.goal && itemAt(view.index)?.key !== view.key && Number.isInteger(places.get(chosen))) view.index = places.get(chosen);
    relocate();
    const height = rowHeight();
    list.style.height = view.total * height + 'px';
    if (shift) {
      if (isWide()) scroller.scrollTop += shift * height; else scrollBy(0, shift * height);
    }
    drawList();
    if (isWide() && view.index < 0 && !view.key && itemAt(0)) select(0, { quiet: true });
  }

  /** Goes to the first of the new messages; what is read stays open. */
  function showNew() {
    const index = view.firstNew ?? 0;
    view.seen = view.newest;
    view.newer = 0;
    drawList();
    scrollTo(index);
    drawList();
    list.focus({ preventScroll: true });
    if (!isWide() && index === 0) scrollTo0();
  }

  function drawNew() {
    const node = $('fresh');
    if (view.newer && view.firstNew !== null && !scroller.hidden) {
      const [first, last] = visible();
      // Who sees the first of them and all in front of it needs no button.
      if (view.firstNew >= first && view.firstNew + view.newer - 1 <= last) {
        view.seen = view.newest;
        view.newer = 0;
      }
    }
    node.hidden = !view.newer || scroller.hidden;
    if (!node.hidden && node.textContent !== newWords()) node.textContent = newWords();
  }

  const itemAt = (index) => (index < 0 ? undefined : view.pages.get(Math.floor(index / size))?.[index % size]);

  /** Finds the chosen message again after the list changed. */
  function relocate() {
    // Who is on the way to another row is not brought back.
    if (!view.key || view.goal || itemAt(view.index)?.key === view.key) return;
    for (const [number, rows] of view.pages) {
      const at = rows.findIndex((row) => row.key === view.key);
      if (at >= 0) {
        view.index = number * size + at;
        return;
      }
    }
  }

  const rowHeight = () => 6.5 * parseFloat(getComputedStyle(document.documentElement).fontSize);

  function drawList() {
    if (view.tab === 'profile') return;
    const state = listState();
    const box = $('list-state');
    box.hidden = !state;
    box.classList.toggle('fault', Boolean(view.fault && state));
    if (state) box.replaceChildren(...state); else box.replaceChildren();
    const isListed = Boolean(view.total) || view.total === null && !view.fault;
    scroller.hidden = !isListed;
    list.setAttribute('aria-busy', String(view.total === null));
    const total = view.total ?? 6;
    const words = view.total === null ? (view.fault ? '' : 'Loading…') : view.total.toLocaleString() + (view.total === 1 ? ' message' : ' messages');
    if ($('list-count').textContent !== words) $('list-count').textContent = words;
    if (!isListed || document.body.classList.contains('reading') && !isWide()) return;
    drawNew();

    const height = rowHeight();
    list.style.height = total * height + 'px';
    const place = list.getBoundingClientRect();
    const frame = scroller.getBoundingClientRect();
    const top = Math.max(0, frame.top) - place.top;
    const bottom = Math.min(innerHeight, frame.bottom) - place.top;
    const first = Math.max(0, Math.floor(top / height) - 8);
    const last = Math.min(total - 1, Math.ceil(bottom / height) + 8);
    for (const [index, row] of rowsDrawn) {
      if (index < first || index > last) {
        row.node.remove();
        rowsDrawn.delete(index);
      }
    }
    let chosen = null;
    for (let index = first; index <= last; index += 1) {
      const item = itemAt(index);
      let row = rowsDrawn.get(index);
      const look = item ? JSON.stringify(item) + settings.neutral : '';
      if (!row || row.look !== look) {
        const node = drawRow(item, index);
        if (row) row.node.replaceWith(node); else insertRow(node, index);
        row = { node, look };
        rowsDrawn.set(index, row);
      }
      const isChosen = Boolean(item) && item.key === view.key;
      row.node.style.top = index * height + 'px';
      row.node.setAttribute('aria-selected', String(isChosen));
      row.node.setAttribute('aria-setsize', total);
      if (isChosen) chosen = row.node.id;
    }
    if (chosen) list.setAttribute('aria-activedescendant', chosen); else list.removeAttribute('aria-activedescendant');
    if (view.total !== null) {
      for (let number = Math.floor(first / size); number <= Math.floor(Math.max(0, last) / size); number += 1) {
        if (!view.pages.has(number) && !view.asked.has(number) && !view.fault) fetchPage(number);
      }
    }
  }

  /** Rows stand in the order of the list, as they are read out. */
  function insertRow(node, index) {
    let after = null;
    for (const [other, row] of rowsDrawn) {
      if (other > index && (after === null || other < after.index)) after = { index: other, node: row.node };
    }
    list.insertBefore(node, after ? after.node : null);
  }

  function drawRow(item, index) {
    const props = { id: 'row-' + index, class: 'row', role: 'option', 'aria-posinset': index + 1, 'aria-selected': 'false' };
    if (!item) {
      return el('div', { ...props, class: 'row waiting', 'aria-label': 'Loading' }, el('span', { class: 'who' }, '…'), el('span', {}), el('span', { class: 'preview' }, '…'));
    }
    const row = el('div', { ...props, class: item.decided ? 'row decided' : 'row', 'data-key': item.key },
      el('span', { class: 'who' }, said(plain(item.from || item.handle || 'Unknown', 80))),
      time(item.sent_at, 'when'),
      said(String(item.preview || '').replace(/\s+/g, ' '), { class: 'preview', dir: 'auto' }),
      el('span', { class: 'badges' }, badges(item)));
    row.addEventListener('click', () => select(index, { opens: true }));
    return row;
  }

  /** What stands in place of an empty list; null: there are messages. */
  function listState() {
    if (view.fault && view.total === null) {
      return [icon('warn'), el('h3', {}, linked === 'out' ? 'This page is signed out' : 'The messages cannot be read'), el('p', {}, said(view.fault.message), ' ', said(view.fault.remedy)),
        button('Try again', () => { view.fault = null; drawList(); fetchPage(0); }, { class: 'main' })];
    }
    if (view.total !== 0) return null;
    if (view.q) return [icon('all'), el('h3', {}, 'No message matches'), el('p', {}, 'Nothing was found for “', said(view.q), '” here.'), button('Clear the search', () => search(''))];
    if (view.tab === 'priority') return [icon('done'), el('h3', {}, 'All caught up!'), el('p', {}, 'Nothing urgent is left, and nobody is very unhappy.')];
    if (view.tab === 'business') return [icon('business'), el('h3', {}, 'No offers yet'), el('p', {}, 'Messages about paid work appear here, best first.')];
    if (view.pill) return [icon('all'), el('h3', {}, 'No ' + view.pill + ' messages'), el('p', {}, 'Other messages are under All.')];
    return [icon('all'), el('h3', {}, 'No messages yet'), el('p', {}, 'Import some with ', el('code', {}, 'triage sync EXPORT --store ' + (plain(storeName) || 'inbox.db')), '; they appear here by themselves.')];
  }

  function time(value, name) {
    if (value === undefined || value === null || value === '') return el('span', { class: name });
    const date = new Date(typeof value === 'number' ? value * 1000 : value);
    if (isNaN(date)) return el('span', { class: name }, said(plain(value, 40)));
    const now = new Date();
    const sameDay = date.toDateString() === now.toDateString();
    const options = sameDay ? { hour: '2-digit', minute: '2-digit' } : date.getFullYear() === now.getFullYear() ? { day: 'numeric', month: 'short' } : { day: 'numeric', month: 'short', year: 'numeric' };
    return el('time', { class: name, datetime: date.toISOString(), title: date.toLocaleString() }, name === 'whole' ? date.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }) : date.toLocaleString([], options));
  }

  function money(value) {
    if (!value || typeof value.amount !== 'number') return '';
    try {
      return new Intl.NumberFormat([], { style: 'currency', currency: value.currency || 'USD', maximumFractionDigits: 0 }).format(value.amount);
    } catch {
      return value.amount.toLocaleString() + ' ' + plain(value.currency, 8);
    }
  }

  const tiers = { gold: 'gold', blue: 'blue', gray: 'gray' };

  function badges(item, isWhole) {
    const result = [];
    const badge = (name, ...words) => result.push(el('span', { class: 'badge ' + name }, ...words));
    if (item.injection) badge('injection', icon('warn'), 'injection');
    if (item.urgent) badge('urgent', 'urgent', isWhole && item.urgency_kind ? ': ' + plain(item.urgency_kind, 60) : '');
    if (item.category) badge((['fan', 'business', 'spam'].includes(item.category) ? item.category : '') + (item.level === 'low' ? ' unsure' : ''), plain(item.category, 20), item.level === 'low' ? ' ?' : '');
    if (typeof item.score === 'number' && item.category === 'business') {
      const tier = tiers[item.tier] || '';
      badge(tier, tier && icon('star'), String(item.score), tier && el('span', { class: 'visually-hidden' }, ' points, ' + tier));
    }
    if (item.value) badge('', money(item.value));
    if (item.sentiment && (item.sentiment !== 'neutral' || settings.neutral)) badge(['positive', 'negative'].includes(item.sentiment) ? item.sentiment : '', plain(item.sentiment, 20));
    if (item.faq) badge('faq', item.faq.match === 'high' ? 'FAQ' : 'FAQ ?');
    if (item.alike) badge('', '+' + item.alike.toLocaleString() + ' alike');
    if (item.draft && isWhole) badge('ai', 'draft');
    if (item.decided) badge('saved', icon('done'), 'decided');
    return result;
  }

  /** Chooses a row; `opens`: shows it also where list and message do not fit side by side. */
  async function select(index, how = {}) {
    if (view.total !== null) index = Math.max(0, Math.min(view.total - 1, index));
    if (index < 0) return;
    const run = view.run;
    // The way there may be long; what is pressed last is where it goes.
    const goal = { index };
    view.goal = goal;
    view.index = index;
    if (!itemAt(index)) {
      await fetchPage(Math.floor(index / size));
      if (run !== view.run || view.goal !== goal) return;
    }
    view.goal = null;
    const item = itemAt(index);
    if (!item) {
      relocate();
      return;
    }
    view.key = item.key;
    const reads = document.body.classList.contains('reading');
    if (isWide() || how.opens || reads) {
      // A row that is passed over quickly needs no message.
      open(item.key, index, item, how);
    }
    drawList();
    scrollTo(index);
    drawList();
    if (!isWide() && !how.opens && !reads && !how.quiet) list.focus({ preventScroll: true });
  }

  function scrollTo(index) {
    if (scroller.hidden || document.body.classList.contains('reading') && !isWide()) return;
    const height = rowHeight();
    const place = list.getBoundingClientRect();
    const frame = scroller.getBoundingClientRect();
    const top = place.top + index * height;
    const bar = document.querySelector('.tabs');
    const low = isWide() || getComputedStyle(bar).position !== 'fixed' ? innerHeight : bar.getBoundingClientRect().top;
    const [from, to] = [Math.max(0, frame.top), Math.min(low, frame.bottom)];
    const by = top < from ? top - from : top + height > to ? top + height - to : 0;
    if (!by) return;
    if (isWide()) scroller.scrollTop += by; else scrollBy(0, by);
  }

  /** Goes where `place` says, as soon as it is known how long the list is. */
  async function steer(place) {
    const run = view.run;
    if (view.total === null && !view.fault) await fetchPage(0);
    if (run !== view.run || !view.total) return;
    select(place());
  }

  function move(step) {
    if (view.tab === 'profile' || !view.total) return false;
    const isGone = view.index >= 0 && !view.goal && itemAt(view.index)?.key !== view.key;
    const to = view.index < 0 ? 0 : step > 0 && isGone ? view.index : view.index + step;
    if (to < 0 || to >= view.total) {
      speak(to < 0 ? 'This is the first message.' : 'That was the last message.', true);
      return false;
    }
    select(to);
    return true;
  }

  // ---------------------------------------------------------------- A message

  const details = new Map();
  const thread = $('thread');
  /** What is open, written or shown of the message that is read: kept while it is drawn anew. */
  let reading = { key: null };

  function open(key, index, item, how = {}) {
    const isNew = reading.key !== key;
    view.key = key;
    view.index = index;
    current = item || findItem(key) || details.get(key)?.item || { key };
    if (isNew) reading = { key, open: new Set(), limit: 20000, fault: null, feeling: false };
    const wasReading = document.body.classList.contains('reading');
    if (!isWide() && !wasReading) {
      reading.scroll = scrollY;
      view.scroll = scrollY;
      document.body.classList.add('reading');
      history.pushState({ key }, '', '#' + view.tab + '/message');
    } else if (isWide()) {
      document.body.classList.add('reading');
    }
    drawThread();
    if (isNew && isWide()) thread.scrollTop = 0;
    if (!isWide() && (isNew || !wasReading)) {
      scrollTo0();
      if (!thread.contains(document.activeElement)) $('thread-title')?.focus({ preventScroll: true });
    }
    load(key);
    // The next one is there when it is wanted.
    const next = itemAt(index + 1);
    if (next && linked === 'there') setTimeout(() => { if (reading.key === key && !details.has(next.key)) load(next.key); }, 150);
    if (how.opens && isWide()) list.focus({ preventScroll: true });
    drawList();
  }

  const scrollTo0 = () => window.scrollTo(0, 0);

  const findItem = (key) => {
    for (const rows of view.pages.values()) {
      const found = rows.find((row) => row.key === key);
      if (found) return found;
    }
    return null;
  };

  const loading = new Set();
  async function load(key, again) {
    if (loading.has(key) || (details.has(key) && !again)) return;
    loading.add(key);
    try {
      const detail = await call('/api/messages/' + encodeURIComponent(key));
      const waiting = queue.filter((entry) => entry.kind === 'decision' && entry.body.key === key);
      if (detail.item) for (const entry of waiting) apply(detail.item, entry.body.field, entry.body.value);
      if (!waiting.length) local.delete(key);
      details.delete(key);
      details.set(key, detail);
      while (details.size > 40) details.delete(details.keys().next().value);
      if (reading.key === key) {
        reading.fault = null;
        if (detail.item) current = detail.item;
      }
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      if (reading.key === key) reading.fault = fault;
    } finally {
      loading.delete(key);
      if (reading.key === key) drawThreadSoon();
    }
  }

  /** Back from a message to the list, where they do not fit side by side. */
  function close() {
    if (!document.body.classList.contains('reading') || isWide()) return;
    document.body.classList.remove('reading');
    reading = { key: null };
    drawList();
    window.scrollTo(0, view.scroll || 0);
    scrollTo(view.index);
    drawList();
    list.focus({ preventScroll: true });
  }

  /** What people said of a message, the newest of each field. */
  function spoken(detail, key) {
    const result = {};
    for (const row of detail?.corrections || []) {
      if (row.undone || row.is_undone || row.undoes) continue;
      if (result[row.field] === undefined || (row.feedback ?? 0) >= (result[row.field].feedback ?? 0)) result[row.field] = row;
    }
    for (const [field, row] of Object.entries(result)) result[field] = row.value;
    return { ...result, ...(local.get(key) || {}) };
  }

  function drawThread() {
    const focus = document.activeElement;
    const held = thread.contains(focus) ? focus.getAttribute('data-f') || 'title' : null;
    const isText = (node) => node?.matches?.('textarea, input:not([type=checkbox])');
    const selection = isText(focus) ? [focus.selectionStart, focus.selectionEnd, focus.scrollTop] : null;
    const key = reading.key;
    if (!key || !current) {
      thread.replaceChildren(el('div', { class: 'state' }, icon('all'), el('p', {}, 'Choose a message to read it.')));
      return;
    }
    const detail = details.get(key);
    const item = detail?.item || current;
    const triage = detail?.record?.triage || {};
    const text = detail ? String(detail.text ?? detail.record?.text ?? '') : null;
    const words = spoken(detail, key);
    const parts = [drawHead(item, detail)];
    if (detail) {
      parts.push(drawWarning(triage, text), drawBubbles(item, detail, triage, text), drawDecide(item, words), drawAlike(item, detail), drawAdvice(detail), drawFAQ(item, triage, words), drawDraft(item, detail, triage, words), drawOffer(item, triage, words, detail.reasons), drawReasons(triage, detail.reasons), drawHistory(detail));
    } else if (reading.fault) {
      parts.push(el('div', { class: 'card warn' }, el('h3', {}, icon('warn'), 'The whole message cannot be read now'), el('p', {}, said(reading.fault.message)),
        el('div', { class: 'actions' }, button('Try again', () => { reading.fault = null; drawThread(); load(key); }, { 'data-f': 'again' }))),
      el('div', { class: 'bubble this' }, said(item.preview || '', { class: 'text', dir: 'auto' })), drawDecide(item, words));
    } else {
      parts.push(el('p', { class: 'quiet', role: 'status' }, 'Loading the message…'), el('div', { class: 'bubble this' }, said(item.preview || '', { class: 'text', dir: 'auto' })), drawDecide(item, words));
    }
    thread.replaceChildren(el('div', { class: 'thread' }, parts));
    if (held) {
      const target = held === 'title' ? $('thread-title') : [...thread.querySelectorAll('[data-f]')].find((node) => node.getAttribute('data-f') === held && !node.disabled) || $('thread-title');
      target?.focus({ preventScroll: true });
      if (selection && isText(target)) {
        target.setSelectionRange(selection[0], selection[1]);
        target.scrollTop = selection[2];
      }
    }
  }

  let isPressed = false;
  let isDue = false;
  /** Draws the message anew for what the program said, not while something is pressed: a button that is replaced between
      press and release is never clicked, and words that are being marked lose their marks. */
  function drawThreadSoon() {
    if (isPressed || isComposing || thread.contains(document.activeElement) && document.activeElement.matches('select')) isDue = true; else drawThread();
  }
  // Words that an input method is making up, and a list that is open, are not taken from under the hand either.
  let isComposing = false;
  const letGo = () => setTimeout(() => {
    if (!isDue || isPressed || isComposing) return;
    isDue = false;
    drawThreadSoon();
  });
  addEventListener('compositionstart', () => { isComposing = true; }, true);
  addEventListener('compositionend', () => { isComposing = false; letGo(); }, true);
  thread.addEventListener('focusout', letGo);
  // Only the keys that press a button when they are let go: of others the answer comes with the press.
  const presses = (event) => !event.key || event.key === ' ';
  for (const name of ['pointerdown', 'keydown']) {
    addEventListener(name, (event) => { if (presses(event)) isPressed = true; }, { capture: true, passive: true });
  }
  for (const name of ['pointerup', 'pointercancel', 'keyup', 'blur']) {
    addEventListener(name, (event) => {
      // Elements are left, too, and not only the page.
      if (!isPressed || !presses(event) || name === 'blur' && event.target !== window) return;
      // The click comes after the release.
      setTimeout(() => {
        isPressed = false;
        if (!isDue) return;
        isDue = false;
        drawThreadSoon();
      });
    }, { capture: true, passive: true });
  }

  function drawHead(item, detail) {
    const record = detail?.record || {};
    const title = record.conversation_title;
    return el('header', { class: 'thread-head' },
      el('div', { class: 'line' },
        button([icon('back'), 'Back'], () => history.back(), { class: 'only-narrow', 'data-f': 'back' }),
        button('Previous', () => move(-1), { 'data-f': 'previous' }),
        button('Next', () => move(1), { 'data-f': 'next' }),
        el('h2', { id: 'thread-title', tabindex: -1 }, said(item.from || item.handle || 'Unknown'))),
      el('p', { class: 'quiet' },
        item.handle && item.handle !== item.from ? [said(item.handle), ' · '] : null,
        said(item.platform || ''), item.sent_at ? ' · ' : '', time(item.sent_at, 'whole'),
        title && title !== item.from ? [' · ', said(title)] : null),
      el('div', { class: 'badges' }, badges(item, true),
        item.sentiment === 'neutral' && !settings.neutral && reading.feeling ? el('span', { class: 'badge' }, 'neutral') : null));
  }

  function drawDecide(item, words) {
    const isThin = !isWide();
    const kind = (name, key) => button([isThin && icon(name), name[0].toUpperCase() + name.slice(1)].filter(Boolean), () => setKind(name), { class: name, 'aria-pressed': String(item.category === name), 'aria-keyshortcuts': settings.keys ? key : null, 'data-f': 'kind-' + name });
    const isNeutralShown = settings.neutral || reading.feeling || words.sentiment;
    const feeling = (name, key) => button(name[0].toUpperCase() + name.slice(1), () => setFeeling(name), { 'aria-pressed': String(item.sentiment === name && (name !== 'neutral' || Boolean(isNeutralShown))), 'aria-keyshortcuts': settings.keys ? key : null, 'data-f': 'feeling-' + name });
    const kinds = [kind('fan', '1'), kind('business', '2'), kind('spam', '3')];
    const urgent = button('Urgent', setUrgent, { 'aria-pressed': String(Boolean(item.urgent)), 'aria-keyshortcuts': settings.keys ? 'u' : null, 'data-f': 'urgent' });
    const feelings = () => el('div', { class: 'pills', role: 'group', 'aria-label': 'Sentiment' }, feeling('positive', '+'), feeling('neutral', '0'), feeling('negative', '-'));
    const accepting = { class: 'main', 'aria-keyshortcuts': settings.keys ? 'e' : null, 'data-f': 'accept' };
    if (isThin) {
      // One row at the thumb. What is seldom wanted unfolds above it and stands before it, so that the row stays put.
      return el('div', { class: 'card decide thin' },
        el('div', { id: 'more', class: 'more', hidden: !reading.feeling }, el('div', { class: 'pills' }, urgent), feelings()),
        el('div', { class: 'row-of' },
          el('div', { class: 'row-of', role: 'group', 'aria-label': 'Category' }, kinds),
          button([icon('done'), el('span', {}, 'Accept', el('span', { class: 'visually-hidden' }, ' and next'))], accept, accepting),
          button([icon('more'), 'More'], () => showMore(!reading.feeling), { 'aria-expanded': String(reading.feeling), 'aria-controls': 'more', 'data-f': 'more' })));
    }
    return el('div', { class: 'card decide' },
      el('div', { class: 'groups' }, el('div', { class: 'pills', role: 'group', 'aria-label': 'Category' }, kinds), el('div', { class: 'pills' }, urgent)),
      el('div', { class: 'actions' },
        button([icon('done'), 'Accept and next'], accept, accepting),
        button(reading.feeling ? 'Hide sentiment' : 'Sentiment…', () => { reading.feeling = !reading.feeling; drawThread(); }, { 'aria-expanded': String(reading.feeling), 'data-f': 'feeling' })),
      reading.feeling ? feelings() : null);
  }

  /** Nearly the same text of other senders: one row of the list stands for all of them, and one decision can, too. */
  function drawAlike(item, detail) {
    const others = detail.alike;
    if (!others?.length) return null;
    const count = item.alike || others.length;
    const all = (count + 1).toLocaleString();
    const choose = (title, field, value) => button(title, () => decide(item, field, value, all + ' messages: ' + (field === 'seen' ? 'seen' : value), { alike: true }), { 'data-f': 'alike-' + value, 'aria-label': title + ', all ' + all });
    const rows = others.map((other) => el('li', {}, button([said(plain(other.from || other.handle || 'Unknown', 80)), ': ', said(plain(other.preview, 120), { dir: 'auto' })], () => open(other.key, view.index, other), { class: 'plain', 'data-f': 'alike-' + other.key })));
    return el('section', { class: 'card', 'aria-label': 'Messages alike' },
      el('h3', {}, count.toLocaleString() + ' more like this'),
      el('p', { class: 'quiet' }, 'Other senders sent nearly the same text. Decide on all ' + all + ' at once; undo takes all of it back.'),
      el('div', { class: 'actions', role: 'group', 'aria-label': 'Decide on all' }, choose('All fan', 'category', 'fan'), choose('All business', 'category', 'business'), choose('All spam', 'category', 'spam'), choose('All seen', 'seen', 'true')),
      fold('alike', 'Show them' + (others.length < count ? ': the first ' + others.length : ''), el('ul', { class: 'alike' }, rows)));
  }

  /** Unfolds what stands above the row of decisions and goes there; or folds it and goes back. */
  function showMore(isOpen) {
    reading.feeling = isOpen;
    drawThread();
    thread.querySelector(isOpen ? '#more button' : '[data-f=more]')?.focus();
  }

  function drawWarning(triage, text) {
    const suspected = triage.injection?.suspected;
    const hidden = pieces(text.slice(0, 200000)).hidden;
    if (!suspected && !hidden) return null;
    const quotes = [...new Set((triage.injection?.because || []).map((row) => row.quote).filter(Boolean))];
    return el('section', { class: 'card warn', 'aria-label': 'Warning' },
      el('h3', {}, icon('warn'), suspected ? 'Possible injection: this message addresses automated readers' : 'This message has hidden characters'),
      suspected ? el('p', {}, 'Its instructions were not followed. Read it carefully before you reply.') : null,
      hidden ? el('p', {}, hidden.toLocaleString() + (hidden === 1 ? ' hidden character is shown as a mark' : ' hidden characters are shown as marks') + ' such as [U+202E].') : null,
      quotes.length ? el('ul', { class: 'insights' }, quotes.slice(0, 4).map((quote) => el('li', {}, said(quote)))) : null);
  }

  function drawText(text, isThis, triage, name) {
    const limit = isThis ? reading.limit : 4000;
    let shown = text;
    let cut = false;
    const wanted = reading.open.has('whole-' + name) ? Infinity : limit;
    if (text.length > wanted) {
      shown = text.slice(0, wanted);
      if (/[\uD800-\uDBFF]$/.test(shown)) shown = shown.slice(0, -1);
      cut = true;
    }
    const node = el('div', { class: 'text', dir: 'auto', lang: isThis ? language(triage) : null });
    show(node, shown, isThis && settings.evidence ? spans(shown, evidence(triage), details.get(reading.key)?.reasons) : []);
    if (!text) node.append(el('span', { class: 'quiet' }, 'No text.'));
    if (!cut) return [node];
    const left = text.length - shown.length;
    return [node, button('Show ' + (isThis ? Math.min(left, 20000).toLocaleString() + ' more of ' : 'all ') + text.length.toLocaleString() + ' characters', () => {
      if (isThis) reading.limit += 20000; else reading.open.add('whole-' + name);
      drawThread();
    }, { 'data-f': 'more-' + name })];
  }

  const language = (triage) => (/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(triage.language?.tag || '') ? triage.language.tag : null);

  function drawBubbles(item, detail, triage, text) {
    const rows = (detail.thread || []).length ? detail.thread : [{ from: item.from, text, sent_at: item.sent_at, is_this: true }];
    const placed = evidence(triage).filter((row) => Number.isInteger(row.start));
    const kinds = [...new Set(placed.map((row) => row.question))];
    return el('section', { class: 'bubbles', 'aria-label': 'Conversation' },
      kinds.length ? el('div', { class: 'legend' },
        el('label', { class: 'switch' }, el('input', { type: 'checkbox', checked: settings.evidence, 'data-f': 'evidence', on: { change: (event) => { settings.evidence = event.target.checked; shelf.set('triage.settings', settings); drawThread(); } } }), el('span', {}, 'Show evidence')),
        settings.evidence ? kinds.map((kind) => el('mark', { class: kind }, questions[kind])) : null) : null,
      el('ol', { class: 'bubbles' }, rows.map((row, place) => el('li', { class: 'bubble' + (row.is_self ? ' self' : '') + (row.is_this ? ' this' : '') },
        el('div', { class: 'head' }, el('strong', {}, row.is_self ? 'You' : said(row.from || 'Unknown')), time(row.sent_at, 'whole'), row.is_this && rows.length > 1 ? el('span', {}, 'this message') : null),
        drawText(row.is_this ? text : String(row.text ?? ''), row.is_this, triage, place),
        (row.is_this ? detail.text_cut : row.text_cut) ? el('p', { class: 'quiet' }, 'The rest is too long for this page; triage show prints it.') : null))));
  }

  const thumbs = (name, good, bad, value, yes, no) => [
    button(icon('up'), good, { 'aria-label': name + ': good', 'aria-pressed': String(value === yes), 'data-f': name + '-up' }),
    button(icon('down'), bad, { 'aria-label': name + ': bad', 'aria-pressed': String(value === no), 'data-f': name + '-down' }),
  ];

  /** What a person is told of an entry of the library: its question, as far as it is known. */
  const entryWords = (id, limit = 90) => plain((library || []).find((entry) => entry.id === id)?.question || human(id), limit);

  function drawFAQ(item, triage, words) {
    const faq = triage.faq;
    if (!faq) return null;
    const chosen = words.faq;
    const other = el('select', { 'data-f': 'faq-other', on: { change: (event) => { if (event.target.value) setFAQ(event.target.value); } } },
      el('option', { value: '' }, 'Another answer fits…'), el('option', { value: 'none' }, 'None fits'),
      (library || []).filter((entry) => entry.id !== faq.id).map((entry) => el('option', { value: 'entry:' + entry.id }, plain(entry.question, 90))));
    other.value = chosen === 'none' || String(chosen || '').startsWith('entry:') ? chosen : '';
    if (!library) loadLibrary();
    const answer = String(faq.answer || '');
    const names = blanks(answer);
    const shown = drawFill(answer, names, writing(item.key).fills, 'text answer');
    return el('section', { class: 'card ai', 'aria-label': 'FAQ suggestion' },
      el('h3', {}, 'FAQ suggestion', el('span', { class: 'badge ' + (faq.match === 'high' ? 'positive' : 'gold') }, faq.match === 'high' ? 'High match' : 'Possible match')),
      el('p', { class: 'quiet' }, 'Question detected'),
      said(faq.question || faq.id, { class: 'text', dir: 'auto' }),
      shown,
      drawBlanks(item.key, 'faq', names, answer, shown),
      chosen ? el('p', { class: 'quiet' }, 'You said: ' + faqWords(chosen)) : null,
      el('div', { class: 'actions' },
        button('Copy answer', () => copyAnswer(item.key, answer), { 'data-f': 'faq-copy' }),
        thumbs('FAQ suggestion', () => setFAQ('right'), () => setFAQ('wrong'), chosen, 'right', 'wrong'),
        el('label', { class: 'choice' }, el('span', { class: 'visually-hidden' }, 'The answer that fits'), other)));
  }

  const faqWords = (value) => (value === 'none' ? 'none fits' : String(value).startsWith('entry:') ? 'right entry: “' + entryWords(String(value).slice(6)) + '”' : plain(value));

  // ---- Blanks: what only the person knows stands in braces, and is asked for before anything is copied.

  const brace = /\{([\p{L}_][\p{L}\p{N}_ .-]{0,39})\}/gu;

  /** The names of the blanks of a text, in order; `names`: those that it is said to have. */
  function blanks(text, names = []) {
    const found = new Map();
    for (const match of String(text).matchAll(brace)) if (!found.has(match[1])) found.set(match[1], match.index);
    for (const name of names || []) {
      const at = String(text).indexOf('{' + name + '}');
      if (at >= 0 && !found.has(name)) found.set(name, at);
    }
    return [...found].sort((a, b) => a[1] - b[1]).map(([name]) => name);
  }

  /** Calls `body` with each piece of a text, and with the name of the blank that it is. */
  function forEachPiece(text, names, body) {
    const known = names.map((name) => ['{' + name + '}', name]);
    let rest = String(text);
    while (rest) {
      const found = known.map(([words, name]) => [rest.indexOf(words), words, name]).filter(([at]) => at >= 0).sort((a, b) => a[0] - b[0])[0];
      if (!found) break;
      if (found[0]) body(rest.slice(0, found[0]), null);
      body(found[1], found[2]);
      rest = rest.slice(found[0] + found[1].length);
    }
    if (rest) body(rest, null);
  }

  const isFilled = (fills, name) => Boolean(String(fills?.[name] ?? '').trim());

  /** A text with its blanks filled in. What is filled in is not looked through again. */
  function fillIn(text, names, fills) {
    let whole = '';
    forEachPiece(text, names, (words, name) => { whole += name !== null && isFilled(fills, name) ? String(fills[name]).trim() : words; });
    return whole;
  }

  /** A text with its blanks marked, and what is written into them. */
  function drawFill(text, names, fills, look = 'text') {
    const node = el('div', { class: look, dir: 'auto' });
    forEachPiece(text, names, (words, name) => {
      if (name === null) show(node, words);
      else if (isFilled(fills, name)) node.append(show(el('span', { class: 'fill done' }), String(fills[name]).trim()));
      else node.append(show(el('span', { class: 'fill' }), words));
    });
    return node;
  }

  /** A field for each blank; what is typed shows up at once in every text that has the blank. */
  function drawBlanks(key, place, names, text, shown) {
    if (!names.length) return null;
    const draw = () => shown.replaceChildren(...drawFill(text, names, writing(key).fills).childNodes);
    return el('div', { class: 'blanks', role: 'group', 'aria-label': 'To fill in' }, names.map((name) => {
      const field = el('input', { value: writing(key).fills[name] || '', dir: 'auto', autocomplete: 'off', maxlength: 2000, 'data-f': 'fill-' + place + '-' + name, 'data-blank': place, on: { input: (event) => {
        write(key, { fills: { ...writing(key).fills, [name]: event.target.value } });
        for (const other of thread.querySelectorAll('[data-blank]')) {
          if (!other.dataset.f.endsWith('-' + name)) continue;
          if (other !== event.target) other.value = event.target.value;
          redraws.get(other)?.();
        }
      } } });
      redraws.set(field, draw);
      return el('label', { class: 'field' }, el('span', {}, 'Fill in: ', said(name.replace(/_/g, ' '))), field);
    }));
  }

  /** How the text beside a field of a blank is drawn anew. */
  const redraws = new WeakMap();

  /** Says which blanks are left, and goes to the first; nothing is copied. */
  function askFor(left, place) {
    const fields = [...thread.querySelectorAll('[data-blank=' + place + ']')];
    const field = fields.find((node) => node.dataset.f === 'fill-' + place + '-' + left[0]);
    field?.focus();
    field?.scrollIntoView({ block: 'nearest' });
    speak('Not copied yet: fill in ' + left.map((name) => plain(name.replace(/_/g, ' '), 40)).join(', ') + ' first.', true);
  }

  // ---- Replies that are being written, by message.

  /** `edit`: words of one's own; `isOpen`: whether they are shown; `fills`: what goes into the blanks. */
  const writing = (key) => ({ edit: null, isOpen: false, fills: {}, ...(unsent.get('reply.' + key) || {}) });

  function write(key, change) {
    const state = { ...writing(key), ...change };
    const isEmpty = state.edit === null && !Object.values(state.fills).some(Boolean);
    if (isEmpty) unsent.drop('reply.' + key); else unsent.set('reply.' + key, state);
  }

  /** What was copied last of each message, to tell words that are copied once more. */
  const copied = new Map();

  /** The card that stands in place of a draft where no reply is wise. */
  function drawAdvice(detail) {
    if (detail.advice !== 'keep-evidence') return null;
    return el('section', { class: 'card warn', 'aria-label': 'Advice' },
      el('h3', {}, icon('warn'), 'Keep the evidence; do not answer'),
      el('p', {}, 'This reads like a threat or abuse. There is no reply to copy: answering can make it worse.'),
      el('ul', { class: 'insights' },
        el('li', {}, 'Do not delete the message or the conversation. Take screenshots that show the sender’s name, the words and the time.'),
        el('li', {}, 'Report the sender to the platform before you block them.'),
        el('li', {}, 'Tell somebody you trust. If anyone may be in danger now, call the police or the emergency services.')));
  }

  /** Why there is no draft, in words. */
  const noDraftWords = {
    joke: 'It reads like a joke; a serious reply would be out of place.',
    abuse: 'It reads like abuse; a reply would gain nothing.',
    'nothing-to-answer': 'It asks for nothing.',
    'needs-a-fact': 'It asks something that neither your FAQ nor your profile answers.',
    unsure: 'It is not clear enough what the sender wants.',
  };

  function drawDraft(item, detail, triage, words) {
    const draft = triage.draft;
    if (detail.advice === 'keep-evidence') return null;
    if (!draft && triage.no_draft) {
      return el('section', { class: 'card', 'aria-label': 'No draft', 'data-f': 'no-draft' },
        el('h3', {}, 'No draft'), el('p', { class: 'quiet' }, noDraftWords[triage.no_draft] || noDraftWords.unsure));
    }
    if (!draft) return null;
    const fate = words.draft;
    const state = writing(item.key);
    if (fate === 'dismissed' && !reading.open.has('draft')) {
      return el('section', { class: 'card ai', 'aria-label': 'Draft' }, el('h3', {}, 'Draft dismissed'),
        el('div', { class: 'actions' }, button('Show it', () => { reading.open.add('draft'); drawThread(); }, { 'data-f': 'draft-show' })));
    }
    const base = String(draft.text || '');
    const names = blanks(base, draft.fill);
    const isEdited = state.isOpen && state.edit !== null;
    const area = isEdited ? el('textarea', { rows: 7, dir: 'auto', 'aria-label': 'Your reply', 'data-f': 'draft-text', value: state.edit, on: { input: (event) => write(item.key, { edit: event.target.value, isOpen: true }) } }) : null;
    const shown = isEdited ? area : drawFill(base, names, state.fills);
    return el('section', { class: 'card ai', 'aria-label': 'Draft' },
      el('h3', {}, 'Draft', el('span', { class: 'quiet' }, 'this page sends nothing: copy it')),
      shown,
      isEdited ? null : drawBlanks(item.key, 'draft', names, base, shown),
      el('p', { class: 'quiet' }, 'Based on ', basis(draft), fate ? ' · you said: ' + plain(fate) : '', state.edit !== null && !isEdited ? ' · your edit is kept' : ''),
      el('div', { class: 'actions' },
        button(isEdited ? 'Original' : state.edit !== null ? 'Back to your edit' : 'Edit', () => editDraft(item.key, base, names), { 'data-f': 'draft-edit' }),
        button('Copy', copyDraft, { class: 'main', 'aria-keyshortcuts': settings.keys ? 'c' : null, 'data-f': 'draft-copy' }),
        button('Dismiss', dismissDraft, { 'aria-keyshortcuts': settings.keys ? 'x' : null, 'data-f': 'draft-dismiss' }),
        button('Report…', reportDraft, { class: 'danger', 'data-f': 'draft-report' }),
        thumbs('Draft', () => rateDraft('good'), () => rateDraft('bad'), words.draft_rating, 'good', 'bad')));
  }

  /** Opens a draft to write in, or shows it as it was; words of one's own are kept for the next time. */
  function editDraft(key, base, names) {
    const state = writing(key);
    if (state.isOpen && state.edit !== null) {
      const isOwn = state.edit.trim() && state.edit !== fillIn(base, names, state.fills);
      write(key, isOwn ? { isOpen: false } : { isOpen: false, edit: null });
    } else {
      write(key, { isOpen: true, edit: state.edit ?? fillIn(base, names, state.fills) });
    }
    drawThread();
    thread.querySelector('[data-f=draft-text]')?.focus();
  }

  /** What a draft was made of, in words. */
  function basis(draft) {
    const [kind, name] = String(draft.based_on || '').split(/:(.*)/s);
    const made = String(draft.by || '').split('.').pop() === 'llm' ? ', worded by a language model' : '';
    if (kind === 'faq' && name) return ['your answer to “', said(entryWords(name)), '”', made];
    if (kind === 'template') return ['a template' + made];
    return [made ? 'the message' + made : 'the message'];
  }

  const partNames = { monetary: 'Money', brand_fit: 'Brand fit', legitimacy: 'Legitimacy', urgency: 'Urgency' };

  function drawOffer(item, triage, words, reasons) {
    const offer = triage.opportunity;
    if (!offer) return null;
    const tier = tiers[offer.tier] || '';
    const filled = Math.round(Number(offer.stars) || 0);
    const parts = Object.entries(offer.breakdown || {});
    const isGone = words.opportunity === 'dismissed';
    return el('section', { class: 'card', 'aria-label': 'What the offer is worth' },
      el('h3', {}, 'What the offer is worth', isGone ? el('span', { class: 'badge' }, 'dismissed') : null),
      el('div', { class: 'total' }, el('strong', {}, String(offer.score)), el('span', {}, 'of 100'),
        el('span', { class: 'stars ' + tier, role: 'img', 'aria-label': offer.stars + ' of 5 stars' }, '★'.repeat(filled) + '☆'.repeat(Math.max(0, 5 - filled))),
        tier ? el('span', { class: 'badge ' + tier }, icon('star'), tier) : el('span', { class: 'badge' }, 'no star'),
        offer.budget ? el('span', {}, money(offer.budget) + (offer.budget.currency !== 'USD' && typeof offer.budget.usd === 'number' ? ' (about ' + money({ amount: offer.budget.usd, currency: 'USD' }) + ')' : '')) : null,
        offer.deadline ? el('span', { class: 'quiet' }, 'by ', said(offer.deadline)) : null),
      el('ul', { class: 'bars' }, parts.map(([name, part]) => {
        const bar = el('div', {});
        const share = part.of > 0 ? Math.max(0, Math.min(1, part.points / part.of)) : 0;
        bar.style.width = share * 100 + '%';
        const label = partNames[name] || human(name);
        return el('li', {}, el('div', { class: 'name' }, el('span', {}, label), el('span', {}, part.points + ' of ' + part.of)),
          el('div', { class: 'track', role: 'meter', 'aria-label': label, 'aria-valuemin': 0, 'aria-valuemax': part.of, 'aria-valuenow': part.points, 'aria-valuetext': part.points + ' of ' + part.of + ' points' }, bar));
      })),
      offer.insights?.length ? el('ul', { class: 'insights' }, offer.insights.map((insight) => el('li', {}, said(insight)))) : null,
      fold('scores', 'Why this scores ' + offer.score, parts.map(([name, part]) => [el('h4', {}, partNames[name] || human(name)), because(part.because, reasons)])),
      el('div', { class: 'actions' }, button(isGone ? 'Dismissed' : 'Dismiss offer', dismissOffer, { disabled: isGone, 'aria-keyshortcuts': settings.keys ? 'd' : null, 'data-f': 'offer-dismiss' })));
  }

  /** Something to unfold that stays unfolded while the message is drawn anew. */
  function fold(name, title, content) {
    const node = el('details', { on: { toggle: () => { if (node.open) reading.open.add(name); else reading.open.delete(name); } } }, el('summary', { 'data-f': 'fold-' + name }, title), content);
    node.open = reading.open.has(name);
    return node;
  }

  function because(rows, reasons) {
    if (!rows?.length) return el('p', { class: 'quiet' }, 'Nothing in the text.');
    return el('ul', { class: 'because' }, rows.map((row) => el('li', {},
      el('span', { class: 'weight' }, (row.weight > 0 ? '+' : '') + row.weight), said(meaning(row.signal, reasons)), row.quote !== undefined ? el('q', { dir: 'auto' }, said(row.quote)) : null)));
  }

  function drawReasons(triage, reasons) {
    const one = (title, answer, words) => (answer ? [el('h4', {}, title + ': ', said(words)), because(answer.because, reasons)] : null);
    const sure = (answer) => (typeof answer?.confidence === 'number' ? ', ' + Math.round(answer.confidence * 100) + ' % sure' : '');
    const feeling = triage.sentiment?.label;
    const isHidden = feeling === 'neutral' && !settings.neutral && !reading.feeling;
    return el('section', { class: 'card', 'aria-label': 'Why these answers' }, fold('why', 'Why these answers', [
      one('Category', triage.category, (triage.category?.label ?? 'none') + sure(triage.category)),
      isHidden ? null : one('Sentiment', triage.sentiment, (feeling ?? 'none') + sure(triage.sentiment)),
      one('Urgency', triage.urgency, triage.urgency?.urgent ? 'urgent' : 'not urgent'),
      triage.injection?.suspected ? one('Injection', triage.injection, 'suspected') : null,
      el('p', { class: 'quiet' }, 'Priority ' + (triage.priority ?? '–') + ' of 100')]),
    (triage.problems || []).map((problem) => el('p', { class: 'quiet' }, said(problem.message || human(problem.code)))));
  }

  function drawHistory(detail) {
    const rows = (detail.corrections || []).filter((row) => !row.undoes);
    if (!rows.length) return null;
    return el('section', { class: 'card', 'aria-label': 'Decisions' }, fold('history', 'Decisions on this message: ' + rows.length, el('ul', { class: 'because' }, rows.map((row) => el('li', {},
      time(row.at, 'whole'), el('span', {}, fields[row.field] || human(row.field), ': ', said(row.field === 'faq' ? faqWords(row.value) : row.value === 'true' ? 'yes' : row.value === 'false' ? 'no' : row.value)), row.undone || row.is_undone ? el('span', { class: 'quiet' }, 'taken back') : null, row.note ? said(row.note) : null)))));
  }

  /** Draws what shows this message. */
  function redraw(key) {
    drawList();
    if (reading.key === key) drawThread();
  }

  // ---------------------------------------------------------------- What a person can decide

  const shown = () => (reading.key && (isWide() || document.body.classList.contains('reading')) ? findItem(reading.key) || details.get(reading.key)?.item || current : itemAt(view.index));
  const nameOf = (item) => plain(item.from || item.handle || 'Message', 40);

  function withItem(action) {
    if (view.tab === 'profile') return;
    const item = shown();
    if (!item || !item.key) {
      speak('Choose a message first.', true);
      return;
    }
    action(item);
  }

  const setKind = (kind) => withItem((item) => {
    if (item.corrected?.category === kind) return speak(nameOf(item) + ' is ' + kind + ' already.', true);
    decide(item, 'category', kind, nameOf(item) + ': ' + kind);
  });

  const setFeeling = (feeling) => withItem((item) => {
    if (item.corrected?.sentiment === feeling) return speak(nameOf(item) + ' is ' + feeling + ' already.', true);
    decide(item, 'sentiment', feeling, nameOf(item) + ': ' + feeling);
  });

  const setUrgent = () => withItem((item) => decide(item, 'urgent', item.urgent ? 'false' : 'true', nameOf(item) + (item.urgent ? ': not urgent' : ': urgent')));

  function accept() {
    withItem((item) => {
      const isNew = !item.decided;
      if (!isNew && item.category && !item.corrected?.category && !item.corrected?.seen) {
        decide(item, 'category', item.category, nameOf(item) + ': accepted as ' + item.category);
      } else if (isNew) {
        if (item.category) decide(item, 'category', item.category, nameOf(item) + ': accepted as ' + item.category);
        else decide(item, 'seen', 'true', nameOf(item) + ': seen');
      }
      if (!move(1) && !isWide() && document.body.classList.contains('reading')) history.back();
    });
  }

  const setFAQ = (verdict) => withItem((item) => decide(item, 'faq', verdict, verdict === 'right' ? 'The FAQ suggestion is right.' : verdict === 'wrong' ? 'The FAQ suggestion is wrong.' : 'The right answer is noted.'));

  const draftOf = (item) => (details.get(item.key)?.advice === 'keep-evidence' ? null : details.get(item.key)?.record?.triage?.draft);

  /** Does it with the draft of a message, or says why there is none. */
  function withDraft(action) {
    withItem((item) => {
      if (!details.has(item.key)) return speak('The message is not loaded yet.', true);
      if (details.get(item.key).advice === 'keep-evidence') return speak('There is no reply to a threat: keep the evidence.', true);
      const draft = draftOf(item);
      if (!draft) return speak('This message has no draft.', true);
      action(item, draft);
    });
  }

  const rateDraft = (rating) => withItem((item) => decide(item, 'draft_rating', rating, 'Draft rated ' + rating + '.'));

  const copyDraft = () => withDraft(async (item, draft) => {
    const base = String(draft.text || '');
    const names = blanks(base, draft.fill);
    const state = writing(item.key);
    const isOpen = state.isOpen && state.edit !== null;
    const text = isOpen ? state.edit : fillIn(base, names, state.fills);
    const left = isOpen ? names.filter((name) => text.includes('{' + name + '}')) : names.filter((name) => !isFilled(state.fills, name));
    if (left.length) {
      if (reading.key !== item.key || !isWide() && !document.body.classList.contains('reading')) open(item.key, view.index, item);
      if (!thread.querySelector('[data-f=draft-copy]')) {
        reading.open.add('draft');
        drawThread();
      }
      askFor(left, 'draft');
      const area = thread.querySelector('[data-f=draft-text]');
      if (area) {
        const at = area.value.indexOf('{' + left[0] + '}');
        area.focus();
        area.setSelectionRange(at, at + left[0].length + 2);
      }
      return;
    }
    if (!(await copy(text, 'Draft copied.'))) return;
    const isEdited = isOpen && text !== fillIn(base, names, state.fills);
    const fate = isEdited ? 'edited' : 'accepted';
    // The same words copied once more are no other decision; words written further are.
    if (spoken(details.get(item.key), item.key).draft === fate && (text === base || copied.get(item.key) === text)) return;
    copied.set(item.key, text);
    decide(item, 'draft', fate, 'Draft copied' + (isEdited ? ' with your edits.' : '.'), text === base ? {} : { text: [...text].slice(0, 8000).join('') });
  });

  function copyAnswer(key, answer) {
    const names = blanks(answer);
    const { fills } = writing(key);
    const left = names.filter((name) => !isFilled(fills, name));
    if (left.length) return askFor(left, 'faq');
    return copy(fillIn(answer, names, fills), 'Answer copied.');
  }

  const dismissDraft = () => withDraft((item) => {
    reading.open.delete('draft');
    decide(item, 'draft', 'dismissed', 'Draft dismissed.');
  });

  function reportDraft() {
    withDraft((item) => {
      const reasons = ['Says something wrong', 'Does not sound like me', 'Could hurt or offend', 'Tells something private', 'Something else'];
      const reason = el('select', { id: 'report-reason' }, reasons.map((words) => el('option', { value: words }, words)));
      const own = el('input', { id: 'report-words', maxlength: 400, dir: 'auto', autocomplete: 'off' });
      const name = 'report.' + item.key;
      const body = el('form', { class: 'form' },
        el('p', {}, 'What is wrong with this draft? It counts as dismissed; nothing leaves this machine.'),
        el('label', { class: 'field' }, el('span', {}, 'Reason'), reason),
        el('label', { class: 'field' }, el('span', {}, 'In your words (optional)'), own),
        el('div', { class: 'actions' }, el('button', { type: 'submit', class: 'main' }, 'Report'), button('Cancel', () => { unsent.drop(name); closeDialog(); })));
      unsent.watch(name, { reason, own }, { reason: reasons[0], own: '' });
      body.addEventListener('submit', (event) => {
        event.preventDefault();
        const note = [reason.value, own.value.trim()].filter(Boolean).join(': ');
        unsent.drop(name);
        closeDialog();
        decide(item, 'draft', 'dismissed', 'Draft reported and dismissed.', { note: 'reported: ' + note });
      });
      openDialog('Report the draft', body);
      unsent.restore(name, { reason, own });
    });
  }

  const dismissOffer = () => withItem((item) => {
    if (typeof item.score !== 'number') return speak('This message is not an offer.', true);
    decide(item, 'opportunity', 'dismissed', nameOf(item) + ': offer dismissed.');
  });

  async function copy(text, words) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = el('textarea', { value: text, class: 'visually-hidden', 'aria-hidden': 'true' });
      const before = document.activeElement;
      document.body.append(area);
      area.select();
      const done = document.execCommand('copy');
      area.remove();
      before?.focus?.({ preventScroll: true });
      if (!done) {
        speak('The browser blocked copying. Select the text and copy it.', true);
        return false;
      }
    }
    speak(words, true);
    return true;
  }

  // ---------------------------------------------------------------- Words to the person

  let toastTimer = 0;
  let speakTimer = 0;

  /** Says it to who cannot see, and with `isShown` to who can. */
  function speak(words, isShown) {
    clearTimeout(speakTimer);
    $('said').textContent = '';
    speakTimer = setTimeout(() => { $('said').textContent = words; }, 60);
    if (!isShown) return;
    clearTimeout(toastTimer);
    $('toast-text').replaceChildren(said(words));
    $('toast').hidden = false;
    toastTimer = setTimeout(() => { if (!$('toast').contains(document.activeElement)) $('toast').hidden = true; }, 8000);
  }

  let opener = null;
  function openDialog(title, ...content) {
    const dialog = $('dialog');
    if (!dialog.open) opener = document.activeElement;
    dialog.replaceChildren(el('div', { class: 'form' }, el('h2', { id: 'dialog-title', tabindex: -1 }, title), content));
    if (!dialog.open) dialog.showModal();
    const first = dialog.querySelector('input, select, textarea') || $('dialog-title');
    first.focus();
  }
  function closeDialog() {
    $('dialog').close();
  }
  $('dialog').addEventListener('close', () => {
    // The event comes after the closing: whoever pressed a key in between is somewhere else already, and stays there.
    if ($('dialog').open) return;
    const now = document.activeElement;
    if (now && now !== document.body && now !== opener && !$('dialog').contains(now)) {
      opener = null;
      return;
    }
    const name = opener?.getAttribute?.('data-f');
    // What opened it may have been drawn anew since.
    const back = opener?.isConnected ? opener : name && [...document.querySelectorAll('#thread [data-f], #part [data-f]')].find((node) => node.getAttribute('data-f') === name);
    const isRead = !isWide() && document.body.classList.contains('reading');
    (back || (!$('profile').hidden ? $('profile-title') : isRead ? $('thread-title') : list))?.focus();
    opener = null;
  });

  const keyTable = [
    ['j', 'Next message'], ['k', 'Previous message'], ['Enter', 'Open the message'], ['Escape', 'Back to the list'],
    ['1', 'Fan'], ['2', 'Business'], ['3', 'Spam'], ['e', 'Accept and next'], ['z', 'Undo'],
    ['u', 'Urgent or not'], ['+', 'Positive'], ['0', 'Neutral'], ['-', 'Negative'],
    ['y', 'FAQ suggestion is right'], ['n', 'FAQ suggestion is wrong'], ['c', 'Copy the draft'], ['x', 'Dismiss the draft'], ['d', 'Dismiss the offer'],
    ['/', 'Search'], ['g a', 'All'], ['g p', 'Priority'], ['g b', 'Business'], ['g f', 'Profile and FAQ'], ['?', 'All keys'],
  ];

  function help() {
    openDialog('All keys',
      keySwitch(),
      el('ul', { class: 'keys' }, keyTable.map(([keys, words]) => el('li', {}, el('span', {}, words), el('span', {}, keys.split(' ').map((key, place) => [place ? ' ' : '', el('kbd', {}, key)]))))),
      el('div', { class: 'actions' }, button('Close', closeDialog, { class: 'main' })));
  }

  function keySwitch() {
    return el('label', { class: 'switch' }, el('input', { type: 'checkbox', id: 'single-keys', checked: settings.keys, on: { change: (event) => {
      settings.keys = event.target.checked;
      shelf.set('triage.settings', settings);
      speak(settings.keys ? 'Single keys are on.' : 'Single keys are off.', true);
      if (reading.key) drawThread();
    } } }), el('span', {}, 'Single keys decide (arrows, Enter and Escape always work)'));
  }

  // ---------------------------------------------------------------- Keys

  let prefix = false;

  const actions = {
    j: () => move(1), k: () => move(-1), 1: () => setKind('fan'), 2: () => setKind('business'), 3: () => setKind('spam'),
    e: accept, z: undo, u: setUrgent, '+': () => setFeeling('positive'), '-': () => setFeeling('negative'), 0: () => setFeeling('neutral'),
    y: () => withFAQ('right'), n: () => withFAQ('wrong'), c: copyDraft, x: dismissDraft, d: dismissOffer,
    '/': () => { if (view.tab === 'profile') go('all'); if (!isWide() && document.body.classList.contains('reading')) close(); $('search').focus(); $('search').select(); },
    '?': help,
  };
  const withFAQ = (verdict) => withItem((item) => {
    if (!details.get(item.key)?.record?.triage?.faq) return speak('There is no FAQ suggestion.', true);
    setFAQ(verdict);
  });
  const places = { a: 'all', p: 'priority', b: 'business', f: 'profile' };

  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if ($('dialog').open) return;
    const target = event.target;
    const isWriting = target.matches?.('input:not([type=checkbox]), textarea, select');
    if (event.key === 'Escape') {
      if (target === $('search')) {
        search('');
        list.focus();
      } else if (reading.feeling && !isWide() && thread.querySelector('.decide')?.contains(target)) {
        showMore(false);
      } else if (reading.key && !isWide()) {
        if (document.body.classList.contains('reading')) history.back();
      } else if (thread.contains(target)) {
        list.focus();
      }
      return;
    }
    if (isWriting) return;
    const isRead = !isWide() && document.body.classList.contains('reading');
    const isFree = target === list || target === document.body || target === $('main');
    if (isFree && view.tab !== 'profile' && !isRead) {
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 };
      if (steps[event.key]) {
        event.preventDefault();
        steer(() => Math.max(0, view.index) + (view.index < 0 ? 0 : steps[event.key]));
        return;
      }
      if (event.key === 'Home' || event.key === 'End') {
        event.preventDefault();
        steer(() => (event.key === 'Home' ? 0 : view.total - 1));
        return;
      }
      if ((event.key === 'Enter' || event.key === ' ' && target === list) && itemAt(view.index)) {
        event.preventDefault();
        if (isWide()) {
          if (reading.key !== view.key) open(view.key, view.index, itemAt(view.index));
          $('thread-title')?.focus();
        } else {
          open(view.key, view.index, itemAt(view.index));
        }
        return;
      }
    }
    if (!settings.keys) return;
    if (prefix) {
      prefix = false;
      const place = places[event.key.toLowerCase()];
      if (place) {
        event.preventDefault();
        go(place, { focus: true });
        return;
      }
    }
    if (event.key === 'g') {
      prefix = true;
      return;
    }
    const action = actions[event.key] || (event.shiftKey ? null : actions[event.key.toLowerCase()]);
    if (action && !(event.repeat && !['j', 'k'].includes(event.key))) {
      event.preventDefault();
      action();
    }
  });

  // ---------------------------------------------------------------- Tabs

  const titles = { all: 'All messages', priority: 'Priority', business: 'Business', profile: 'Profile' };

  function go(tab, how = {}) {
    if (!titles[tab]) tab = 'all';
    const wasProfile = view.tab === 'profile';
    view.tab = tab;
    document.body.dataset.tab = tab;
    document.body.classList.remove('reading');
    reading = { key: null };
    current = null;
    for (const node of document.querySelectorAll('.tabs button')) {
      if (node.dataset.tab === tab) node.setAttribute('aria-current', 'page'); else node.removeAttribute('aria-current');
    }
    document.title = titles[tab] + ' · triage review';
    if (how.history !== false) history.pushState({}, '', '#' + tab);
    $('inbox').hidden = tab === 'profile';
    $('profile').hidden = tab !== 'profile';
    if (tab === 'profile') {
      drawPart();
      if (how.focus) $('profile-title').focus();
      window.scrollTo(0, 0);
      return;
    }
    $('list-title').textContent = titles[tab];
    $('pills').hidden = tab !== 'all';
    $('sorts').hidden = tab !== 'business';
    $('decided-switch').hidden = tab !== 'priority';
    if (wasProfile || how.focus) view.q = $('search').value.trim();
    drawThread();
    reset();
    window.scrollTo(0, 0);
    if (how.focus) list.focus({ preventScroll: true });
    speak(titles[tab]);
  }

  for (const node of document.querySelectorAll('.tabs button')) node.addEventListener('click', () => go(node.dataset.tab));
  for (const node of document.querySelectorAll('#pills button')) {
    node.addEventListener('click', () => {
      view.pill = node.dataset.pill;
      for (const other of document.querySelectorAll('#pills button')) other.setAttribute('aria-pressed', String(other === node));
      reset();
    });
  }
  for (const node of document.querySelectorAll('#sorts button')) {
    node.addEventListener('click', () => {
      view.sort = node.dataset.sort;
      for (const other of document.querySelectorAll('#sorts button')) other.setAttribute('aria-pressed', String(other === node));
      reset();
    });
  }
  $('show-decided').addEventListener('change', (event) => {
    view.decided = event.target.checked;
    reset();
  });

  let searchTimer = 0;
  function search(words) {
    if ($('search').value !== words) $('search').value = words;
    if (words) unsent.set('search', words); else unsent.drop('search');
    const trimmed = words.trim();
    if (trimmed === view.q) return;
    view.q = trimmed;
    reset();
  }
  $('search').addEventListener('input', (event) => {
    clearTimeout(searchTimer);
    unsent.set('search', event.target.value);
    searchTimer = setTimeout(() => search(event.target.value), 200);
  });
  $('search-form').addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(searchTimer);
    search($('search').value);
    list.focus();
  });

  addEventListener('popstate', () => {
    const [tab, part] = location.hash.slice(1).split('/');
    if (part === 'message' && tab === view.tab && view.key && !isWide()) {
      open(view.key, view.index, itemAt(view.index));
    } else if (document.body.classList.contains('reading') && tab === view.tab && !isWide()) {
      close();
    } else if (tab !== view.tab) {
      go(tab || 'all', { history: false });
    }
  });

  let frame = 0;
  const later = () => { if (!frame) frame = requestAnimationFrame(() => { frame = 0; drawList(); }); };
  addEventListener('scroll', later, { capture: true, passive: true });
  let wasWide = isWide();
  addEventListener('resize', () => {
    if (isWide() !== wasWide) {
      wasWide = isWide();
      if (wasWide && view.tab !== 'profile' && itemAt(view.index)) open(view.key, view.index, itemAt(view.index));
      if (!wasWide && !thread.contains(document.activeElement)) document.body.classList.remove('reading');
      if (!wasWide && reading.key) drawThreadSoon();
    }
    later();
  });
  $('fresh').addEventListener('click', showNew);
  $('undo').addEventListener('click', undo);
  $('toast-undo').addEventListener('click', undo);
  $('help').addEventListener('click', help);
  $('unsaved').addEventListener('click', () => { clearTimeout(knocking); patience = 1000; knock(); });

  // ---------------------------------------------------------------- Profile

  let part = 'faq';
  let library = null;
  let libraryInfo = {};
  let loadingLibrary = null;
  let partRun = 0;

  for (const node of document.querySelectorAll('.inside button')) {
    node.addEventListener('click', () => {
      part = node.dataset.part;
      drawPart();
    });
  }

  function loadLibrary() {
    loadingLibrary ??= (async () => {
      try {
        const answer = await call('/api/faq');
        library = answer.entries || [];
        libraryInfo = answer;
        if (reading.key) drawThreadSoon();
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
      } finally {
        setTimeout(() => { loadingLibrary = null; }, 1000);
      }
    })();
    return loadingLibrary;
  }

  const drawers = { faq: drawLibrary, creator: drawCreator, settings: drawSettings, sync: drawSync };

  async function drawPart(how = {}) {
    for (const node of document.querySelectorAll('.inside button')) node.setAttribute('aria-pressed', String(node.dataset.part === part));
    partRun += 1;
    const run = partRun;
    const place = $('part');
    if (!how.quiet) place.replaceChildren(el('p', { class: 'quiet', role: 'status' }, 'Loading…'));
    let content;
    try {
      content = await drawers[part]();
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      if (how.quiet) return;
      content = [el('div', { class: 'state fault' }, icon('warn'), el('h3', {}, fault.status === 404 ? 'Nothing here yet' : 'This cannot be read'), el('p', {}, said(fault.message), ' ', said(fault.remedy)), button('Try again', () => drawPart(), { class: 'main' }))];
    }
    if (run === partRun) {
      const held = place.contains(document.activeElement) ? document.activeElement.getAttribute('data-f') : null;
      place.replaceChildren(...content);
      if (held) [...place.querySelectorAll('[data-f]')].find((node) => node.getAttribute('data-f') === held)?.focus();
    }
  }

  async function drawLibrary() {
    const answer = await call('/api/faq');
    library = answer.entries || [];
    libraryInfo = answer;
    const isFixed = answer.writable === false;
    const add = isFixed ? null : button('Add an answer', () => editEntry(null), { class: 'main', 'data-f': 'faq-add' });
    if (!library.length) {
      return [el('div', { class: 'state' }, icon('all'), el('h3', {}, 'No answers yet'), el('p', {}, isFixed ? 'No FAQ library is named: start with --faq faq.yaml.' : 'Add answers to frequent questions; messages that ask them are matched.'), add)];
    }
    const groups = new Map();
    for (const entry of library) {
      const name = entry.category || 'Other';
      groups.set(name, [...(groups.get(name) || []), entry]);
    }
    return [
      el('div', { class: 'actions' }, add, el('span', { class: 'quiet' }, library.length + (library.length === 1 ? ' answer' : ' answers'), answer.path ? [' in ', said(answer.path)] : '', isFixed ? ' (cannot be changed here)' : '')),
      ...[...groups].map(([name, entries]) => el('section', { class: 'card' }, el('h3', {}, said(name), el('span', { class: 'quiet' }, String(entries.length))),
        entries.map((entry) => drawEntry(entry, isFixed)))),
    ];
  }

  function drawEntry(entry, isFixed) {
    const uses = entry.uses || {};
    const label = plain(entry.question, 60);
    return el('div', { class: 'entry' },
      el('h4', { dir: 'auto' }, said(entry.question)),
      said(entry.answer, { class: 'text answer', dir: 'auto' }),
      entry.also_asked?.length ? el('p', { class: 'quiet' }, 'Also asked: ', entry.also_asked.map((words, place) => [place ? ' · ' : '', said(words)])) : null,
      el('p', { class: 'quiet' }, (uses.high || 0) + ' high, ' + (uses.possible || 0) + ' possible matches · ' + (uses.right || 0) + ' right, ' + (uses.wrong || 0) + ' wrong · ', el('code', {}, said(entry.id))),
      isFixed ? null : el('div', { class: 'actions' },
        button('Edit', () => editEntry(entry), { 'aria-label': 'Edit: ' + label, 'data-f': 'edit-' + entry.id }),
        button('Delete', () => removeEntry(entry), { class: 'danger', 'aria-label': 'Delete: ' + label, 'data-f': 'remove-' + entry.id })));
  }

  function field(label, control, hint) {
    if (hint) {
      control.setAttribute('aria-describedby', control.id + '-hint');
      return el('div', { class: 'form' }, el('label', { class: 'field' }, el('span', {}, label), control), el('p', { class: 'quiet', id: control.id + '-hint' }, hint));
    }
    return el('label', { class: 'field' }, el('span', {}, label), control);
  }

  const lines = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);

  /** Says what was wrong above a form, and goes there. */
  function faultBox(fault) {
    const rows = (fault.faults || []).map((one) => (typeof one === 'string' ? one : [one.where, one.message, one.remedy].filter(Boolean).join(': ')));
    const box = el('div', { class: 'fault-list', role: 'alert', tabindex: -1 }, el('strong', {}, fault.status === 0 ? 'Not saved: the program is not responding. Try again when it is back.' : 'Not saved'),
      fault.status === 0 ? null : rows.length ? el('ul', { class: 'insights' }, rows.map((row) => el('li', {}, said(row)))) : el('p', {}, fault.where ? [said(fault.where), ': '] : null, said(fault.message), ' ', said(fault.remedy)));
    return box;
  }

  function editEntry(entry) {
    const category = el('input', { id: 'f-category', list: 'f-categories', value: entry?.category || '', dir: 'auto', autocomplete: 'off' });
    const question = el('input', { id: 'f-question', value: entry?.question || '', dir: 'auto', required: true, autocomplete: 'off' });
    const also = el('textarea', { id: 'f-also', value: (entry?.also_asked || []).join('\n'), dir: 'auto', rows: 3 });
    const answer = el('textarea', { id: 'f-answer', value: entry?.answer || '', dir: 'auto', rows: 5, required: true });
    const id = el('input', { id: 'f-id', value: entry?.id || '', autocomplete: 'off', spellcheck: 'false' });
    const place = el('div', {});
    const kept = entry ? 'faq.entry.' + entry.id : 'faq.new';
    const controls = { category, question, also, answer, id };
    const known = [...new Set((library || []).map((one) => one.category).filter(Boolean))];
    const save = el('button', { type: 'submit', class: 'main' }, 'Save');
    const form = el('form', { class: 'form', novalidate: true }, place, field('Question', question), field('Answer', answer), field('Other ways to ask it', also, 'One per line.'), field('Category', category),
      el('datalist', { id: 'f-categories' }, known.map((name) => el('option', { value: name }))), field('Name', id, entry ? 'Messages keep the name they were matched with.' : 'Optional: made from the question if empty.'),
      el('div', { class: 'actions' }, save, button('Cancel', () => { unsent.drop(kept); closeDialog(); })));
    unsent.watch(kept, controls, Object.fromEntries(Object.entries(controls).map(([key, control]) => [key, control.value])));
    const body = { request: request() };
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (!question.value.trim() || !answer.value.trim()) {
        place.replaceChildren(faultBox({ status: 422, message: 'Enter a question and an answer.', faults: [] }));
        (question.value.trim() ? answer : question).focus();
        return;
      }
      save.disabled = true;
      try {
        const made = { ...body, action: entry ? 'edit' : 'add', category: category.value.trim(), question: question.value.trim(), answer: answer.value.trim(), also_asked: lines(also.value) };
        if (entry) made.id = entry.id;
        if (entry && id.value.trim() && id.value.trim() !== entry.id) made.new_id = id.value.trim();
        if (!entry && id.value.trim()) made.id = id.value.trim();
        await call('/api/faq', { method: 'POST', body: made });
        unsent.drop(kept);
        closeDialog();
        speak('Saved. Stored messages are answered again.', true);
        drawPart({ quiet: true });
      } catch (fault) {
        showRefusal(fault, body, place);
      } finally {
        save.disabled = false;
      }
    });
    openDialog(entry ? 'Edit the answer' : 'Add an answer', form);
    if (unsent.restore(kept, controls)) speak('Your unsent text is back. Cancel discards it.', true);
    question.focus();
  }

  /** Says at a place of a form why a request of it came to nothing. */
  function showRefusal(fault, body, place) {
    if (!(fault instanceof Fault)) throw fault;
    // What the program refused is another request when it is mended.
    if (fault.status) body.request = request();
    const box = faultBox(fault);
    place.replaceChildren(box);
    box.focus();
  }

  function removeEntry(entry) {
    const place = el('div', {});
    const body = { request: request(), action: 'remove', id: entry.id };
    openDialog('Delete this answer?', place, el('p', {}, said(entry.question)), el('p', { class: 'quiet' }, 'Messages it answered are matched again without it. This cannot be undone.'),
      el('div', { class: 'actions' }, button('Delete', async () => {
        try {
          await call('/api/faq', { method: 'POST', body });
          unsent.drop('faq.entry.' + entry.id);
          closeDialog();
          speak('Deleted.', true);
          drawPart({ quiet: true });
          $('profile-title').focus();
        } catch (fault) {
          showRefusal(fault, body, place);
        }
      }, { class: 'danger' }), button('Keep it', closeDialog)));
  }

  const profileFields = [
    ['id', 'Name in files', 'line'], ['name', 'Name', 'line'], ['handles', 'Handles', 'list'], ['platforms', 'Platforms', 'list'], ['audience', 'Followers', 'number'],
    ['niches', 'What you make', 'list'], ['excluded_topics', 'What you never advertise', 'list'], ['languages', 'Languages', 'list'], ['voice', 'How you write', 'text'],
    ['contact', 'Where offers go (an e-mail address; drafts name it)', 'line'],
    ['rates_note', 'Rates (private: never in a draft)', 'text'], ['works', 'Works people mention', 'list'], ['timezone', 'Time zone', 'line'],
  ];

  async function drawCreator() {
    const profile = (await call('/api/profile')) || {};
    const isFixed = profile.writable === false;
    const values = 'profile' in profile ? profile.profile || {} : profile;
    const place = el('div', {});
    const controls = {};
    const rows = profileFields.map(([name, label, kind]) => {
      const value = values[name];
      const text = Array.isArray(value) ? value.join('\n') : value === undefined || value === null ? '' : String(value);
      const props = { id: 'p-' + name, value: text, dir: 'auto', 'data-f': 'p-' + name, autocomplete: 'off', disabled: isFixed };
      controls[name] = kind === 'list' || kind === 'text' ? el('textarea', { ...props, rows: kind === 'list' ? 3 : 2 }) : el('input', { ...props, inputmode: kind === 'number' ? 'numeric' : null });
      return field(label, controls[name], kind === 'list' ? 'One per line.' : null);
    });
    const save = el('button', { type: 'submit', class: 'main', 'data-f': 'p-save' }, 'Save');
    if (!isFixed) {
      const first = Object.fromEntries(Object.entries(controls).map(([name, control]) => [name, control.value]));
      unsent.watch('profile', controls, first);
      if (unsent.restore('profile', controls)) {
        place.append(el('div', { class: 'actions' }, el('p', { class: 'quiet' }, 'Your changes are not saved yet.'),
          button('Discard', () => { unsent.drop('profile'); drawPart(); }, { 'data-f': 'p-discard' })));
      }
    }
    const form = el('form', { class: 'card form', novalidate: true }, el('h3', {}, 'Creator'), place, rows, isFixed ? null : el('div', { class: 'actions' }, save));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const made = {};
      for (const [name, , kind] of profileFields) {
        const text = controls[name].value;
        if (kind === 'list') made[name] = lines(text);
        else if (kind === 'number') {
          const digits = text.trim().replace(/[ ,._]/g, '');
          made[name] = digits === '' ? null : /^\d+$/.test(digits) ? Number(digits) : text.trim();
        } else made[name] = text.trim();
      }
      save.disabled = true;
      try {
        await call('/api/profile', { method: 'PUT', body: made });
        unsent.drop('profile');
        place.replaceChildren();
        speak('Profile saved.', true);
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        const box = faultBox(fault);
        place.replaceChildren(box);
        box.focus();
      } finally {
        save.disabled = false;
      }
    });
    return [form];
  }

  const human = (name) => plain(String(name).replace(/_/g, ' '), 60);

  /** Values of the program as they are, name by name. */
  function facts(value, path = '') {
    const rows = [];
    for (const [name, inner] of Object.entries(value || {})) {
      const title = path ? path + ' · ' + human(name) : human(name);
      if (inner !== null && typeof inner === 'object' && !Array.isArray(inner)) rows.push(...facts(inner, title));
      else rows.push(el('div', {}, el('dt', {}, title), el('dd', {}, said(Array.isArray(inner) ? inner.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one)).join(', ') : inner === null ? 'none' : inner === true ? 'yes' : inner === false ? 'no' : inner))));
    }
    return rows;
  }

  async function drawSettings() {
    const answer = (await call('/api/settings')) || {};
    const toggle = (name, label) => el('label', { class: 'switch' }, el('input', { type: 'checkbox', checked: settings[name], 'data-f': 's-' + name, on: { change: (event) => {
      settings[name] = event.target.checked;
      shelf.set('triage.settings', settings);
      speak(label + (settings[name] ? ': on' : ': off'), true);
    } } }), el('span', {}, label));
    return [
      el('section', { class: 'card' }, el('h3', {}, 'This page'), keySwitch(), toggle('neutral', 'Show neutral sentiment'), toggle('evidence', 'Show evidence in messages')),
      el('section', { class: 'card' }, el('h3', {}, 'The program'), el('p', { class: 'quiet' }, 'These come from triage.yaml and the command flags.'), el('dl', { class: 'facts' }, facts(answer))),
    ];
  }

  async function drawSync() {
    const state = await call('/api/state');
    takeState(state);
    const last = state.sync?.last;
    const row = (name, ...value) => el('div', {}, el('dt', {}, name), el('dd', {}, ...value));
    const owed = state.sync?.owed;
    return [el('section', { class: 'card' }, el('h3', {}, 'Sync'),
      last ? el('dl', { class: 'facts' }, row('Last run', said(last.id ?? '')), row('State', said(last.state ?? '')), row('Started', time(last.started, 'whole')), row('Ended', last.ended ? time(last.ended, 'whole') : 'still running'), facts(last.counts), row('Waiting for an LLM answer', said(typeof owed === 'object' ? Object.values(owed || {}).join(', ') : owed ?? 0)))
        : el('p', {}, 'Nothing has been synced into this store yet. Run ', el('code', {}, 'triage sync EXPORT --store ' + (plain(storeName) || 'inbox.db')), '.')),
    state.rescore && state.rescore.state !== 'idle' ? el('p', { class: 'card' }, 'Answering messages again: ', said(state.rescore.state), ' ', said(state.rescore.message)) : el('span', {}),
    el('section', { class: 'card' }, el('h3', {}, 'This store'), el('dl', { class: 'facts' }, facts(state.counts), row('Not saved from this page', String(queue.length)), row('Version', said(state.version ?? ''))))];
  }

  // ---------------------------------------------------------------- Live

  let storeName = '';

  function takeState(state) {
    if (!state) return;
    counts = state.counts || counts;
    storeName = state.store?.name || '';
    $('store').replaceChildren(said(storeName));
    for (const node of document.querySelectorAll('[data-count]')) {
      const count = node.dataset.count === 'priority' ? counts?.priority_open ?? counts?.priority : counts?.[node.dataset.count];
      node.replaceChildren(...(count ? [el('span', { class: 'visually-hidden' }, ', '), count > 9999 ? Math.round(count / 1000) + 'k' : String(count)] : []));
    }
    if (typeof state.undo === 'number' && !queue.length) {
      undoable = state.undo;
      drawUndo();
    }
    if (typeof state.change === 'number') lastChange = state.change;
  }

  let refreshTimer = 0;
  let refreshed = 0;
  /** Reads anew what is on the screen, at most once a second. */
  function soon() {
    if (refreshTimer) return;
    refreshTimer = setTimeout(() => { refreshTimer = 0; refresh(); }, Math.max(300, 1000 - (Date.now() - refreshed)));
  }

  async function refresh() {
    refreshed = Date.now();
    view.fault = null;
    for (const key of [...details.keys()]) if (key !== reading.key) details.delete(key);
    try {
      takeState(await call('/api/state'));
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      return;
    }
    if (view.tab === 'profile') {
      // What is being written is not drawn anew.
      if (part === 'faq' || part === 'sync') drawPart({ quiet: true });
    } else if (view.total === null || view.total === 0) {
      fetchPage(0);
    } else {
      renew();
    }
    if (reading.key) load(reading.key, true);
  }

  let events = null;
  function listen() {
    if (events && events.readyState !== 2) return;
    events = new EventSource('/api/events');
    let isBroken = false;
    events.addEventListener('change', () => soon());
    events.addEventListener('open', () => {
      if (isBroken) soon();
      isBroken = false;
    });
    events.addEventListener('error', () => {
      isBroken = true;
      if (linked === 'there') call('/api/state').catch(() => {});
      if (events.readyState === 2) setTimeout(listen, 5000);
    });
  }

  addEventListener('online', () => knock());
  document.addEventListener('visibilitychange', () => { if (!document.hidden) { if (queue.length) drain(); soon(); } });
  // What is not saved is on the shelf of this address; a program on another port would not find it there.
  addEventListener('beforeunload', (event) => { if (queue.length && isLate) event.preventDefault(); });

  // ---------------------------------------------------------------- Start

  async function start() {
    recall();
    drawUndo();
    $('search').value = unsent.get('search') || '';
    view.q = $('search').value.trim();
    const tab = location.hash.slice(1).split('/')[0];
    history.replaceState({}, '', '#' + (titles[tab] ? tab : 'all'));
    go(titles[tab] ? tab : 'all', { history: false });
    try {
      takeState(await call('/api/state'));
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
    }
    listen();
    drain();
  }
  start();
})();
