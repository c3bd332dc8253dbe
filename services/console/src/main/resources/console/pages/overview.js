// What is running now, and what ran in the last 24 hours.
import { html } from '../lib/preact.js';
import { get, query } from '../api.js';
import { to } from '../route.js';
import { Empty, Failure, Figure, Figures, Head, State, Table, lasted, money, number, useAsked } from '../ui.js';

const OPEN = ['QUEUED', 'RUNNING_MODEL', 'WAITING_TOOL', 'WAITING_APPROVAL', 'WAITING_CHILD'];
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];
/** Outcomes of turns in an hour with their colours, from the top of a column down. */
const HOW = [['cancelled', ''], ['failed', 'bad'], ['completed', 'good']];
const EVERY = 5;
const HOUR = 3_600_000;

export function Overview({ here }) {
  const may = here.may('ops.read');
  const asked = useAsked(() => (may ? get(`v1/ops/overview${query({ project: here.project })}`) : Promise.resolve(null)), [here.project, may], EVERY);
  const now = asked.value;
  if (!may) {
    return html`<${Head} title="Overview" /><${Empty} title="The figures are for those who lead the project">
      <p>See <a href=${to(here.project, 'sessions')}>your sessions</a>.</p></${Empty}>`;
  }
  return html`<${Head} title="Overview"><span class="muted">the last 24 hours</span></${Head}>
    <${Failure} problem=${asked.problem} again=${asked.again} />
    ${now && html`<${Now} now=${now} here=${here} />`}`;
}

function Now({ now, here }) {
  const states = now.turns;
  const sum = (some) => some.reduce((all, state) => all + (states[state] ?? 0), 0);
  const turns = (filters) => to(here.project, 'turns', [], filters);
  const day = (state) => turns({ state, since: now.since });
  const { usage, lag } = now;
  if (sum(OPEN) + sum(ENDED) === 0) {
    return html`<${Empty} title="No turn in the last 24 hours">
      ${here.may('session.send') && html`<p><a class="button" href=${to(here.project, 'chat')}>Talk to an agent</a></p>`}
      <p>Or connect a bot: see <a href=${to(here.project, 'bots')}>Bots</a>.</p></${Empty}>
      <${Health} lag=${lag} />`;
  }
  const tokens = usage.input + usage.output;
  return html`<${Figures}>
      <${Figure} name="Running turns"><a href=${turns({ state: 'open' })}>${number(sum(OPEN))}</a></${Figure}>
      <${Figure} name="Waiting for a person" tone=${states.WAITING_APPROVAL > 0 ? 'wait' : ''}><a href=${to(here.project, 'inbox')}>${number(states.WAITING_APPROVAL)}</a></${Figure}>
      <${Figure} name="Completed"><a href=${day('COMPLETED')}>${number(states.COMPLETED)}</a></${Figure}>
      <${Figure} name="Failed" tone=${states.FAILED > 0 ? 'bad' : ''}><a href=${day('FAILED')}>${number(states.FAILED)}</a></${Figure}>
      <${Figure} name="Tokens" note=${`${number(usage.input)} in (${number(usage.cacheRead)} cached), ${number(usage.output)} out`}>${number(tokens)}</${Figure}>
      <${Figure} name="Cost" note=${now.unpriced > 0 ? `and ${number(now.unpriced)} calls of unknown price` : undefined}>${money(usage.cost)}</${Figure}>
    </${Figures}>
    <section class="card"><h2>Turns per hour</h2><${Hours} hours=${now.hours} since=${now.since} /></section>
    ${now.strayApprovals > 0 && html`<${Failure} problem=${{ message: `${now.strayApprovals} approvals are open although their turn has ended. This is a bug in Parley: please report it.` }} />`}
    <${Open} now=${now} here=${here} />
    <div class="cards">
      <section class="card"><h2>Turns by state</h2><${Bars} values=${[...OPEN, ...ENDED].filter((state) => states[state]).map((state) => [html`<${State} of=${state} />`, states[state], state])} /></section>
      ${Object.keys(now.failures).length > 0 && html`<section class="card"><h2>Causes of failed turns</h2><${Bars} values=${Object.entries(now.failures)} /></section>`}
      <${Health} lag=${lag} here=${here} />
    </div>
    ${now.models.length > 0 && html`<h2>Models</h2><${Table} label="Models" list=${listOf(now.models)} columns=${[
      { name: 'Model', of: (row) => `${row.provider ?? '?'}/${row.model ?? '?'}` },
      { name: 'Calls', number: true, of: (row) => number(row.calls) },
      { name: 'Failed', number: true, of: (row) => failed(row.failed) },
      { name: 'Tokens', number: true, narrow: false, of: (row) => number(row.tokens) },
      { name: 'Cost', number: true, of: (row) => money(row.cost) },
    ]} />`}
    ${now.tools.length > 0 && html`<h2>Tools</h2><${Table} label="Tools" list=${listOf(now.tools)} columns=${[
      { name: 'Tool', of: (row) => html`<a href=${to(here.project, 'tools', [row.tool])}>${row.tool}</a>` },
      { name: 'Calls', number: true, of: (row) => number(row.calls) },
      { name: 'Failed', number: true, of: (row) => failed(row.failed) },
      { name: 'Unknown outcome', number: true, narrow: false, of: (row) => failed(row.unknown) },
      { name: 'Half within', number: true, narrow: false, of: (row) => seconds(row.p50Seconds) },
      { name: '95 % within', number: true, of: (row) => seconds(row.p95Seconds) },
    ]} />`}`;
}

const listOf = (rows) => ({ rows });
const failed = (n) => (n > 0 ? html`<b class="said-bad">${number(n)}</b>` : '0');
const seconds = (s) => (s < 1 ? `${Math.round(s * 1000)} ms` : `${s.toFixed(1)} s`);

/** The last 24 hours as columns, one per hour, and as a table for screen readers. */
function Hours({ hours, since }) {
  const first = Math.floor(new Date(since) / HOUR) * HOUR;
  const at = new Map(hours.map((one) => [new Date(one.at).getTime(), one]));
  const columns = Array.from({ length: 25 }, (_, i) => {
    const counts = HOW.map(([state, kind]) => [state, kind, at.get(first + i * HOUR)?.[state] ?? 0]);
    return { begin: new Date(first + i * HOUR), counts, sum: counts.reduce((all, [, , n]) => all + n, 0) };
  });
  const most = Math.max(1, ...columns.map((one) => one.sum));
  const time = (begin) => begin.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return html`<div aria-hidden="true"><p class="key">${HOW.map(([state, kind]) => html`<span><i class=${kind}></i> ${state}</span>`)}<span class="most">most in an hour: ${number(most)}</span></p>
      <div class="hours">${columns.map(({ begin, counts }) => html`<div title=${`${time(begin)}: ${counts.map(([state, , n]) => `${number(n)} ${state}`).join(', ')}`}>
        ${counts.filter(([, , n]) => n > 0).map(([, kind, n]) => html`<i class=${kind} style=${{ height: `${(100 * n) / most}%` }}></i>`)}
        <small>${time(begin)}</small></div>`)}</div></div>
    <details><summary>As a table</summary><${Table} label="Turns per hour" list=${{ rows: hours.map((one) => ({ ...one, id: one.at })) }} columns=${[
      { name: 'Hour', of: (row) => new Date(row.at).toLocaleString() },
      ...['completed', 'failed', 'cancelled', 'open'].map((state) => ({ name: state, number: true, of: (row) => number(row[state]) })),
    ]} /></details>`;
}

/** Running turns, the longest first: stuck turns come first. */
function Open({ now, here }) {
  return now.open.length > 0 && html`<h2>Running now</h2><${Table} label="Running turns" list=${listOf(now.open.map((one) => ({ ...one, id: one.turn })))} columns=${[
    { name: 'Session', of: (row) => html`<a href=${to(here.project, 'sessions', [row.session], { turn: row.turn })}>${row.session}</a>` },
    { name: 'State', of: (row) => html`<${State} of=${row.state} />` },
    { name: 'For', number: true, of: (row) => lasted(row.createdAt) },
  ]} />`;
}

/** Bars, the largest first unless there is an order. */
function Bars({ values }) {
  const most = Math.max(...values.map(([, n]) => n), 1);
  return html`<div class="bars">${values.map(([name, n, label]) => html`<span>${name}</span><meter min="0" max=${most} value=${n} aria-label=${label ?? name}></meter><span>${number(n)}</span>`)}</div>`;
}

function Health({ lag, here }) {
  const ready = useAsked(() => fetch('health/ready').then((response) => response.json()), [], EVERY);
  const parts = Object.entries(ready.value?.parts ?? {}).filter(([, part]) => part.status !== 'UP');
  const dead = useAsked(() => (here?.operator ? get('v1/dead-letters?limit=1') : Promise.resolve({ data: [] })), [here?.operator], 30);
  return html`<section class="card"><h2>Health</h2>
    <${Failure} problem=${ready.problem && { message: 'This server does not answer.' }} />
    ${parts.length === 0 ? ready.value && html`<p><${State} of="UP" /> All parts of this process work.</p>` : parts.map(([name, part]) => html`<p><${State} of=${part.status} /> ${name} <span class="muted">${part.problem ?? part.moving ?? ''}</span></p>`)}
    <p>${lag.problem ? html`<span class="said-bad">The tables are not updated: ${lag.problem}</span>` : lag.records === 0 ? 'The tables are up to date.' : `The tables are ${number(lag.records)} records (${lag.seconds.toFixed(1)} s) behind.`}</p>
    ${dead.value?.data.length > 0 && html`<p class="said-bad">There are dead letters: <a href=${to(here.project, 'dead-letters')}>look at them</a>.</p>`}
  </section>`;
}
