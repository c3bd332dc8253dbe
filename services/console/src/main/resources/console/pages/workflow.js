// One version of a workflow: description, text, diagram, start form and processes.
import { html, useState } from '../lib/preact.js';
import { all, api, get, getText, part } from '../api.js';
import { go, to } from '../route.js';
import { Confirm, Failure, Figure, Figures, Head, State, Table, When, useAsked, useList } from '../ui.js';
import { Diagram } from './diagram.js';
import { Start } from './start.js';

export function Workflow({ here, named }) {
  const path = `v1/projects/${here.project}/workflows/${part(named)}`;
  const asked = useAsked(() => get(path), [path]);
  const [deleting, setDeleting] = useState(false);
  const one = asked.value;
  if (!one) return html`<${Head} title=${named} /><${Failure} problem=${asked.problem} again=${asked.again} />`;
  const name = `${one.namespace}:${one.name}`;
  const reference = `${name}:${one.version}`;
  const own = one.scope === 'project';
  const mayManage = here.may(own ? 'workflow.manage' : 'setting.manage');
  const base = own ? `v1/projects/${here.project}/workflows` : 'v1/workflows';
  return html`<${Head} title=${`Workflow ${name}`}>
      ${mayManage && html`<a class="button" href=${to(here.project, 'workflows', ['publish'], { from: reference, scope: own ? '' : 'host' })}>Publish a new version</a>
      <button type="button" class="danger" onClick=${() => setDeleting(true)}>Delete this version…</button>`}
    </${Head}>
    ${deleting && html`<${Confirm} title=${`Delete version ${one.version}?`} action="Delete" typed=${reference} onClose=${() => setDeleting(false)}
      onDone=${() => api('DELETE', `${base}/${part(one.id)}`).then(() => go(to(here.project, 'workflows')))}>
      <p>Running processes continue; no new ones start. Publishing the same text restores it.</p></${Confirm}>`}
    ${one.summary && html`<p>${one.summary}</p>`}
    <${Figures}>
      <${Figure} name="Version" note=${html`<${Versions} here=${here} one=${one} base=${base} />`}>${one.version}</${Figure}>
      <${Figure} name="Of">${own ? 'this project' : 'the host'}</${Figure}>
      <${Figure} name="Published"><${When} at=${one.publishedAt} /></${Figure}>
      <${Figure} name="Needs" note=${one.needs.length > 0 ? 'of the installation' : undefined}>${one.needs.length > 0 ? one.needs.join(', ') : 'nothing'}</${Figure}>
    </${Figures}>
    ${one.warnings.length > 0 && html`<section class="card" aria-label="Warnings"><h2>Warnings</h2><ul>${one.warnings.map((warning) => html`<li>Line ${warning.line}: ${warning.detail} <code>${warning.pointer}</code></li>`)}</ul></section>`}
    ${here.may('workflow.run') && html`<${Start} here=${here} workflow=${one} reference=${reference} />`}
    <h2>Diagram</h2>
    <${Diagram} path=${`${path}/diagram`} label=${`Diagram of ${reference}`} />
    <${Text} path=${path} />
    <${Latest} here=${here} reference=${reference} />`;
}

function Versions({ here, one, base }) {
  const asked = useAsked(() => all(base, { namespace: one.namespace, name: one.name }), [base, one.id]);
  const others = (asked.value?.data ?? []).filter((other) => other.id !== one.id).toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1));
  return others.length > 0 && html`<span>others: ${others.map((other, n) => html`<a key=${other.id} href=${to(here.project, 'workflows', [`${other.namespace}:${other.name}:${other.version}`])}>${n > 0 ? ', ' : ''}${other.version}</a>`)}</span>`;
}

/** The published text, fetched when opened. */
function Text({ path }) {
  const [open, setOpen] = useState(false);
  const asked = useAsked(() => (open ? getText(`${path}/definition`, 'application/yaml') : Promise.resolve(null)), [path, open]);
  return html`<section aria-label="Definition"><h2>Definition</h2><details open=${open} onToggle=${(e) => setOpen(e.target.open)}><summary>Published text</summary>
    <${Failure} problem=${asked.problem} again=${asked.again} />
    ${asked.value && html`<pre class="lines" tabindex="0">${asked.value.text.split('\n').map((line) => html`<span>${`${line}\n`}</span>`)}</pre>`}</details></section>`;
}

function Latest({ here, reference }) {
  const list = useList('v1/processes', { project: here.project, definition: reference, data: false, limit: 10 }, 10);
  return html`<section aria-label="Processes"><h2>Processes</h2><${Table} label=${`Processes of ${reference}`} list=${{ ...list, onMore: null }} columns=${[
      { name: 'Process', of: (row) => html`<a href=${to(here.project, 'processes', [row.id])}>${row.instanceId}</a>` },
      { name: 'State', of: (row) => html`<${State} of=${row.phase} />` },
      { name: 'Waiting for', of: (row) => (row.completedAt && row.phase !== 'faulted' ? '' : row.next), narrow: false },
      { name: 'Began', of: (row) => html`<${When} at=${row.startedAt} />` },
    ]} empty=${html`<p class="muted">None has started.</p>`} />
    ${list.onMore && html`<p><a href=${to(here.project, 'processes', [], { definition: reference })}>All of them</a></p>`}</section>`;
}
