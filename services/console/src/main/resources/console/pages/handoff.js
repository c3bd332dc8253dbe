// A person answers in the agent's place: asked for, taken, answered and returned, on the page of a session.
import { html, useState } from '../lib/preact.js';
import { api, get, query } from '../api.js';
import { Act, Failure, When, useAsked } from '../ui.js';

/** @param base of the session's routes, @param onChanged after what others see */
export function Handoff({ here, name, base, onChanged }) {
  const look = (fresh) => get(`v1/projects/${here.project}/handoffs${query({ session: name, limit: 1, fresh })}`);
  const asked = useAsked(() => look(), [base], 3);
  const [problem, setProblem] = useState(null);
  const leads = here.may('session.read_all') && here.may('session.send');
  const open = asked.value?.data[0];
  const change = async (step) => {
    setProblem(null);
    await api('POST', `${base}/handoff${step}`, {});
    await look(true); // the tables follow the events with a short delay
    asked.again();
    onChanged();
  };
  if (!open) return leads && html`<p class="buttons"><${Act} label="Take over" title="Answer in the agent's place" onClick=${() => change('/take')} /></p>`;
  const waiting = open.waiting > 0 && html`, ${open.waiting} ${open.waiting === 1 ? 'message waits' : 'messages wait'}`;
  return html`<section class="card" aria-label="Handoff">
    ${open.status === 'asked'
      ? html`<p class="why">A person is asked for <${When} at=${open.askedAt} />${waiting}.</p>`
      : html`<p class="why">${open.name} answers in the agent's place <${When} at=${open.takenAt} />${waiting}.</p>`}
    ${open.reason && html`<p>${open.reason}</p>`}
    <${Failure} problem=${problem} />
    ${leads && open.operator === here.id && html`<${Answer} base=${base} onProblem=${setProblem} onSent=${onChanged} />`}
    ${leads && html`<p class="buttons">
      ${open.status === 'asked' && html`<${Act} label="Take over" kind="main" onClick=${() => change('/take')} />`}
      <${Act} label="Return to the agent" onClick=${() => change('/return')} /></p>`}
  </section>`;
}

/** What the operator says: it goes out under their name. */
function Answer({ base, onProblem, onSent }) {
  const [text, setText] = useState('');
  const [files, setFiles] = useState([]);
  const [busy, setBusy] = useState(false);
  const send = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const parts = await Promise.all([...files].map(partOf));
      const said = text.trim() ? [{ kind: 'text', text }] : [];
      await api('POST', `${base}/messages${query({ wait: '10s' })}`, { parts: [...said, ...parts] });
      setText('');
      setFiles([]);
      event.target.reset();
      onProblem(null);
      onSent();
    } catch (problem) {
      onProblem(problem);
    }
    setBusy(false);
  };
  return html`<form onSubmit=${send}>
    <label>Your answer <textarea value=${text} onInput=${(e) => setText(e.target.value)}></textarea></label>
    <label>Files <input type="file" multiple onChange=${(e) => setFiles(e.target.files)} /></label>
    <p class="buttons"><button class="main" disabled=${busy || (!text.trim() && files.length === 0)}>Send</button></p>
  </form>`;
}

const partOf = (file) => new Promise((done, fail) => {
  const reader = new FileReader();
  reader.onload = () => done({ kind: 'file', name: file.name, mimeType: file.type || 'application/octet-stream', data: reader.result.slice(reader.result.indexOf(',') + 1) });
  reader.onerror = () => fail(reader.error);
  reader.readAsDataURL(file);
});
