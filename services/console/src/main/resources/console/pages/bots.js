// Bots: their state, the delivery of their replies, and who may talk to them.
import { html, useState } from '../lib/preact.js';
import { api, get, part, query } from '../api.js';
import { filter, go, to } from '../route.js';
import { Choice, Confirm, Empty, Failure, Figure, Figures, Head, State, Table, Typed, When, useAsked } from '../ui.js';
import { BotForm, BotSettings } from './bot-settings.js';

export function Bots({ here }) {
  const base = `v1/projects/${here.project}/bots`;
  const asked = useAsked(() => get(base), [base], 10);
  const [making, setMaking] = useState(false);
  const [name] = here.rest;
  const rows = asked.value?.data ?? [];
  if (name) return html`<${Bot} here=${here} name=${name} bot=${rows.find((one) => one.name === name)} asked=${asked} />`;
  return html`<${Head} title="Bots">${here.may('bot.manage') && !making && html`<button class="main" onClick=${() => setMaking(true)}>New bot</button>`}</${Head}>
    ${making && html`<${BotForm} base=${base} onDone=${(made) => { setMaking(false); asked.again(); go(to(here.project, 'bots', [made.name])); }} onBack=${() => setMaking(false)} />`}
    <${Table} label="Bots" list=${{ ...asked, rows }} columns=${[
      { name: 'Bot', of: (row) => html`<a href=${to(here.project, 'bots', [row.name])}>${row.name}</a>` },
      { name: 'Kind', of: (row) => row.kind },
      { name: 'State', of: (row) => html`<${State} of=${stateOf(row)} />` },
      { name: 'Set by', narrow: false, of: (row) => (row.managedBy === 'project' ? 'this project' : 'parley.yml') },
      { name: 'Problem', of: (row) => row.problem ?? '', narrow: false },
      { name: 'Served by', of: (row) => row.owner ?? '', narrow: false },
    ]} empty=${html`<${Empty} title="No bots"><p>Make one here with the token that Telegram's BotFather gave you, set <code>TELEGRAM_BOT_TOKEN</code>, or write bots into <code>parley.yml</code>: <code>docs/channels.md</code>.</p></${Empty}>`} />`;
}

const stateOf = (bot) => (bot.problem ? 'failed' : bot.owner ? 'active' : 'waiting');

function Bot({ here, name, bot, asked }) {
  if (!bot) {
    return html`<${Head} title=${`Bot ${name}`} />${asked.problem ? html`<${Failure} problem=${asked.problem} again=${asked.again} />`
      : asked.value && html`<${Empty} title="No such bot"><p><a href=${to(here.project, 'bots')}>Show all bots</a></p></${Empty}>`}`;
  }
  return html`<${Head} title=${`Bot ${name}`}><${State} of=${stateOf(bot)} /></${Head}>
    ${bot.problem && html`<${Failure} problem=${{ message: bot.problem }} />`}
    <${Figures}>
      <${Figure} name="Kind">${bot.kind}</${Figure}>
      <${Figure} name="Served by" note=${bot.since && html`since <${When} at=${bot.since} />`}>${bot.owner ?? 'nobody yet'}</${Figure}>
      ${bot.problem && html`<${Figure} name="Wrong since" tone="bad"><${When} at=${bot.problemSince} /></${Figure}>`}
    </${Figures}>
    <${BotSettings} here=${here} name=${name} />
    ${here.may('bot.manage') && html`<${People} here=${here} name=${name} />`}
    <${Deliveries} here=${here} name=${name} />`;
}

function People({ here, name }) {
  const path = `v1/bots/${part(name)}/people`;
  const asked = useAsked(() => get(path), [path], 30);
  const [leaving, setLeaving] = useState(null);
  return html`<section><h2>People</h2>
    <p class="muted">People admitted with a code; the bot's settings may name others.</p>
    <${LetIn} path=${path} onDone=${asked.again} />
    ${leaving && html`<${Confirm} title=${`Let ${leaving.name || leaving.user} out?`} action="Let out" onClose=${() => setLeaving(null)} onDone=${() => api('DELETE', `${path}/${part(leaving.user)}`).then(asked.again)}>
      <p>They can no longer talk to the bot, unless its settings name them.</p></${Confirm}>`}
    <${Table} label="People" list=${{ ...asked, rows: (asked.value?.data ?? []).map((one) => ({ ...one, id: one.user })) }} columns=${[
      { name: 'Person', of: (row) => row.name || row.user },
      { name: 'Id in the channel', of: (row) => row.user, narrow: false },
      { name: 'Since', of: (row) => html`<${When} at=${row.since} />` },
      { name: 'Let out', of: (row) => html`<button type="button" class="danger" aria-label=${`Let ${row.name || row.user} out`} onClick=${() => setLeaving(row)}>Let out…</button>` },
    ]} empty=${html`<p class="muted">Nobody has been admitted with a code.</p>`} /></section>`;
}

/** Admits a person by the code that the bot showed them. */
function LetIn({ path, onDone }) {
  const [code, setCode] = useState('');
  const [state, setState] = useState({});
  const allow = async (event) => {
    event.preventDefault();
    setState({ busy: true });
    try {
      const person = await api('POST', path, { code: code.trim() });
      setCode('');
      setState({ said: `${person.name || person.user} may talk to the bot.` });
      onDone();
    } catch (problem) {
      setState({ problem });
    }
  };
  return html`<form class="line" onSubmit=${allow}>
    <label class="choice">Code shown by the bot <input value=${code} required maxlength="32" autocomplete="off" onInput=${(e) => setCode(e.target.value)} /></label>
    <button class="main" disabled=${state.busy}>Let in</button>
    ${state.said && html`<span role="status">${state.said}</span>`}
    <${Failure} problem=${state.problem} /></form>`;
}

function Deliveries({ here, name }) {
  const { chat, state } = here.filters;
  const path = `v1/bots/${part(name)}/deliveries${query({ chat, state })}`;
  const asked = useAsked(() => get(path), [path], 10);
  return html`<section><h2>Deliveries</h2>
    <p class="line">
      <${Choice} label="State" value=${state} onChange=${(value) => filter({ state: value })} options=${[['', 'any'], ['delivered', 'delivered'], ['failed', 'failed']]} />
      <${Typed} label="Chat" value=${chat} onChange=${(value) => filter({ chat: value })} />
    </p>
    <${Table} label="Deliveries" list=${{ ...asked, rows: (asked.value?.data ?? []).map((one) => ({ ...one, id: one.reply })) }} columns=${[
      { name: 'When', of: (row) => html`<${When} at=${row.at} />` },
      { name: 'Chat', of: (row) => html`<button type="button" class="link" aria-label=${`Only deliveries to the chat ${row.chat}`} onClick=${() => filter({ chat: row.chat })}>${row.chat}</button>` },
      { name: 'State', of: (row) => html`<${State} of=${row.state} />` },
      { name: 'Why', of: (row) => row.detail ?? '' },
      { name: 'Reply', of: (row) => html`<code>${row.reply}</code>`, narrow: false },
    ]} empty=${html`<p class="muted">${chat || state ? 'No matching replies' : 'No replies were delivered or abandoned'} in the last 14 days. Only the newest 200 are listed.</p>`} /></section>`;
}
