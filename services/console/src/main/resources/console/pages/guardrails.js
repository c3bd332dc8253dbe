// Guardrails of a project: they check input and output of all its agents.
import { html, useState } from '../lib/preact.js';
import { api, getVersion } from '../api.js';
import { Act, Choice, Confirm, Empty, Head, State, Table, useAsked } from '../ui.js';

const ON = [['both', 'input and output'], ['input', 'input'], ['output', 'output']];
const FRESH = { name: '', on: 'both', by: 'pattern', looks: '', action: 'block', replacement: '', message: '', onError: 'block' };

/** A guardrail for the API; empty fields are left out. */
export function written({ name, on, by, looks, action, replacement, message, onError }) {
  const all = by === 'tool' ? { name, on, tool: looks, message, onError } : { name, on, pattern: looks, action, message, onError, ...(action === 'rewrite' ? { replacement } : {}) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

const whereOf = ({ on }) => (Array.isArray(on) ? on.join(' and ') : (on ?? 'both'));

export function Guardrails({ here }) {
  const path = `v1/projects/${here.project}`;
  const asked = useAsked(() => getVersion(path), [path]);
  const [removed, setRemoved] = useState(null);
  const manage = here.may('project.update');
  const settings = asked.value?.value.settings ?? {};
  const rails = settings.guardrails ?? [];
  const put = async (guardrails) => {
    try {
      await api('PUT', `${path}/settings`, { ...settings, guardrails }, { 'If-Match': asked.value.etag });
    } catch (problem) {
      throw problem.status === 412 ? new Error('Someone changed the settings after you opened this page. Reload it: their changes are kept.') : problem;
    }
    asked.again();
  };
  return html`<${Head} title="Guardrails"><button type="button" onClick=${asked.again}>Look again</button></${Head}>
    <p class="muted">They check input and output in this order, before the guardrails of each agent, from the next turn.</p>
    ${removed && html`<${Confirm} title=${`Remove the guardrail ${removed.name}?`} action="Remove" onClose=${() => setRemoved(null)} onDone=${() => put(rails.filter((one) => one !== removed))}><p>Running turns keep it.</p></${Confirm}>`}
    <${Table} label="Guardrails" list=${{ ...asked, rows: rails }} columns=${[
      { name: 'Name', of: (row) => row.name },
      { name: 'Looks at', of: whereOf },
      { name: 'By', of: (row) => (row.tool ? html`the tool <code>${row.tool}</code>` : html`<code>${row.pattern}</code>`) },
      { name: 'Then', of: (row) => html`<${State} of=${row.action === 'rewrite' ? 'waiting' : 'failed'} /> ${row.tool ? 'as the tool says' : row.action === 'rewrite' ? `puts ${row.replacement ?? '[removed]'} in its place` : 'blocks'}` },
      { name: 'It says', narrow: false, of: (row) => row.message ?? '' },
      { name: 'Actions', of: (row) => manage && html`<button type="button" class="link" aria-label=${`Remove ${row.name}`} onClick=${() => setRemoved(row)}>Remove…</button>` },
    ]} empty=${html`<${Empty} title="No guardrails of this project"><p>Only each agent's own guardrails apply. Add one below, or see <code>docs/guardrails.md</code>.</p></${Empty}>`} />
    ${manage && asked.value && html`<${NewGuardrail} onAdd=${(rail) => put([...rails, rail])} />`}`;
}

function NewGuardrail({ onAdd }) {
  const [draft, setDraft] = useState(FRESH);
  const set = (field) => (value) => setDraft((before) => ({ ...before, [field]: value }));
  const box = (label, field, more) => html`<label>${label} <input value=${draft[field]} autocomplete="off" onInput=${(e) => set(field)(e.target.value)} ...${more} /></label>`;
  const byTool = draft.by === 'tool';
  return html`<section class="card" aria-label="A new guardrail"><h2>A new guardrail</h2>
    ${box('Name', 'name', { maxlength: 64 })}
    <p class="line"><${Choice} label="Looks at" value=${draft.on} options=${ON} onChange=${set('on')} />
      <${Choice} label="By" value=${draft.by} options=${[['pattern', 'a pattern'], ['tool', 'a tool']]} onChange=${set('by')} />
      ${!byTool && html`<${Choice} label="Then" value=${draft.action} options=${[['block', 'block the turn'], ['rewrite', 'replace the text']]} onChange=${set('action')} />`}
      <${Choice} label="If it cannot decide" value=${draft.onError} options=${[['block', 'block'], ['allow', 'let it pass']]} onChange=${set('onError')} /></p>
    ${box(byTool ? 'Tool' : 'Pattern (RE2)', 'looks', { spellcheck: false, maxlength: 1000 })}
    ${!byTool && draft.action === 'rewrite' && box('Replacement ([removed] if empty)', 'replacement', { maxlength: 200 })}
    ${box("Reply of a blocked turn (I can't help with that if empty)", 'message', { maxlength: 1000 })}
    <${Act} label="Add it" kind="main" done="Saved; it applies from the next turn" disabled=${!draft.name || !draft.looks} onClick=${() => onAdd(written(draft)).then(() => setDraft(FRESH))} /></section>`;
}
