// The frame of the page: the user, the navigation, and what the user may see.
import { createContext, html, render, useContext, useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from './lib/preact.js';
import { all, api, get, onSignedOut, query } from './api.js';
import { go, route, to, useRoute } from './route.js';
import { Failure, useAsked } from './ui.js';
import { SignIn, SignInAgain, oneTimeCode } from './sign-in.js';
import { PAGES } from './pages.js';

const Here = createContext(null);

/** The context of every page: route, user, capabilities. */
export const useHere = () => useContext(Here);

function theme(next) {
  if (next) {
    localStorage.setItem('theme', next);
  }
  const chosen = localStorage.getItem('theme') ?? 'system';
  document.documentElement.dataset.theme = chosen;
  return chosen;
}

function Theme() {
  const [chosen, setChosen] = useState(theme());
  return html`<label class="choice">Colours
    <select onChange=${(e) => setChosen(theme(e.target.value))}>
      ${['system', 'light', 'dark'].map((one) => html`<option selected=${one === chosen}>${one}</option>`)}
    </select>
  </label>`;
}

/** Finds anything by its id and opens it. */
function Jump({ here }) {
  const [problem, setProblem] = useState(null);
  const box = useRef(null);
  useEffect(() => {
    const slash = (event) => {
      if (event.key === '/' && !/INPUT|TEXTAREA|SELECT/.test(document.activeElement?.tagName ?? '')) {
        event.preventDefault();
        box.current.focus();
      }
    };
    addEventListener('keydown', slash);
    return () => removeEventListener('keydown', slash);
  }, []);
  const jump = async (event) => {
    event.preventDefault();
    const wanted = box.current.value.trim();
    if (!wanted) return;
    const found = await find(here, wanted);
    setProblem(found ? null : `There is no page named ${wanted}.`);
    if (found) {
      box.current.value = '';
      go(found);
    }
  };
  return html`<form class="jump" role="search" onSubmit=${jump}>
    <input ref=${box} type="search" aria-label="Go to a session, turn, project, process, task or correlation id" placeholder="Go to any id  ( / )" />
    ${problem && html`<span role="alert" class="said-bad">${problem}</span>`}
  </form>`;
}

/** Pages that may show this id, the likeliest first. */
async function find({ project }, id) {
  const places = [
    [`v1/projects/${project}/sessions/${encodeURIComponent(id)}`, () => to(project, 'sessions', [id])],
    [`v1/projects/${project}/turns/${encodeURIComponent(id)}`, (turn) => to(project, 'sessions', [turn.session], { turn: id })],
    [`v1/projects/${encodeURIComponent(id)}`, (other) => to(other.key, 'overview')],
    [`v1/processes/${encodeURIComponent(id)}`, () => to(project, 'processes', [id])],
    [`v1/tasks/${encodeURIComponent(id)}`, () => to(project, 'inbox', [], { task: id, whose: 'all' })],
    [`v1/audit${query({ correlationId: id, limit: 1 })}`, (page) => page.data.length > 0 && to(project, 'audit', [], { correlationId: id })],
  ];
  for (const [path, there] of places) {
    const found = await get(path).catch(() => null);
    const address = found && there(found);
    if (address) return address;
  }
  return null;
}

function Navigation({ here, open }) {
  const groups = [...new Set(PAGES.map((page) => page.group))];
  return html`<nav id="navigation" class=${open ? 'open' : ''} aria-label="Pages">
    ${groups.map((group) => {
      const pages = PAGES.filter((page) => page.group === group && (!page.needs || here.may(page.needs)) && (!page.operator || here.operator));
      return pages.length > 0 && html`<h2>${group}</h2>
        <ul>${pages.map((page) => html`<li><a href=${to(here.project, page.code)} aria-current=${page.code === here.page ? 'page' : undefined}>
          ${page.title}${page.badge && html`<${page.badge} here=${here} />`}
        </a></li>`)}</ul>`;
    })}
    <div class="foot"><${Theme} /></div>
  </nav>`;
}

function Projects({ here }) {
  const list = useAsked(() => all('v1/projects'), []);
  const projects = list.value?.data ?? [];
  return html`<label class="project"><span class="hidden">Project</span>
    <select onChange=${(e) => go(to(e.target.value, here.page))}>
      ${projects.some((one) => one.key === here.project) || html`<option selected>${here.project}</option>`}
      ${projects.map((one) => html`<option value=${one.key} selected=${one.key === here.project}>${one.name}</option>`)}
      ${list.value?.more && html`<option disabled>More projects: use “Go to any id”</option>`}
    </select>
  </label>`;
}

/** Error boundary: a page that throws leaves the others usable. */
function Guarded({ page, here }) {
  useLayoutEffect(() => scrollTo(0, 0), []);
  const [error, reset] = useErrorBoundary();
  if (error) {
    return html`<${Failure} problem=${{ message: `This page failed: ${error.message}` }} again=${reset} />`;
  }
  return html`<${page.view} here=${here} />`;
}

function Frame({ rights, onSignOut }) {
  const now = useRoute();
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [now.page, now.rest.join('/')]);
  const here = {
    ...now,
    ...rights,
    project: now.project,
    may: (capability) => rights.may.includes(capability),
    serves: (role) => rights.roles.includes(role),
  };
  const page = PAGES.find((one) => one.code === now.page) ?? PAGES[0];
  const signOut = async () => {
    await api('POST', 'v1/auth/logout').catch(() => null);
    await api('DELETE', 'console/sign-in').catch(() => null);
    onSignOut();
  };
  return html`<${Here.Provider} value=${here}>
    <a class="skip" href="#main" onClick=${(e) => { e.preventDefault(); document.querySelector('main h1')?.focus(); }}>Skip to content</a>
    <header class="bar">
      <button class="menu" aria-expanded=${open} aria-controls="navigation" onClick=${() => setOpen(!open)}>Menu</button>
      <a class="brand" href=${to(here.project, 'overview')}>Parley</a>
      <${Projects} here=${here} />
      <${Jump} here=${here} />
      <span class="who"><span>${here.name}</span><button onClick=${signOut}>Sign out</button></span>
    </header>
    <div class="body">
      <${Navigation} here=${here} open=${open} />
      <main id="main"><${Guarded} key=${`${now.project}/${now.page}/${now.rest.join('/')}`} page=${page} here=${here} /></main>
    </div>
  </${Here.Provider}>`;
}

function App() {
  const { project } = useRoute();
  const [ended, setEnded] = useState(null); // 'over': the sign-in is; 'left': somebody signed out
  const rights = useAsked(() => get(`console/rights${query({ project: project === 'default' ? '' : project })}`), [project, ended]);
  const who = useRef(null);
  useEffect(() => onSignedOut(() => setEnded((before) => before ?? 'over')), []);
  if (rights.value && !rights.problem) {
    // Nothing that one user saw stays on screen for the next.
    if (who.current && who.current !== rights.value.id) location.reload();
    who.current = rights.value.id;
  }
  if (ended === 'left') {
    return html`<${SignIn} onSignedIn=${() => location.reload()} />`;
  }
  const onSignedIn = () => {
    setEnded(null);
    rights.again();
  };
  if (!rights.value) {
    if (ended || rights.problem?.status === 401) return html`<${SignIn} onSignedIn=${onSignedIn} />`;
    return rights.problem
      ? html`<main class="alone"><${Failure} problem=${rights.problem} again=${rights.again} />
          ${rights.problem.status === 404 && html`<p><a href="#/default/overview">Go to the default project</a></p>`}</main>`
      : html`<p class="boot" role="status">Loading…</p>`;
  }
  return html`<${Frame} rights=${rights.value} onSignOut=${() => setEnded('left')} />
    ${ended === 'over' && html`<${SignInAgain} name=${rights.value.name} onSignedIn=${onSignedIn} />`}`;
}

history.scrollRestoration = 'manual'; // pages come back after what is asked for
theme();
await oneTimeCode();
document.getElementById('app').replaceChildren();
render(html`<${App} />`, document.getElementById('app'));
