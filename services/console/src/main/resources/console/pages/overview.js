// What goes on at this moment, and what went on in the last 24 hours.
import { html } from '../lib/preact.js';
import { get, query } from '../api.js';
import { to } from '../route.js';
import { Empty, Failure, Figure, Figures, Head, State, Table, When, money, number, useAsked } from '../ui.js';

const OPEN = ['QUEUED', 'RUNNING_MODEL', 'WAITING_TOOL', 'WAITING_APPROVAL', 'WAITING_CHILD'];
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];
const EVERY = 5;

export function Overview({ here }) {
  const asked = useAsked(() => get(`v1/ops/overview${query({ project: here.project })}`), [here.project], EVERY);
  const now = asked.value;
  if (!here.may('ops.read')) {
    return html`<${Head} title="Overview" /><${Empty} title="The figures are for those who lead the project">
      <p><a href=${to(here.project, 'chat')}>Talk to an agent</a> or see <a href=${to(here.project, 'sessions')}>your sessions</a>.</p></${Empty}>`;
  }
  return html`<${Head} title="Overview"><span class="muted">the last 24 hours</span></${Head}>
    <${Failure} problem=${asked.problem} again=${asked.again} />
    ${now && html`<${Now} now=${now} here=${here} />`}`;
}

function Now({ now, here }) {
  const turns = now.turns;
  const sum = (states) => states.reduce((all, state) => all + (turns[state] ?? 0), 0);
  const { usage, lag } = now;
  if (sum(OPEN) + sum(ENDED) === 0) {
    return html`<${Empty} title="No turn in the last 24 hours">
      <p><a class="button" href=${to(here.project, 'chat')}>Talk to an agent</a></p>
      <p>Or connect a bot: see <a href=${to(here.project, 'bots')}>Bots</a>.</p></${Empty}>
      <${Health} lag=${lag} />`;
  }
  const tokens = usage.input + usage.output;
  return html`<${Figures}>
      <${Figure} name="Turns going on">${number(sum(OPEN))}</${Figure}>
      <${Figure} name="Waiting for people" tone=${turns.WAITING_APPROVAL > 0 ? 'wait' : ''}><a href=${to(here.project, 'inbox')}>${number(turns.WAITING_APPROVAL)}</a></${Figure}>
      <${Figure} name="Completed">${number(turns.COMPLETED)}</${Figure}>
      <${Figure} name="Failed" tone=${turns.FAILED > 0 ? 'bad' : ''}>${number(turns.FAILED)}</${Figure}>
      <${Figure} name="Tokens" note=${`${number(usage.input)} in, of which ${number(usage.cacheRead)} cached; ${number(usage.output)} out`}>${number(tokens)}</${Figure}>
      <${Figure} name="Cost" note=${now.unpriced > 0 ? `and ${number(now.unpriced)} calls without a known price` : undefined}>${money(usage.cost)}</${Figure}>
    </${Figures}>
    <div class="cards">
      <section class="card"><h2>Turns by state</h2><${Bars} values=${[...OPEN, ...ENDED].filter((state) => turns[state]).map((state) => [html`<${State} of=${state} />`, turns[state], state])} /></section>
      ${Object.keys(now.failures).length > 0 && html`<section class="card"><h2>Why turns failed</h2><${Bars} values=${Object.entries(now.failures)} /></section>`}
      <${Health} lag=${lag} here=${here} />
    </div>
    <${Moving} here=${here} />`;
}

/** How much of each, the most first where it has no order of its own. */
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
    <p>${lag.problem ? html`<span class="said-bad">The tables do not follow: ${lag.problem}</span>` : lag.records === 0 ? 'The tables show all that happened.' : `The tables are ${number(lag.records)} records (${lag.seconds.toFixed(1)} s) behind.`}</p>
    ${dead.value?.data.length > 0 && html`<p class="said-bad">There are dead letters: <a href=${to(here.project, 'dead-letters')}>look at them</a>.</p>`}
  </section>`;
}

/** Sessions with an active turn, the newest first. */
function Moving({ here }) {
  const asked = useAsked(() => get(`v1/projects/${here.project}/sessions?limit=200`), [here.project], EVERY);
  const rows = (asked.value?.data ?? []).filter((one) => one.activeTurn).slice(0, 20);
  return rows.length > 0 && html`<h2>Going on now</h2><${Table} label="Sessions with an active turn" list=${{ ...asked, rows }} columns=${[
    { name: 'Session', of: (row) => html`<a href=${to(here.project, 'sessions', [row.key])}>${row.title ?? row.key}</a>` },
    { name: 'Agent', of: (row) => row.agent },
    { name: 'Changed', of: (row) => html`<${When} at=${row.updatedAt} />` },
  ]} />`;
}
