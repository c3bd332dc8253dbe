// Definitions of workflows: what there is, how it looks, publishing and starting.
import { html, useState } from '../lib/preact.js';
import { api, get, getText, part } from '../api.js';
import { go, to } from '../route.js';
import { Confirm, Empty, Failure, Head, Plain, Table, When, useAsked, useList } from '../ui.js';
import { Diagram } from './processes.js';

export function Workflows({ here }) {
  if (here.rest[0] === '+new') return html`<${Publish} here=${here} />`;
  return here.rest.length > 0 ? html`<${Definition} here=${here} name=${here.rest[0]} />` : html`<${List} here=${here} />`;
}

const path = (here) => `v1/projects/${here.project}/workflows`;

function List({ here }) {
  const list = useList(path(here), {}, 30);
  return html`<${Head} title="Workflows">
      ${here.may('workflow.manage') && html`<a class="button" href=${to(here.project, 'workflows', ['+new'])}>Publish one</a>`}
      <a class="button" href=${to(here.project, 'processes')}>Processes</a>
    </${Head}>
    <${Table} label="Workflows" list=${list} columns=${[
      { name: 'Workflow', of: (row) => html`<a href=${to(here.project, 'workflows', [`${row.namespace}:${row.name}:${row.version}`])}>${row.namespace}:${row.name}</a>` },
      { name: 'Version', of: (row) => row.version },
      { name: 'Of', narrow: false, of: (row) => row.scope },
      { name: 'Title', narrow: false, of: (row) => row.title ?? '' },
      { name: 'Published', of: (row) => html`<${When} at=${row.publishedAt} />` },
    ]} empty=${html`<${Empty} title="No workflows"><p>A workflow is a definition in YAML, in the Serverless Workflow DSL. <code>docs/workflows.md</code> has one that runs in two minutes, with a person in it.</p></${Empty}>`} />`;
}

/** Text of a definition, and what is wrong with it, beside its line. */
function Publish({ here }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState(null);
  const publish = async (event) => {
    event.preventDefault();
    try {
      const made = await api('POST', path(here), text, { 'Content-Type': 'application/yaml' });
      go(to(here.project, 'workflows', [`${made.namespace}:${made.name}:${made.version}`]));
    } catch (e) {
      setProblem(e);
    }
  };
  const lines = text.split('\n');
  return html`<${Head} title="Publish a workflow" />
    <form onSubmit=${publish}>
      <label>Definition (YAML) <textarea class="code" rows="20" spellcheck="false" value=${text} onInput=${(e) => setText(e.target.value)} required></textarea></label>
      ${problem && html`<div class="failure" role="alert"><p>${problem.message}</p><ul>${problem.errors.slice(0, 50).map((one) => html`<li>
        ${one.line && html`<code>line ${one.line}</code> `}${one.detail}${one.line && html`<pre>${lines[one.line - 1] ?? ''}</pre>`}</li>`)}</ul></div>`}
      <p class="buttons"><button class="main">Publish</button></p>
    </form>`;
}

function Definition({ here, name }) {
  const base = `${path(here)}/${part(name)}`;
  const asked = useAsked(() => get(base), [base]);
  const text = useAsked(() => getText(`${base}/definition`), [base]);
  const [asking, setAsking] = useState(false);
  const one = asked.value;
  return html`<${Head} title=${one ? `${one.namespace}:${one.name}` : name}>
      ${one && html`<a class="button" href=${to(here.project, 'processes', [], { definition: `${one.namespace}:${one.name}` })}>Its processes</a>
        ${here.may('workflow.manage') && one.scope !== 'host' && html`<button class="danger" onClick=${() => setAsking(true)}>Delete this version</button>`}`}
    </${Head}>
    <${Failure} problem=${asked.problem} again=${asked.again} />
    ${asking && html`<${Confirm} title="Delete this version?" action="Delete" typed=${one.name} onClose=${() => setAsking(false)} onDone=${() => api('DELETE', `${path(here)}/${part(one.id)}`).then(() => go(to(here.project, 'workflows')))}>
      <p>Processes that have begun with it go on.</p></${Confirm}>`}
    ${one && html`<p class="muted">version ${one.version}, of the ${one.scope}, published <${When} at=${one.publishedAt} /></p>
      ${one.summary && html`<p>${one.summary}</p>`}
      ${here.may('workflow.run') && html`<${Start} here=${here} base=${base} />`}
      <${Diagram} path=${`${base}/diagram`} version=${one.digest} />
      <section class="card"><h2>Definition</h2>${text.value && html`<${Plain} text=${text.value.text} lines=${60} />`}</section>`}`;
}

function Start({ here, base }) {
  const [input, setInput] = useState('{}');
  const [instance, setInstance] = useState('');
  const [problem, setProblem] = useState(null);
  const start = async (event) => {
    event.preventDefault();
    let value;
    try {
      value = JSON.parse(input || '{}');
    } catch {
      setProblem({ message: 'The input is no JSON.' });
      return;
    }
    try {
      const made = await api('POST', `${base}/instances`, { input: value, ...(instance ? { instanceId: instance } : {}) });
      go(to(here.project, 'processes', [made.id]));
    } catch (e) {
      setProblem(e);
    }
  };
  return html`<section class="card"><h2>Start a process</h2><form onSubmit=${start}>
    <label>Input (JSON) <textarea class="code" value=${input} onInput=${(e) => setInput(e.target.value)}></textarea></label>
    <label>Instance id <input value=${instance} onInput=${(e) => setInstance(e.target.value)} placeholder="made up where it is empty; the same one starts nothing twice" /></label>
    <${Failure} problem=${problem} />
    <p class="buttons"><button class="main">Start</button></p></form></section>`;
}
