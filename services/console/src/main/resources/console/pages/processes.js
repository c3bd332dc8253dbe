// Processes of workflows: the list, and one of them with its diagram, its tasks and what can be done about it.
import { html, useEffect, useState } from '../lib/preact.js';
import { api, get, getText, part, stream } from '../api.js';
import { filter, to } from '../route.js';
import { Act, Choice, Confirm, Empty, Failure, Figure, Figures, Head, Plain, State, Table, When, lasted, useAsked, useList } from '../ui.js';

const STATUS = [['', 'any'], ['A', 'active'], ['W', 'waiting'], ['S', 'suspended'], ['F', 'faulted'], ['C', 'completed'], ['X', 'cancelled'], ['U', 'not begun']];
const BATCH = 50;

export function Processes({ here }) {
  return here.rest.length > 0 ? html`<${Process} here=${here} id=${here.rest[0]} />` : html`<${List} here=${here} />`;
}

function List({ here }) {
  const { status, definition, instanceId, overdue } = here.filters;
  const [many, setMany] = useState(null);
  const list = useList('v1/processes', { project: here.project, status, definition, instanceId, overdue }, 5);
  const manage = here.may('workflow.manage');
  return html`<${Head} title="Processes">
      <${Choice} label="Status" value=${status} options=${STATUS} onChange=${(value) => filter({ status: value })} />
      <${Choice} label="Deadline" value=${overdue} options=${[['', 'any'], ['true', 'over']]} onChange=${(value) => filter({ overdue: value })} />
      <${Words} label="Workflow" value=${definition} name="definition" />
      <${Words} label="Instance" value=${instanceId} name="instanceId" />
      ${manage && list.rows.some(canRetry) && html`<button onClick=${() => setMany('retry')}>Retry those shown</button>`}
      ${manage && list.rows.some(goesOn) && html`<button class="danger" onClick=${() => setMany('cancel')}>Cancel those shown</button>`}
    </${Head}>
    ${many && html`<${Many} what=${many} rows=${list.rows.filter(many === 'retry' ? canRetry : goesOn).slice(0, BATCH)} onClose=${() => { setMany(null); list.again(); }} />`}
    <${Table} label="Processes" list=${list} columns=${[
      { name: 'Instance', of: (row) => html`<a href=${to(here.project, 'processes', [row.id])}>${row.instanceId}</a>` },
      { name: 'Workflow', of: (row) => row.workflow },
      { name: 'Status', of: (row) => html`<${State} of=${row.phase} />` },
      { name: 'What comes next', narrow: false, of: (row) => row.next },
      { name: 'Begun', of: (row) => html`<${When} at=${row.startedAt} />` },
    ]} empty=${html`<${Empty} title="No processes"><p>Start one from <a href=${to(here.project, 'workflows')}>Workflows</a>, or with <code>./parley workflow start</code>.</p></${Empty}>`} />`;
}

const goesOn = (row) => ['U', 'A', 'W', 'S'].includes(row.status);
const canRetry = (row) => row.status === 'F';

/** A filter that somebody types. */
function Words({ label, value, name }) {
  return html`<label class="choice">${label} <input value=${value ?? ''} onChange=${(e) => filter({ [name]: e.target.value.trim() })} /></label>`;
}

/** Does the same with many, one after the other, and says what became of each. */
function Many({ what, rows, onClose }) {
  const [results, setResults] = useState({});
  const run = async () => {
    for (const row of rows) {
      const result = await api('POST', `v1/processes/${part(row.id)}/${what}`, {}).then(() => 'done', (problem) => problem.message);
      setResults((before) => ({ ...before, [row.id]: result }));
    }
    throw new Error('Each says what became of it. Go back when you have read it.');
  };
  return html`<${Confirm} title=${`${what === 'retry' ? 'Retry' : 'Cancel'} ${rows.length} processes?`} action=${what === 'retry' ? 'Retry them' : 'Cancel them'} onDone=${run} onClose=${onClose}>
    <ul>${rows.map((row) => html`<li>${row.instanceId} ${results[row.id] && html`<b>${results[row.id]}</b>`}</li>`)}</ul>
  </${Confirm}>`;
}

/** What the server can do with a process in each status. */
const ACTIONS = [
  ['suspend', 'Pause', 'AW', 'No task begins until it is resumed'],
  ['resume', 'Resume', 'S', 'Goes on'],
  ['retry', 'Retry', 'F', 'Makes what has failed again'],
  ['skip', 'Skip', 'F', 'Goes on behind what has failed'],
  ['restart', 'Restart', 'CFX', 'Begins again from its start'],
];

function Process({ here, id }) {
  const base = `v1/processes/${part(id)}`;
  const process = useAsked(() => get(base), [base]);
  const [now, setNow] = useState(null);
  const [asking, setAsking] = useState(false);
  const one = now ?? process.value;
  useEffect(() => stream(`${base}/events`, ['process'], (_, value) => setNow(value)), [base]);
  if (!one) {
    return html`<${Head} title="Process" /><${Failure} problem=${process.problem} again=${process.again} />`;
  }
  const act = (what) => api('POST', `${base}/${what}`, {}).then(setNow);
  return html`<${Head} title=${one.instanceId}>
      ${here.may('workflow.manage') && html`${ACTIONS.filter(([, , when]) => when.includes(one.status)).map(([code, label, , why]) => html`<${Act} key=${code} label=${label} title=${why} onClick=${() => act(code)} />`)}
        ${goesOn(one) && html`<button class="danger" onClick=${() => setAsking(true)}>Cancel</button>`}`}
    </${Head}>
    ${asking && html`<${Confirm} title="Cancel this process?" action="Cancel it" onClose=${() => setAsking(false)} onDone=${() => act('cancel')}><p>What it waits for is given up, and so are the processes that it has started.</p></${Confirm}>`}
    <section class="card" aria-live="polite"><p class="why">${one.next} <${State} of=${one.phase} /></p>
      ${['waiting', 'active'].includes(one.phase) && html`<p><a href=${to(here.project, 'inbox', [], { whose: 'all' })}>Does a person have to answer?</a></p>`}</section>
    <${Figures}>
      <${Figure} name="Workflow"><a href=${to(here.project, 'workflows', [one.workflow])}>${one.workflow}</a></${Figure}>
      <${Figure} name=${one.completedAt ? 'Took' : 'Goes on for'} note=${html`since <${When} at=${one.startedAt} />`}>${lasted(one.startedAt, one.completedAt)}</${Figure}>
      ${one.deadline && html`<${Figure} name="Deadline"><${When} at=${one.deadline} /></${Figure}>`}
      ${one.parentId && html`<${Figure} name="Started by"><a href=${to(here.project, 'processes', [one.parentId])}>another process</a></${Figure}>`}
    </${Figures}>
    ${Object.keys(one.business ?? {}).length > 0 && html`<section class="card"><h2>Business keys</h2><${Plain} text=${JSON.stringify(one.business)} /></section>`}
    ${one.error && html`<${Failure} problem=${{ message: `${one.error.title ?? 'It failed'}: ${one.error.detail ?? ''} (${one.error.instance ?? ''})` }} />`}
    <${Diagram} path=${`${base}/diagram`} version=${`${one.status} ${one.next}`} />
    <${Tasks} base=${base} version=${`${one.status} ${one.next}`} here=${here} />
    <section class="card"><h2>Data</h2>
      ${[['Input', one.input], ['Context', one.context], ['Output', one.output]].map(([name, value]) => value != null && html`<details><summary>${name}</summary><${Plain} text=${JSON.stringify(value)} lines=${30} /></details>`)}
    </section>`;
}

function Tasks({ base, version, here }) {
  const asked = useAsked(() => get(`${base}/tasks?limit=200`), [base, version]);
  const rows = asked.value?.data ?? [];
  return html`<section class="card"><h2>Tasks</h2><${Failure} problem=${asked.problem} again=${asked.again} />
    <ul class="timeline">${rows.map((task) => html`<li key=${task.id}>
      <b>${task.name}</b> <span class="muted">${task.type}${task.attempt > 1 ? `, attempt ${task.attempt}` : ''}</span> <${State} of=${task.phase} />
      <span class="muted"> ${lasted(task.startedAt, task.completedAt)}</span>
      ${task.error && html`<p class="said-bad">${task.error.title}: ${task.error.detail}</p>`}
      ${task.turnId && html`<p><a href=${to(here.project, 'sessions', [task.session], { turn: task.turnId })}>its turn</a></p>`}
      <details><summary>Input and output of ${task.name}</summary><${Plain} text=${JSON.stringify({ input: task.input, output: task.output })} /></details>
    </li>`)}</ul>
    ${asked.value?.next && html`<p class="muted">Only the first 200 are shown.</p>`}
  </section>`;
}

/** What a flowchart of Mermaid says, as boxes in boxes: {label, state, inner}. */
export function boxes(mermaid) {
  const root = { inner: [] };
  const path = [root];
  const byId = new Map();
  const label = (text) => text.replace(/<br\/>/g, ' · ').replace(/<\/?small>/g, '').replace(/&quot;|#quot;/g, '"').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
  for (const line of mermaid.split('\n').map((each) => each.trim())) {
    const group = line.match(/^subgraph (\w+)\["(.*)"\]$/);
    const node = line.match(/^(\w+)(?:\[|\{\{|\(\[|\{|\(\(|\[\[|>)"?(.*?)"?(?:\]|\}\}|\]\)|\}|\)\)|\]\])$/);
    const classes = line.match(/^class ([\w,]+) (\w+)$/);
    if (group) {
      const box = { id: group[1], label: label(group[2]), inner: [] };
      byId.set(box.id, box);
      path.at(-1).inner.push(box);
      path.push(box);
    } else if (line === 'end') {
      path.pop();
    } else if (classes) {
      classes[1].split(',').forEach((id) => byId.has(id) && (byId.get(id).state = classes[2]));
    } else if (node && node[2].trim() && !line.startsWith('classDef') && !['start', 'done'].includes(node[1])) {
      const box = { id: node[1], label: label(node[2]), inner: [] };
      byId.set(box.id, box);
      path.at(-1).inner.push(box);
    }
  }
  return root.inner;
}

export function Diagram({ path, version }) {
  const asked = useAsked(() => getText(path), [path, version]);
  const text = asked.value?.text;
  return html`<section class="card"><h2>Diagram</h2><${Failure} problem=${asked.problem} again=${asked.again} />
    ${text && html`<ol class="diagram">${boxes(text).map((box) => html`<${Box} box=${box} />`)}</ol>
      <details><summary>As Mermaid</summary><${Plain} text=${text} lines=${40} /></details>`}
  </section>`;
}

const Box = ({ box }) =>
  html`<li class=${box.state ?? ''}><span>${box.label}${box.state && html` <${State} of=${box.state} />`}</span>
    ${box.inner.length > 0 && html`<ol class="diagram">${box.inner.map((inner) => html`<${Box} box=${inner} />`)}</ol>`}</li>`;
