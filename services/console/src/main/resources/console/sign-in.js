// Sign-in with a key, a password, or another provider. Credentials go to the server once; it sets a cookie.
import { html, useEffect, useRef, useState } from './lib/preact.js';
import { api, signedIn } from './api.js';
import { Failure } from './ui.js';

const signIn = (key, refreshToken) => api('POST', 'console/sign-in', { refreshToken: refreshToken ?? null }, { Authorization: `Bearer ${key}` }).then(signedIn);

/** The code of the server's first start, with which the first administrator registers; null where the address has none. */
let first = null;

/**
 * Another provider redirects back with a single-use code in the address, and the server prints an address with one when
 * nobody has an account yet; it is removed from the address at once.
 */
export async function oneTimeCode() {
  if (location.hash.startsWith('#/')) return;
  const given = new URLSearchParams(location.hash.slice(1));
  const code = given.get('code');
  first = given.get('first');
  if (!code && !first) return;
  history.replaceState(null, '', location.pathname);
  if (!code) return;
  const granted = await api('POST', 'v1/auth/code', { code }, { Authorization: '' }).catch(() => null);
  if (granted) {
    await signIn(granted.token, granted.refreshToken).catch(() => null);
  }
}

/** The sign-in page. */
export function SignIn({ onSignedIn }) {
  useEffect(() => {
    document.title = 'Sign in · Parley';
  }, []);
  const [code, setCode] = useState(first);
  return code
    ? html`<main class="alone sign-in"><h1>Create the first administrator</h1><${First} code=${code} onSignedIn=${onSignedIn} onLeave=${() => setCode(null)} /></main>`
    : html`<main class="alone sign-in"><h1>Sign in to Parley</h1><${Ways} onSignedIn=${onSignedIn} /></main>`;
}

/** The first page of a new installation. */
function First({ code, onSignedIn, onLeave }) {
  const [state, setState] = useState({});
  const submit = async (event) => {
    event.preventDefault();
    const { name, password } = Object.fromEntries(new FormData(event.target));
    setState({ busy: true });
    try {
      await api('POST', 'v1/auth/register', { username: name, password, code }, { Authorization: 'none' });
      const granted = await api('POST', 'v1/auth/login', { username: name, password }, { Authorization: 'none' });
      await signIn(granted.token, granted.refreshToken);
      first = null;
      onSignedIn();
    } catch (problem) {
      setState({ problem });
    }
  };
  return html`<div>
    <form onSubmit=${submit}>
      <label>Name <input name="name" required autocomplete="username" autofocus /></label>
      <label>Password <input name="password" type="password" required minlength="10" autocomplete="new-password" /></label>
      <${Failure} problem=${state.problem} />
      <p class="buttons"><button class="main" disabled=${state.busy}>Create</button></p>
    </form>
    <p><button class="link" onClick=${onLeave}>Sign in instead</button></p>
  </div>`;
}

/** Sign-in dialog over a page whose sign-in has expired; the page keeps its state. */
export function SignInAgain({ name, onSignedIn }) {
  const box = useRef(null);
  const show = () => box.current?.isConnected && !box.current.open && box.current.showModal();
  useEffect(() => {
    show();
  }, []);
  return html`<dialog ref=${box} class="sign-in" onClose=${show} onCancel=${(e) => e.preventDefault()} aria-labelledby="sign-in-again">
    <h2 id="sign-in-again">Your sign-in has expired</h2>
    <p>Sign in again as ${name}: what you have written here stays.</p><${Ways} onSignedIn=${onSignedIn} /></dialog>`;
}

function Ways({ onSignedIn }) {
  const [way, setWay] = useState('password');
  const [providers, setProviders] = useState([]);
  const [state, setState] = useState({});
  useEffect(() => {
    api('GET', 'v1/auth/providers', undefined, { Authorization: 'none' }).then((said) => setProviders(said.data ?? said.providers ?? [])).catch(() => null);
  }, []);
  const submit = async (event) => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.target));
    setState({ busy: true });
    try {
      if (way === 'key') {
        await signIn(given.key.trim());
      } else {
        const granted = await api('POST', 'v1/auth/login', { username: given.name, password: given.password }, { Authorization: 'none' });
        await signIn(granted.token, granted.refreshToken);
      }
      onSignedIn();
    } catch (problem) {
      setState({ problem: problem.status === 401 && way === 'key' ? { message: 'This key is unknown or has expired.' } : problem });
    }
  };
  return html`<div>
    <form onSubmit=${submit}>
      ${way === 'key'
        ? html`<label>Key <input name="key" type="password" required autocomplete="off" autofocus /></label>`
        : html`<label>Name or e-mail <input name="name" required autocomplete="username" autofocus /></label>
            <label>Password <input name="password" type="password" required autocomplete="current-password" /></label>`}
      <${Failure} problem=${state.problem} />
      <p class="buttons"><button class="main" disabled=${state.busy}>Sign in</button></p>
    </form>
    ${providers.map((one) => html`<p><a class="button" href=${`v1/auth/oauth/${encodeURIComponent(one.name)}?redirect=/`}>Sign in with ${one.title ?? one.name}</a></p>`)}
    <p><button class="link" onClick=${() => { setWay(way === 'key' ? 'password' : 'key'); setState({}); }}>
      ${way === 'key' ? 'Sign in with a password' : 'Sign in with a key'}
    </button></p>
    <details><summary>Trouble signing in?</summary>
      <p>Nobody has an account yet? <code>./parley dev</code> prints an address that creates the first administrator.</p>
      <p>On the server, <code>data/admin.key</code> (or <code>PARLEY_ADMIN_KEY</code>) is a key of an administrator. With it
        <code>POST /v1/users/ID/sign-in-code</code> creates a code for someone who forgot their password.</p>
    </details>
  </div>`;
}
