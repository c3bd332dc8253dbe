// What could not be processed, and what was done by whom.
import { html, useState } from '../lib/preact.js';
import { api, get, part, query } from '../api.js';
import { filter, to } from '../route.js';
import { Act, Confirm, Empty, Failure, Head, Plain, State, Table, When, number, useAsked, useList } from '../ui.js';

const Words = ({ label, name, value, type }) =>
  html`<label class="choice">${label} <input type=${type ?? 'text'} value=${value ?? ''} onChange=${(e) => filter({ [name]: e.target.value.trim() })} /></label>`;

export function DeadLetters({ here }) {
  const { topic, by, type } = here.filters;
  const list = useList('v1/dead-letters', { topic, by, type }, 15);
  const [asking, setAsking] = useState(false);
  const [said, setSaid] = useState(null);
  if (here.rest.length > 0) return html`<${Letter} here=${here} id=${here.rest[0]} />`;
  const ready = list.rows.filter((row) => row.redrivable && !row.redriven);
  const redrive = async () => {
    const done = await api('POST', 'v1/dead-letters/redrive', { topic, by, type, limit: 100 });
    setSaid(`${done.redriven.length} were sent again${done.left > 0 ? `, ${done.left} more are left` : ''}.`);
    list.again();
  };
  return html`<${Head} title="Dead letters">
      <${Words} label="Topic" name="topic" value=${topic} /><${Words} label="By" name="by" value=${by} /><${Words} label="Record" name="type" value=${type} />
      ${ready.length > 0 && html`<button onClick=${() => setAsking(true)}>Send those shown again</button>`}
    </${Head}>
    ${said && html`<p role="status">${said}</p>`}
    ${asking && html`<${Confirm} title=${`Send ${number(ready.length)}${list.onMore ? ' and more' : ''} records again?`} action="Send again" onClose=${() => setAsking(false)} onDone=${redrive}>
      <p>Each goes to its topic once, at most 100 now. What was wrong with them has to be mended first, or they come back.</p></${Confirm}>`}
    <${Table} label="Dead letters" list=${list} columns=${[
      { name: 'At', of: (row) => html`<a href=${to(here.project, 'dead-letters', [row.id])}><${When} at=${row.at} /></a>` },
      { name: 'Topic', of: (row) => row.topic },
      { name: 'Record', of: (row) => row.type || '–' },
      { name: 'Put aside by', narrow: false, of: (row) => row.by },
      { name: 'Why', of: (row) => row.cause || row.error },
      { name: 'Sent again', narrow: false, of: (row) => (row.redriven ? html`<${When} at=${row.redriven} />` : row.redrivable ? 'not yet' : 'cannot be') },
    ]} empty=${html`<${Empty} title="No dead letters"><p>What cannot be read or processed is put aside here, and the rest goes on.</p></${Empty}>`} />`;
}

function Letter({ here, id }) {
  const asked = useAsked(() => get(`v1/dead-letters/${part(id)}`), [id]);
  const one = asked.value;
  return html`<${Head} title="Dead letter">
      ${one?.letter.redrivable && !one.letter.redriven && html`<${Act} label="Send it again" done="It was sent" onClick=${() => api('POST', `v1/dead-letters/${part(id)}/redrive`).then(asked.again)} />`}
      <a class="button" href=${to(here.project, 'dead-letters')}>All</a>
    </${Head}>
    <${Failure} problem=${asked.problem} again=${asked.again} />
    ${one && html`<section class="card"><h2>${one.letter.type || 'A record without a schema'} <${State} of=${one.letter.redriven ? 'completed' : 'failed'} /></h2>
      <p>It stood on <code>${one.letter.topic}</code>, partition ${one.letter.partition}, offset ${one.letter.offset}, key <code>${one.letter.key}</code>, and was put aside by ${one.letter.by} <${When} at=${one.letter.at} />.</p>
      <p class="said-bad">${one.letter.error}: ${one.letter.cause}</p>
      ${!one.letter.redrivable && html`<p>It is a fact and is not sent again: mend what reads it, then <code>./parley replay</code> reads the topic again.</p>`}
      <h3>Record</h3>${one.value ? html`<${Plain} text=${JSON.stringify(one.value)} lines=${40} />` : html`<p class="muted">No schema reads it. It begins with</p><${Plain} text=${one.start} />`}
      <details><summary>Headers</summary><${Plain} text=${JSON.stringify(one.headers)} /></details></section>`}`;
}

const UUID = /^[0-9a-f-]{36}$/;

/** Where what was done can be looked at. */
function place(here, { source, subject }) {
  const isId = UUID.test(subject ?? '');
  switch (source) {
    case 'session':
    case 'turn':
      return to(here.project, 'sessions', [subject]);
    case 'process':
      return to(here.project, isId ? 'processes' : 'workflows', [subject]);
    case 'agent':
      return isId ? null : to(here.project, 'agents', [subject]);
    default:
      return null;
  }
}

const Subject = ({ here, row }) => {
  const there = row.subject && place(here, row);
  return there ? html`<a href=${there}>${row.subject}</a>` : (row.subject ?? '');
};

export function Audit({ here }) {
  const { source, correlationId, user, from, to: until } = here.filters;
  const whole = here.may('host.audit');
  const list = useList('v1/audit', { project: whole && !here.filters.here ? '' : here.project, source, correlationId, user, from: time(from), to: time(until) });
  return html`<${Head} title="Audit">
      <${Words} label="What" name="source" value=${source} /><${Words} label="Correlation id" name="correlationId" value=${correlationId} /><${Words} label="Who (id)" name="user" value=${user} />
      <${Words} label="From" name="from" type="datetime-local" value=${from} /><${Words} label="Until" name="to" type="datetime-local" value=${until} />
    </${Head}>
    <${Table} label="What was done" list=${list} columns=${[
      { name: 'At', of: (row) => html`<${When} at=${row.at} />` },
      { name: 'What', of: (row) => `${row.source} ${row.action}` },
      { name: 'Of', of: (row) => html`<${Subject} here=${here} row=${row} />` },
      { name: 'Outcome', of: (row) => html`<${State} of=${row.success ? 'completed' : 'failed'} /> ${row.message ?? ''}` },
      { name: 'By', narrow: false, of: (row) => html`<a href=${to(here.project, 'audit', [], { ...here.filters, user: row.user })}>${row.user}</a> ${row.key && `(${row.key})`}` },
      { name: 'Correlation', narrow: false, of: (row) => html`<a href=${to(here.project, 'audit', [], { correlationId: row.correlationId })}>${row.correlationId?.slice(0, 8)}</a>` },
    ]} empty=${html`<${Empty} title="Nothing was done"><p>Change the filters, or look at another time.</p></${Empty}>`} />`;
}

const time = (text) => (text ? new Date(text).toISOString() : '');
