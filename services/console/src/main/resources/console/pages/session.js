// One session: its messages, its running turn, and actions.
import { html, useCallback, useEffect, useRef, useState } from '../lib/preact.js';
import { all, api, get, part, query, stream } from '../api.js';
import { go, to } from '../route.js';
import { Handoff } from './handoff.js';
import { Act, At, Confirm, Failure, Figure, Figures, Fold, Head, Plain, State, Typed, When, Words, ago, lasted, money, number, seen, steady, useAsked } from '../ui.js';

const KINDS = ['started', 'token', 'reasoning', 'tool_arguments', 'tool_call', 'approval', 'caller_call', 'tool_result', 'message', 'progress', 'retry', 'done', 'error'];
const PAGE = 100;

/** Messages fetched after a change, and the minimum interval. */
const FEW = 20;
const PAUSE = 500;

/** Polling interval without events, and how a turn's last answer ends. */
const WATCH = 15_000;
const ENDS = ['stop', 'length', 'error', 'content-filter', 'cancelled'];

/** Events that arrive together are rendered together. */
const FRAME = 80;

const wait = (ms) => new Promise((go) => setTimeout(go, ms));
const byTime = (a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0);

/** Merges the newest messages; unchanged ones keep their identity. @param page of the API, newest first */
export function joined({ messages, before }, page) {
  const known = new Map(messages.map((one) => [one.id, one]));
  const rows = page.data.toReversed().map((row) => {
    const was = known.get(row.id);
    return was && JSON.stringify(was) === JSON.stringify(row) ? was : row;
  });
  if (!page.next) return { messages: rows, before: '' };
  if (!rows.some((row) => known.has(row.id))) return { messages: rows, before: page.next };
  const fresh = new Set(rows.map((row) => row.id));
  const older = messages.filter((one) => one.createdAt <= rows[0].createdAt && !fresh.has(one.id));
  return { messages: [...older, ...rows], before: before ?? page.next };
}

/** Merges older messages. */
export function preceded({ messages }, page) {
  const known = new Set(messages.map((one) => one.id));
  return { messages: [...page.data.toReversed().filter((one) => !known.has(one.id)), ...messages].sort(byTime), before: page.next ?? '' };
}

/** The messages of a session: the newest page, older ones on demand, and what is streaming. */
export function useConversation(base) {
  const [known, setKnown] = useState({ messages: [], before: null });
  const [problem, setProblem] = useState(null);
  const [live, setLive] = useState(null);
  const [line, setLine] = useState('open');
  const now = useRef(known);
  const asking = useRef({ now: null, next: null });
  const put = (next) => {
    now.current = next;
    setKnown(next);
  };
  const ask = async () => {
    const look = (limit) => get(`${base}/messages${query({ order: 'desc', limit })}`);
    try {
      const { messages } = now.current;
      let page = await look(messages.length === 0 ? PAGE : FEW);
      const isBeside = (one) => now.current.messages.some((other) => other.id === one.id);
      if (messages.length > 0 && page.next && !page.data.some(isBeside)) page = await look(PAGE); // more happened than fits
      put(joined(now.current, page));
      setProblem(null);
    } catch (e) {
      setProblem(e.status === 404 ? null : e);
    }
    return now.current.messages;
  };
  /** Fetches the newest messages; calls during a fetch share the next one. */
  const newest = () => {
    const turns = asking.current;
    if (turns.next) return turns.next;
    if (!turns.now) {
      turns.now = ask().finally(() => {
        turns.now = null;
      });
      return turns.now;
    }
    turns.next = turns.now.then(() => wait(PAUSE)).then(() => {
      turns.next = null;
      return newest();
    });
    return turns.next;
  };
  // The tables follow the events with a short delay.
  const ended = async (turn, tries = 10) => {
    const rows = await newest();
    const answers = rows.filter((one) => one.turn === turn && one.role === 'assistant');
    if ((answers.length === 0 || answers.some((one) => !one.completedAt)) && tries > 0) {
      await wait(300);
      await ended(turn, tries - 1);
    }
  };
  /** Fetches until the last message has changed. */
  const moved = async (was = now.current.messages.at(-1)?.id, tries = 30) => {
    const rows = await newest();
    if (rows.at(-1)?.id === was && tries > 0) {
      await wait(300);
      await moved(was, tries - 1);
    }
  };
  const older = () => get(`${base}/messages${query({ order: 'desc', limit: PAGE, cursor: now.current.before })}`).then((page) => put(preceded(now.current, page)));
  useEffect(() => {
    newest();
    let step = '';
    let heap = [];
    let timer = null;
    const draw = () => {
      const events = heap;
      heap = [];
      timer = null;
      setLive((was) => events.reduce((all, [kind, event]) => heard(all, kind, event), was));
    };
    const close = stream(`${base}/events`, KINDS, (kind, event) => {
      heap.push([kind, event]);
      timer ??= setTimeout(draw, FRAME);
      const ends = kind === 'done' || kind === 'error';
      const next = `${event.turn} ${event.step}`;
      if (ends) {
        ended(event.turn).then(() => {
          clearTimeout(timer);
          draw();
          setLive((was) => (was?.turn === event.turn ? null : was));
        });
      } else if (kind === 'message' || next !== step) {
        newest();
      }
      step = next;
    }, (state) => {
      setLine(state);
      if (state === 'open') newest();
    });
    // Some proxies drop a connection silently: polling keeps the page up to date.
    const watch = setInterval(async () => {
      if (document.visibilityState !== 'visible') return;
      const rows = await newest();
      setLive((was) => (was && rows.some((one) => one.turn === was.turn && one.completedAt && ENDS.includes(one.finishReason)) ? null : was));
    }, WATCH);
    return () => {
      clearTimeout(timer);
      clearInterval(watch);
      close();
    };
  }, [base]);
  const steadily = useRef({ moved, newest });
  steadily.current = { moved, newest };
  return {
    messages: known.messages,
    problem,
    live,
    line,
    older: known.before ? older : null,
    again: useCallback(() => steadily.current.newest(), []),
    moved: useCallback(() => steadily.current.moved(), []),
  };
}

/** The streaming step of a turn; earlier steps are messages. */
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
      return { ...mine, note: `Approval of ${event.tool ?? 'a tool'} is requested.` };
    case 'caller_call':
      return { ...mine, note: `The caller of this turn must carry out ${event.tool ?? 'a call'}.` };
    case 'progress':
      return { ...mine, note: event.text ?? '' };
    case 'retry':
      return { ...mine, text: '', reasoning: '', note: 'The model is called again.' };
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
      <p>Its messages are hidden.</p></${Confirm}>`}
    ${one && html`<${Facts} one=${one} here=${here} />`}
    <${Why} live=${live} here=${here} base=${base} />
    ${one?.status === 'active' && !one.parentId && html`<${Handoff} here=${here} name=${name} base=${base} onChanged=${conversation.again} />`}
    <${Reminders} base=${base} reminders=${live.value?.reminders ?? []} send=${send} again=${live.again} />
    <${Overheard} messages=${live.value?.overheard ?? []} />
    <${Conversation} conversation=${conversation} turn=${here.filters.turn} base=${base} here=${here} onChanged=${session.again} />
    ${here.may('file.write') && !active && html`<${TakenBack} base=${base} conversation=${conversation} />`}`;
}

/** Shows that turns were reverted, and undoes that. */
function TakenBack({ base, conversation }) {
  const newest = conversation.messages.at(-1);
  const asked = useAsked(() => get(`${base}/messages${query({ reverted: true, order: 'desc', limit: 1 })}`), [base, newest?.id]);
  const last = asked.value?.data[0];
  if (!last || !newest || conversation.live || conversation.messages.some((one) => one.id === last.id)) return null;
  return html`<section class="card" aria-label="Reverted turns"><p>Later turns were reverted. The next turn makes this final.</p>
    <${Act} label="Undo the revert" onClick=${() => api('POST', `${base}/unrevert`).then(() => conversation.moved())} /></section>`;
}

/** The parent session of a sub-agent's session. */
export const parentOf = (key) => key.slice(0, key.lastIndexOf(':delegate:'));

function Facts({ one, here }) {
  const { usage } = one;
  const workers = useAsked(() => get(`v1/projects/${here.project}/sessions${query({ parentId: one.id, limit: 1 })}`), [one.id, one.messageCount]);
  return html`<${Figures}>
    <${Figure} name="Agent" note=${one.provider && `${one.provider}/${one.model}`}>${one.agent}</${Figure}>
    <${Figure} name="Messages" note=${html`since <${When} at=${one.createdAt} />`}>${number(one.messageCount)}</${Figure}>
    <${Figure} name="Tokens" note=${`${number(usage.input - usage.cacheRead)} new, ${number(usage.cacheRead)} cached, ${number(usage.output)} out`}>${number(usage.input + usage.output)}</${Figure}>
    <${Figure} name="Cost" note=${one.unpriced > 0 ? `${one.unpriced} calls of unknown price` : undefined}>${money(usage.cost)}</${Figure}>
    <${Figure} name="Channel" note=${one.channelId}>${one.channel}</${Figure}>
    ${one.parentId && html`<${Figure} name="Works for"><a href=${to(here.project, 'sessions', [parentOf(one.key)])}>${parentOf(one.key)}</a></${Figure}>`}
    ${workers.value?.data.length > 0 && html`<${Figure} name="Delegates"><a href=${to(here.project, 'sessions', [], { parentId: one.id })}>their sessions</a></${Figure}>`}
  </${Figures}>`;
}

/** One line: what the session waits for. */
export function waitsFor(active) {
  const call = active.calls[0];
  if (active.cancelling) return 'It is being stopped.';
  if (active.turn.state === 'WAITING_APPROVAL') return 'It waits for an approval of a tool call.';
  if (!call) return 'It waits to be decided.';
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

/** What the agent will come back with. */
function Reminders({ base, reminders, send, again }) {
  if (reminders.length === 0) return null;
  return html`<section class="card" aria-label="Reminders"><h2>Reminders</h2>
    <ul class="timeline">${reminders.map((one) => html`<li key=${one.id}>
      <b><${When} at=${one.due} /></b> ${one.begins ? 'begins a turn' : 'is sent'}${one.cron ? `, again at ${one.cron} (${one.timeZone})` : ''}
      <span class="muted"> ${one.user ?? 'anybody'}</span> ${send && html`<${Act} label="Cancel" kind="link" onClick=${() => api('DELETE', `${base}/reminders/${one.id}`).then(again)} />`}
      <${Plain} text=${one.text} /></li>`)}</ul></section>`;
}

/** What was said in the chat and not to the agent: other people's words, rendered as text. */
function Overheard({ messages }) {
  if (messages.length === 0) return null;
  return html`<section class="card" aria-label="Overheard"><h2>Overheard</h2>
    <p class="muted">Said in the chat, and not to the agent. The next turn is told it as background.</p>
    <${Fold} summary=${`${messages.length} overheard`}>${() => html`<ul class="timeline">${messages.map((one, index) => html`<li key=${index}>
      <b>${one.speaker}</b> <span class="muted"><${When} at=${one.at} /></span><${Plain} text=${one.text} /></li>`)}</ul>`}</${Fold}></section>`;
}

const toEnd = () => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });

export function Conversation({ conversation, turn, base, here, onChanged, follow }) {
  const { live, older, problem, line } = conversation;
  const messages = conversation.messages.filter((one) => !live || one.turn !== live.turn || one.role !== 'assistant' || one.completedAt);
  const last = new Map(messages.filter((one) => one.role === 'assistant').map((one) => [one.turn, one.id]));
  const near = useRef(true);
  useEffect(() => {
    const scrolled = () => {
      near.current = innerHeight + scrollY > document.documentElement.scrollHeight - 120;
    };
    addEventListener('scroll', scrolled, { passive: true });
    return () => removeEventListener('scroll', scrolled);
  }, []);
  useEffect(() => {
    if (follow && near.current) toEnd();
  }, [messages.length, live?.text, live?.tools.length]);
  useEffect(() => {
    if (turn) document.getElementById(`turn-${turn}`)?.scrollIntoView({ block: 'start' });
  }, [turn, messages.length > 0]);
  return html`<${Failure} problem=${problem} again=${conversation.again} />
    ${line === 'lost' && html`<p class="muted" role="status">The connection was lost. Reconnecting; nothing is missed.</p>`}
    ${turn && messages.length > 0 && older && !messages.some((one) => one.turn === turn) && html`<${Earlier} key=${turn} turn=${turn} base=${base} here=${here} onChanged=${onChanged} />`}
    <div class="conversation" role="log" aria-label="Messages">
      ${(older || messages.length > FEW) && html`<p class="more">${older && html`<${Act} label="Show earlier messages" onClick=${older} />`}
        ${!follow && html` <button type="button" onClick=${toEnd}>Jump to the newest</button>`}</p>`}
      ${messages.map((one) => html`<${Message} key=${one.id} one=${one} last=${last.get(one.turn) === one.id} newest=${one === messages.at(-1)} onBack=${conversation.moved} base=${base} here=${here} onChanged=${onChanged} />`)}
      ${live && html`<${Streaming} live=${live} />`}
    </div>`;
}

/** A linked turn older than the messages shown. */
function Earlier({ turn, base, here, onChanged }) {
  const asked = useAsked(() => get(`${base}/messages${query({ turn, limit: PAGE })}`), [base, turn]);
  const rows = asked.value?.data ?? [];
  return html`<section class="card" aria-label="An earlier turn"><h2>An earlier turn</h2>
    <${Failure} problem=${asked.problem} again=${asked.again} />
    <div class="conversation">${rows.map((one) => html`<${Message} key=${one.id} one=${one} last=${false} newest=${false} base=${base} here=${here} onChanged=${onChanged} />`)}</div>
    ${asked.value && html`<p class="muted">${rows.length === 0 ? 'Nothing of it is stored, or it was reverted.' : asked.value.next ? 'It is running. ' : ''} The newest turns follow.</p>`}</section>`;
}

/** The end of a growing text; the whole text is shown when it is complete. */
const TAIL = 20_000;
const tail = (text) => (text.length > TAIL ? `… ${text.slice(-TAIL)}` : text);

function Streaming({ live }) {
  return html`<article class="said" aria-busy="true"><header><${State} of="running" /></header>
    ${live.reasoning && html`<${Fold} summary="Reasoning">${() => html`<p>${tail(live.reasoning)}</p>`}</${Fold}>`}
    ${live.tools.map((tool) => html`<p class="muted">${tool.name} <${State} of=${tool.state} /></p>`)}
    ${live.text && html`<p>${tail(live.text)}</p>`}
    ${live.note && html`<p class="muted">${live.note}</p>`}
  </article>`;
}

const AUTHORS = { user: 'Person', assistant: 'Agent', system: 'Instructions', tool: 'Tool' };

const Message = steady(({ one, last, newest, base, here, onChanged, onBack }) => {
  const parts = one.parts.filter((each) => !['step-start', 'step-finish'].includes(each.kind));
  return html`<article class=${`said ${one.role}`} id=${one.role === 'user' ? `turn-${one.turn}` : undefined}>
    <header>
      <b>${one.agent ?? AUTHORS[one.role] ?? one.role}</b>
      <${At} at=${one.createdAt} />
      ${one.model && html`<span>${one.provider}/${one.model}</span>`}
      ${one.usage && one.completedAt && html`<span title=${`${one.usage.input} in, ${one.usage.cacheRead} of them cached, ${one.usage.output} out`}>${number(one.usage.input + one.usage.output)} tokens, ${money(one.usage.cost)}</span>`}
      ${one.completedAt && one.model && html`<span>${lasted(one.createdAt, one.completedAt)}</span>`}
      ${(one.interrupted || one.finishReason === 'cancelled') && html`<${State} of="cancelled" />`}
      ${last && !newest && one.completedAt && here.may('file.write') && html`<${Act} label="Go back to here" kind="link" title="Takes back all that followed this turn, with the files that it changed" onClick=${() => api('POST', `${base}/revert`, { turn: one.turn }).then(() => onBack())} />`}
      ${last && one.completedAt && here.may('session.send') && html`<${Act} label="Ask again" kind="link" title="Asks the same question again" onClick=${() => api('POST', `${base}/messages/${one.id}/retry`, {}).then(onChanged)} />`}
    </header>
    ${parts.map((each) => html`<${Part} key=${each.id} part=${each} />`)}
    ${one.error && html`<${Failure} problem=${{ message: typeof one.error === 'string' ? one.error : (one.error.detail ?? one.error.message ?? JSON.stringify(one.error)) }} />`}
    ${last && one.turn && one.completedAt && html`<${Fold} summary="Opinions about this turn">${() => html`<${Opinions} path=${`${base}/turns/${one.turn}/feedback`} />`}</${Fold}>`}
    ${last && one.turn && here.may('session.read_all') && html`<${Fold} summary="Model calls of this turn">${() => html`<${ModelCalls} path=${`${base}/turns/${one.turn}/model-calls`} here=${here} />`}</${Fold}>`}
  </article>`;
});

/** What people think of a turn, on demand, and one's own opinion. */
function Opinions({ path }) {
  const asked = useAsked(() => get(`${path}${query({ fresh: true })}`), [path]);
  const [text, setText] = useState('');
  const give = (opinion) => () => api('POST', path, { opinion, ...(text ? { text } : {}) }).then(asked.again);
  return html`<div><${Failure} problem=${asked.problem} again=${asked.again} />
    ${asked.value && html`<ul class="timeline">${asked.value.data.map((one) => html`<li key=${`${one.user} ${one.emoji}`}>
      <${State} of=${one.opinion} /> ${one.emoji ? seen(one.emoji) : ''} <span class="muted">${one.user}, <${When} at=${one.at} /></span>
      ${one.text && html`<${Plain} text=${one.text} />`}</li>`)}</ul>`}
    <p><${Typed} label="Reason" value=${text} onChange=${setText} />
      <${Act} label="Good" onClick=${give('good')} /> <${Act} label="Bad" onClick=${give('bad')} />
      <${Act} label="Withdraw mine" kind="link" onClick=${() => api('DELETE', path).then(asked.again)} /></p></div>`;
}

/** The model calls of a turn, on demand. */
function ModelCalls({ path, here }) {
  const asked = useAsked(() => all(path), [path]);
  return html`<div><${Failure} problem=${asked.problem} again=${asked.again} />
    ${asked.value && html`<ul class="timeline">${asked.value.data.map((call) => html`<li key=${`${call.call}/${call.attempt}`}>
      <b>${call.provider ?? '?'}/${call.model ?? '?'}</b> step ${call.step + 1}${call.attempt > 1 && `, attempt ${call.attempt}`}
      ${call.purpose !== 'reply' && html` (${call.purpose})`} <${State} of=${call.error ? 'failed' : call.finish} />
      <span class="muted"> ${number(call.usage.input - call.usage.cacheRead)} new, ${number(call.usage.cacheRead)} cached, ${number(call.usage.cacheWrite)} written to the cache, ${number(call.usage.output)} out; ${call.usage.cost == null ? 'price not known' : money(call.usage.cost)}${call.payer ? `, paid by ${call.payer}` : ''}</span>
      ${call.error && html`<p class="said-bad">${call.error}${call.detail ? `: ${call.detail}` : ''}</p>`}
      ${here.operator && here.may('host.manage') && html`<p><a href=${to(here.project, 'topics', ['model-requests'], { text: call.call })}>Request</a> <span class="muted">the request record, while its topic retains it</span></p>`}
      <${Fold} summary="Response of the provider">${() => html`<${Sent} path=${`${path}/${call.call}/${call.attempt}`} />`}</${Fold}>
    </li>`)}</ul>`}
  </div>`;
}

function Sent({ path }) {
  const asked = useAsked(() => get(path), [path]);
  return html`<div><${Failure} problem=${asked.problem} again=${asked.again} />${asked.value && html`<${Plain} text=${asked.value.response ?? 'Nothing is stored.'} />`}</div>`;
}

const File = ({ file }) =>
  html`<p><a href=${`v1/blobs/${file.sha256}`} download=${file.name ?? true}>${file.name ?? 'file'}</a> <span class="muted">${file.mimeType ?? ''}${file.size ? `, ${number(file.size)} bytes` : ''}</span></p>`;

/** A part of a message. Everything is rendered as text, never as markup: people, models and tools wrote it. */
export function Part({ part: one }) {
  switch (one.kind) {
    case 'text':
      return html`<${Words} text=${one.text ?? ''} />`;
    case 'reasoning':
      return html`<${Fold} summary="Reasoning">${() => html`<${Words} text=${one.text ?? ''} />`}</${Fold}>`;
    case 'tool':
      return html`<${Fold} summary=${html`${one.name} <${State} of=${one.isError ? 'error' : one.status} />`}>${() => html`<div>
        ${one.arguments && html`<h3>Arguments</h3><${Plain} text=${one.arguments} />`}
        ${one.result && html`<h3>Result</h3><${Plain} text=${one.result} />`}
        ${one.error && html`<h3>Error</h3><${Plain} text=${one.error} />`}
        ${(one.files ?? []).map((file) => html`<${File} key=${file.sha256} file=${file} />`)}
        ${one.executedBy && html`<p class="muted">carried out by ${one.executedBy}</p>`}</div>`}</${Fold}>`;
    case 'file':
      return html`<div><${File} file=${one} />${one.transcript && html`<${Words} text=${one.transcript} />`}</div>`;
    case 'compaction':
      return html`<${Fold} kind="divider" summary="Earlier messages are summarised from here">${() => html`<${Words} text=${one.text ?? one.summary ?? ''} />`}</${Fold}>`;
    default:
      return html`<${Fold} summary=${one.kind}>${() => html`<${Plain} text=${JSON.stringify(one)} />`}</${Fold}>`;
  }
}
