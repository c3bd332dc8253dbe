// Creates and changes the bots of a project.
import { html, useState } from '../lib/preact.js';
import { api, getVersion, part } from '../api.js';
import { go, to } from '../route.js';
import { Act, Choice, Confirm, Failure, useAsked } from '../ui.js';

const KINDS = [['telegram', 'Telegram'], ['slack', 'Slack'], ['discord', 'Discord'], ['whatsapp', 'WhatsApp'], ['teams', 'Microsoft Teams'], ['webhook', 'webhook']];

/** Fields of a kind besides its token: at least one is required. */
const SECRETS = {
  slack: [['appToken', 'App-level token (xapp-…), for Socket Mode'], ['signingSecret', 'Signing secret, for events over HTTP']],
  whatsapp: [['appSecret', 'App secret, with which webhooks are signed'], ['verifyToken', 'Verify token, which you choose']],
};

/** Further settings of a kind. */
const SETTINGS = {
  whatsapp: [['phoneNumberId', 'Id of the phone number'], ['template', 'Template after 24 hours, such as update/en_US']],
  teams: [['appId', 'Microsoft App ID'], ['tenant', 'Id of the tenant']],
};

const words = (text) => text.split(/[\s,]+/).filter(Boolean);

/** @param bot null for a new one @param version its ETag */
export function BotForm({ base, bot, version, onDone, onBack }) {
  const [wanted, setWanted] = useState(
    bot ?? { name: '', kind: 'telegram', agent: '', allowedUsers: [], allowAll: false, pairing: true, groups: 'mention', listen: false, stream: true, url: '' },
  );
  const [users, setUsers] = useState((bot?.allowedUsers ?? []).join(' '));
  const [token, setToken] = useState('');
  const [secrets, setSecrets] = useState({});
  const set = (name) => (e) => setWanted({ ...wanted, [name]: e.target.type === 'checkbox' ? e.target.checked : e.target.value });
  const platform = wanted.kind !== 'webhook';
  const more = SECRETS[wanted.kind] ?? [];
  const settings = SETTINGS[wanted.kind] ?? [];
  const setSetting = (name) => (e) => setWanted({ ...wanted, settings: { ...wanted.settings, [name]: e.target.value } });
  const given = Object.fromEntries(Object.entries(secrets).filter(([name, value]) => value && more.some(([one]) => one === name)));
  const body = () => ({
    ...(bot ? {} : { name: wanted.name, kind: wanted.kind }),
    ...(token ? { token } : {}),
    ...(Object.keys(given).length ? { secrets: given } : {}),
    ...(settings.length ? { settings: Object.fromEntries(Object.entries(wanted.settings ?? {}).filter(([name, value]) => value && settings.some(([one]) => one === name))) } : {}),
    ...(wanted.agent ? { agent: wanted.agent } : {}),
    ...(wanted.url ? { url: wanted.url } : {}),
    ...(platform ? { pairing: wanted.pairing, groups: wanted.groups, listen: wanted.listen } : {}),
    allowedUsers: words(users),
    allowAll: wanted.allowAll,
    stream: wanted.stream,
  });
  const save = () =>
    (bot ? api('PUT', `${base}/${part(bot.name)}`, body(), { 'If-Match': version }) : api('POST', base, body())).then((made) => {
      setToken('');
      setSecrets({});
      onDone(made);
    });
  return html`<section class="card"><h2>${bot ? 'Settings' : 'A new bot'}</h2>
    ${!bot && html`<${Choice} label="Kind" value=${wanted.kind} options=${KINDS} onChange=${(kind) => setWanted({ ...wanted, kind, stream: kind !== 'webhook' })} />
      <label>Name <input value=${wanted.name} onInput=${set('name')} placeholder="lower case letters, digits, _ and -" autocomplete="off" /></label>`}
    <label>${platform ? 'Token' : 'Signing secret'} <input type="password" value=${token} onInput=${(e) => setToken(e.target.value)} placeholder=${bot ? `…${bot.tokenEndsWith}; empty leaves it` : ''} autocomplete="new-password" /></label>
    ${more.map(([name, label]) => html`<label key=${name}>${label} <input type="password" value=${secrets[name] ?? ''} onInput=${(e) => setSecrets({ ...secrets, [name]: e.target.value })} placeholder=${bot?.secrets?.includes(name) ? 'is set; changed together with the token' : ''} autocomplete="new-password" /></label>`)}
    ${settings.map(([name, label]) => html`<label key=${name}>${label} <input value=${wanted.settings?.[name] ?? ''} onInput=${setSetting(name)} autocomplete="off" /></label>`)}
    ${!platform && html`<label>Replies go to <input type="url" value=${wanted.url ?? ''} onInput=${set('url')} placeholder="https://" /></label>`}
    <label>Agent <input value=${wanted.agent ?? ''} onInput=${set('agent')} placeholder="the default" autocomplete="off" /></label>
    <label>User ids that may talk to it <input value=${users} onInput=${(e) => setUsers(e.target.value)} placeholder="648079060 …" autocomplete="off" /></label>
    <label><input type="checkbox" checked=${wanted.allowAll} onChange=${set('allowAll')} /> anyone may${platform ? ' (in the default project alone)' : ''}</label>
    ${platform && html`<label><input type="checkbox" checked=${wanted.pairing} onChange=${set('pairing')} /> unknown people get a code, with which you can admit them</label>
      <${Choice} label="In groups" value=${wanted.groups} options=${[['off', 'never'], ['mention', 'only when mentioned'], ['all', 'always']]} onChange=${(groups) => setWanted({ ...wanted, groups })} />
      <label><input type="checkbox" checked=${wanted.listen} onChange=${set('listen')} /> reads along in groups where somebody has spoken to it, and tells them so</label>`}
    <label><input type="checkbox" checked=${wanted.stream} onChange=${set('stream')} /> stream answers</label>
    <p class="buttons"><button type="button" onClick=${onBack}>Back</button>
      <${Act} label=${bot ? 'Save' : 'Make it'} kind="main" disabled=${!bot && (!wanted.name || !token || (more.length > 0 && !Object.keys(given).length))} onClick=${save} /></p>
  </section>`;
}

/** Actions on a bot of the project. */
export function BotSettings({ here, name }) {
  const base = `v1/projects/${here.project}/bots`;
  const asked = useAsked(() => getVersion(`${base}/${part(name)}`), [base, name]);
  const [changing, setChanging] = useState(false);
  const [removing, setRemoving] = useState(false);
  const bot = asked.value?.value;
  if (!bot) return html`<${Failure} problem=${asked.problem} again=${asked.again} />`;
  if (bot.managedBy !== 'project') return html`<p class="muted">This bot is configured in <code>parley.yml</code>: the operator changes it there.</p>`;
  if (!here.may('bot.manage')) return null;
  if (changing) return html`<${BotForm} base=${base} bot=${bot} version=${asked.value.etag} onBack=${() => setChanging(false)} onDone=${() => { setChanging(false); asked.again(); }} />`;
  return html`<p class="buttons"><button onClick=${() => setChanging(true)}>Change</button> <button class="danger" onClick=${() => setRemoving(true)}>Remove</button></p>
    ${bot.problem && html`<p role="alert" class="said-bad">${bot.problem}</p>`}
    ${removing && html`<${Confirm} title=${`Remove the bot ${name}?`} action="Remove" typed=${name} onClose=${() => setRemoving(false)} onDone=${() => api('DELETE', `${base}/${part(name)}`).then(() => go(to(here.project, 'bots')))}>
      <p>It stops at once and its token is deleted. People admitted with a code must be admitted again. Conversations are kept.</p></${Confirm}>`}`;
}
