// Memory banks: their units, entities, documents and links, and why a recall found what it found.
import { html, useState } from '../lib/preact.js';
import { api, get, part, query } from '../api.js';
import { filter, to } from '../route.js';
import { Act, Choice, Confirm, Empty, Failure, Figure, Figures, Head, Moment, State, Table, Typed, When, number, useAsked, useList } from '../ui.js';

export function Memory({ here }) {
  const [bank, what, id] = here.rest;
  if (!bank) return html`<${Banks} here=${here} />`;
  return html`<${Bank} key=${bank} here=${here} id=${bank} what=${what ?? 'recall'} of=${id} />`;
}

/** The owner of a bank, by its scope. */
const WHOSE = { user: 'a person', agent: 'an agent', user_agent: 'a person with an agent', host: 'the host' };

/** The title of a bank: its agent, its name, or its owner. */
const named = ({ agent, profile, scope }) => agent ?? (profile?.name && profile.name !== scope ? profile.name : (WHOSE[scope] ?? scope));

function Banks({ here }) {
  const list = useList('v1/banks', { project: here.project });
  return html`<${Head} title="Memory">
      ${here.may('memory.write') && html`<${Act} label="Open my own bank" onClick=${() => api('POST', 'v1/banks', { scope: 'user', project: here.project }).then(list.again)} />`}
    </${Head}>
    <${Table} label="Banks" list=${list} columns=${[
      { name: 'Bank', of: (row) => html`<a href=${to(here.project, 'memory', [row.id])}>${row.agent ?? row.profile?.name ?? row.scope}</a>` },
      { name: 'Of', of: (row) => WHOSE[row.scope] ?? row.scope },
      { name: 'Branch', narrow: false, of: (row) => row.branch ?? '' },
      { name: 'Changed', of: (row) => html`<${When} at=${row.updatedAt} />` },
    ]} empty=${html`<${Empty} title="No memory banks"><p>Agents remember when configured to: <code>options: {memory: user}</code>. <code>docs/memory.md</code> says more.</p></${Empty}>`} />`;
}

const VIEWS = [['recall', 'Ask it'], ['units', 'Memories'], ['entities', 'Entities'], ['docs', 'Documents']];

function Bank({ here, id, what, of }) {
  const base = `v1/banks/${part(id)}`;
  const asked = useAsked(() => get(base), [base], 15);
  const one = asked.value;
  const units = Object.values(one?.counts?.units ?? {}).reduce((sum, n) => sum + n, 0);
  return html`<${Head} title=${one ? `Memory of ${named(one)}` : 'Memory'}>
      ${VIEWS.map(([code, name]) => html`<a class="button" aria-current=${code === what ? 'page' : undefined} href=${to(here.project, 'memory', [id, code])}>${name}</a>`)}
    </${Head}>
    <${Failure} problem=${asked.problem} again=${asked.again} />
    ${one?.counts && html`<${Figures}>
      <${Figure} name="Units" note=${`${number(one.counts.retired)} retired`}>${number(units)}</${Figure}>
      <${Figure} name="Entities">${number(one.counts.entities)}</${Figure}>
      <${Figure} name="Documents" note=${one.counts.waiting > 0 ? `${number(one.counts.waiting)} waiting to be processed` : undefined}>${number(one.counts.documents)}</${Figure}>
    </${Figures}>`}
    ${what === 'units' ? html`<${of ? Unit : Units} here=${here} base=${base} bank=${id} id=${of} />`
      : what === 'entities' ? html`<${of ? Entity : Entities} here=${here} base=${base} bank=${id} id=${of} />`
        : what === 'docs' ? html`<${Documents} here=${here} base=${base} />` : html`<${Recall} here=${here} base=${base} bank=${id} />`}`;
}

const DAY = 86_400_000;
const SPANS = [['1', 'the last day'], ['7', 'the last week'], ['31', 'the last month'], ['366', 'the last year']];
const ARMS = { semantic: 'by meaning', keyword: 'by words', graph: 'by relation', temporal: 'by time' };

/** A slider over the last day, week, month or year; its end means now. @param at ISO time, empty for now */
function Time({ at, onChange }) {
  const [days, setDays] = useState('7');
  const [moved, setMoved] = useState(null);
  const end = Date.now();
  const begin = end - Number(days) * DAY;
  const value = moved ?? (at ? new Date(at).getTime() : end);
  const last = (ms) => end - ms < (end - begin) / 200;
  const said = last(value) ? 'now' : new Date(value).toLocaleString();
  const chosen = (ms) => {
    setMoved(null);
    onChange(last(ms) ? '' : new Date(ms).toISOString());
  };
  return html`<div><label>As known at <b>${said}</b>
    <input type="range" min=${begin} max=${end} step="any" value=${value} aria-valuetext=${said} onInput=${(e) => setMoved(Number(e.target.value))} onChange=${(e) => chosen(Number(e.target.value))} /></label>
    <p class="line"><${Choice} label="The slider is" value=${days} options=${SPANS} onChange=${setDays} />
      <${Moment} label="or exactly at" value=${at} onChange=${onChange} /></p></div>`;
}

function Recall({ here, base, bank }) {
  const { q, asOf } = here.filters;
  const [text, setText] = useState(q ?? '');
  const asked = useAsked(() => (q ? api('POST', `${base}/recall?trace=true`, { query: q, maxTokens: 2000, ...(asOf ? { asOf: new Date(asOf).toISOString() } : {}) }) : Promise.resolve(null)), [base, q, asOf]);
  const answer = asked.value;
  const ask = (event) => {
    event.preventDefault();
    filter({ q: text });
  };
  return html`<form class="card" onSubmit=${ask}>
      <label>Question <input value=${text} onInput=${(e) => setText(e.target.value)} required /></label>
      <p class="buttons"><button class="main">Ask</button></p>
      <${Time} at=${asOf} onChange=${(at) => filter({ asOf: at })} />
    </form>
    <${Failure} problem=${asked.problem && { message: `The recall failed: ${asked.problem.message}` }} again=${asked.again} />
    ${q && asked.loading && html`<p class="muted" role="status">It looks…</p>`}
    ${answer && html`<h2>${answer.memories.length === 0 ? 'Nothing was found' : `${number(answer.memories.length)} memories, ${number(answer.tokens)} tokens`}</h2>
      ${answer.memories.length === 0 && html`<p class="muted">It looked at ${number(answer.trace?.fused)} candidates. Ask in other words, or look at <a href=${to(here.project, 'memory', [bank, 'units'])}>what it knows</a>.</p>`}
      <ol class="timeline">${answer.memories.map((one) => html`<li key=${one.id}>
        ${one.kind === 'unit' ? html`<a href=${to(here.project, 'memory', [bank, 'units', one.id])}>${one.text}</a>` : html`<span>${one.text}</span>`}
        <p class="muted"><${State} of=${one.type} /> found ${Object.entries(one.arms).map(([arm, rank]) => `${ARMS[arm] ?? arm} at rank ${rank}`).join(', ')}; score ${one.score.toFixed(2)}; said <${When} at=${one.mentionedAt} /></p></li>`)}</ol>
      <${Reasons} answer=${answer} />`}
    ${here.may('memory.write') && html`<${Retain} base=${base} />`}`;
}

/** What each retriever found, and how it was ranked. */
function Reasons({ answer }) {
  const shown = new Map(answer.memories.map((one, i) => [one.id, i + 1]));
  return html`<details><summary>Why these</summary>
    ${Object.entries(answer.trace?.arms ?? {}).map(([arm, found]) => html`<h3>${ARMS[arm] ?? arm}</h3>
      ${found.length === 0 ? html`<p class="muted">Nothing.</p>` : html`<ol>${found.slice(0, 50).map((one) => html`<li><code>${one.id}</code> ${one.score.toFixed(3)} ${shown.has(one.id) ? html`<b>shown as number ${shown.get(one.id)}</b>` : html`<span class="muted">left out</span>`}</li>`)}</ol>`}`)}
  </details>`;
}

function Retain({ base }) {
  const [text, setText] = useState('');
  return html`<section class="card"><h2>Add a document</h2>
    <label>Text <textarea value=${text} onInput=${(e) => setText(e.target.value)}></textarea></label>
    <${Act} label="Remember" done="It is read" disabled=${!text.trim()} onClick=${() => api('POST', `${base}/docs?wait=20s`, { text }).then(() => setText(''))} /></section>`;
}

function Units({ here, base, bank }) {
  const { type, tag, text, state } = here.filters;
  const list = useList(`${base}/units`, { type, tag, text, state });
  const words = (name, label, value) => html`<${Typed} label=${label} value=${value} onChange=${(text) => filter({ [name]: text })} />`;
  return html`<p class="buttons">
      <${Choice} label="Type" value=${type} onChange=${(value) => filter({ type: value })} options=${[['', 'any'], ['world', 'world'], ['experience', 'experience'], ['observation', 'observation'], ['opinion', 'opinion']]} />
      <${Choice} label="State" value=${state} onChange=${(value) => filter({ state: value })} options=${[['', 'any'], ['held', 'held'], ['retired', 'retired']]} />
      ${words('text', 'Words', text)} ${words('tag', 'Tag', tag)}</p>
    <${Table} label="Units" list=${list} columns=${[
      { name: 'What', of: (row) => html`<a href=${to(here.project, 'memory', [bank, 'units', row.id])}>${row.text}</a>` },
      { name: 'Type', of: (row) => html`<${State} of=${row.retired ? 'deleted' : row.type} />` },
      { name: 'Tags', narrow: false, of: (row) => row.tags.join(', ') },
      { name: 'Proofs', number: true, narrow: false, of: (row) => number(row.proofCount) },
      { name: 'Said', of: (row) => html`<${When} at=${row.mentionedAt} />` },
    ]} empty=${html`<${Empty} title="No matching memories"><p>Add a document, or change the filters.</p></${Empty}>`} />`;
}

function Unit({ here, base, bank, id }) {
  const path = `${base}/units/${part(id)}`;
  const asked = useAsked(() => get(path), [path]);
  const [asking, setAsking] = useState(false);
  const one = asked.value;
  const from = one?.provenance ?? {};
  return html`<${Failure} problem=${asked.problem} again=${asked.again} />
    ${one && html`<section class="card"><h2>${one.text}</h2>
      <p><${State} of=${one.retired ? 'deleted' : one.type} /> <span class="muted">version ${one.version}${one.reason ? `, changed: ${one.reason}` : ''}; said <${When} at=${one.mentionedAt} />${one.confidence != null ? `, confidence ${one.confidence}` : ''}</span></p>
      <p>${from.turn ? html`It comes from <a href=${to(here.project, 'sessions', [from.session], { turn: from.turn })}>a turn of ${from.session}</a>` : html`It comes from the document <code>${one.document}</code>`}, read by ${from.model ?? from.extractor}.</p>
      ${here.may('memory.write') && html`<p class="buttons">
        ${!one.retired && html`<${Act} label="Retire" onClick=${() => api('POST', `${path}/retire`, {}).then(asked.again)} />`}
        <button class="danger" onClick=${() => setAsking(true)}>Erase</button></p>`}
    </section>
    ${asking && html`<${Confirm} title="Erase this memory?" action="Erase" onClose=${() => setAsking(false)} onDone=${() => api('DELETE', path).then(() => { location.hash = to(here.project, 'memory', [bank, 'units']); })}><p>${one.text}</p><p>It is removed everywhere and cannot be restored.</p></${Confirm}>`}
    ${(one.relations?.entities ?? []).length > 0 && html`<p>About ${one.relations.entities.map((entity) => html`<a href=${to(here.project, 'memory', [bank, 'entities', entity.id])}>${entity.name}</a> `)}</p>`}
    <${Graph} here=${here} base=${base} bank=${bank} of=${{ unit: id }} />`}`;
}

function Entities({ here, base, bank }) {
  const list = useList(`${base}/entities`, { name: here.filters.name });
  return html`<p><${Typed} label="Name" value=${here.filters.name} onChange=${(value) => filter({ name: value })} /></p>
    <${Table} label="Entities" list=${list} columns=${[
      { name: 'Name', of: (row) => html`<a href=${to(here.project, 'memory', [bank, 'entities', row.id])}>${row.name}</a>` },
      { name: 'Mentioned', number: true, of: (row) => number(row.mentions) },
      { name: 'Changed', of: (row) => html`<${When} at=${row.updatedAt} />` },
    ]} />`;
}

function Entity({ here, base, bank, id }) {
  const path = `${base}/entities/${part(id)}`;
  const asked = useAsked(() => get(path), [path]);
  const units = useList(`${path}/units`, {});
  return html`<${Failure} problem=${asked.problem} again=${asked.again} />
    ${asked.value && html`<h2>${asked.value.name}</h2>`}
    <${Graph} here=${here} base=${base} bank=${bank} of=${{ entity: id }} />
    <${Table} label="Memories about it" list=${units} columns=${[
      { name: 'What', of: (row) => html`<a href=${to(here.project, 'memory', [bank, 'units', row.id])}>${row.text}</a>` },
      { name: 'Said', of: (row) => html`<${When} at=${row.mentionedAt} />` },
    ]} />`;
}

function Documents({ here, base }) {
  const list = useList(`${base}/docs`, {});
  const [erased, setErased] = useState(null);
  return html`${erased && html`<${Confirm} title="Erase this document?" action="Erase" onClose=${() => setErased(null)} onDone=${() => api('DELETE', `${base}/docs/${part(erased.id)}`).then(list.again)}><p>Everything extracted from it is erased, too.</p></${Confirm}>`}
    <${Table} label="Documents" list=${list} columns=${[
      { name: 'Document', of: (row) => html`<code>${row.name ?? row.id}</code>` },
      { name: 'Given', of: (row) => html`<${When} at=${row.createdAt ?? row.updatedAt ?? row.date} />` },
      { name: 'Actions', of: (row) => here.may('memory.write') && html`<button class="link" onClick=${() => setErased(row)}>Erase</button>` },
    ]} />`;
}

const WIDTH = 760;
const HEIGHT = 380;

/** Positions of the nodes: the queried ones in the middle, their neighbours around them, and so on. */
export function placed(nodes, edges, middle) {
  const near = new Map(nodes.map((node) => [node.id, new Set()]));
  edges.forEach(({ from, to: there }) => {
    near.get(from)?.add(there);
    near.get(there)?.add(from);
  });
  const rings = [[middle]];
  const seen = new Set([middle]);
  while (rings.at(-1).length > 0) {
    const next = [...new Set(rings.at(-1).flatMap((id) => [...(near.get(id) ?? [])]))].filter((id) => !seen.has(id));
    next.forEach((id) => seen.add(id));
    rings.push(next);
  }
  rings[rings.length - 1] = nodes.map((node) => node.id).filter((id) => !seen.has(id));
  const most = rings.filter((ring) => ring.length > 0).length;
  return new Map(rings.flatMap((ring, hop) => ring.map((id, i) => {
    const angle = (2 * Math.PI * i) / ring.length + hop;
    const share = most < 2 ? 0 : hop / (most - 1);
    return [id, { x: WIDTH / 2 + Math.cos(angle) * share * (WIDTH / 2 - 90), y: HEIGHT / 2 + Math.sin(angle) * share * (HEIGHT / 2 - 30) }];
  })));
}

/** The graph, as a picture to click and as a list. */
function Graph({ here, base, bank, of }) {
  const asked = useAsked(() => get(`${base}/graph${query(of)}`), [base, of.unit, of.entity]);
  const graph = asked.value;
  if (!graph || graph.nodes.length < 2) return html`<${Failure} problem=${asked.problem} again=${asked.again} />`;
  const places = placed(graph.nodes, graph.edges, of.unit ?? of.entity);
  const there = (node) => to(here.project, 'memory', [bank, node.kind === 'entity' ? 'entities' : 'units', node.id]);
  const short = (text) => (text.length > 26 ? `${text.slice(0, 25)}…` : text);
  return html`<section class="card"><h2>Graph</h2>
    <svg class="graph" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      ${graph.edges.map((edge) => {
        const [a, b] = [places.get(edge.from), places.get(edge.to)];
        return a && b && html`<line class=${edge.type} x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y}><title>${edge.type}</title></line>`;
      })}
      ${graph.nodes.map((node) => {
        const at = places.get(node.id);
        return html`<a href=${there(node)} tabindex="-1" class=${node.kind}><circle cx=${at.x} cy=${at.y} r=${node.kind === 'entity' ? 7 : 5} /><text x=${at.x} y=${at.y - 10} text-anchor="middle">${short(node.text)}</text></a>`;
      })}
    </svg>
    <details><summary>As a list (${number(graph.nodes.length)})</summary><ul>${graph.nodes.map((node) => html`<li><a href=${there(node)}>${node.text}</a> <span class="muted">${node.kind}</span></li>`)}</ul></details>
  </section>`;
}
