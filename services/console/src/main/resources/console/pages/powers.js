// The powers that parley.yml grants: what tools and workflows reach beyond their sandbox, and who may.
import { html } from '../lib/preact.js';
import { Empty, Head, Table, useList } from '../ui.js';

const who = (row) => [...row.projects.map((project) => `project ${project}`), ...row.hosts.map((host) => `host ${host}`)];

export function Powers() {
  const list = useList('v1/powers', {});
  return html`<${Head} title="Powers" />
    <${Table} label="Powers" list=${list} columns=${[
      { name: 'Setting', of: (row) => html`<code>${row.setting}</code>` },
      { name: 'Which', of: (row) => html`<span class="whole">${row.name}</span>` },
      { name: 'Sent to', narrow: false, of: (row) => row.to.join(', ') },
      { name: 'Granted to', of: (row) => who(row).join(', ') || 'nobody' },
      { name: 'Named', narrow: false, of: (row) => (row.named ? 'in parley.yml' : 'nobody: the defaults') },
    ]} empty=${html`<${Empty} title="No powers"><p>Tools and workflows stay in their sandbox and on the public internet.</p></${Empty}>`} />`;
}
