// Publishes a version of a workflow: its text, with problems beside their lines.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { api, getText, part } from '../api.js';
import { go, to } from '../route.js';
import { Failure, Head, useAsked } from '../ui.js';

const FIRST = `document:
  dsl: '1.0.3'
  namespace: examples
  name: greeting
  version: '1.0.0'
do:
  - greet:
      set:
        text: \${ "Hello, " + .name }
`;

export function Publish({ here }) {
  const { from, scope } = here.filters;
  const before = useAsked(() => (from ? getText(`v1/projects/${here.project}/workflows/${part(from)}/definition`, 'application/yaml') : Promise.resolve({ text: FIRST })), [from]);
  return html`<${Head} title="Publish a workflow" />
    <${Failure} problem=${before.problem} again=${before.again} />
    ${before.value && html`<${Editor} here=${here} first=${before.value.text} from=${from} isHosts=${scope === 'host' || !here.may('workflow.manage')} />`}`;
}

function Editor({ here, first, from, isHosts }) {
  const [text, setText] = useState(first);
  const [hosts, setHosts] = useState(isHosts);
  const [state, setState] = useState({});
  const box = useRef(null);
  const path = hosts ? 'v1/workflows' : `v1/projects/${here.project}/workflows`;
  const send = async (dryRun) => {
    setState({ busy: true });
    try {
      const said = await api('POST', `${path}${dryRun ? '?dryRun=true' : ''}`, text, { 'Content-Type': 'application/yaml' });
      if (!dryRun) go(to(here.project, 'workflows', [`${said.namespace}:${said.name}:${said.version}`]));
      else setState({ said, places: said.warnings });
    } catch (problem) {
      setState({ problem, places: problem.errors });
    }
  };
  const show = ({ line, column }) => {
    const begin = text.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    box.current.focus();
    box.current.setSelectionRange(begin + Math.max(0, column - 1), begin + (text.split('\n')[line - 1] ?? '').length);
  };
  const same = text === first && from;
  return html`<form onSubmit=${(e) => { e.preventDefault(); send(false); }}>
    ${here.may('setting.manage') && here.may('workflow.manage') && html`<label class="choice">For <select value=${hosts ? 'host' : ''} onChange=${(e) => setHosts(e.target.value === 'host')}>
      <option value="" selected=${!hosts}>this project</option><option value="host" selected=${hosts}>the host, and all its projects</option></select></label>`}
    <label>Definition, YAML or JSON <textarea ref=${box} class="code" rows="22" spellcheck="false" value=${text} onInput=${(e) => setText(e.target.value)}></textarea></label>
    ${same && html`<p class="muted">This is ${from}. Give it another version where you change it: a version never says something else.</p>`}
    <p class="buttons"><button class="main" disabled=${state.busy}>Publish</button><button type="button" disabled=${state.busy} onClick=${() => send(true)}>Check</button></p>
    ${state.problem && html`<${Failure} problem=${{ message: state.problem.message }} />`}
    ${state.said && html`<p role="status">It can run${state.places.length > 0 ? '; check the warnings' : ''}: ${state.said.namespace}:${state.said.name}:${state.said.version}. It is not published yet.</p>`}
    ${state.places?.length > 0 && html`<${Places} text=${text} places=${state.places} onShow=${show} />`}
  </form>`;
}

/** Problems with their lines. */
function Places({ text, places, onShow }) {
  const head = useRef(null);
  useEffect(() => head.current.focus(), [places]);
  const lines = text.split('\n');
  const byLine = [...Map.groupBy(places, (one) => one.line ?? 0)].sort(([a], [b]) => a - b);
  return html`<section class="card" aria-label="Problem"><h2 ref=${head} tabindex="-1">${places.length === 1 ? 'One problem' : `${places.length} problems`}</h2>
    <ul class="places">${byLine.map(([line, some]) => html`<li key=${line}>
      ${line > 0 && html`<pre><span class="muted">${line}</span> ${lines[line - 1] ?? ''}</pre>`}
      ${some.map((one) => html`<p class="said-bad">${one.detail} <span class="muted">${line > 0 ? `column ${one.column}, ` : ''}<code>${one.pointer || '/'}</code></span>
        ${line > 0 && html` <button type="button" class="link" onClick=${() => onShow(one)}>Go there</button>`}</p>`)}
    </li>`)}</ul></section>`;
}
