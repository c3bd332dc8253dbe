// Sessions: the list, and one of them.
import { html } from '../lib/preact.js';
import { filter, to } from '../route.js';
import { Choice, Empty, Head, State, Table, When, money, number, useList } from '../ui.js';
import { Session } from './session.js';

export function Sessions({ here }) {
  return here.rest.length > 0 ? html`<${Session} here=${here} key=${here.rest[0]} name=${here.rest[0]} />` : html`<${List} here=${here} />`;
}

function List({ here }) {
  const { status, channel, hidden } = here.filters;
  const list = useList(`v1/projects/${here.project}/sessions`, { status, channel, includeArchived: hidden, parentId: here.filters.parentId }, 10);
  return html`<${Head} title="Sessions">
      <${Choice} label="Status" value=${status} onChange=${(value) => filter({ status: value })} options=${[['', 'any'], ['active', 'active'], ['archived', 'archived']]} />
      <${Choice} label="Channel" value=${channel} onChange=${(value) => filter({ channel: value })} options=${[['', 'any'], ['api', 'api'], ['telegram', 'telegram'], ['webhook', 'webhook']]} />
      ${here.may('session.send') && html`<a class="button" href=${to(here.project, 'chat')}>New chat</a>`}
    </${Head}>
    <${Table} label="Sessions" list=${list} columns=${[
      { name: 'Session', of: (row) => html`<a href=${to(here.project, 'sessions', [row.key])}>${row.title || row.key}</a> ${row.activeTurn && html`<${State} of="running" />`}` },
      { name: 'Agent', of: (row) => row.agent, narrow: false },
      { name: 'Channel', of: (row) => row.channel, narrow: false },
      { name: 'Status', of: (row) => html`<${State} of=${row.status} />`, narrow: false },
      { name: 'Messages', number: true, of: (row) => number(row.messageCount) },
      { name: 'Tokens', number: true, narrow: false, of: (row) => number(row.usage.input + row.usage.output) },
      { name: 'Cost', number: true, narrow: false, of: (row) => money(row.usage.cost) },
      { name: 'Changed', of: (row) => html`<${When} at=${row.updatedAt} />` },
    ]} empty=${html`<${Empty} title="No sessions"><p>A session begins with a message: from a bot, over HTTP, or in a chat here.</p></${Empty}>`} />`;
}
