// Bulk actions on the processes of a filter: counts them, acts on a bounded number, and shows each result.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { api, get, part, query } from '../api.js';
import { to } from '../route.js';
import { Failure, number } from '../ui.js';

const PAGE = 200;
const PAGES = 10;
const MOST = 200;
const AT_ONCE = 4;

const ACTIONS = {
  retry: { title: 'Retry all failed processes', label: 'Retry', done: 'retried', fits: (one) => one.phase === 'faulted', says: 'The failed task of each process starts again.' },
  cancel: { title: 'Cancel all running processes', label: 'Cancel', done: 'cancelled', fits: (one) => !one.completedAt, says: 'They stop permanently, with their calls and child processes.' },
};

/** The matching processes: a bounded number out of a bounded search. */
export async function meant(which, fits, ask = get) {
  const found = [];
  let cursor;
  let looked = 0;
  for (let page = 0; page < PAGES; page++) {
    const { data, next } = await ask(`v1/processes${query({ ...which, data: false, fresh: page === 0 ? true : undefined, limit: PAGE, cursor })}`);
    looked += data.length;
    found.push(...data.filter(fits));
    cursor = next;
    if (!next || found.length > MOST) break;
  }
  return { found: found.slice(0, MOST), more: found.length > MOST || Boolean(cursor), looked };
}

export function Many({ action, which, here, onClose, onDone }) {
  const what = ACTIONS[action];
  const box = useRef(null);
  const [state, setState] = useState({ counting: true });
  const [results, setResults] = useState(null);
  const count = () => {
    setState({ counting: true });
    setResults(null);
    meant(which, what.fits).then((value) => setState({ value }), (problem) => setState({ problem }));
  };
  useEffect(() => {
    box.current.showModal();
    count();
  }, []);
  const carryOut = async () => {
    const outcomes = new Map();
    const tell = (id, outcome) => {
      outcomes.set(id, outcome);
      setResults(new Map(outcomes));
    };
    const waiting = [...state.value.found];
    setResults(outcomes);
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        const { id } = one;
        await api('POST', `v1/processes/${part(id)}/${action}`, {}).then(() => tell(id, 'done'), (problem) => tell(id, problem.message));
      }
    }));
    onDone();
  };
  const { value } = state;
  const failed = results ? [...results.values()].filter((one) => one !== 'done').length : 0;
  const over = results && value && results.size === value.found.length;
  return html`<dialog ref=${box} class="broad" onClose=${onClose} aria-labelledby="many-title">
    <h2 id="many-title">${what.title}</h2>
    <${Failure} problem=${state.problem} again=${count} />
    ${state.counting && html`<p class="muted" role="status">Counting…</p>`}
    ${value && !results && html`<div><p role="status"><b>${value.found.length === 0 ? 'None' : number(value.found.length)}</b> of the ${number(value.looked)} processes of this filter would be ${what.done}${value.more ? `; there may be more; repeat for those: ${MOST} at once` : ''}.</p>
      <p>${what.says}</p></div>`}
    ${results && html`<p role="status">${number(results.size)} of ${number(value.found.length)} done${failed > 0 ? `, ${number(failed)} of them rejected` : ''}.</p>`}
    ${value?.found.length > 0 && html`<div class="scroll bounded" tabindex="0" role="region" aria-label="Processes that are meant"><table>
      <thead><tr><th scope="col">Process</th><th scope="col">Outcome</th></tr></thead>
      <tbody>${value.found.map((one) => html`<tr key=${one.id}><td><a href=${to(here.project, 'processes', [one.id])}>${one.instanceId}</a></td><td>${outcome(results, one)}</td></tr>`)}</tbody>
    </table></div>`}
    <p class="buttons">
      <button type="button" onClick=${() => box.current.close()}>${results ? 'Close' : 'Back'}</button>
      ${value?.found.length > 0 && !results && html`<button type="button" class=${action === 'cancel' ? 'danger' : 'main'} onClick=${carryOut}>${what.label} ${number(value.found.length)}</button>`}
      ${over && (failed > 0 || value.more) && html`<button type="button" onClick=${count}>Count again</button>`}
    </p>
  </dialog>`;
}

function outcome(results, { id, phase }) {
  if (!results) return phase;
  const said = results.get(id);
  return said === undefined ? html`<span class="muted">waits</span>` : said === 'done' ? 'done' : html`<span class="said-bad">${said}</span>`;
}
