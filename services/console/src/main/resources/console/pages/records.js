// What pages of records share.
import { html } from '../lib/preact.js';
import { to } from '../route.js';
import { Plain, number } from '../ui.js';

const OF_SESSIONS = ['turn-commands', 'turn-events', 'model-requests', 'tool-requests', 'results', 'turn-deltas'];
const OF_PROCESSES = ['workflow-commands', 'workflow-events', 'workflow-requests'];
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The page of a record's subject, by its key; null if unknown. */
export function subjectOfKey(here, topic, key) {
  const plain = key.replace(/#\d+$/, '');
  if (OF_PROCESSES.includes(topic)) {
    const id = plain.match(new RegExp(`${UUID.source}$`))?.[0];
    return id ? to(here.project, 'processes', [id]) : null;
  }
  const slash = plain.indexOf('/');
  return OF_SESSIONS.includes(topic) && slash > 0 ? to(plain.slice(0, slash), 'sessions', [plain.slice(slash + 1)]) : null;
}

/** In place of the value of a record that cannot be shown: its first bytes, unless they may be secret. */
export const Unread = ({ start, bytes }) => html`<div><p class="muted">No schema can read it, or it is longer than 256 KiB. ${start ? 'Its first bytes, as base64:' : bytes ? `Its ${number(bytes)} bytes are not shown: they may contain the digest of a key.` : 'It has no bytes.'}</p>
  ${start && html`<${Plain} text=${start} />`}</div>`;

export const Headers = ({ headers }) => html`<section><h2>Headers</h2>
  <div class="scroll" tabindex="0" role="region" aria-label="Headers"><table>
    <thead><tr><th scope="col">Name</th><th scope="col">Value</th></tr></thead>
    <tbody>${Object.entries(headers).map(([name, value]) => html`<tr key=${name}><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table></div></section>`;
