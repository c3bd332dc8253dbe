// One process: its progress, what it waits for, its tasks, and actions.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { all, api, get, part, query, stream } from '../api.js';
import { filter, go, to } from '../route.js';
import { Act, Confirm, Failure, Figure, Figures, Head, Plain, State, When, lasted, useAsked, useList } from '../ui.js';
import { Diagram } from './diagram.js';

const WORKFLOW = ['started', 'created', 'suspended', 'status-changed', 'cancelled', 'faulted', 'completed'].map((word) => `io.serverlessworkflow.workflow.${word}.v1`);
const TASK = ['created', 'started', 'resumed', 'suspended', 'cancelled', 'faulted', 'completed'].map((word) => `io.serverlessworkflow.task.${word}.v1`);
const PEOPLE = ['asked', 'claimed', 'released', 'claim_lapsed', 'delegated', 'escalated', 'answered', 'refused', 'withdrawn'].map((word) => `dev.parley.task.${word}.v1`);
const KINDS = ['process', ...WORKFLOW, ...TASK, ...PEOPLE, 'dev.parley.workflow.overdue.v1'];
const KEPT = 50;
const PAUSE = 300;

/** Live events of a process; `round` grows when the tables must be read again. */
function useEvents(base, over, onChanged) {
  const [events, setEvents] = useState([]);
  const [line, setLine] = useState('open');
  useEffect(() => {
    if (over) return undefined;
    let timer;
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(onChanged, PAUSE);
    };
    const close = stream(`${base}/events`, KINDS, (kind, event) => {
      if (kind === 'process') {
        if (event.completedAt) close();
      } else {
        setEvents((known) => (known.some((one) => one.id === event.id) ? known : [event, ...known].slice(0, KEPT)));
        if (/workflow\.(cancelled|faulted|completed)\./.test(kind)) close();
      }
      later();
    }, setLine);
    return () => {
      clearTimeout(timer);
      close();
    };
  }, [base, over]);
  return { events, line: over ? 'open' : line };
}

export function Process({ here, id }) {
  const base = `v1/processes/${part(id)}`;
  const [round, setRound] = useState(0);
  const changed = () => setRound((n) => n + 1);
  const asked = useAsked(() => get(`${base}?fresh=true`), [base, round]);
  const one = asked.value;
  const { events, line } = useEvents(base, !one || Boolean(one.completedAt), changed);
  if (!one) {
    return html`<${Head} title=${`Process ${id}`} /><${Failure} problem=${asked.problem} again=${asked.again} />`;
  }
  return html`<${Head} title=${`Process ${one.instanceId}`}><${State} of=${one.phase} /></${Head}>
    <${Failure} problem=${asked.problem} again=${asked.again} />
    ${line === 'lost' && html`<p class="muted" role="status">The connection was lost. Reconnecting; nothing is missed.</p>`}
    <section class="card" aria-label="Waiting for" aria-live="polite"><p class="why">${one.completedAt && one.phase !== 'faulted' ? `It has ended: it is ${one.phase}.` : sentence(`It waits for ${one.next}`)}
      ${asksPerson(one) && html` <a href=${to(here.project, 'inbox', [], { whose: 'all' })}>Answer in the inbox</a>`}</p></section>
    ${one.error && html`<${Failure} problem=${{ message: [one.error.title, one.error.detail].filter(Boolean).join(': ') }} />`}
    <${Facts} one=${one} here=${here} />
    ${here.may('workflow.manage') && html`<${Deeds} one=${one} base=${base} here=${here} onChanged=${changed} />`}
    <h2>Diagram</h2>
    <${Diagram} path=${`${base}/diagram`} round=${round} label=${`Diagram of ${one.workflow} with the state of each task`} linkOf=${(task) => to(here.project, 'processes', [id], { task })} />
    <${Tasks} base=${base} round=${round} here=${here} one=${one} onChanged=${changed} />
    <${Data} one=${one} />
    ${!one.completedAt && html`<${Events} events=${events} />`}`;
}

const sentence = (text) => (/[.?!]$/.test(text) ? text : `${text}.`);
const asksPerson = (one) => !one.completedAt && one.next?.startsWith('a person who answers');

function Facts({ one, here }) {
  const children = useAsked(() => get(`v1/processes${query({ project: one.project, parentId: one.id, data: false, limit: 20 })}`), [one.id, one.phase]);
  const rows = children.value?.data ?? [];
  const late = one.deadline && !one.completedAt && new Date(one.deadline) < new Date();
  const keys = Object.entries(one.business ?? {});
  return html`<div><${Figures}>
      <${Figure} name="Workflow"><a href=${to(here.project, 'workflows', [one.workflow])}>${one.workflow}</a></${Figure}>
      <${Figure} name="Began"><${When} at=${one.startedAt} /></${Figure}>
      <${Figure} name=${one.completedAt ? 'Lasted' : 'Lasts'}>${lasted(one.startedAt, one.completedAt)}</${Figure}>
      ${one.deadline && html`<${Figure} name=${late ? 'Overdue since' : 'Deadline'} tone=${late ? 'bad' : ''}><${When} at=${one.deadline} /></${Figure}>`}
      ${one.parentId && html`<${Figure} name="Started by"><a href=${to(here.project, 'processes', [one.parentId])}>another process</a></${Figure}>`}
      ${one.originId && html`<${Figure} name="Restart of"><a href=${to(here.project, 'processes', [one.originId])}>another process</a></${Figure}>`}
    </${Figures}>
    ${rows.length > 0 && html`<section aria-label="Child processes"><h2>Child processes</h2><ul>${rows.map((child) => html`<li key=${child.id}><a href=${to(here.project, 'processes', [child.id])}>${child.workflow} ${child.instanceId}</a> <${State} of=${child.phase} /></li>`)}</ul>
      ${children.value.next && html`<p><a href=${to(here.project, 'processes', [], { parentId: one.id })}>All of them</a></p>`}</section>`}
    ${keys.length > 0 && html`<section><h2>Business keys</h2><div class="scroll" tabindex="0" role="region" aria-label="Business keys"><table><thead><tr><th scope="col">Key</th><th scope="col">Value</th></tr></thead><tbody>
      ${keys.map(([name, value]) => html`<tr key=${name}><th scope="row">${name}</th><td><a href=${to(here.project, 'processes', [], { key: name, value: String(value) })}>${String(value)}</a></td></tr>`)}</tbody></table></div></section>`}</div>`;
}

/** The actions that its state allows, each with its effect. */
function Deeds({ one, base, here, onChanged }) {
  const [asking, setAsking] = useState(null);
  const failed = one.phase === 'faulted';
  const tell = (action, body = {}) => api('POST', `${base}/${action}`, body).then(onChanged);
  const deeds = [
    failed && ['Retry', 'The failed task starts again, with the same idempotency key.', () => tell('retry')],
    failed && ['Skip…', 'The failed task ends with the output that you enter.', () => setAsking('skip')],
    one.phase === 'suspended' && ['Resume', 'It continues where it was suspended.', () => tell('resume')],
    !one.completedAt && one.phase !== 'suspended' && ['Suspend', 'Running calls finish; nothing new starts until it is resumed.', () => tell('suspend')],
    !one.completedAt && ['Cancel…', 'It stops permanently, with its calls and child processes.', () => setAsking('cancel'), 'danger'],
    one.completedAt && ['Restart…', 'Starts a new process with the same definition and input.', () => setAsking('restart')],
  ].filter(Boolean);
  return html`<section class="card" aria-label="Actions"><h2>Actions</h2>
    <ul class="deeds">${deeds.map(([label, says, run, kind]) => html`<li key=${label}><${Act} label=${label} kind=${kind} onClick=${async () => run()} /> <span class="muted">${says}</span></li>`)}</ul>
    ${asking === 'cancel' && html`<${Confirm} title="Cancel this process?" action="Cancel the process" onClose=${() => setAsking(null)} onDone=${() => tell('cancel')}><p>It stops permanently.</p></${Confirm}>`}
    ${asking === 'skip' && html`<${Skip} onClose=${() => setAsking(null)} onDone=${(body) => tell('skip', body)} />`}
    ${asking === 'restart' && html`<${Restart} base=${base} here=${here} onClose=${() => setAsking(null)} />`}
  </section>`;
}

/** Asks for the output of a skipped task. @param task its name; without it the failed task */
function Skip({ task, onClose, onDone }) {
  const [text, setText] = useState('');
  const send = async () => {
    const output = text.trim() === '' ? undefined : parsed(text);
    await onDone({ ...(task ? { task } : {}), ...(output === undefined ? {} : { output }) });
  };
  return html`<${Confirm} title=${task ? `Skip ${task}?` : 'Skip the failed task?'} action="Skip" onClose=${onClose} onDone=${send}>
    <label>Output as JSON; empty for the task's input <textarea value=${text} onInput=${(e) => setText(e.target.value)}></textarea></label></${Confirm}>`;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (e) {
    throw new Error(`This is not valid JSON: ${e.message}`);
  }
}

function Restart({ base, here, onClose }) {
  const tasks = useAsked(() => all(`${base}/tasks`, { data: false }), [base]);
  const [from, setFrom] = useState('');
  const outermost = [...new Set((tasks.value?.data ?? []).filter((task) => /^\/do\/\d+\/[^/]+$/.test(task.path ?? '')).map((task) => task.name))];
  return html`<${Confirm} title="Restart this process?" action="Restart" onClose=${onClose}
      onDone=${() => api('POST', `${base}/restart`, from ? { from } : {}).then((made) => go(to(here.project, 'processes', [made.id])))}>
    <p>A new process starts; this one is unchanged.</p>
    <label class="choice">Begin with <select value=${from} onChange=${(e) => setFrom(e.target.value)}>
      <option value="">the first task</option>${outermost.map((name) => html`<option key=${name} value=${name}>${name}, with what it got here</option>`)}
    </select></label></${Confirm}>`;
}

/** The runs of a task, newest first; input and output are fetched when opened. */
function Tasks({ base, round, here, one, onChanged }) {
  const list = useList(`${base}/tasks`, { data: false, order: 'desc' });
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else list.again();
  }, [round]);
  const { task } = here.filters;
  const rows = task ? list.rows.filter((row) => row.name === task || (task.endsWith('…') && row.name.startsWith(task.slice(0, -1)))) : list.rows;
  return html`<section aria-label="Tasks"><h2>Tasks</h2>
    <${Failure} problem=${list.problem} again=${list.again} />
    ${task && html`<p>Runs of <b>${task}</b> alone. <button type="button" class="link" onClick=${() => filter({ task: '' })}>Show all tasks</button></p>`}
    ${!list.loading && rows.length === 0 && html`<p class="muted">${task ? 'It has not started.' : 'No task has started.'}</p>`}
    <ol class="timeline">${rows.map((row) => html`<${Run} key=${row.id} row=${row} here=${here} one=${one} base=${base} onChanged=${onChanged} open=${rows.length === 1 && Boolean(task)} />`)}</ol>
    ${list.onMore && html`<p class="more"><button type="button" disabled=${list.loading} onClick=${list.onMore}>Earlier tasks</button></p>`}
  </section>`;
}

function Run({ row, here, one, base, onChanged, open }) {
  const [opened, setOpened] = useState(open);
  return html`<li><details open=${opened} onToggle=${(e) => setOpened(e.target.open)}>
    <summary><b>${row.name}</b> <span class="muted">${row.type}</span> <${State} of=${row.phase} />
      <span class="muted"> <${When} at=${row.startedAt} />, ${lasted(row.startedAt, row.completedAt)}${row.attempt > 1 ? `, attempt ${row.attempt}` : ''}</span>
      ${row.phase === 'faulted' && row.error && html` <span class="said-bad">${row.error.detail ?? row.error.title}</span>`}</summary>
    ${opened && html`<${Opened} row=${row} here=${here} one=${one} base=${base} onChanged=${onChanged} />`}
  </details></li>`;
}

function Opened({ row, here, one, base, onChanged }) {
  const asked = useAsked(() => get(`v1/tasks/${part(row.id)}`), [row.id, row.phase]);
  const [skipping, setSkipping] = useState(false);
  const task = asked.value;
  if (!task) return html`<${Failure} problem=${asked.problem} again=${asked.again} />`;
  return html`<div>${task.question && html`<p>It asks: ${task.question.prompt ?? ''} ${task.completedAt ? html`<span class="muted">answered ${task.result === null ? '' : `with ${task.result}`}</span>` : html`<a href=${to(here.project, 'inbox', [], { whose: 'all', task: task.id })}>Answer in the inbox</a>`}</p>`}
    <p class="muted">At <code>${task.path ?? task.pointer}</code>${task.assignments?.length > 0 && `, for ${task.assignments.map((each) => each.assignee).join(', ')}`}</p>
    <h3>Input</h3><${Plain} text=${JSON.stringify(task.input)} />
    ${task.output != null && html`<h3>Output</h3><${Plain} text=${JSON.stringify(task.output)} />`}
    ${task.error != null && html`<h3>Error</h3><${Plain} text=${JSON.stringify(task.error)} />`}
    ${!task.completedAt && !one.completedAt && here.may('workflow.manage') && html`<p class="buttons"><button type="button" onClick=${() => setSkipping(true)}>Skip this task…</button></p>`}
    ${skipping && html`<${Skip} task=${task.name} onClose=${() => setSkipping(false)} onDone=${(body) => api('POST', `${base}/skip`, body).then(onChanged)} />`}</div>`;
}

/** Input and output of the process, rendered when opened. */
function Data({ one }) {
  return html`<section aria-label="Data"><h2>Data</h2>${[['Input', one.input], ['Context', one.context], ['Output', one.output], ['Error', one.error]].filter(([, value]) => value != null).map(([name, value]) => html`<${Folded} key=${name} name=${name} value=${value} />`)}</section>`;
}

function Folded({ name, value }) {
  const [open, setOpen] = useState(false);
  return html`<details open=${open} onToggle=${(e) => setOpen(e.target.open)}><summary>${name}</summary>${open && html`<${Plain} text=${JSON.stringify(value)} lines=${40} />`}</details>`;
}

function Events({ events }) {
  return html`<section aria-label="Last events"><h2>Last events</h2>
    ${events.length === 0 ? html`<p class="muted">New events appear here.</p>`
      : html`<ol class="timeline" role="log">${events.map((event) => html`<li key=${event.id}><${When} at=${event.time} /> ${event.data?.task ?? ''} ${event.type.split('.').at(-2).replaceAll('_', ' ').replaceAll('-', ' ')}
        ${event.data?.error && html`<span class="said-bad">${event.data.error.detail ?? event.data.error.title ?? ''}</span>`}</li>`)}</ol>`}</section>`;
}
