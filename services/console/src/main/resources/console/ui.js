// Components that pages share.
import { Component, html, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from './lib/preact.js';
import { get, query } from './api.js';
import { entry } from './route.js';

const PAGE = 100;

/** A component that is rendered again only when a property changes. */
export const steady = (view) =>
  class extends Component {
    shouldComponentUpdate(next) {
      return Object.keys({ ...this.props, ...next }).some((name) => this.props[name] !== next[name]);
    }
    render(props) {
      return html`<${view} ...${props} />`;
    }
  };

/** Fetches when the page is shown, then every few seconds while it is visible. */
export function useAsked(ask, inputs, every) {
  const [state, setState] = useState({ value: null, problem: null, loading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    let asking = false;
    const run = async () => {
      if (asking) return; // the previous request is still pending
      asking = true;
      try {
        const value = await ask();
        if (current) setState({ value, problem: null, loading: false });
      } catch (problem) {
        if (current) setState((before) => ({ ...before, problem, loading: false }));
      } finally {
        asking = false;
      }
    };
    setState((before) => ({ ...before, loading: true }));
    run();
    const timer = every && setInterval(() => document.visibilityState === 'visible' && run(), every * 1000);
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [...inputs, round]);
  return { ...state, again: useCallback(() => setRound((n) => n + 1), []) };
}

/** State of paged lists by history entry, so that going back restores them. */
const kept = new Map();
const KEPT = 5;

function keep(place, list) {
  kept.delete(place);
  if (list.known.paged) kept.set(place, list);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
}

/**
 * A paged list of the API. The first page is polled as long as it is the only one: with more pages loaded, new rows would push
 * others off its end.
 *
 * @param path null for an empty list
 */
export function useList(path, filters, every) {
  const address = path + query({ limit: PAGE, ...filters });
  const place = useMemo(() => `${entry()} ${path}`, []);
  const was = useRef(kept.get(place));
  const known = useRef(was.current?.known ?? {});
  const ask = async () => {
    const isPaged = () => known.current.of === address && known.current.paged;
    const value = isPaged() ? null : path ? await get(address) : { data: [] };
    if (!isPaged()) known.current = { of: address, value };
    return known.current.value;
  };
  const first = useAsked(ask, [address], every);
  const [more, setMore] = useState(was.current?.more ?? { of: address, rows: [], next: undefined, problem: null, loading: false });
  const heights = useRef(was.current?.heights ?? []);
  const last = useRef(more);
  last.current = more;
  useEffect(() => () => keep(place, { known: known.current, more: last.current, heights: heights.current, scroll: scrollY }), []);
  useLayoutEffect(() => {
    if (first.value && was.current) {
      scrollTo(0, was.current.scroll);
      was.current = null;
    }
  }, [Boolean(first.value)]);
  const older = more.of === address ? more : { of: address, rows: [], next: undefined, problem: null, loading: false };
  const next = older.next === undefined ? first.value?.next : older.next;
  const onMore = async () => {
    known.current.paged = true;
    setMore({ ...older, loading: true });
    try {
      const page = await get(path + query({ limit: PAGE, ...filters, cursor: next }));
      setMore({ of: address, rows: [...older.rows, ...page.data], next: page.next ?? null, problem: null, loading: false });
    } catch (problem) {
      setMore({ ...older, problem, loading: false });
    }
  };
  return {
    rows: first.value ? [...first.value.data, ...older.rows] : [],
    value: first.value,
    loading: first.loading || older.loading,
    problem: first.problem ?? older.problem,
    onMore: next ? onMore : null,
    heights: heights.current,
    again: () => {
      known.current = {};
      setMore({ of: '', rows: [] });
      first.again();
    },
  };
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

export function ago(at, now = Date.now()) {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

export const When = ({ at }) =>
  at ? html`<time datetime=${at} title=${new Date(at).toLocaleString()}>${ago(at)}</time>` : html`<span class="muted">–</span>`;

/** A time of day, with its date unless it is today. */
export function At({ at }) {
  const then = new Date(at);
  const isToday = then.toDateString() === new Date().toDateString();
  return html`<time datetime=${at} title=${then.toLocaleString()}>${isToday ? then.toLocaleTimeString() : then.toLocaleString()}</time>`;
}

/** A duration, also of something that is still running. */
export function lasted(from, until) {
  const ms = (until ? new Date(until) : new Date()) - new Date(from);
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 7_200_000 ? `${Math.trunc(ms / 60_000)} min` : `${Math.trunc(ms / 3_600_000)} h`;
}

const count = new Intl.NumberFormat();
export const number = (n) => count.format(n ?? 0);

/** Dollars; small amounts with more digits. */
export function money(amount) {
  const value = Number(amount ?? 0);
  return `$${value === 0 || value >= 1 ? value.toFixed(2) : value.toPrecision(3).replace(/\.?0+$/, '')}`;
}

const TONES = {
  COMPLETED: 'good', active: 'good', completed: 'good', delivered: 'good', UP: 'good', C: 'good',
  FAILED: 'bad', failed: 'bad', faulted: 'bad', DOWN: 'bad', error: 'bad', F: 'bad',
  CANCELLED: 'muted', cancelled: 'muted', archived: 'muted', deleted: 'muted',
  WAITING_APPROVAL: 'wait', waiting: 'wait', suspended: 'wait', unknown: 'wait', W: 'wait',
  failing: 'wait', disabled: 'muted', done: 'good', 're-driven': 'good', 'not re-driven': 'bad', 'cannot be re-driven': 'muted',
};

/** A state as a badge. */
export const State = ({ of }) =>
  html`<span class="state ${TONES[of] ?? 'busy'}">${String(of ?? '').toLowerCase().replaceAll('_', ' ')}</span>`;

/** An error and what to do about it. */
export const Failure = ({ problem, again }) =>
  problem &&
  html`<div class="failure" role="alert">
    <p>${problem.message}</p>
    ${problem.errors?.length > 0 && html`<ul>${problem.errors.slice(0, 20).map((one) => html`<li><code>${one.pointer ?? ''}${one.line ? `:${one.line}` : ''}</code> ${one.detail}</li>`)}</ul>`}
    ${again && html`<button onClick=${again}>Try again</button>`}
  </div>`;

export const Empty = ({ title, children }) => html`<div class="empty"><h2>${title}</h2>${children}</div>`;

/** Rows per block of a virtual list, and the length from which on lists are virtual. */
const BLOCK = 50;
const LONG = 200;
const ROW_HEIGHT = 36;

/**
 * A table; long lists render only the rows in view.
 *
 * @param columns [{name, of: row => cell, narrow?: false hides it on phones, number?}]
 */
export function Table({ list, columns, empty, label }) {
  const head = useRef(null);
  const own = useRef([]);
  const isLong = list.rows.length > LONG;
  useLayoutEffect(() => {
    // Rows come and go: column widths stay as the first rows made them.
    const cells = [...(head.current?.cells ?? [])];
    const widths = cells.map((cell) => (isLong ? cell.offsetWidth : 0));
    const sum = widths.reduce((all, width) => all + width, 0);
    cells.forEach((cell, i) => {
      cell.style.width = isLong ? `${(100 * widths[i]) / sum}%` : '';
    });
    head.current?.closest('table').classList.toggle('long', isLong);
  }, [isLong]);
  if (list.problem && list.rows.length === 0) {
    return html`<${Failure} problem=${list.problem} again=${list.again} />`;
  }
  if (list.rows.length === 0) {
    return list.loading ? html`<p class="muted" role="status">Loading…</p>` : (empty ?? html`<p class="muted">Nothing here.</p>`);
  }
  const kind = (column) => `${column.number ? 'number ' : ''}${column.narrow === false ? 'wide' : ''}`;
  const row = (one) => html`<tr key=${one.id ?? one.key ?? one.name}>${columns.map((column) => html`<td class=${kind(column)}>${column.of(one)}</td>`)}</tr>`;
  const blocks = isLong ? Array.from({ length: Math.ceil(list.rows.length / BLOCK) }, (_, i) => list.rows.slice(i * BLOCK, (i + 1) * BLOCK)) : [];
  return html`<div class="list"><${Failure} problem=${list.problem} again=${list.again} />
    <div class="scroll" tabindex="0" role="region" aria-label=${label}>
      <table aria-rowcount=${isLong ? (list.onMore ? -1 : list.rows.length + 1) : undefined}>
        <thead>
          <tr ref=${head}>${columns.map((column) => html`<th scope="col" class=${kind(column)}>${column.name}</th>`)}</tr>
        </thead>
        ${isLong ? blocks.map((rows, i) => html`<${Block} key=${i} i=${i} heights=${list.heights ?? own.current} rows=${rows} draw=${row} columns=${columns.length} />`) : html`<tbody>${list.rows.map(row)}</tbody>`}
      </table>
    </div>
    ${list.onMore && html`<${More} list=${list} />`}</div>`;
}

/** A block of rows, rendered while it is near the viewport, otherwise a gap. @param heights of blocks that were rendered, by index */
function Block({ i, heights, rows, draw, columns }) {
  const box = useRef(null);
  const [near, setNear] = useState(i === 0);
  useEffect(() => {
    const seen = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      if (!last.isIntersecting && box.current.rows.length > 1) heights[i] = last.boundingClientRect.height;
      setNear(last.isIntersecting);
    }, { rootMargin: '1500px 0px' });
    seen.observe(box.current);
    // Printing needs all rows; afterwards only those in view are rendered again.
    const printed = () => setNear(true);
    const shown = () => {
      seen.unobserve(box.current);
      seen.observe(box.current);
    };
    addEventListener('beforeprint', printed);
    addEventListener('afterprint', shown);
    return () => {
      seen.disconnect();
      removeEventListener('beforeprint', printed);
      removeEventListener('afterprint', shown);
    };
  }, [heights]);
  return html`<tbody ref=${box}>${near ? rows.map(draw) : html`<tr class="gap" style=${{ height: `${heights[i] ?? rows.length * ROW_HEIGHT}px` }}><td colspan=${columns}></td></tr>`}</tbody>`;
}

/** Fetches the next page when the end comes near the viewport. */
function More({ list }) {
  const end = useRef(null);
  const state = useRef(list);
  state.current = list;
  useEffect(() => {
    const seen = new IntersectionObserver((entries) => {
      if (entries.some((one) => one.isIntersecting) && !state.current.loading && state.current.onMore) {
        state.current.onMore();
      }
    }, { rootMargin: '400px' });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [list.rows.length]);
  return html`<p ref=${end} class="more"><button disabled=${list.loading} onClick=${list.onMore}>${list.loading ? 'Loading…' : 'More'}</button></p>`;
}

const DEEPEST = 200;

/** Indented JSON; numbers keep their digits. Invalid or too deeply nested text stays unchanged. */
export function indented(text) {
  if (typeof text !== 'string') {
    return JSON.stringify(text, null, 2) ?? '';
  }
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  let deepest = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  const lines = text.replace(/"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\s+/g, (token) => {
    if (/^\s/.test(token)) return '';
    if (deepest > DEEPEST) return token;
    if (token === '{' || token === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
      return token + line();
    }
    if (token === '}' || token === ']') {
      depth -= 1;
      return line() + token;
    }
    return token === ',' ? token + line() : token === ':' ? ': ' : token;
  });
  return deepest > DEEPEST ? text : lines.replace(/([{[])\n\s*([}\]])/g, '$1$2');
}

/** Characters shown before a text is unfolded. */
const SHOWN = 4_000;

/** Invisible and direction-changing characters, shown escaped: a person may approve what is displayed here. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
export const seen = (text) => text.replace(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Untrusted text, unchanged; long text is folded. */
export function Plain({ text, lines = 12 }) {
  const [open, setOpen] = useState(false);
  const all = useMemo(() => seen(indented(text ?? '')), [text]);
  const first = useMemo(() => all.split('\n', lines).join('\n').slice(0, SHOWN), [all, lines]);
  const long = first.length < all.length;
  return html`<div><pre class="plain">${open ? all : first}</pre>
    ${long && html`<${Whole} open=${open} length=${all.length} onClick=${() => setOpen(!open)} />`}</div>`;
}

/** Text of a message; long text is folded. */
export function Words({ text }) {
  const [open, setOpen] = useState(false);
  const long = text.length > 2 * SHOWN;
  return html`<p>${open || !long ? text : `${text.slice(0, SHOWN)}…`}</p>
    ${long && html`<${Whole} open=${open} length=${text.length} onClick=${() => setOpen(!open)} />`}`;
}

const Whole = ({ open, length, onClick }) =>
  html`<button type="button" class="link" aria-expanded=${open} onClick=${onClick}>${open ? 'Show less' : `Show all (${number(length)} characters)`}</button>`;

/** A fold whose content is rendered when it is opened. @param children a function that renders it */
export function Fold({ summary, children, kind, title }) {
  const [open, setOpen] = useState(false);
  return html`<details class=${kind} open=${open} onToggle=${(e) => setOpen(e.target.open)}><summary title=${title}>${summary}</summary>${open && children()}</details>`;
}

/** Confirms an action that cannot be undone. @param typed a name that must be typed */
export function Confirm({ title, children, action, typed, onDone, onClose }) {
  const box = useRef(null);
  const [text, setText] = useState('');
  const [state, setState] = useState({});
  useEffect(() => {
    box.current.showModal();
  }, []);
  const carryOut = async (event) => {
    event.preventDefault();
    setState({ busy: true });
    try {
      await onDone();
      onClose();
    } catch (problem) {
      setState({ problem });
    }
  };
  return html`<dialog ref=${box} onClose=${onClose} aria-labelledby="confirm-title">
    <form onSubmit=${carryOut}>
      <h2 id="confirm-title">${title}</h2>
      ${children}
      ${typed && html`<label>Type <b>${typed}</b> to go on <input value=${text} onInput=${(e) => setText(e.target.value)} autocomplete="off" /></label>`}
      <${Failure} problem=${state.problem} />
      <p class="buttons">
        <button type="button" onClick=${() => box.current.close()}>Back</button>
        <button class="danger" disabled=${state.busy || (typed && text !== typed)}>${action}</button>
      </p>
    </form>
  </dialog>`;
}

/** A button for an action on the server; it shows the result. */
export function Act({ label, done, onClick, kind, disabled, title }) {
  const [state, setState] = useState({});
  const run = async () => {
    setState({ busy: true });
    try {
      await onClick();
      setState({ said: done });
    } catch (problem) {
      setState({ problem });
    }
  };
  return html`<span class="act">
    <button type="button" class=${kind ?? ''} disabled=${disabled || state.busy} title=${title} onClick=${run}>${label}</button>
    ${state.said && html`<span role="status" class="muted">${state.said}</span>`}
    ${state.problem && html`<span role="alert" class="said-bad">${state.problem.message}</span>`}
  </span>`;
}

/** A secret that is shown once. */
export const Once = ({ said, secret, onSeen }) => html`<section class="card" role="status"><p>${said}</p><pre>${secret}</pre>
  <p class="buttons">${navigator.clipboard && html`<${Act} label="Copy it" done="Copied" onClick=${() => navigator.clipboard.writeText(secret)} />`}
    <button type="button" onClick=${onSeen}>I have it</button></p></section>`;

/** Figures side by side. */
export const Figures = ({ children }) => html`<dl class="figures">${children}</dl>`;
export const Figure = ({ name, children, note, tone }) =>
  html`<div class=${tone ?? ''}><dt>${name}</dt><dd>${children}</dd>${note && html`<dd class="note">${note}</dd>`}</div>`;

/** A filter of a list, kept in the address. */
export const Choice = ({ label, value, options, onChange }) =>
  html`<label class="choice">${label}
    <select value=${value ?? ''} onChange=${(e) => onChange(e.target.value)}>
      ${options.map(([code, name]) => html`<option value=${code} selected=${code === (value ?? '')}>${name}</option>`)}
    </select>
  </label>`;

/** A text filter; it applies on blur or Enter. */
export const Typed = ({ label, value, onChange, hint, type = 'text' }) =>
  html`<label class="choice">${label}
    <input type=${type} value=${value ?? ''} placeholder=${hint} onChange=${(e) => onChange(e.target.value.trim())} />
  </label>`;

/** A moment as the value of a datetime field, in local time. */
export function local(iso) {
  if (!iso) return '';
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? '' : new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A filter by time; the address has it in UTC. */
export const Moment = ({ label, value, onChange }) =>
  html`<label class="choice">${label}
    <input type="datetime-local" value=${local(value)} onChange=${(e) => onChange(e.target.value ? new Date(e.target.value).toISOString() : '')} />
  </label>`;

/** The heading of a page; it takes the focus when the page changes, so that screen readers announce it. */
export function Head({ title, children }) {
  const head = useRef(null);
  useEffect(() => {
    document.title = `${title} · Parley`;
    head.current.focus({ preventScroll: true });
  }, [title]);
  return html`<header class="head"><h1 ref=${head} tabindex="-1">${title}</h1><div class="tools">${children}</div></header>`;
}
