// What pages are made of.
import { html, useCallback, useEffect, useRef, useState } from './lib/preact.js';
import { get, query } from './api.js';

const PAGE = 100;

/** Something that is asked for when the page is shown, and again every so many seconds while somebody looks. */
export function useAsked(ask, inputs, every) {
  const [state, setState] = useState({ value: null, problem: null, loading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    const run = () =>
      ask()
        .then((value) => current && setState({ value, problem: null, loading: false }))
        .catch((problem) => current && setState((before) => ({ ...before, problem, loading: false })));
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

/**
 * A list of the API, a page at a time; the first page is asked for again every so many seconds, as long as it is the only one: where there
 * are more, what came since would push rows off its end.
 */
export function useList(path, filters, every) {
  const address = path + query({ limit: PAGE, ...filters });
  const known = useRef({});
  const ask = async () => {
    const isPaged = () => known.current.of === address && known.current.paged;
    const value = isPaged() ? null : await get(address);
    if (!isPaged()) known.current = { of: address, value };
    return known.current.value;
  };
  const first = useAsked(ask, [address], every);
  const [more, setMore] = useState({ of: address, rows: [], next: undefined, problem: null, loading: false });
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

/** How long something took, or takes. */
export function lasted(from, until) {
  const ms = (until ? new Date(until) : new Date()) - new Date(from);
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

const count = new Intl.NumberFormat();
export const number = (n) => count.format(n ?? 0);

/** Dollars, as exact as they are small. */
export function money(amount) {
  const value = Number(amount ?? 0);
  return `$${value === 0 || value >= 1 ? value.toFixed(2) : value.toPrecision(3).replace(/\.?0+$/, '')}`;
}

const TONES = {
  COMPLETED: 'good', active: 'good', completed: 'good', delivered: 'good', UP: 'good', C: 'good',
  FAILED: 'bad', failed: 'bad', faulted: 'bad', DOWN: 'bad', error: 'bad', F: 'bad',
  CANCELLED: 'muted', cancelled: 'muted', archived: 'muted', deleted: 'muted',
  WAITING_APPROVAL: 'wait', waiting: 'wait', suspended: 'wait', unknown: 'wait', W: 'wait',
  done: 'good', 'sent again': 'good', 'put aside': 'bad', stays: 'muted',
};

/** The state of something. */
export const State = ({ of }) =>
  html`<span class="state ${TONES[of] ?? 'busy'}">${String(of ?? '').toLowerCase().replaceAll('_', ' ')}</span>`;

/** What went wrong, and what to do. */
export const Failure = ({ problem, again }) =>
  problem &&
  html`<div class="failure" role="alert">
    <p>${problem.message}</p>
    ${problem.errors?.length > 0 && html`<ul>${problem.errors.slice(0, 20).map((one) => html`<li><code>${one.pointer ?? ''}${one.line ? `:${one.line}` : ''}</code> ${one.detail}</li>`)}</ul>`}
    ${again && html`<button onClick=${again}>Try again</button>`}
  </div>`;

export const Empty = ({ title, children }) => html`<div class="empty"><h2>${title}</h2>${children}</div>`;

/** A list. @param columns [{name, of: row => cell, narrow?: false where a phone leaves it out, number?}] */
export function Table({ list, columns, empty, label }) {
  if (list.problem && list.rows.length === 0) {
    return html`<${Failure} problem=${list.problem} again=${list.again} />`;
  }
  if (list.rows.length === 0) {
    return list.loading ? html`<p class="muted" role="status">Loading…</p>` : (empty ?? html`<p class="muted">Nothing here.</p>`);
  }
  const kind = (column) => `${column.number ? 'number ' : ''}${column.narrow === false ? 'wide' : ''}`;
  return html`<div class="list"><${Failure} problem=${list.problem} again=${list.again} />
    <div class="scroll" tabindex="0" role="region" aria-label=${label}>
      <table>
        <thead>
          <tr>${columns.map((column) => html`<th scope="col" class=${kind(column)}>${column.name}</th>`)}</tr>
        </thead>
        <tbody>
          ${list.rows.map((row) => html`<tr key=${row.id ?? row.key ?? row.name}>${columns.map((column) => html`<td class=${kind(column)}>${column.of(row)}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>
    ${list.onMore && html`<${More} list=${list} />`}</div>`;
}

/** Fetches the next page when somebody comes near the end. */
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

/** JSON with indents; numbers stay as they are written, and what is no JSON stays as it is. */
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
  const line = () => `\n${'  '.repeat(depth)}`;
  return text.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\s+/g, (token) => {
    if (/^\s/.test(token)) return '';
    if (token === '{' || token === '[') {
      depth += 1;
      return token + line();
    }
    if (token === '}' || token === ']') {
      depth -= 1;
      return line() + token;
    }
    return token === ',' ? token + line() : token === ':' ? ': ' : token;
  }).replace(/([{[])\n\s*([}\]])/g, '$1$2');
}

/** Text of somebody else, as it is; long ones are folded. */
export function Plain({ text, lines = 12 }) {
  const [open, setOpen] = useState(false);
  const all = indented(text ?? '');
  const rows = all.split('\n');
  const long = rows.length > lines || all.length > 4_000;
  const shown = open || !long ? all : rows.slice(0, lines).join('\n').slice(0, 4_000);
  return html`<div><pre class="plain">${shown}</pre>
    ${long && html`<button class="link" onClick=${() => setOpen(!open)}>${open ? 'Show less' : `Show all (${number(all.length)} characters)`}</button>`}</div>`;
}

/** Asks before something is done that cannot be taken back. @param typed a name that has to be typed */
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

/** A button that does something on the server, and says what became of it. */
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

/** Figures side by side. */
export const Figures = ({ children }) => html`<dl class="figures">${children}</dl>`;
export const Figure = ({ name, children, note, tone }) =>
  html`<div class=${tone ?? ''}><dt>${name}</dt><dd>${children}</dd>${note && html`<dd class="note">${note}</dd>`}</div>`;

/** A filter of a list, which stands in the address. */
export const Choice = ({ label, value, options, onChange }) =>
  html`<label class="choice">${label}
    <select value=${value ?? ''} onChange=${(e) => onChange(e.target.value)}>
      ${options.map(([code, name]) => html`<option value=${code} selected=${code === (value ?? '')}>${name}</option>`)}
    </select>
  </label>`;

/** A filter that is typed; it holds when somebody leaves it, or presses Enter. */
export const Typed = ({ label, value, onChange, hint, type = 'text' }) =>
  html`<label class="choice">${label}
    <input type=${type} value=${value ?? ''} placeholder=${hint} onChange=${(e) => onChange(e.target.value.trim())} />
  </label>`;

/** A moment as the field of a form has it, in the time of this place. */
export function local(iso) {
  if (!iso) return '';
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? '' : new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A filter that is a moment; the address has it in UTC. */
export const Moment = ({ label, value, onChange }) =>
  html`<label class="choice">${label}
    <input type="datetime-local" value=${local(value)} onChange=${(e) => onChange(e.target.value ? new Date(e.target.value).toISOString() : '')} />
  </label>`;

/** The head of a page; it takes the focus when the page changes, so that it is read out. */
export function Head({ title, children }) {
  const head = useRef(null);
  useEffect(() => {
    document.title = `${title} · Parley`;
    head.current.focus({ preventScroll: true });
  }, [title]);
  return html`<header class="head"><h1 ref=${head} tabindex="-1">${title}</h1><div class="tools">${children}</div></header>`;
}
