// Sessions: the list, and one of them.
import { html } from '../lib/preact.js';
import { filter, to } from '../route.js';
import { Choice, Empty, Head, State, Table, When, money, number, useList } from '../ui.js';
import { Session } from './session.js';
import { OPINIONS } from './turns.js';

/** Query parameters for the filters. */
const STATUSES = { active: { status: 'active' }, archived: { status: 'archived' }, any: { includeArchived: true } };

export function Sessions({ here }) {
  return here.rest.length > 0 ? html`<${Session} here=${here} key=${here.rest[0]} name=${here.rest[0]} />` : html`<${List} here=${here} />`;
}

function List({ here }) {
  const { status, channel, parentId, feedback } = here.filters;
  const list = useList(`v1/projects/${here.project}/sessions`, { ...STATUSES[status ?? 'active'], channel, parentId, feedback }, 10);
  return html`<${Head} title="Sessions">
      <${Choice} label="Status" value=${status} onChange=${(value) => filter({ status: value })} options=${[['', 'active'], ['archived', 'archived'], ['any', 'active and archived']]} />
      <${Choice} label="Channel" value=${channel} onChange=${(value) => filter({ channel: value })} options=${[['', 'any'], ['api', 'api'], ['telegram', 'telegram'], ['slack', 'slack'], ['discord', 'discord'], ['whatsapp', 'whatsapp'], ['teams', 'teams'], ['webhook', 'webhook']]} />
      <${Choice} label="Found" value=${feedback} onChange=${(value) => filter({ feedback: value })} options=${OPINIONS} />
      ${here.may('session.send') && html`<a class="button" href=${to(here.project, 'chat')}>New chat</a>`}
    </${Head}>
    ${parentId && html`<p>Sub-agents of one session. <a href=${to(here.project, 'sessions')}>Show all</a></p>`}
    <${Table} label="Sessions" list=${list} columns=${[
      { name: 'Session', of: (row) => html`<a href=${to(here.project, 'sessions', [row.key])} title=${row.key}>${row.title || row.key}</a> ${row.activeTurn && html`<${State} of="running" />`}` },
      { name: 'Agent', of: (row) => row.agent, narrow: false },
      { name: 'Channel', of: (row) => row.channel, narrow: false },
      { name: 'Status', of: (row) => html`<${State} of=${row.status} />`, narrow: false },
      { name: 'Messages', number: true, of: (row) => number(row.messageCount) },
      { name: 'Tokens', number: true, narrow: false, of: (row) => number(row.usage.input + row.usage.output) },
      { name: 'Cost', number: true, narrow: false, of: (row) => money(row.usage.cost) },
      { name: 'Changed', of: (row) => html`<${When} at=${row.updatedAt} />` },
    ]} empty=${html`<${Empty} title=${status || channel || parentId || feedback ? 'No matching sessions' : 'No sessions'}><p>A session starts with a message: from a bot, over HTTP, or in a chat here.</p></${Empty}>`} />`;
}
