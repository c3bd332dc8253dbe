// Webhooks: addresses that receive a project's events, and their deliveries.
import { html, useState } from '../lib/preact.js';
import { api, get, getVersion, part, query } from '../api.js';
import { filter, go, to } from '../route.js';
import { Act, Choice, Confirm, Empty, Failure, Figure, Figures, Head, Once, State, Table, When, number, useAsked } from '../ui.js';

/** The events, with what they mean. */
const EVENTS = [
  ['turn.completed', 'a turn is answered'],
  ['turn.failed', 'a turn has failed'],
  ['turn.cancelled', 'a turn was cancelled'],
  ['approval.requested', 'a tool call needs an approval'],
  ['feedback.given', 'somebody gives or withdraws an opinion of an answer'],
  ['handoff.asked', 'a person is asked for in the agent\'s place'],
  ['handoff.taken', 'a person answers in the agent\'s place'],
  ['handoff.ended', 'the agent answers again'],
  ['process.completed', 'a process is completed'],
  ['process.faulted', 'a process has failed'],
  ['process.cancelled', 'a process was cancelled'],
  ['task.asked', 'a workflow asks a person'],
];
const ALL = '*';

const stateOf = (hook) => (!hook.enabled ? 'disabled' : hook.failures > 0 ? 'failing' : 'active');
const named = (hook) => hook.description || hook.url;
const told = ({ events }) => (events.includes(ALL) ? 'all events' : events.join(', '));

/** A webhook for the API. */
export function written({ url, description, events, enabled }) {
  return { url: url.trim(), description: description.trim(), ...(events.includes(ALL) ? {} : { events }), enabled };
}

export function Webhooks({ here }) {
  const base = `v1/projects/${here.project}/webhooks`;
  const [id] = here.rest;
  return id ? html`<${Webhook} here=${here} base=${base} id=${id} />` : html`<${List} here=${here} base=${base} />`;
}

function List({ here, base }) {
  const asked = useAsked(() => get(base), [base], 10);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState(null);
  const onMade = (hook) => {
    setMade(hook);
    setMaking(false);
    asked.again();
  };
  return html`<${Head} title="Webhooks">${!making && html`<button type="button" class="main" onClick=${() => setMaking(true)}>New webhook</button>`}</${Head}>
    <p class="muted">Addresses that receive this project's events in signed requests. Events contain ids, never message text.</p>
    ${made && html`<${Once} said=${`The secret with which ${named(made)} verifies signatures. It cannot be shown again:`} secret=${made.secret} onSeen=${() => setMade(null)} />`}
    ${making && html`<${HookForm} onSave=${(body) => api('POST', base, body).then(onMade)} onBack=${() => setMaking(false)} />`}
    <${Table} label="Webhooks" list=${{ ...asked, rows: asked.value?.data ?? [] }} columns=${[
      { name: 'Webhook', of: (row) => html`<a href=${to(here.project, 'webhooks', [row.id])}>${named(row)}</a>` },
      { name: 'Is told of', of: told, narrow: false },
      { name: 'State', of: (row) => html`<${State} of=${stateOf(row)} />` },
      { name: 'Problem', narrow: false, of: wrong },
      { name: 'Since', narrow: false, of: (row) => html`<${When} at=${row.createdAt} />` },
    ]} empty=${html`<${Empty} title="No webhooks"><p>Create one for each system that needs to know when a turn is answered, an approval is requested, or a process has ended: <code>docs/webhooks.md</code>.</p></${Empty}>`} />`;
}

const wrong = (hook) => hook.problem ?? (hook.failures > 0 ? `${number(hook.failures)} consecutive attempts failed` : '');

/** @param hook null for a new one */
function HookForm({ hook, onSave, onBack }) {
  const [wanted, setWanted] = useState(hook ?? { url: '', description: '', events: [ALL], enabled: true });
  const all = wanted.events.includes(ALL);
  const set = (field) => (e) => setWanted({ ...wanted, [field]: e.target.type === 'checkbox' ? e.target.checked : e.target.value });
  const choose = (event, chosen) => setWanted({ ...wanted, events: chosen ? [...wanted.events, event] : wanted.events.filter((one) => one !== event) });
  return html`<section class="card" aria-label=${hook ? 'Settings' : 'A new webhook'}><h2>${hook ? 'Settings' : 'A new webhook'}</h2>
    <label>Address <input type="url" value=${wanted.url} maxlength="2000" placeholder="https://" autocomplete="off" onInput=${set('url')} /></label>
    <label>Purpose <input value=${wanted.description} maxlength="256" autocomplete="off" onInput=${set('description')} /></label>
    <fieldset><legend>Events</legend>
      <label><input type="checkbox" checked=${all} onChange=${(e) => setWanted({ ...wanted, events: e.target.checked ? [ALL] : [] })} /> all of these, and those of later versions</label>
      ${!all && EVENTS.map(([event, when]) => html`<label key=${event}><input type="checkbox" checked=${wanted.events.includes(event)} onChange=${(e) => choose(event, e.target.checked)} /> ${when} <code>${event}</code></label>`)}
    </fieldset>
    <label><input type="checkbox" checked=${wanted.enabled} onChange=${set('enabled')} /> enabled: events are sent</label>
    <p class="buttons"><button type="button" onClick=${onBack}>Back</button>
      <${Act} label=${hook ? 'Save' : 'Make it'} kind="main" disabled=${!wanted.url.trim() || wanted.events.length === 0} onClick=${() => onSave(written(wanted))} /></p>
  </section>`;
}

function Webhook({ here, base, id }) {
  const path = `${base}/${part(id)}`;
  const asked = useAsked(() => getVersion(path), [path], 10);
  const [doing, setDoing] = useState(null);
  const [secret, setSecret] = useState(null);
  const hook = asked.value?.value;
  if (!hook) {
    return html`<${Head} title="Webhook" />${asked.problem?.status === 404 || asked.problem?.status === 400
      ? html`<${Empty} title="No such webhook"><p><a href=${to(here.project, 'webhooks')}>Show all webhooks</a></p></${Empty}>`
      : html`<${Failure} problem=${asked.problem} again=${asked.again} />`}`;
  }
  const save = (body, version) =>
    api('PUT', path, body, { 'If-Match': version }).then(
      () => {
        setDoing(null);
        asked.again();
      },
      (problem) => {
        throw problem.status === 412 ? new Error('Someone changed it after you opened it. Go back and open it again: their changes are kept.') : problem;
      },
    );
  const rotated = () => api('POST', `${path}/secret`).then((made) => {
    setSecret(made.secret);
    asked.again();
  });
  const close = () => setDoing(null);
  return html`<${Head} title=${named(hook)}><${State} of=${stateOf(hook)} /> <a class="button" href=${to(here.project, 'webhooks')}>All webhooks</a></${Head}>
    <${Failure} problem=${asked.problem} again=${asked.again} />
    ${hook.problem && html`<${Failure} problem=${{ message: `${hook.problem} Events since then were not sent; abandoned deliveries can be resent below.` }} />`}
    <${Figures}>
      <${Figure} name="Address"><span class="address">${hook.url}</span></${Figure}>
      <${Figure} name="Is told of"><span class="address">${told(hook)}</span></${Figure}>
      <${Figure} name="Made"><${When} at=${hook.createdAt} /></${Figure}>
      ${hook.failures > 0 && html`<${Figure} name="Consecutive failed attempts" tone="bad" note=${html`since <${When} at=${hook.failingSince} />`}>${number(hook.failures)}</${Figure}>`}
    </${Figures}>
    ${secret && html`<${Once} said="The new secret. It cannot be shown again. For 24 hours requests are signed with the previous secret, too:" secret=${secret} onSeen=${() => setSecret(null)} />`}
    ${doing?.change
      ? html`<${HookForm} hook=${doing.change} onSave=${(body) => save(body, doing.version)} onBack=${close} />`
      : html`<p class="buttons">
          <${Act} label="Send a test" title="Sends the event webhook.test" disabled=${!hook.enabled} done="Sent: see below" onClick=${() => api('POST', `${path}/test`)} />
          <${Act} label=${hook.enabled ? 'Disable' : 'Enable'} title=${hook.enabled ? 'Nothing is sent until it is enabled again; events meanwhile are not sent later' : 'Enabled; new events are sent'} onClick=${() => save(written({ ...hook, enabled: !hook.enabled }), asked.value.etag)} />
          <button type="button" onClick=${() => setDoing({ change: hook, version: asked.value.etag })}>Change</button>
          <button type="button" onClick=${() => setDoing({ rotate: true })}>Replace the secret…</button>
          <button type="button" class="danger" onClick=${() => setDoing({ remove: true })}>Remove…</button></p>`}
    ${doing?.rotate && html`<${Confirm} title="Replace the secret?" action="Replace the secret" onClose=${close} onDone=${rotated}><p>It is shown once. For 24 hours requests are signed with both secrets.</p></${Confirm}>`}
    ${doing?.remove && html`<${Confirm} title=${`Remove ${named(hook)}?`} action="Remove" onClose=${close} onDone=${() => api('DELETE', path).then(() => go(to(here.project, 'webhooks')))}><p>Nothing more is sent, including pending deliveries.</p></${Confirm}>`}
    <${Deliveries} here=${here} path=${path} enabled=${hook.enabled} />`;
}

function Deliveries({ here, path, enabled }) {
  const { state } = here.filters;
  const address = `${path}/deliveries${query({ state })}`;
  const asked = useAsked(() => get(address), [address], 3);
  const again = (row) => api('POST', `${path}/deliveries/${part(row.id)}/retry`).then(asked.again);
  return html`<section><h2>Deliveries</h2>
    <p class="line"><${Choice} label="State" value=${state} onChange=${(value) => filter({ state: value })} options=${[['', 'any'], ['waiting', 'waiting'], ['delivered', 'delivered'], ['failed', 'given up']]} />
      <span class="muted">The newest 200 of the last seven days.</span></p>
    <${Table} label="Deliveries" list=${{ ...asked, rows: asked.value?.data ?? [] }} columns=${[
      { name: 'When', of: (row) => html`<${When} at=${row.createdAt} />` },
      { name: 'Event', of: (row) => row.event },
      { name: 'State', of: (row) => html`<${State} of=${row.state} />` },
      { name: 'Attempts', number: true, narrow: false, of: (row) => number(row.attempts) },
      { name: 'Answer', narrow: false, of: (row) => [row.status, row.detail].filter(Boolean).join(' ') },
      { name: 'Next', of: (row) => (row.state === 'failed'
        ? html`<${Act} label="Send again" kind="link" title=${enabled ? 'The same event, with the same id' : 'Enable the webhook first'} disabled=${!enabled} onClick=${() => again(row)} />`
        : row.nextAt && html`<${When} at=${row.nextAt} />`) },
    ]} empty=${html`<p class="muted">${state ? 'No matching deliveries.' : 'Nothing has been sent yet.'}</p>`} /></section>`;
}
