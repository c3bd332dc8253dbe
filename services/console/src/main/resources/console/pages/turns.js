// Turns of all sessions: running, failed with the cause, waiting.
import { html } from '../lib/preact.js';
import { filter, to } from '../route.js';
import { Choice, Empty, Head, Moment, State, Table, Typed, When, lasted, money, number, useList } from '../ui.js';

const STATES = [['', 'any'], ['open', 'going on'], ['WAITING_APPROVAL', 'waiting for a person'], ['QUEUED', 'queued'], ['FAILED', 'failed'], ['CANCELLED', 'cancelled'], ['COMPLETED', 'completed']];

/** The opinions that a list is filtered by. */
export const OPINIONS = [['', 'any'], ['good', 'good'], ['bad', 'bad'], ['other', 'another reaction']];

/** The number of opinions about a turn, in a few characters. */
const rated = ({ good, bad, other }) => [[good, 'good'], [bad, 'bad'], [other, 'other']].filter(([n]) => n > 0).map(([n, name]) => `${n} ${name}`).join(', ');

export function Turns({ here }) {
  const { state, agent, since, feedback } = here.filters;
  const list = useList(`v1/projects/${here.project}/turns`, { state, agent, since, feedback, data: false }, 10);
  const rows = list.rows.map((row) => ({ ...row.turn, agent: row.agent, feedback: row.feedback }));
  const filtered = state || agent || since || feedback;
  return html`<${Head} title="Turns">
      <${Choice} label="State" value=${state} onChange=${(value) => filter({ state: value })} options=${STATES} />
      <${Typed} label="Agent" value=${agent} onChange=${(value) => filter({ agent: value })} />
      <${Choice} label="Found" value=${feedback} onChange=${(value) => filter({ feedback: value })} options=${OPINIONS} />
      <${Moment} label="Since" value=${since} onChange=${(value) => filter({ since: value })} />
    </${Head}>
    <${Table} label="Turns" list=${{ ...list, rows }} columns=${[
      { name: 'Said', of: (row) => html`<a href=${to(here.project, 'sessions', [row.session], { turn: row.id })} title=${row.session}>${row.text.slice(0, 80) || row.session}</a>` },
      { name: 'State', of: (row) => html`<${State} of=${row.state} />` },
      { name: 'Why', of: (row) => row.error?.message ?? '' },
      { name: 'Found', narrow: false, of: (row) => rated(row.feedback) },
      { name: 'Agent', narrow: false, of: (row) => row.agent },
      { name: 'Model', narrow: false, of: (row) => row.model ?? '' },
      { name: 'Took', number: true, of: (row) => lasted(row.createdAt, row.completedAt) },
      { name: 'Tokens', number: true, narrow: false, of: (row) => number(row.usage.input + row.usage.output) },
      { name: 'Cost', number: true, narrow: false, of: (row) => money(row.usage.cost) },
      { name: 'Began', of: (row) => html`<${When} at=${row.createdAt} />` },
    ]} empty=${html`<${Empty} title=${filtered ? 'No matching turns' : 'No turns'}><p>${filtered ? html`<a href=${to(here.project, 'turns')}>Show all</a>` : 'A turn begins with a message: from a bot, over HTTP, or in a chat here.'}</p></${Empty}>`} />`;
}
