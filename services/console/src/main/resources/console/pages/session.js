// One session: what was said and done, what goes on now and why, and what can be done about it.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { api, get, part, query, stream } from '../api.js';
import { go, to } from '../route.js';
import { Act, Confirm, Failure, Figure, Figures, Head, Plain, State, When, ago, lasted, money, number, useAsked } from '../ui.js';

const KINDS = ['started', 'token', 'reasoning', 'tool_arguments', 'tool_call', 'approval', 'tool_result', 'message', 'progress', 'retry', 'done', 'error'];
const PAGE = 100;

/** The messages of a session, the newest page of them and the ones before on demand, and what is streamed at this moment. */
export function useConversation(base) {
  const [messages, setMessages] = useState([]);
  const [before, setBefore] = useState(null);
  const [problem, setProblem] = useState(null);
  const [live, setLive] = useState(null);
  const [line, setLine] = useState('open');
  const merge = (older, newer) => [...new Map([...older, ...newer].map((one) => [one.id, one])).values()].sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
  const newest = () =>
    get(`${base}/messages${query({ order: 'desc', limit: PAGE })}`)
      .then((page) => {
        const rows = page.data.toReversed();
        setMessages((known) => (known.length === 0 || !page.next ? rows : merge(known.filter((one) => one.createdAt < rows[0].createdAt), rows)));
        setBefore((known) => known ?? page.next);
        setProblem(null);
        return rows;
      })
      .catch((e) => {
        setProblem(e.status === 404 ? null : e);
        return [];
      });
  // The tables follow the events by a moment.
  const ended = async (turn, tries = 10) => {
    const rows = await newest();
    const answers = rows.filter((one) => one.turn === turn && one.role === 'assistant');
    if ((answers.length === 0 || answers.some((one) => !one.completedAt)) && tries > 0) {
      await new Promise((go) => setTimeout(go, 300));
      await ended(turn, tries - 1);
    }
  };
  /** Looks until the last message is another one. */
  const moved = async (was = messages.at(-1)?.id, tries = 30) => {
    const rows = await newest();
    if (rows.at(-1)?.id === was && tries > 0) {
      await new Promise((go) => setTimeout(go, 300));
      await moved(was, tries - 1);
    }
  };
  const older = () =>
    get(`${base}/messages${query({ order: 'desc', limit: PAGE, cursor: before })}`)
      .then((page) => {
        setMessages((known) => merge(page.data, known));
        setBefore(page.next ?? '');
      })
      .catch(setProblem);
  useEffect(() => {
    newest();
    let step = '';
    return stream(`${base}/events`, KINDS, (kind, event) => {
      setLive((now) => heard(now, kind, event));
      const ends = kind === 'done' || kind === 'error';
      const next = `${event.turn} ${event.step}`;
      if (ends) {
        ended(event.turn).then(() => setLive((now) => (now?.turn === event.turn ? null : now)));
      } else if (kind === 'message' || next !== step) {
        newest();
      }
      step = next;
    }, (state) => {
      setLine(state);
      if (state === 'open') newest();
    });
  }, [base]);
  return { messages, problem, live, line, older: before ? older : null, again: newest, moved };
}

/** What is known of a step of a turn while it is streamed; the steps before it are messages. */
export function heard(now, kind, event) {
  const mine = now?.turn === event.turn && now.step === event.step ? now : { turn: event.turn, step: event.step, text: '', reasoning: '', tools: [], note: '' };
  switch (kind) {
    case 'token':
      return { ...mine, text: mine.text + (event.text ?? '') };
    case 'reasoning':
      return { ...mine, reasoning: mine.reasoning + (event.text ?? '') };
    case 'tool_call':
      return { ...mine, tools: [...mine.tools.filter((one) => one.id !== event.callId), { id: event.callId, name: event.tool, state: 'running' }] };
    case 'tool_result':
      return { ...mine, tools: mine.tools.map((one) => (one.id === event.callId ? { ...one, state: event.state ?? 'completed' } : one)) };
    case 'approval':
      return { ...mine, note: `A person is asked whether ${event.tool ?? 'a tool'} may be used.` };
    case 'progress':
      return { ...mine, note: event.text ?? '' };
    case 'retry':
      return { ...mine, text: '', reasoning: '', note: 'The model is asked again.' };
    default:
      return mine;
  }
}

export function Session({ here, name }) {
  const base = `v1/projects/${here.project}/sessions/${part(name)}`;
  const session = useAsked(() => get(base), [base], 5);
  const live = useAsked(() => get(`${base}/live`), [base], 3);
  const [asking, setAsking] = useState(null);
  const conversation = useConversation(base);
  if (session.problem && !session.value) {
    return html`<${Head} title=${name} /><${Failure} problem=${session.problem} again=${session.again} />`;
  }
  const one = session.value;
  const active = live.value?.active;
  const send = here.may('session.send');
  const stop = () => api('DELETE', `${base}/run`).then(live.again);
  return html`<${Head} title=${one?.title || name}>
      ${active && send && html`<${Act} label=${active.cancelling ? 'Stopping…' : 'Stop'} kind="danger" disabled=${active.cancelling} onClick=${stop} />`}
      ${send && html`<a class="button" href=${to(here.project, 'chat', [name])}>Talk</a>`}
      ${here.may('session.create') && html`<${Act} label="Fork" title="Another session with the same context" onClick=${() => api('POST', `${base}/fork`, {}).then((made) => go(to(here.project, 'sessions', [made.key ?? made.session])))} />`}
      ${send && one && html`<${Act} label=${one.status === 'archived' ? 'Reopen' : 'Archive'} onClick=${() => api('POST', `${base}/${one.status === 'archived' ? 'reopen' : 'archive'}`).then(session.again)} />`}
      ${send && html`<button class="danger" onClick=${() => setAsking('delete')}>Delete</button>`}
    </${Head}>
    ${asking === 'delete' && html`<${Confirm} title="Delete this session?" action="Delete" typed=${name} onClose=${() => setAsking(null)} onDone=${() => api('DELETE', base).then(() => go(to(here.project, 'sessions')))}>
      <p>Its messages are not shown any more.</p></${Confirm}>`}
    ${one && html`<${Facts} one=${one} here=${here} />`}
    <${Why} live=${live} here=${here} base=${base} />
    <${Conversation} conversation=${conversation} turn=${here.filters.turn} base=${base} here=${here} onChanged=${session.again} />
    ${here.may('file.write') && !active && html`<${TakenBack} base=${base} conversation=${conversation} />`}`;
}

/** Says that turns at the end were taken back, and brings them back. */
function TakenBack({ base, conversation }) {
  const newest = conversation.messages.at(-1);
  const asked = useAsked(() => get(`${base}/messages${query({ reverted: true, order: 'desc', limit: 1 })}`), [base, newest?.id]);
  const last = asked.value?.data[0];
  if (!last || !newest || conversation.live || conversation.messages.some((one) => one.id === last.id)) return null;
  return html`<section class="card" aria-label="Turns that were taken back"><p>What followed was taken back. The next turn makes this final.</p>
    <${Act} label="Bring it back" onClick=${() => api('POST', `${base}/unrevert`).then(() => conversation.moved())} /></section>`;
}

function Facts({ one, here }) {
  const { usage } = one;
  return html`<${Figures}>
    <${Figure} name="Agent" note=${one.provider && `${one.provider}/${one.model}`}>${one.agent}</${Figure}>
    <${Figure} name="Messages" note=${html`since <${When} at=${one.createdAt} />`}>${number(one.messageCount)}</${Figure}>
    <${Figure} name="Tokens" note=${`${number(usage.input - usage.cacheRead)} new, ${number(usage.cacheRead)} cached, ${number(usage.output)} out`}>${number(usage.input + usage.output)}</${Figure}>
    <${Figure} name="Cost" note=${one.unpriced > 0 ? `${one.unpriced} calls without a known price` : undefined}>${money(usage.cost)}</${Figure}>
    <${Figure} name="Channel" note=${one.channelId}>${one.channel}</${Figure}>
    ${one.parentId && html`<${Figure} name="Works for"><a href=${to(here.project, 'sessions', [], { parentId: one.parentId })}>another session</a></${Figure}>`}
  </${Figures}>`;
}

/** One line: what the session waits for. */
export function waitsFor(active) {
  const call = active.calls[0];
  if (active.cancelling) return 'It is being stopped.';
  if (active.turn.state === 'WAITING_APPROVAL') return 'It waits for a person, who is asked whether a tool may be used.';
  if (!call) return 'It waits for its turn to be decided.';
  const what = call.kind === 'model' ? 'a model' : call.kind === 'child' || call.session ? `another agent${call.session ? ` (${call.session})` : ''}` : `the tool ${call.name ?? ''}`;
  if (call.retryAt && new Date(call.retryAt) > new Date()) {
    return `It asks ${what} again ${ago(call.retryAt)}: attempt ${call.attempt + 1}.`;
  }
  return `It waits for ${what}${call.attempt > 1 ? `, attempt ${call.attempt}` : ''}${active.calls.length > 1 ? `, and for ${active.calls.length - 1} more` : ''}.`;
}

function Why({ live, here }) {
  const value = live.value;
  if (live.problem?.status === 421) return html`<p class="muted">${live.problem.message}</p>`;
  if (!value) return null;
  const { active, queue } = value;
  return html`${active && html`<section class="card" aria-live="polite"><p class="why">${waitsFor(active)} <${State} of=${active.turn.state} /></p>
      <p class="muted">Turn ${active.turn.seq} goes on for ${lasted(active.startedAt)}, step ${active.step + 1}; it ends at ${new Date(active.deadline).toLocaleTimeString()} whatever happens.
      ${active.turn.state === 'WAITING_APPROVAL' && html` <a href=${to(here.project, 'inbox')}>Answer in the inbox</a>.`}</p></section>`}
    ${queue?.length > 0 && html`<p class="muted">${queue.length} more wait for it.</p>`}`;
}

export function Conversation({ conversation, turn, base, here, onChanged, follow }) {
  const { live, older, problem, line } = conversation;
  const messages = conversation.messages.filter((one) => !live || one.turn !== live.turn || one.role !== 'assistant' || one.completedAt);
  const last = new Map(messages.filter((one) => one.role === 'assistant').map((one) => [one.turn, one.id]));
  const end = useRef(null);
  const near = useRef(true);
  useEffect(() => {
    const scrolled = () => {
      near.current = innerHeight + scrollY > document.documentElement.scrollHeight - 120;
    };
    addEventListener('scroll', scrolled, { passive: true });
    return () => removeEventListener('scroll', scrolled);
  }, []);
  useEffect(() => {
    if (follow && near.current) scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
  }, [messages.length, live?.text, live?.tools.length]);
  useEffect(() => {
    if (turn) document.getElementById(`turn-${turn}`)?.scrollIntoView({ block: 'start' });
  }, [turn, messages.length > 0]);
  return html`<${Failure} problem=${problem} again=${conversation.again} />
    ${line === 'lost' && html`<p class="muted" role="status">The connection was lost; it is made again, and nothing is missed.</p>`}
    <div class="conversation" role="log" aria-label="Messages">
      ${older && html`<p class="more"><${Act} label="Show earlier messages" onClick=${older} /></p>`}
      ${messages.map((one) => html`<${Message} key=${one.id} one=${one} last=${last.get(one.turn) === one.id} newest=${one === messages.at(-1)} onBack=${conversation.moved} base=${base} here=${here} onChanged=${onChanged} />`)}
      ${live && html`<${Streaming} live=${live} />`}
      <div ref=${end}></div>
    </div>`;
}

function Streaming({ live }) {
  return html`<article class="said" aria-busy="true"><header><${State} of="running" /></header>
    ${live.reasoning && html`<details><summary>Reasoning</summary><p>${live.reasoning}</p></details>`}
    ${live.tools.map((tool) => html`<p class="muted">${tool.name} <${State} of=${tool.state} /></p>`)}
    ${live.text && html`<p>${live.text}</p>`}
    ${live.note && html`<p class="muted">${live.note}</p>`}
  </article>`;
}

const AUTHORS = { user: 'Person', assistant: 'Agent', system: 'Instructions', tool: 'Tool' };

function Message({ one, last, newest, base, here, onChanged, onBack }) {
  const parts = one.parts.filter((each) => !['step-start', 'step-finish'].includes(each.kind));
  return html`<article class=${`said ${one.role}`} id=${one.role === 'user' ? `turn-${one.turn}` : undefined}>
    <header>
      <b>${one.agent ?? AUTHORS[one.role] ?? one.role}</b>
      <${When} at=${one.createdAt} />
      ${one.model && html`<span>${one.provider}/${one.model}</span>`}
      ${one.usage && one.completedAt && html`<span title=${`${one.usage.input} in, ${one.usage.cacheRead} of them cached, ${one.usage.output} out`}>${number(one.usage.input + one.usage.output)} tokens, ${money(one.usage.cost)}</span>`}
      ${one.completedAt && one.model && html`<span>${lasted(one.createdAt, one.completedAt)}</span>`}
      ${(one.interrupted || one.finishReason === 'cancelled') && html`<${State} of="cancelled" />`}
      ${last && !newest && one.completedAt && here.may('file.write') && html`<${Act} label="Go back to here" kind="link" title="Takes back all that followed this turn, with the files that it changed" onClick=${() => api('POST', `${base}/revert`, { turn: one.turn }).then(() => onBack())} />`}
      ${last && one.completedAt && here.may('session.send') && html`<${Act} label="Ask again" kind="link" title="Asks the question of this answer again" onClick=${() => api('POST', `${base}/messages/${one.id}/retry`, {}).then(onChanged)} />`}
    </header>
    ${parts.map((each) => html`<${Part} key=${each.id} part=${each} />`)}
    ${one.error && html`<${Failure} problem=${{ message: typeof one.error === 'string' ? one.error : (one.error.detail ?? one.error.message ?? JSON.stringify(one.error)) }} />`}
    ${last && one.turn && here.may('session.read_all') && html`<${ModelCalls} path=${`${base}/turns/${one.turn}/model-calls`} here=${here} />`}
  </article>`;
}

/** What models were asked for a turn, when somebody wants to know. */
function ModelCalls({ path, here }) {
  const [open, setOpen] = useState(false);
  const asked = useAsked(() => (open ? get(`${path}?limit=200`) : Promise.resolve(null)), [path, open]);
  return html`<details onToggle=${(e) => setOpen(e.target.open)}><summary>Model calls of this turn</summary>
    <${Failure} problem=${asked.problem} again=${asked.again} />
    ${open && asked.value && html`<ul class="timeline">${asked.value.data.map((call) => html`<li key=${`${call.call}/${call.attempt}`}>
      <b>${call.provider ?? '?'}/${call.model ?? '?'}</b> step ${call.step + 1}${call.attempt > 1 && `, attempt ${call.attempt}`}
      ${call.purpose !== 'reply' && html` (${call.purpose})`} <${State} of=${call.error ? 'failed' : call.finish} />
      <span class="muted"> ${number(call.usage.input - call.usage.cacheRead)} new, ${number(call.usage.cacheRead)} cached, ${number(call.usage.cacheWrite)} written to the cache, ${number(call.usage.output)} out; ${call.usage.cost == null ? 'price not known' : money(call.usage.cost)}${call.payer ? `, paid by ${call.payer}` : ''}</span>
      ${call.error && html`<p class="said-bad">${call.error}${call.detail ? `: ${call.detail}` : ''}</p>`}
      ${here.operator && here.may('host.manage') && html`<p><a href=${to(here.project, 'topics', ['model-requests'], { text: call.call })}>What it was asked</a> <span class="muted">the request on its topic, as long as that is kept</span></p>`}
      <${Opened} title="What the provider sent" ask=${() => get(`${path}/${call.call}/${call.attempt}`).then((said) => said.response ?? 'Nothing is kept.')} />
    </li>`)}</ul>`}
  </details>`;
}

/** Something large, which is fetched when it is opened. */
function Opened({ title, ask }) {
  const [open, setOpen] = useState(false);
  const asked = useAsked(() => (open ? ask() : Promise.resolve(null)), [open]);
  return html`<details onToggle=${(e) => setOpen(e.target.open)}><summary>${title}</summary>
    <${Failure} problem=${asked.problem} again=${asked.again} />${asked.value !== null && html`<${Plain} text=${asked.value} />`}</details>`;
}

/** A part of a message. All of it is text: what people, models and tools wrote is never markup here. */
export function Part({ part: one }) {
  switch (one.kind) {
    case 'text':
      return html`<p>${one.text}</p>`;
    case 'reasoning':
      return html`<details><summary>Reasoning</summary><p>${one.text}</p></details>`;
    case 'tool':
      return html`<details><summary>${one.name} <${State} of=${one.isError ? 'error' : one.status} /></summary>
        ${one.arguments && html`<h3>Arguments</h3><${Plain} text=${one.arguments} />`}
        ${one.result && html`<h3>Result</h3><${Plain} text=${one.result} />`}
        ${one.error && html`<h3>Error</h3><${Plain} text=${one.error} />`}
        ${one.executedBy && html`<p class="muted">carried out by ${one.executedBy}</p>`}
      </details>`;
    case 'file':
      return html`<p><a href=${`v1/blobs/${one.sha256}`} download=${one.name ?? true}>${one.name ?? 'file'}</a> <span class="muted">${one.mimeType ?? one.mediaType ?? ''}</span></p>`;
    case 'compaction':
      return html`<details class="divider"><summary>What was said before is summarised from here on</summary><p>${one.text ?? one.summary}</p></details>`;
    default:
      return html`<details><summary>${one.kind}</summary><${Plain} text=${JSON.stringify(one)} /></details>`;
  }
}
