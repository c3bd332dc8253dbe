// Bots on channels: how they are, what they delivered, and who may talk to them.
import { html, useState } from '../lib/preact.js';
import { api, get, part, query } from '../api.js';
import { filter, to } from '../route.js';
import { Act, Choice, Empty, Failure, Head, State, Table, When, useAsked } from '../ui.js';

export function Bots({ here }) {
  const asked = useAsked(() => get('v1/bots'), [], 10);
  if (here.rest.length > 0) return html`<${Bot} here=${here} name=${here.rest[0]} />`;
  return html`<${Head} title="Bots" />
    <${Table} label="Bots" list=${{ ...asked, rows: asked.value?.data ?? [] }} columns=${[
      { name: 'Bot', of: (row) => html`<a href=${to(here.project, 'bots', [row.name])}>${row.name}</a>` },
      { name: 'Kind', of: (row) => row.kind },
      { name: 'State', of: (row) => html`<${State} of=${row.problem ? 'failed' : row.owner ? 'UP' : 'waiting'} /> ${row.problem ?? ''}` },
      { name: 'Owner', narrow: false, of: (row) => row.owner ?? 'none yet' },
      { name: 'Since', narrow: false, of: (row) => html`<${When} at=${row.since} />` },
    ]} empty=${html`<${Empty} title="No bots"><p>Set <code>TELEGRAM_BOT_TOKEN</code>, or write bots into <code>parley.yml</code>: <code>docs/channels.md</code>.</p></${Empty}>`} />`;
}

function Bot({ here, name }) {
  const base = `v1/bots/${part(name)}`;
  const { state, chat } = here.filters;
  const deliveries = useAsked(() => get(`${base}/deliveries${query({ state, chat })}`), [base, state, chat], 10);
  const people = useAsked(() => (here.may('bot.manage') ? get(`${base}/people`) : Promise.resolve({ data: [] })), [base]);
  const [code, setCode] = useState('');
  return html`<${Head} title=${name}><a class="button" href=${to(here.project, 'bots')}>All bots</a></${Head}>
    ${here.may('bot.manage') && html`<section class="card"><h2>Who may talk to it</h2>
      <${Failure} problem=${people.problem} again=${people.again} />
      <ul>${(people.value?.data ?? []).map((one) => html`<li>${one.name ?? one.user} <span class="muted">${one.user}</span> <${Act} label="Let out" kind="link" onClick=${() => api('DELETE', `${base}/people/${part(one.user)}`).then(people.again)} /></li>`)}</ul>
      <label>Code that the bot gave somebody <input value=${code} onInput=${(e) => setCode(e.target.value)} autocomplete="off" /></label>
      <${Act} label="Let them in" done="They may talk to it" disabled=${!code} onClick=${() => api('POST', `${base}/people`, { code }).then(() => { setCode(''); people.again(); })} />
    </section>`}
    <h2>Replies</h2>
    <p><${Choice} label="State" value=${state} options=${[['', 'any'], ['delivered', 'delivered'], ['failed', 'failed']]} onChange=${(value) => filter({ state: value })} />
      <label class="choice">Chat <input value=${chat ?? ''} onChange=${(e) => filter({ chat: e.target.value.trim() })} /></label></p>
    <${Table} label="Replies" list=${{ ...deliveries, rows: (deliveries.value?.data ?? []).map((one) => ({ ...one, id: one.reply })) }} columns=${[
      { name: 'At', of: (row) => html`<${When} at=${row.at} />` },
      { name: 'Chat', of: (row) => row.chat },
      { name: 'State', of: (row) => html`<${State} of=${row.state} />` },
      { name: 'Why', of: (row) => row.detail ?? '' },
    ]} />`;
}
