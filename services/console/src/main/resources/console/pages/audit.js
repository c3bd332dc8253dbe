// The audit log: who did what, with which outcome.
import { html } from '../lib/preact.js';
import { all } from '../api.js';
import { filter, to } from '../route.js';
import { Choice, Empty, Head, Moment, State, Table, Typed, When, useAsked, useList } from '../ui.js';
import { subject } from './subjects.js';

/** Kinds of subjects in the log. */
const SOURCES = ['agent', 'api-key', 'approval', 'bank', 'bot', 'bot-person', 'channel-link', 'credential', 'dead-letter', 'endpoint', 'host', 'identity', 'member', 'permission',
  'price', 'process', 'project', 'request', 'session', 'setting', 'sign-in', 'skill', 'snapshot', 'task', 'tool', 'tool-call', 'topic', 'turn', 'user', 'webhook', 'workflow', 'worklist'];

export function Audit({ here }) {
  const { source, user, correlationId, from, to: until } = here.filters;
  const hosts = here.may('host.audit') && here.filters.whose !== 'project';
  const list = useList('v1/audit', { project: hosts ? undefined : here.project, source, user, correlationId, from, to: until });
  const people = useAsked(() => (here.may('user.read') ? all('v1/users') : Promise.resolve({ data: [] })), []);
  const names = new Map((people.value?.data ?? []).map((one) => [one.id, one.username ?? one.email]));
  const filtered = [source, user, correlationId, from, until].some(Boolean);
  return html`<${Head} title="Audit">
      ${here.may('host.audit') && html`<${Choice} label="Of" value=${hosts ? '' : 'project'} onChange=${(whose) => filter({ whose })} options=${[['', 'the host'], ['project', 'this project']]} />`}
      <${Choice} label="About" value=${source} onChange=${(value) => filter({ source: value })} options=${[['', 'anything'], ...[...new Set([...SOURCES, source].filter(Boolean))].map((one) => [one, one])]} />
      <${Typed} label="User" value=${user} hint="id" onChange=${(value) => filter({ user: value })} />
      <${Typed} label="Correlation id" value=${correlationId} onChange=${(value) => filter({ correlationId: value })} />
      <${Moment} label="From" value=${from} onChange=${(value) => filter({ from: value })} />
      <${Moment} label="Before" value=${until} onChange=${(value) => filter({ to: value })} />
      <button type="button" onClick=${list.again}>Look again</button>
    </${Head}>
    <${Table} label="Audit log" list=${list} columns=${[
      { name: 'When', of: (row) => html`<${When} at=${row.at} />` },
      { name: 'Who', of: (row) => html`<button type="button" class="link" title=${row.user ?? ''} aria-label=${`Only what ${names.get(row.user) ?? row.user ?? 'nobody'} did`} onClick=${() => filter({ user: row.user })}>${names.get(row.user) ?? (row.user ?? '–').slice(0, 8)}</button>${row.key && html` <span class="muted">key ${row.key}</span>`}` },
      { name: 'What', of: (row) => `${row.source ?? ''} ${row.action ?? ''}` },
      { name: 'About', of: (row) => html`<${About} row=${row} here=${here} names=${names} />` },
      { name: 'Outcome', of: (row) => html`<${State} of=${row.success ? 'done' : 'failed'} /> ${row.message ?? ''} ${row.comment ?? ''}`, narrow: false },
      { name: 'Correlation', narrow: false, of: (row) => row.correlationId && html`<button type="button" class="link" title=${row.correlationId} aria-label=${`Only entries with the correlation id ${row.correlationId}`} onClick=${() => filter({ correlationId: row.correlationId })}>${row.correlationId.slice(0, 8)}</button>` },
    ]} empty=${html`<${Empty} title=${filtered ? 'No matching entries' : 'No entries yet'}><p>${filtered ? html`<a href=${to(here.project, 'audit', [], { whose: here.filters.whose })}>Show all</a>` : 'What people and keys change here is written down.'}</p></${Empty}>`} />`;
}

function About({ row, here, names }) {
  const address = subject(here, row);
  const name = row.subject === row.user && address ? row.source : (names.get(row.subject) ?? row.subject ?? '–');
  return address ? html`<a href=${address}>${name}</a>` : name;
}
