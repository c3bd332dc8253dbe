// Agents, tools, skills, tool rules, budgets and provider keys.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { all, api, get, getVersion, part, query, uuid } from '../api.js';
import { filter, go, to } from '../route.js';
import { Act, Choice, Confirm, Empty, Failure, Fold, Head, Plain, State, Table, Typed, When, money, number, useAsked, useList } from '../ui.js';

export function Agents({ here }) {
  return here.rest.length > 0 ? html`<${Agent} key=${here.rest[0]} here=${here} name=${here.rest[0]} />` : html`<${AgentList} here=${here} />`;
}

const agentsOf = (here) => `v1/projects/${here.project}/agents`;

function AgentList({ here }) {
  const list = useList(agentsOf(here), { includeHidden: true });
  return html`<${Head} title="Agents">${here.may('agent.manage') && html`<a class="button" href=${to(here.project, 'agents', ['+new'])}>New agent</a>`}</${Head}>
    <${Table} label="Agents" list=${list} columns=${[
      { name: 'Agent', of: (row) => html`<a href=${to(here.project, 'agents', [row.name])}>${row.name}</a>` },
      { name: 'Purpose', of: (row) => row.problem ?? row.description },
      { name: 'Model', narrow: false, of: (row) => row.model },
      { name: 'Defined by', narrow: false, of: (row) => row.source },
    ]} />`;
}

/** Read-only fields that the API adds to an agent. */
const READ_ONLY = ['source', 'version', 'updatedAt', 'active', 'problem', 'errors', 'stored'];
const written = (agent) => Object.fromEntries(Object.entries(agent).filter(([name, value]) => !READ_ONLY.includes(name) && value !== null));

function Agent({ here, name }) {
  const fresh = name === '+new';
  const path = `${agentsOf(here)}/${part(name)}`;
  const asked = useAsked(() => (fresh ? Promise.resolve({ value: { name: '', description: '', prompt: '', model: 'scripted/scripted', mode: 'all', tools: [] }, etag: null }) : getVersion(path)), [path]);
  const [asking, setAsking] = useState(false);
  const agent = asked.value?.value;
  const own = agent?.source === 'project';
  return html`<${Head} title=${fresh ? 'New agent' : name}>
      ${!fresh && here.may('session.send') && html`<a class="button" href=${to(here.project, 'chat')}>Talk</a>`}
      ${own && here.may('agent.manage') && html`<button class="danger" onClick=${() => setAsking(true)}>Delete</button>`}
    </${Head}>
    <${Failure} problem=${asked.problem} again=${asked.again} />
    ${asking && html`<${Confirm} title=${`Delete the agent ${name}?`} action="Delete" typed=${name} onClose=${() => setAsking(false)} onDone=${() => api('DELETE', path, undefined, { 'If-Match': '*' }).then(() => go(to(here.project, 'agents')))}><p>Running turns keep it; new turns cannot use it.</p></${Confirm}>`}
    ${agent?.problem && html`<${Failure} problem=${{ message: agent.problem }} />`}
    ${agent && !fresh && html`<p class="muted">Defined by ${agent.source}${agent.version ? `, version ${agent.version}` : ''}. ${!own && 'Saving creates an agent of this project, which takes precedence.'}</p>`}
    ${agent && html`<${AgentForm} here=${here} agent=${agent} etag=${own ? asked.value.etag : null} fresh=${fresh} onSaved=${asked.again} />`}`;
}

function AgentForm({ here, agent, etag, fresh, onSaved }) {
  const [draft, setDraft] = useState(written(agent));
  // A refused definition is mended as JSON, as its fields may have any form.
  const [json, setJson] = useState(agent.problem ? JSON.stringify({ ...agent.stored, name: agent.name }, null, 2) : null);
  const [state, setState] = useState({});
  const saved = useRef(null);
  const may = here.may('agent.manage');
  useEffect(() => {
    // Saved values come from the server; what the user typed meanwhile stays, also what is not rendered yet.
    const done = saved.current;
    saved.current = null;
    if (done) {
      setDraft((current) => (current === done.draft ? written(agent) : current));
      setJson((current) => (current === done.json ? null : current));
    }
  }, [agent.version]);
  const asForm = () => {
    try {
      setDraft({ ...JSON.parse(json) });
      setJson(null);
      setState({});
    } catch (problem) {
      setState({ problem: { message: `This is not valid JSON: ${problem.message}` } });
    }
  };
  const set = (field) => (e) => setDraft({ ...draft, [field]: e.target.value });
  const field = (code, label, more) => html`<label>${label} <input value=${draft[code] ?? ''} disabled=${!may} onInput=${set(code)} ...${more} /></label>`;
  const save = (dryRun) => async (event) => {
    event?.preventDefault();
    try {
      const body = json === null ? draft : JSON.parse(json);
      const own = agent.source === 'project';
      const path = own ? `${agentsOf(here)}/${part(agent.name)}` : agentsOf(here);
      await api(own ? 'PUT' : 'POST', `${path}${dryRun ? '?dryRun=true' : ''}`, body, own ? { 'If-Match': etag ?? '*' } : {});
      setState({ said: dryRun ? 'It is valid. Nothing was changed.' : 'Saved.' });
      if (!dryRun) {
        if (fresh) go(to(here.project, 'agents', [body.name]));
        else {
          saved.current = { draft, json };
          onSaved();
        }
      }
    } catch (problem) {
      setState({ problem: problem instanceof SyntaxError ? { message: `This is not valid JSON: ${problem.message}` } : problem.status === 412 ? { message: 'Someone changed it after you opened it. Open it again: their changes are kept.' } : problem });
    }
  };
  return html`<form class="card" onSubmit=${save(false)}>
    ${json === null
      ? html`${fresh && field('name', 'Name', { required: true, autocomplete: 'off' })}
        ${field('description', 'Purpose')}
        <label>Instructions <textarea rows="8" disabled=${!may} value=${draft.prompt ?? ''} onInput=${set('prompt')}></textarea></label>
        ${field('model', 'Model (provider/model)')}
        <label>Tools, one per line; empty for all <textarea disabled=${!may} value=${(draft.tools ?? []).join('\n')} onInput=${(e) => setDraft({ ...draft, tools: e.target.value.split('\n').map((one) => one.trim()).filter(Boolean) })}></textarea></label>`
      : html`<label>Definition (JSON) <textarea class="code" rows="24" spellcheck="false" disabled=${!may} value=${json} onInput=${(e) => setJson(e.target.value)}></textarea></label>`}
    <${Failure} problem=${state.problem} />
    ${state.said && html`<p role="status" class="muted">${state.said}</p>`}
    <p class="buttons">
      ${may && html`<button class="main">Save</button><button type="button" onClick=${save(true)}>Check</button>`}
      <button type="button" onClick=${json === null ? () => setJson(JSON.stringify(draft, null, 2)) : asForm}>${json === null ? 'Everything as JSON' : 'As a form'}</button>
    </p></form>`;
}

export function Tools({ here }) {
  return here.rest.length > 0 ? html`<${Tool} here=${here} name=${here.rest[0]} />` : html`<${ToolList} here=${here} />`;
}

function ToolList({ here }) {
  const { q } = here.filters;
  const list = useList(`v1/projects/${here.project}/tools`, { q });
  const used = useAsked(() => (here.may('ops.read') ? get(`v1/ops/overview${query({ project: here.project })}`) : Promise.resolve({ tools: [] })), [here.project]);
  return html`<${Head} title="Tools"><${Typed} label="Find" value=${q} onChange=${(value) => filter({ q: value })} /></${Head}>
    <${Table} label="Tools" list=${list} columns=${[
      { name: 'Tool', of: (row) => html`<a href=${to(here.project, 'tools', [row.name])}>${row.name}</a>` },
      { name: 'Description', of: (row) => row.problem ?? row.description },
      { name: 'Kind', narrow: false, of: (row) => row.kind ?? row.implementation?.kind ?? '' },
      { name: 'Defined by', narrow: false, of: (row) => row.source },
      { name: 'Changed', narrow: false, of: (row) => html`<${When} at=${row.updatedAt} />` },
    ]} empty=${html`<${Empty} title="No tools of this project"><p>Every agent has the built-in tools. <code>docs/tools.md</code> explains how to define more: over HTTP, MCP, as scripts, as plug-ins.</p></${Empty}>`} />
    ${(used.value?.tools ?? []).length > 0 && html`<h2>Used in the last 24 hours</h2><ul>${used.value.tools.map((one) => html`<li><a href=${to(here.project, 'tools', [one.tool])}>${one.tool}</a> <span class="muted">${number(one.calls)} ${one.calls === 1 ? 'call' : 'calls'}, ${number(one.failed)} failed</span></li>`)}</ul>`}`;
}

function Tool({ here, name }) {
  const asked = useAsked(() => get(`v1/projects/${here.project}/tools/${part(name)}`), [here.project, name]);
  const may = here.may('ops.read');
  const uses = useList(may ? `v1/ops/tools/${part(name)}/calls` : null, { project: here.project, data: false }, 15);
  return html`<${Head} title=${name}><a class="button" href=${to(here.project, 'tools')}>All tools</a></${Head}>
    ${asked.value ? html`<section class="card"><h2>Definition</h2><p>${asked.value.problem ?? asked.value.description}</p><${Plain} text=${JSON.stringify(asked.value)} lines=${30} /></section>` : asked.problem && asked.problem.status !== 404 && html`<${Failure} problem=${asked.problem} again=${asked.again} />`}
    ${here.may('session.send') && html`<${TryTool} here=${here} name=${name} />`}
    ${may && html`<h2>Uses</h2>
    <${Table} label="Uses" list=${{ ...uses, rows: uses.rows.map((row) => ({ ...row, id: row.part })) }} columns=${[
      { name: 'At', of: (row) => html`<${When} at=${row.createdAt} />` },
      { name: 'Session', of: (row) => html`<a href=${to(here.project, 'sessions', [row.session], { turn: row.turn })}>${row.session}</a>` },
      { name: 'State', of: (row) => html`<${State} of=${row.status} />` },
      { name: 'Arguments and result', of: (row) => html`<${Fold} summary="Show">${() => html`<${Use} here=${here} row=${row} />`}</${Fold}>` },
    ]} empty=${html`<p class="muted">It has not been used yet.</p>`} />`}`;
}

/** Arguments and result of a tool call, fetched when opened. */
function Use({ here, row }) {
  const asked = useAsked(() => get(`v1/projects/${here.project}/sessions/${part(row.session)}/messages/${part(row.message)}`), [row.part, row.status]);
  const one = asked.value?.parts.find((each) => each.id === row.part);
  return html`<div><${Failure} problem=${asked.problem} again=${asked.again} />
    ${one && html`<${Plain} text=${one.arguments} /><${Plain} text=${one.result ?? one.error} />`}</div>`;
}

/** Runs a tool by a turn of the scripted model in a new session: same rules and records as any other call. */
function TryTool({ here, name }) {
  const [text, setText] = useState('{}');
  const [answer, setAnswer] = useState(null);
  const run = async () => {
    JSON.parse(text);
    const session = `try-${uuid().slice(0, 8)}`;
    const turn = await api('POST', `v1/projects/${here.project}/sessions/${session}/turns?wait=20s`, { text: `!call ${name} ${text.replaceAll('\n', ' ')}`, settings: { model: 'scripted/scripted' } });
    setAnswer({ ...turn, session });
  };
  return html`<section class="card"><h2>Try it</h2>
    <p class="muted">This runs the tool for real, in a session of its own, under the rules that apply to it. It needs an agent that uses the scripted model.</p>
    <label>Arguments (JSON) <textarea class="code" value=${text} onInput=${(e) => setText(e.target.value)}></textarea></label>
    <${Act} label="Run it" onClick=${run} />
    ${answer && html`<p><${State} of=${answer.state} /> <a href=${to(here.project, 'sessions', [answer.session])}>its session</a></p><${Plain} text=${answer.reply} />`}</section>`;
}

export function Skills({ here }) {
  const name = here.rest[0];
  const list = useList(`v1/projects/${here.project}/skills`, { q: here.filters.q });
  const one = useAsked(() => (name ? get(`v1/projects/${here.project}/skills/${part(name)}`) : Promise.resolve(null)), [here.project, name]);
  if (name) {
    return html`<${Head} title=${name}><a class="button" href=${to(here.project, 'skills')}>All skills</a></${Head}>
      <${Failure} problem=${one.problem} again=${one.again} />
      ${one.value && html`<p>${one.value.problem ?? one.value.description}</p><section class="card"><${Plain} text=${one.value.body ?? one.value.text ?? one.value.content ?? JSON.stringify(one.value)} lines=${80} /></section>
        <details><summary>All of it</summary><${Plain} text=${JSON.stringify(one.value)} /></details>`}`;
  }
  return html`<${Head} title="Skills"><${Typed} label="Find" value=${here.filters.q} onChange=${(value) => filter({ q: value })} /></${Head}>
    <${Table} label="Skills" list=${list} columns=${[
      { name: 'Skill', of: (row) => html`<a href=${to(here.project, 'skills', [row.name])}>${row.name}</a>` },
      { name: 'Purpose', of: (row) => row.problem ?? row.description },
      { name: 'Defined by', narrow: false, of: (row) => row.source },
    ]} empty=${html`<${Empty} title="No skills"><p>A skill is a text that an agent loads when it needs it: <code>docs/skills.md</code>, <code>./parley apply</code>.</p></${Empty}>`} />`;
}

export function Rules({ here }) {
  const base = `v1/projects/${here.project}/permissions`;
  const list = useList(base, {});
  const [draft, setDraft] = useState({ tool: '', action: 'ask' });
  const [question, setQuestion] = useState({ tool: '', value: '' });
  const [verdict, setVerdict] = useState(null);
  const manage = here.may('agent.manage');
  const given = ({ tool, pattern, agent, action }) => ({ tool, action, ...(pattern ? { pattern } : {}), ...(agent ? { agent } : {}) });
  const box = (label, value, onInput) => html`<label>${label} <input value=${value ?? ''} onInput=${(e) => onInput(e.target.value)} autocomplete="off" /></label>`;
  return html`<${Head} title="Rules about tools" />
    <${Table} label="Rules" list=${list} columns=${[
      { name: 'Tool', of: (row) => html`<code>${row.tool}</code>` },
      { name: 'About', narrow: false, of: (row) => row.pattern ?? 'anything' },
      { name: 'Agent', narrow: false, of: (row) => row.agent ?? 'all' },
      { name: 'Action', of: (row) => html`<${State} of=${{ allow: 'active', ask: 'waiting', deny: 'failed' }[row.action]} /> ${row.action}${row.locked ? ', locked' : ''} ${row.problem ?? ''}` },
      { name: 'Actions', of: (row) => manage && row.id && html`<${Act} label="Delete" kind="link" onClick=${() => api('DELETE', `${base}/${part(row.id)}`).then(list.again)} />` },
    ]} empty=${html`<${Empty} title="No rules of this project"><p>The rules of the installation and of each tool apply. <code>docs/permissions.md</code> explains the order.</p></${Empty}>`} />
    ${manage && html`<section class="card"><h2>A new rule</h2>
      ${box('Tool (* for any characters)', draft.tool, (tool) => setDraft({ ...draft, tool }))}
      ${box('Subject of the call (a pattern; empty for any)', draft.pattern, (pattern) => setDraft({ ...draft, pattern }))}
      ${box('Agent (empty for all)', draft.agent, (agent) => setDraft({ ...draft, agent }))}
      <p><${Choice} label="Then" value=${draft.action} options=${[['allow', 'allow'], ['ask', 'ask a person'], ['deny', 'deny']]} onChange=${(action) => setDraft({ ...draft, action })} /></p>
      <${Act} label="Add it" done="Saved; it applies from now on" disabled=${!draft.tool} onClick=${() => api('POST', base, given(draft)).then(list.again)} /></section>`}
    <section class="card"><h2>Test a call</h2>
      ${box('Tool', question.tool, (tool) => setQuestion({ ...question, tool }))}
      ${box('About', question.value, (value) => setQuestion({ ...question, value }))}
      <${Act} label="Say it" disabled=${!question.tool} onClick=${() => api('POST', `${base}/evaluate`, { tool: question.tool, ...(question.value ? { value: question.value } : {}) }).then(setVerdict)} />
      ${verdict && html`<${Plain} text=${JSON.stringify(verdict)} />`}</section>`;
}

const PERIODS = [['day', 'a day'], ['month', 'a month'], ['total', 'ever']];

/** The project's budget; an empty field means no limit. */
function Budget({ here, budget, onChanged }) {
  const path = `v1/projects/${here.project}/settings/budget`;
  const [draft, setDraft] = useState({ period: 'month', amount: '', tokens: '', ...budget });
  const may = here.may('project.update');
  const box = (label, field) => html`<label>${label} <input inputmode="decimal" disabled=${!may} value=${draft[field] ?? ''} onInput=${(e) => setDraft({ ...draft, [field]: e.target.value.trim() })} /></label>`;
  const save = () => {
    const limits = Object.fromEntries(['amount', 'tokens'].filter((name) => draft[name] !== '' && draft[name] != null).map((name) => [name, Number(draft[name])]));
    if (Object.values(limits).some((limit) => !(limit >= 0))) throw new Error('A limit is a number, such as 12.5.');
    return api('PUT', path, { ...budget, ...limits, period: draft.period, ...Object.fromEntries(['amount', 'tokens'].filter((name) => !(name in limits)).map((name) => [name, undefined])) }).then(onChanged);
  };
  return html`<section class="card" aria-label="Budget"><h2>Budget</h2>
    <p class="muted">${budget ? 'It applies from the next model call.' : 'No budget: the limit is the budget of the host.'}</p>
    ${box('Dollars', 'amount')}
    ${box('Tokens', 'tokens')}
    <p><${Choice} label="In" value=${draft.period} options=${PERIODS} onChange=${(period) => setDraft({ ...draft, period })} /></p>
    ${may && html`<p class="buttons"><${Act} label="Set the budget" kind="main" done="Set" disabled=${!draft.amount && !draft.tokens} onClick=${async () => save()} />
      ${budget && html`<${Act} label="Remove the budget" kind="danger" onClick=${() => api('DELETE', path).then(onChanged)} />`}</p>`}</section>`;
}

export function Usage({ here }) {
  const asked = useAsked(() => get(`v1/projects/${here.project}/usage`), [here.project], 15);
  const prices = useAsked(() => (here.may('setting.manage') ? all('v1/prices') : Promise.resolve({ data: [] })), []);
  const credentials = useAsked(() => get('v1/credentials').catch((e) => (e.status === 403 ? { data: [] } : Promise.reject(e))), []);
  const one = asked.value;
  return html`<${Head} title="Usage and budgets" />
    <${Failure} problem=${asked.problem} again=${asked.again} />
    ${one && html`<section class="card"><h2>This project</h2><ul>
      ${['day', 'month', 'total'].map((period) => html`<li>${{ day: 'Today', month: 'This month', total: 'Ever' }[period]}: <b>${money(one[period].amount)}</b>, ${number(one[period].tokens)} tokens</li>`)}
      ${one.unpricedCalls > 0 && html`<li class="said-bad">${number(one.unpricedCalls)} calls have no known price</li>`}</ul>
    </section>
    <${Budget} key=${JSON.stringify(one.budget)} here=${here} budget=${one.budget} onChanged=${asked.again} />`}
    <h2>Model provider keys</h2><${Table} label="Credentials" list=${{ ...credentials, rows: credentials.value?.data ?? [] }} columns=${[
      { name: 'Provider', of: (row) => row.provider }, { name: 'Name', of: (row) => row.name ?? '' }, { name: 'Ends in', of: (row) => html`<code>…${row.last4}</code>` }, { name: 'Default', of: (row) => (row.isDefault ? 'yes' : '') },
    ]} empty=${html`<p class="muted">No keys are stored. A key can also be set in the environment (docs/models.md). A stored key is encrypted and never shown again.</p>`} />
    ${here.may('setting.manage') && html`<h2>Prices</h2><${Table} label="Prices" list=${{ ...prices, rows: (prices.value?.data ?? []).map((row) => ({ ...row, id: `${row.provider}/${row.model}` })) }} columns=${[
      { name: 'Model', of: (row) => `${row.provider}/${row.model}` }, { name: 'In, a million', number: true, of: (row) => row.input }, { name: 'Out', number: true, of: (row) => row.output }, { name: 'From cache', number: true, narrow: false, of: (row) => row.cacheRead ?? '–' },
    ]} />`}`;
}
