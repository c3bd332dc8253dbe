// Dead letters: records that could not be read or processed, their causes, and re-driving them.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { api, get, pages, part } from '../api.js';
import { filter, to } from '../route.js';
import { Act, Empty, Failure, Figure, Figures, Head, Moment, Plain, State, Table, Typed, When, number, useAsked, useList } from '../ui.js';
import { Headers, Unread, subjectOfKey } from './records.js';

const PAGE = 200;
const PAGES = 10;
const AT_ONCE = 100;

export function DeadLetters({ here }) {
  return here.rest.length > 0 ? html`<${Letter} here=${here} key=${here.rest[0]} id=${here.rest[0]} />` : html`<${List} here=${here} />`;
}

const which = ({ topic, by, type, from, to: until }) => ({ topic, by, type, from, to: until });
const what = (row) => (row.redriven ? 're-driven' : row.redrivable ? 'not re-driven' : 'cannot be re-driven');

function List({ here }) {
  const { topic, by, type, from, to: until } = here.filters;
  const list = useList('v1/dead-letters', which(here.filters), 30);
  const [redriving, setRedriving] = useState(false);
  const filtered = Object.values(which(here.filters)).some(Boolean);
  return html`<${Head} title="Dead letters">
      <${Typed} label="Topic" value=${topic} onChange=${(value) => filter({ topic: value })} />
      <${Typed} label="Written by" value=${by} onChange=${(value) => filter({ by: value })} />
      <${Typed} label="Record" value=${type} hint="SubmitTurn" onChange=${(value) => filter({ type: value })} />
      <${Moment} label="From" value=${from} onChange=${(value) => filter({ from: value })} />
      <${Moment} label="Before" value=${until} onChange=${(value) => filter({ to: value })} />
    </${Head}>
    ${list.rows.length > 0 && html`<p class="buttons"><button type="button" onClick=${() => setRedriving(true)}>Re-drive all that match…</button></p>`}
    ${redriving && html`<${Redrive} which=${which(here.filters)} onClose=${() => setRedriving(false)} onDone=${list.again} />`}
    <${Table} label="Dead letters" list=${list} columns=${[
      { name: 'Dead letter', of: (row) => html`<a class="whole" href=${to(here.project, 'dead-letters', [row.id])}>${row.type || 'unknown record'} ${row.id}</a>` },
      { name: 'When', of: (row) => html`<${When} at=${row.at} />` },
      { name: 'Topic', of: (row) => html`<span class="whole">${row.topic}</span>`, narrow: false },
      { name: 'Written by', of: (row) => row.by, narrow: false },
      { name: 'Why', of: (row) => html`${row.cause || row.error}` },
      { name: 'State', of: (row) => html`<${State} of=${what(row)} />`, narrow: false },
    ]} empty=${html`<${Empty} title=${filtered ? 'No matching dead letters' : 'No dead letters'}><p>${filtered ? html`<a href=${to(here.project, 'dead-letters')}>Show all</a>` : 'All records were read and processed.'}</p></${Empty}>`} />`;
}

/** Counts the dead letters of a filter that would be re-driven. */
async function waiting(filters) {
  let count = 0;
  let more = false;
  for await (const { data, next } of pages('v1/dead-letters', { ...filters, limit: PAGE }, PAGES)) {
    count += data.filter((row) => row.redrivable && !row.redriven).length;
    more = Boolean(next);
  }
  return { count, more };
}

function Redrive({ which: filters, onClose, onDone }) {
  const box = useRef(null);
  const [state, setState] = useState({ busy: true });
  const [sent, setSent] = useState([]);
  const count = () => {
    setState({ busy: true });
    waiting(filters).then((counted) => setState({ counted }), (problem) => setState({ problem }));
  };
  useEffect(() => {
    box.current.showModal();
    count();
  }, []);
  const send = async () => {
    setState((before) => ({ ...before, busy: true }));
    try {
      const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
      const done = await api('POST', 'v1/dead-letters/redrive', { ...given, limit: AT_ONCE });
      setSent((before) => [...before, ...done.redriven]);
      setState({ counted: { count: done.left, more: false } });
      onDone();
    } catch (problem) {
      setState({ problem });
    }
  };
  const { counted, busy, problem } = state;
  const next = Math.min(AT_ONCE, counted?.count ?? 0);
  return html`<dialog ref=${box} onClose=${onClose} aria-labelledby="redrive-title">
    <h2 id="redrive-title">Re-drive dead letters to their topics</h2>
    <${Failure} problem=${problem} again=${count} />
    ${sent.length > 0 && html`<p role="status">${number(sent.length)} were re-driven: ${sent.slice(-20).join(', ')}${sent.length > 20 ? ' and others' : ''}.</p>`}
    ${counted && html`<p role="status">${counted.count === 0 ? 'None is left to re-drive.' : html`<b>${number(counted.count)}${counted.more ? ' or more' : ''}</b> ${counted.count === 1 ? 'is' : 'are'} not re-driven yet. The oldest are first; each is sent once, unchanged.`}</p>`}
    ${busy && html`<p class="muted" role="status">One moment…</p>`}
    <p class="buttons"><button type="button" onClick=${() => box.current.close()}>${sent.length > 0 ? 'Close' : 'Back'}</button>
      ${next > 0 && html`<button type="button" class="main" disabled=${busy} onClick=${send}>Re-drive ${number(next)}</button>`}</p>
  </dialog>`;
}

function Letter({ here, id }) {
  const path = `v1/dead-letters/${part(id)}`;
  const asked = useAsked(() => get(path), [path]);
  const whole = asked.value;
  if (!whole) return html`<${Head} title=${`Dead letter ${id}`} /><${Failure} problem=${asked.problem} again=${asked.again} />`;
  const { letter } = whole;
  const subject = subjectOfKey(here, letter.topic, letter.key);
  return html`<${Head} title=${`Dead letter ${id}`}>
      <${State} of=${what(letter)} />
      ${letter.redrivable && !letter.redriven && html`<${Act} label="Re-drive" kind="main" title="Sends the unchanged record to its topic, once" done="Re-driven" onClick=${() => api('POST', `${path}/redrive`, {}).then(asked.again)} />`}
    </${Head}>
    <section class="card" aria-label="Why"><h2>Why</h2><p class="why">${letter.cause || 'No cause was recorded.'}</p>
      <p class="muted"><code>${letter.error}</code>, by ${letter.by} <${When} at=${letter.at} /></p>
      ${letter.redriven ? html`<p>Re-driven <${When} at=${letter.redriven} />.</p>` : letter.redrivable ? html`<p>Re-drive it once the cause is fixed.</p>` : html`<p>Records of this topic cannot be re-driven: fix the consumer, then <code>./parley replay</code> reads the topic again.</p>`}</section>
    <${Figures}>
      <${Figure} name="Topic" note=${`partition ${letter.partition}, offset ${letter.offset}`}><a href=${to(here.project, 'topics', [letter.topic])}>${letter.topic}</a></${Figure}>
      <${Figure} name="Record">${letter.type || 'unknown'}</${Figure}>
      <${Figure} name="Key" note=${subject && html`<a href=${subject}>Open its subject</a>`}>${letter.key || '–'}</${Figure}>
      <${Figure} name="Bytes">${number(letter.bytes)}</${Figure}>
    </${Figures}>
    <h2>Value</h2>
    ${whole.value === null ? html`<${Unread} start=${whole.start} bytes=${letter.bytes} />` : html`<${Plain} text=${JSON.stringify(whole.value)} lines=${60} />`}
    <${Headers} headers=${whole.headers} />`;
}
