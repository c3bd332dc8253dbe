// What waits for people: workflow tasks, approvals of tool calls, conversations, and calls of unknown outcome.
import { html, useEffect, useState } from '../lib/preact.js';
import { api, get, part, query } from '../api.js';
import { filter, to } from '../route.js';
import { Act, Choice, Empty, Failure, Head, Plain, When, useAsked, useList } from '../ui.js';

/** Marks the omitted middle of long arguments. */
const CUT = ' … ';

/** Answers to an approval, as in chats. */
const ANSWERS = { once: 'Once', session: 'Always in this session', project: 'Always in this project', host: 'Always on this host', reject: 'No' };

/** Counts up to this many; beyond it shows "+". */
const COUNTED = 20;

/** The number of waiting tasks, beside the navigation link. */
export function Waiting({ here }) {
  const may = here.may('workflow.read');
  const asked = useAsked(() => (may ? get(`v1/tasks${query({ project: here.project, mine: true, limit: COUNTED })}`) : Promise.resolve({ data: [] })), [here.project, may], 15);
  const n = asked.value?.data.length ?? 0;
  return n > 0 && html`<span class="badge">${n}${asked.value.next ? '+' : ''}<span class="hidden"> waiting</span></span>`;
}

export function Inbox({ here }) {
  const mine = here.filters.whose !== 'all';
  const list = useList('v1/tasks', { project: here.project, mine: mine ? true : undefined }, 5);
  const { task } = here.filters;
  const [late, setLate] = useState(null);
  /** @param told why an answer came too late; the task itself is gone by then */
  const changed = (told) => {
    if (typeof told === 'string') setLate(told);
    list.again();
  };
  const shown = list.rows.some((row) => row.id === task);
  useEffect(() => {
    if (shown) document.getElementById(`task-${task}`)?.scrollIntoView({ block: 'center' });
  }, [task, shown]);
  // A linked task is shown, however many come before it.
  const led = useAsked(() => (task && !list.loading && !shown ? get(`v1/tasks/${part(task)}`).catch((e) => (e.status === 404 ? null : Promise.reject(e))) : Promise.resolve(null)), [task, shown, list.loading]);
  const unknown = useAsked(() => (here.may('session.read_all') ? get(`v1/projects/${here.project}/tool-calls?state=unknown&limit=100`) : Promise.resolve({ data: [] })), [here.project], 15);
  return html`<${Head} title="Inbox">
      <${Choice} label="Show" value=${mine ? '' : 'all'} onChange=${(whose) => filter({ whose })} options=${[['', 'assigned to me'], ['all', 'all of this project']]} />
    </${Head}>
    <${Failure} problem=${list.problem} again=${list.again} />
    ${late && html`<div class="failure" role="alert"><p>${late}</p><button type="button" onClick=${() => setLate(null)}>Mark as seen</button></div>`}
    ${task && !shown && html`<${Led} asked=${led} here=${here} onChanged=${changed} />`}
    ${list.rows.map((task) => html`<${Task} key=${task.id} task=${task} here=${here} onChanged=${changed} />`)}
    ${list.onMore && html`<p class="more"><button onClick=${list.onMore}>More</button></p>`}
    <${Unknown} asked=${unknown} here=${here} />
    ${!list.loading && !list.problem && list.rows.length === 0 && (unknown.value?.data.length ?? 0) === 0 && html`<${Empty} title="Nothing is waiting">
      <p>Tasks of workflows, approvals of tool calls, conversations that wait for a person, and calls of unknown outcome are listed here.</p></${Empty}>`}`;
}

function Led({ asked, here, onChanged }) {
  const task = asked.value;
  if (!task?.question) return html`<${Failure} problem=${asked.problem} again=${asked.again} />`;
  if (!task.completedAt) return html`<${Task} task=${task} here=${here} onChanged=${onChanged} />`;
  return html`<section class="card" aria-label=${task.question.prompt ?? task.name}><h2>${task.question.prompt ?? task.name}</h2>
    <p>This task has ended: it was ${task.phase} <${When} at=${task.completedAt} />.</p></section>`;
}

function Task({ task, here, onChanged }) {
  const question = task.question ?? {};
  const place = task.processId
    ? html`<a href=${to(here.project, 'processes', [task.processId])}>process ${task.instanceId ?? task.processId}</a>`
    : html`<a href=${to(here.project, 'sessions', [task.session])}>session ${task.session}</a>`;
  return html`<section class="card" id=${`task-${task.id}`} aria-label=${question.prompt ?? task.name}>
    <h2>${question.prompt ?? task.name}</h2>
    <p class="muted">Asked by the ${place} <${When} at=${task.startedAt} />${task.deadline && html`, ends <${When} at=${task.deadline} />`}
      ${task.claimedBy && html`, claimed${task.claimedUntil ? html` until <${When} at=${task.claimedUntil} />` : ''}`}${task.priority > 0 && `, priority ${task.priority}`}</p>
    ${question.reason && html`<p>${question.reason}</p>`}
    ${question.arguments && html`<${Plain} text=${question.arguments} />`}
    ${task.session && question.arguments?.includes(CUT) && html`<p class="said-bad">The middle is omitted here. Before you answer, <a href=${to(here.project, 'sessions', [task.session], { turn: task.turn })}>view it in full</a> in its session.</p>`}
    ${task.processId && task.input != null && html`<details><summary>Context of the task</summary><${Plain} text=${JSON.stringify(task.input)} /></details>`}
    ${here.may('workflow.run') && html`<${Answer} task=${task} question=${question} onChanged=${onChanged} />`}
  </section>`;
}

/** The answer of a person: buttons where there are options, otherwise text or JSON. */
function Answer({ task, question, onChanged }) {
  const [comment, setComment] = useState('');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState(null);
  const options = (question.options ?? []).map((one) => (one !== null && typeof one === 'object' ? one : { value: one, label: (task.type === 'approval' && ANSWERS[one]) || String(one) }));
  const complete = async (result) => {
    setProblem(null);
    try {
      const isForm = result !== null && typeof result === 'object' && !Array.isArray(result);
      await api('POST', `v1/tasks/${part(task.id)}/complete`, { [isForm ? 'fields' : 'value']: result, ...(comment ? { comment } : {}) });
      onChanged();
    } catch (e) {
      if (e.status === 409) onChanged(`${question.prompt ?? task.name} ${e.message}`);
      else setProblem(e);
    }
  };
  const typed = (event) => {
    event.preventDefault();
    if (question.schema && question.schema.type !== 'string') {
      try {
        complete(JSON.parse(text));
      } catch {
        setProblem({ message: 'This is not valid JSON.' });
      }
      return;
    }
    complete(text);
  };
  return html`<${Failure} problem=${problem} />
    ${options.length > 0
      ? html`<p class="buttons">${options.map((one) => html`<button type="button" onClick=${() => complete(one.value ?? one.label)}>${one.label ?? String(one.value)}</button>`)}</p>`
      : html`<form onSubmit=${typed}>
          <label>Answer${question.schema && question.schema.type !== 'string' ? ' (JSON)' : ''} <textarea value=${text} onInput=${(e) => setText(e.target.value)} required></textarea></label>
          ${question.schema && html`<details><summary>Schema of the answer</summary><${Plain} text=${JSON.stringify(question.schema)} /></details>`}
          <p class="buttons"><button class="main">Answer</button></p>
        </form>`}
    ${task.processId && html`<label>Comment <input value=${comment} onInput=${(e) => setComment(e.target.value)} /></label>
      <p class="buttons">
        <${Act} label=${task.claimedBy ? 'Release' : 'Claim'} onClick=${() => api('POST', `v1/tasks/${part(task.id)}/${task.claimedBy ? 'release' : 'claim'}`, {}).then(onChanged)} />
      </p>`}`;
}

function Unknown({ asked, here }) {
  const rows = asked.value?.data ?? [];
  return rows.length > 0 && html`<h2>Calls of unknown outcome</h2>
    ${rows.map((call) => html`<section class="card" key=${call.id}>
      <h3>${call.tool ?? call.name} in <a href=${to(here.project, 'sessions', [call.session])}>${call.session}</a></h3>
      <p class="muted">It is unknown whether this call was carried out: its process was killed.</p>
      <${Plain} text=${call.arguments} />
      <p class="buttons">${[['happened', 'It happened'], ['did_not_happen', 'It did not happen']].map(([outcome, label]) => html`<${Act} label=${label} onClick=${() => api('POST', `v1/projects/${here.project}/tool-calls/${part(call.id ?? call.call)}/decide`, { outcome }).then(asked.again)} />`)}</p>
    </section>`)}`;
}
