// Workflows: definitions of a project and of its host, by name with their versions.
import { html } from '../lib/preact.js';
import { filter, to } from '../route.js';
import { Empty, Head, Table, Typed, When, useList } from '../ui.js';
import { Publish } from './publish.js';
import { Workflow } from './workflow.js';

/** Placeholder in the address for publishing a new definition. */
const PUBLISH = 'publish';

export function Workflows({ here }) {
  const [named] = here.rest;
  if (named === PUBLISH) return html`<${Publish} here=${here} />`;
  return named ? html`<${Workflow} here=${here} key=${named} named=${named} />` : html`<${List} here=${here} />`;
}

/** One row per name, with its versions, newest first. */
export function byName(rows) {
  const names = new Map();
  rows.forEach((row) => {
    const name = `${row.namespace}:${row.name}`;
    names.set(name, [...(names.get(name) ?? []), row]);
  });
  return [...names].map(([name, versions]) => {
    const sorted = versions.toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1));
    return { name, versions: sorted, newest: sorted[0] };
  });
}

function List({ here }) {
  const { namespace, name } = here.filters;
  const own = useList(`v1/projects/${here.project}/workflows`, { namespace, name });
  const hosts = useList('v1/workflows', { namespace, name });
  const mayPublish = here.may('workflow.manage') || here.may('setting.manage');
  const none = html`<${Empty} title=${namespace || name ? 'No matching workflows' : 'No workflows'}>
    ${namespace || name
      ? html`<p><a href=${to(here.project, 'workflows')}>Show all</a></p>`
      : html`<p>A workflow is a definition of the Serverless Workflow DSL. ${mayPublish && html`<a href=${to(here.project, 'workflows', [PUBLISH])}>Publish one</a>.`}</p>`}</${Empty}>`;
  return html`<${Head} title="Workflows">
      <${Typed} label="Namespace" value=${namespace} onChange=${(value) => filter({ namespace: value })} />
      <${Typed} label="Name" value=${name} onChange=${(value) => filter({ name: value })} />
      ${mayPublish && html`<a class="button" href=${to(here.project, 'workflows', [PUBLISH])}>Publish</a>`}
    </${Head}>
    <section aria-label="Of this project"><h2>Of this project</h2>
      <${Names} here=${here} list=${own} label="Workflows of this project" empty=${hosts.rows.length > 0 ? html`<p class="muted">None of its own; it can start the host's.</p>` : none} /></section>
    ${hosts.rows.length > 0 && html`<section aria-label="Of the host"><h2>Workflows of the host, for all projects</h2><${Names} here=${here} list=${hosts} label="Workflows of the host" /></section>`}`;
}

function Names({ here, list, label, empty }) {
  const link = (row, text) => html`<a href=${to(here.project, 'workflows', [`${row.namespace}:${row.name}:${row.version}`])}>${text}</a>`;
  return html`<${Table} label=${label} list=${{ ...list, rows: byName(list.rows) }} empty=${empty} columns=${[
    { name: 'Workflow', of: (row) => html`${link(row.newest, row.name)}${row.newest.title && html`<br /><span class="muted">${row.newest.title}</span>`}` },
    { name: 'Versions', of: (row) => row.versions.map((one, n) => html`<span>${n > 0 ? ', ' : ''}${link(one, one.version)}</span>`) },
    { name: 'Description', of: (row) => row.newest.summary ?? '', narrow: false },
    { name: 'Published', of: (row) => html`<${When} at=${row.newest.publishedAt} />`, narrow: false },
    { name: 'Processes', of: (row) => html`<a href=${to(here.project, 'processes', [], { definition: row.name })}>show</a>` },
  ]} />`;
}
