// People, their roles in the project, and API keys.
import { html, useState } from '../lib/preact.js';
import { api, part } from '../api.js';
import { Act, Confirm, Empty, Head, Once, State, Table, When, number, useList } from '../ui.js';

export function Members({ here }) {
  const base = `v1/projects/${here.project}/members`;
  const list = useList(base, {});
  const manage = here.may('member.manage');
  const [name, setName] = useState('');
  const change = (row, role) => api('PUT', `${base}/${part(row.user)}`, { role }, { 'If-Match': '*' }).then(list.again);
  return html`<${Head} title="Members" />
    ${manage && html`<section class="card"><label>Add a person by user name or e-mail <input value=${name} onInput=${(e) => setName(e.target.value)} autocomplete="off" /></label>
      <${Act} label="Add as member" done="Added" disabled=${!name} onClick=${() => api('POST', base, name.includes('@') ? { email: name, role: 'member' } : { username: name, role: 'member' }).then(() => { setName(''); list.again(); })} /></section>`}
    <${Table} label="Members" list=${{ ...list, rows: list.rows.map((row) => ({ ...row, id: row.user })) }} columns=${[
      { name: 'Name', of: (row) => row.username },
      { name: 'Role', of: (row) => (manage && row.role !== 'owner' ? html`<select aria-label=${`Role of ${row.username}`} onChange=${(e) => change(row, e.target.value)}>${['admin', 'member', 'viewer'].map((role) => html`<option selected=${role === row.role}>${role}</option>`)}</select>` : row.role) },
      { name: 'Since', narrow: false, of: (row) => html`<${When} at=${row.joinedAt} />` },
      { name: 'Actions', of: (row) => manage && row.role !== 'owner' && html`<${Act} label="Take out" kind="link" onClick=${() => api('DELETE', `${base}/${part(row.user)}`).then(list.again)} />` },
    ]} />`;
}

export function People({ here }) {
  const list = useList('v1/users', { includeInactive: true });
  const [removed, setRemoved] = useState(null);
  const [code, setCode] = useState(null);
  const manage = here.may('user.manage');
  return html`<${Head} title="People" />
    ${code && html`<${Once} said=${`The code for ${code.name}, valid once, for one hour. It is not shown again:`} secret=${code.code} onSeen=${() => setCode(null)} />`}
    ${removed && html`<${Confirm} title=${`Remove ${removed.username}?`} action="Remove" typed=${removed.username} onClose=${() => setRemoved(null)} onDone=${() => api('DELETE', `v1/users/${part(removed.id)}`).then(list.again)}>
      <p>They can no longer sign in, and their keys are revoked. Their messages are kept.</p></${Confirm}>`}
    <${Table} label="People" list=${list} columns=${[
      { name: 'Name', of: (row) => row.username },
      { name: 'E-mail', narrow: false, of: (row) => row.email ?? '' },
      { name: 'Role', of: (row) => row.role },
      { name: 'State', of: (row) => html`<${State} of=${row.active ? 'active' : 'deleted'} />` },
      { name: 'Was here', narrow: false, of: (row) => html`<${When} at=${row.lastLoginAt} />` },
      { name: 'Actions', of: (row) => manage && row.active && html`<${Act} label="Sign-in code" kind="link" onClick=${() => api('POST', `v1/users/${part(row.id)}/sign-in-code`).then((made) => setCode({ name: row.username, code: made.code }))} /> <button class="link" onClick=${() => setRemoved(row)}>Remove</button>` },
    ]} />`;
}

export function Keys({ here }) {
  const list = useList('v1/api-keys', {});
  const [made, setMade] = useState(null);
  const [revoked, setRevoked] = useState(null);
  const [name, setName] = useState('');
  const [mine, setMine] = useState(true);
  const make = () =>
    api('POST', 'v1/api-keys', { name, ...(mine ? { project: here.project } : {}) }).then((key) => {
      setMade(key);
      setName('');
      list.again();
    });
  return html`<${Head} title="Keys" />
    ${made && html`<${Once} said=${`The key ${made.name}. It cannot be shown again:`} secret=${made.apiKey} onSeen=${() => setMade(null)} />`}
    ${revoked && html`<${Confirm} title=${`Revoke the key ${revoked.name}?`} action="Revoke" onClose=${() => setRevoked(null)} onDone=${() => api('DELETE', `v1/api-keys/${part(revoked.id)}`).then(list.again)}>
      <p>Requests with it are rejected from now on. It begins with <code>${revoked.prefix}</code>.</p></${Confirm}>`}
    <section class="card"><h2>A new key</h2>
      <label>Name <input value=${name} onInput=${(e) => setName(e.target.value)} placeholder="what it is for" autocomplete="off" /></label>
      <label><input type="checkbox" checked=${mine} onChange=${(e) => setMine(e.target.checked)} /> opens the project ${here.project} alone</label>
      <${Act} label="Make it" kind="main" disabled=${!name.trim()} onClick=${make} /></section>
    <${Table} label="Keys" list=${list} columns=${[
      { name: 'Name', of: (row) => row.name },
      { name: 'Begins with', narrow: false, of: (row) => html`<code>${row.prefix}</code>` },
      { name: 'Opens', of: (row) => `${row.project ?? 'all projects'}${row.permissions.includes('*') ? '' : `: ${row.permissions.join(', ')}`}` },
      { name: 'Requests', number: true, narrow: false, of: (row) => number(row.usageCount) },
      { name: 'Last used', of: (row) => html`<${When} at=${row.lastUsedAt} />` },
      { name: 'Ends', narrow: false, of: (row) => html`<${When} at=${row.expiresAt} />` },
      { name: 'Actions', of: (row) => html`<button class="link" onClick=${() => setRevoked(row)}>Revoke</button>` },
    ]} empty=${html`<${Empty} title="No keys"><p>Programs use a key to call the API.</p></${Empty}>`} />`;
}
