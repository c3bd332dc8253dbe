// A chat with an agent, for everyday use.
import { html, useMemo, useRef, useState } from '../lib/preact.js';
import { all, api, part, uuid } from '../api.js';
import { go, to } from '../route.js';
import { Act, Empty, Failure, Head, useAsked } from '../ui.js';
import { Conversation, useConversation } from './session.js';

export function Chat({ here }) {
  const name = here.rest[0];
  return name ? html`<${Talk} key=${name} here=${here} name=${name} />` : html`<${Begin} here=${here} />`;
}

const fresh = () => `chat-${uuid().slice(0, 8)}`;

function Begin({ here }) {
  const agents = useAsked(() => all(`v1/projects/${here.project}/agents`), [here.project]);
  const name = useMemo(fresh, []);
  const [agent, setAgent] = useState('default');
  const shown = (agents.value?.data ?? []).filter((one) => !one.hidden && one.mode !== 'subagent');
  return html`<${Head} title="Chat" />
    <${Empty} title="Choose an agent">
      <p><label class="choice">Agent <select onChange=${(e) => setAgent(e.target.value)}>
        ${shown.length === 0 && html`<option>default</option>`}
        ${shown.map((one) => html`<option value=${one.name} selected=${one.name === agent}>${one.name}${one.description ? `: ${one.description}` : ''}</option>`)}
      </select></label></p>
    </${Empty}>
    <${Say} here=${here} name=${name} agent=${agent} onSaid=${() => go(to(here.project, 'chat', [name]))} />`;
}

function Talk({ here, name }) {
  const base = `v1/projects/${here.project}/sessions/${part(name)}`;
  const conversation = useConversation(base);
  const busy = conversation.live !== null;
  return html`<${Head} title="Chat">
      <a class="button" href=${to(here.project, 'sessions', [name])}>Show the steps</a>
      <a class="button" href=${to(here.project, 'chat')}>New chat</a>
    </${Head}>
    <${Conversation} conversation=${conversation} base=${base} here=${here} onChanged=${conversation.again} follow />
    <${Say} here=${here} name=${name} onSaid=${conversation.again} busy=${busy} onStop=${() => api('DELETE', `${base}/run`)} />`;
}

function Say({ here, name, agent, onSaid, busy, onStop }) {
  const [text, setText] = useState('');
  const [state, setState] = useState({});
  // Resending the same message after a lost connection is the same turn.
  const id = useRef(uuid());
  const say = async (event) => {
    event?.preventDefault();
    if (!text.trim() || state.sending) return;
    setState({ sending: true });
    try {
      await api('POST', `v1/projects/${here.project}/sessions/${part(name)}/turns`, { text, ...(agent && agent !== 'default' ? { agent } : {}) }, { 'Idempotency-Key': id.current });
      id.current = uuid();
      setText('');
      setState({});
      onSaid();
    } catch (problem) {
      if (problem.status !== 0) id.current = uuid();
      setState({ problem });
    }
  };
  return html`<form class="talk" onSubmit=${say}>
    <${Failure} problem=${state.problem} />
    <label><span class="hidden">Message</span>
      <textarea value=${text} onInput=${(e) => setText(e.target.value)} placeholder="Write a message  (Enter sends, Shift+Enter adds a line)" autofocus
        onKeyDown=${(e) => { if (e.key === 'Enter' && !e.shiftKey && !e.isComposing) say(e); }}></textarea></label>
    <p class="buttons"><button class="main" disabled=${state.sending || !text.trim()}>Send</button>
      ${busy && onStop && html`<${Act} label="Stop" onClick=${onStop} done="Stopping" />`}</p>
  </form>`;
}
