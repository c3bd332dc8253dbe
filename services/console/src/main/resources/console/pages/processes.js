// Workflow processes: the list, bulk actions, and one process.
import { html, useState } from '../lib/preact.js';
import { filter, to } from '../route.js';
import { Choice, Empty, Head, Moment, State, Table, Typed, When, lasted, useList } from '../ui.js';
import { Many } from './many.js';
import { Process } from './process.js';

export const PHASES = ['pending', 'running', 'waiting', 'suspended', 'completed', 'faulted', 'cancelled'];

/** Names of business keys in the API. */
const KEYS = ['appId', 'processType', 'processSubtypeCode', 'customStatusCode', 'resultCode', 'sourceId', 'branchCode', 'rrCode', 'partyId', 'partyName',
  'counterPartyId', 'counterPartyName', 'txnId', 'txnName', 'productId', 'productName', 'productType', 'groupName', 'subgroupName', 'owningGroupName',
  'exRefId', 'exRefCode', 'parentGroupId', 'eventOther', 'risk', 'price', 'productQy', 'currencyCode'];

export function Processes({ here }) {
  return here.rest.length > 0 ? html`<${Process} here=${here} key=${here.rest[0]} id=${here.rest[0]} />` : html`<${List} here=${here} />`;
}

/** Query parameters for the filters in the address. */
export function wanted(project, { phase, definition, instanceId, overdue, parentId, from, to: until, key, value }) {
  return { project, phase, definition, instanceId, overdue, parentId, from, to: until, ...(key && value ? { [key]: value } : {}) };
}

function List({ here }) {
  const { phase, definition, instanceId, overdue, key, value, parentId } = here.filters;
  const which = wanted(here.project, here.filters);
  const list = useList('v1/processes', { ...which, data: false }, 5);
  const [doing, setDoing] = useState(null);
  return html`<${Head} title="Processes">
      <${Choice} label="State" value=${phase} onChange=${(next) => filter({ phase: next })} options=${[['', 'any'], ...PHASES.map((one) => [one, one])]} />
      <${Choice} label="Deadline" value=${overdue} onChange=${(next) => filter({ overdue: next })} options=${[['', 'any'], ['true', 'is over']]} />
      <${Typed} label="Workflow" value=${definition} onChange=${(next) => filter({ definition: next })} hint="namespace:name" />
      <${Typed} label="Instance" value=${instanceId} onChange=${(next) => filter({ instanceId: next })} />
      <${Choice} label="Business key" value=${key} onChange=${(next) => filter({ key: next, value: next ? value : '' })} options=${[['', 'none'], ...KEYS.map((one) => [one, one])]} />
      <${Moment} label="From" value=${here.filters.from} onChange=${(next) => filter({ from: next })} />
      <${Moment} label="Before" value=${here.filters.to} onChange=${(next) => filter({ to: next })} />
      ${key && html`<${Typed} label=${`${key} is`} value=${value} onChange=${(next) => filter({ value: next })} />`}
    </${Head}>
    ${parentId && html`<p>Those that <a href=${to(here.project, 'processes', [parentId])}>one process</a> has started. <a href=${to(here.project, 'processes')}>Show all</a></p>`}
    ${here.may('workflow.manage') && list.rows.length > 0 && html`<p class="buttons">
      <button type="button" onClick=${() => setDoing('retry')}>Retry all failed processes…</button>
      <button type="button" onClick=${() => setDoing('cancel')}>Cancel all running processes…</button></p>`}
    ${doing && html`<${Many} action=${doing} which=${which} here=${here} onClose=${() => setDoing(null)} onDone=${list.again} />`}
    <${Table} label="Processes" list=${list} columns=${[
      { name: 'Process', of: (row) => html`<a href=${to(here.project, 'processes', [row.id])}>${row.instanceId}</a>` },
      { name: 'Workflow', of: (row) => html`<a class="whole" href=${to(here.project, 'workflows', [row.workflow])}>${row.workflow}</a>`, narrow: false },
      { name: 'State', of: (row) => html`<${State} of=${row.phase} />` },
      { name: 'Waiting for', of: (row) => (row.phase === 'faulted' ? (row.error?.detail ?? row.error?.title ?? row.next) : row.completedAt ? '' : row.next), narrow: false },
      { name: 'Began', of: (row) => html`<${When} at=${row.startedAt} />` },
      { name: 'Lasts', narrow: false, number: true, of: (row) => lasted(row.startedAt, row.completedAt) },
    ]} empty=${html`<${Empty} title=${Object.values(here.filters).some(Boolean) ? 'No matching processes' : 'No processes'}>
      ${Object.values(here.filters).some(Boolean)
        ? html`<p><a href=${to(here.project, 'processes')}>Show all</a></p>`
        : html`<p>A process starts when someone <a href=${to(here.project, 'workflows')}>starts a workflow</a>, or when an event or a schedule does.</p>`}</${Empty}>`} />`;
}
