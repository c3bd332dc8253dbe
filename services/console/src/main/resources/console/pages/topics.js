// Topics and their records, for operators. Reading records is written to the audit log.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { get, part, query } from '../api.js';
import { filter, to } from '../route.js';
import { Failure, Head, Moment, Plain, Table, Typed, When, number, useAsked } from '../ui.js';
import { Headers, Unread, subjectOfKey } from './records.js';

const DAY = 86_400;
const PAGE = 50;

export function Topics({ here }) {
  const [topic, id] = here.rest;
  if (id) return html`<${OneRecord} here=${here} topic=${topic} id=${id} />`;
  return topic ? html`<${Records} here=${here} key=${topic} topic=${topic} />` : html`<${List} here=${here} />`;
}

const kept = (row) => (row.retentionSeconds === null ? 'latest per key' : row.retentionSeconds <= DAY ? `${number(row.retentionSeconds / 3_600)} h` : `${number(row.retentionSeconds / DAY)} days`);

function List({ here }) {
  const asked = useAsked(() => get('v1/topics'), []);
  return html`<${Head} title="Topics" />
    <p class="muted">The records that the parts of Parley exchange. Reading them is recorded in the <a href=${to(here.project, 'audit', [], { source: 'topic' })}>audit log</a>.</p>
    <${Table} label="Topics" list=${{ ...asked, rows: asked.value?.data ?? [] }} columns=${[
      { name: 'Topic', of: (row) => html`<a href=${to(here.project, 'topics', [row.name])}>${row.name}</a>` },
      { name: 'Offsets', number: true, of: (row) => number(row.offsets) },
      { name: 'Partitions', number: true, narrow: false, of: (row) => number(row.partitions) },
      { name: 'Kept', of: kept },
      { name: 'Key', of: (row) => row.key, narrow: false },
    ]} />`;
}

function useScan(topic, which) {
  const address = `v1/topics/${part(topic)}/records${query({ ...which, limit: PAGE })}`;
  const [state, setState] = useState({ rows: [], loading: true });
  const now = useRef(address);
  const ask = async (before) => {
    setState({ ...before, loading: true, problem: null });
    try {
      const page = await get(before.next ? `v1/topics/${part(topic)}/records${query({ ...which, limit: PAGE, cursor: before.next })}` : address);
      if (now.current !== address) return;
      setState({ rows: [...before.rows, ...page.data], next: page.next, read: page.read, looked: (before.looked ?? 0) + page.read.rows, loading: false });
    } catch (problem) {
      if (now.current === address) setState({ ...before, problem, loading: false });
    }
  };
  const begin = () => ask({ rows: [] });
  useEffect(() => {
    now.current = address;
    begin();
  }, [address]);
  return { ...state, begin, goOn: () => ask(state) };
}

const STOPPED = {
  end: 'All records were searched.',
  limit: 'Stopped: the page is full.',
  rows: 'Stopped: the limit of records per search was reached.',
  bytes: 'Stopped: the limit of bytes per search was reached.',
  time: 'Stopped: the time limit was reached.',
};

function Records({ here, topic }) {
  const { partition, key, text, type, from, to: until } = here.filters;
  const scan = useScan(topic, { partition, key, text, type, from, to: until });
  return html`<${Head} title=${`Topic ${topic}`}>
      <${Typed} label="Key begins with" value=${key} onChange=${(value) => filter({ key: value })} />
      <${Typed} label="Text in it" value=${text} onChange=${(value) => filter({ text: value })} />
      <${Typed} label="Record" value=${type} hint="SubmitTurn" onChange=${(value) => filter({ type: value })} />
      <${Typed} label="Partition" type="number" value=${partition} onChange=${(value) => filter({ partition: value })} />
      <${Moment} label="From" value=${from} onChange=${(value) => filter({ from: value })} />
      <${Moment} label="Before" value=${until} onChange=${(value) => filter({ to: value })} />
      <button type="button" disabled=${scan.loading} onClick=${scan.begin}>Look again</button>
    </${Head}>
    <${Failure} problem=${scan.problem} again=${scan.read ? scan.goOn : scan.begin} />
    ${scan.read && html`<${How} scan=${scan} />`}
    ${scan.read && !scan.loading && scan.rows.length === 0 && html`<p class="muted">No record is like this${scan.next ? ' so far' : ''}.</p>`}
    <ol class="timeline" aria-label="Records, the newest first">${scan.rows.map((row) => html`<${Row} key=${row.id} row=${row} topic=${topic} here=${here} />`)}</ol>
    ${scan.loading ? html`<p class="muted" role="status">Looking…</p>` : scan.next && html`<p class="more"><button type="button" onClick=${scan.goOn}>Continue from there</button></p>`}`;
}

/** What a scan covered, and where it stopped. */
function How({ scan }) {
  const { read, looked, rows } = scan;
  const sum = (of) => read.partitions.reduce((all, one) => all + of(one), 0);
  const whole = sum((one) => one.end - one.first);
  const seen = sum((one) => one.end - one.reached);
  return html`<div class="card"><p role="status">${number(rows.length)} found among ${number(looked)} records, the newest first. ${STOPPED[read.stopped] ?? ''} ${number(seen)} of ${number(whole)} offsets are seen.</p>
    <details><summary>By partition</summary><div class="scroll" tabindex="0" role="region" aria-label="By partition"><table>
      <thead><tr><th scope="col">Partition</th><th scope="col" class="number">First offset</th><th scope="col" class="number">Seen from</th><th scope="col" class="number">End</th></tr></thead>
      <tbody>${read.partitions.map((one) => html`<tr key=${one.partition}><th scope="row">${one.partition}</th><td class="number">${number(one.first)}</td><td class="number">${number(one.reached)}</td><td class="number">${number(one.end)}</td></tr>`)}</tbody>
    </table></div></details></div>`;
}

function Row({ row, topic, here }) {
  const [open, setOpen] = useState(false);
  return html`<li><details open=${open} onToggle=${(e) => setOpen(e.target.open)}>
    <summary><b>${row.type || (row.bytes === null ? 'tombstone' : 'record')}</b> <code>${row.key || '–'}</code>
      <span class="muted"><${When} at=${row.at} />, ${row.bytes === null ? 'no value' : `${number(row.bytes)} bytes`}, ${row.id}</span></summary>
    ${open && html`<div><${Contents} topic=${topic} id=${row.id} here=${here} /><p><a href=${to(here.project, 'topics', [topic, row.id])}>Link to this record</a></p></div>`}
  </details></li>`;
}

function Contents({ topic, id, here }) {
  const path = `v1/topics/${part(topic)}/records/${part(id)}`;
  const asked = useAsked(() => get(path), [path]);
  const whole = asked.value;
  if (!whole) return asked.problem ? html`<${Failure} problem=${asked.problem} again=${asked.again} />` : html`<p class="muted" role="status">Loading…</p>`;
  const subject = subjectOfKey(here, topic, whole.record.key);
  return html`<div><p>${subject && html`<a href=${subject}>Open its subject</a>`}</p>
    ${whole.record.bytes === null ? html`<p class="muted">A tombstone: the key was deleted.</p>`
      : whole.value === null ? html`<${Unread} start=${whole.start} bytes=${whole.record.bytes} />`
      : html`<${Plain} text=${JSON.stringify(whole.value)} lines=${60} />`}
    <${Headers} headers=${whole.headers} /></div>`;
}

function OneRecord({ here, topic, id }) {
  return html`<${Head} title=${`Record ${id} of ${topic}`}><a class="button" href=${to(here.project, 'topics', [topic])}>The whole topic</a></${Head}>
    <${Contents} key=${`${topic}/${id}`} topic=${topic} id=${id} here=${here} />`;
}
