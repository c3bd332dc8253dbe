// Requests to this server's API. The browser authenticates with a cookie that no script can read.

const TIMEOUT = 30_000;

/** An error answer of the server, or the reason why it could not be reached. */
export class Problem extends Error {
  /** @param status HTTP status; 0 without an answer */
  constructor(status, code, detail, errors) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors ?? [];
  }
}

/** Integers that a double cannot hold keep their digits. */
class Exact {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
  toJSON() {
    return JSON.rawJSON ? JSON.rawJSON(this.text) : this.text;
  }
}

const exact = (_, value, context) =>
  typeof value === 'number' && context?.source && !Number.isSafeInteger(value) && String(value) !== context.source
    ? new Exact(context.source)
    : value;

export const parse = (text) => JSON.parse(text, exact);

const listeners = new Set();

/** True while signed out: no request is sent until the next sign-in. */
let over = false;

/** Registers a callback for the end of the sign-in. */
export function onSignedOut(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called after a sign-in: pending requests are sent again. */
export function signedIn() {
  over = false;
}

/** Query parameters without empty ones. */
export function query(parameters) {
  const given = Object.entries(parameters ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** An id that nothing else has; browsers make one by themselves on https:// and their own machine alone. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** An encoded path segment. */
export const part = encodeURIComponent;

async function send(method, path, body, headers) {
  const typed = body === undefined ? {} : { 'Content-Type': 'application/json' };
  try {
    return await fetch(path, {
      method,
      headers: { Accept: 'application/json', 'Parley-Page': '1', ...typed, ...headers },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT),
    });
  } catch (e) {
    const why = e.name === 'TimeoutError' ? 'The server did not answer within 30 seconds.' : 'The server cannot be reached.';
    throw new Problem(0, 'unreachable', `${why} Is it running, and is this machine connected?`);
  }
}

async function problem(response) {
  const text = await response.text();
  let said = {};
  try {
    said = parse(text);
  } catch {
    // a proxy in between answers with a body of its own
  }
  return new Problem(
    response.status,
    said.code ?? 'unknown',
    said.detail ?? said.title ?? `The server answered with ${response.status}.`,
    said.errors,
  );
}

let refreshing = null;

/** Refreshes the sign-in once for all requests that wait for it. */
function refresh() {
  refreshing ??= send('POST', 'v1/auth/refresh', {})
    .then((answer) => answer.ok || answer.status === 409)
    .catch(() => false)
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

async function answered(method, path, body, headers) {
  if (over && headers?.Authorization === undefined) {
    throw new Problem(401, 'signed_out', 'Your sign-in has expired: sign in again.');
  }
  let response = await send(method, path, body, headers);
  if (response.status === 401 && !headers?.Authorization && (await refresh())) {
    response = await send(method, path, body, headers);
  }
  if (response.status === 401 && headers?.Authorization === undefined) {
    over = true;
    listeners.forEach((listener) => listener());
  }
  if (!response.ok) {
    throw await problem(response);
  }
  return response;
}

/** Calls the API; resolves to the JSON answer, null for an empty one. */
export async function api(method, path, body, headers) {
  const text = await (await answered(method, path, body, headers)).text();
  return text === '' ? null : parse(text);
}

export const get = (path) => api('GET', path);

/** Iterates over a list page by page, up to a limit; a page is fetched when it is needed. */
export async function* pages(path, filters, most) {
  let cursor;
  for (let n = 0; n < most; n++) {
    const page = await get(path + query({ ...filters, cursor }));
    yield page;
    if (!page.next) return;
    cursor = page.next;
  }
}

/** A whole list of at most 2,000 rows; `more` is true if there are others. */
export async function all(path, filters) {
  const list = { data: [], more: false };
  for await (const { data, next } of pages(path, { limit: 200, ...filters }, 10)) {
    list.data.push(...data);
    list.more = Boolean(next);
  }
  return list;
}

/** Like `api` for text, with its ETag. @param type the media type to accept, if there are several */
export async function getText(path, type = '*/*') {
  const response = await answered('GET', path, undefined, { Accept: type });
  return { text: await response.text(), etag: response.headers.get('ETag') };
}

/** Like `api` with the ETag that a change sends back as If-Match. */
export async function getVersion(path) {
  const { text, etag } = await getText(path);
  return { value: parse(text), etag };
}

/** A stream of server-sent events that resumes after the last event when the connection or the sign-in ends; returns a function that closes it. */
export function stream(path, kinds, listener, onState) {
  let source = null;
  let timer = null;
  let pause = 2_000;
  let last = '';
  const again = () => {
    timer = setTimeout(() => (over ? again() : refresh().then(() => timer !== null && open())), over ? 1_000 : pause);
  };
  const open = () => {
    source = new EventSource(path + query({ lastEventId: last }));
    source.onopen = () => {
      pause = 2_000;
      onState?.('open');
    };
    source.onerror = () => {
      onState?.('lost');
      // The browser reconnects while the server is unreachable; a rejected request is repeated here.
      if (source.readyState === EventSource.CLOSED) {
        again();
        pause = Math.min(pause * 2, 60_000);
      }
    };
    for (const kind of kinds) {
      source.addEventListener(kind, (event) => {
        last = event.lastEventId || last;
        if (event.data) {
          listener(kind, parse(event.data), event.lastEventId);
        }
      });
    }
  };
  open();
  return () => {
    clearTimeout(timer);
    timer = null;
    source.onerror = null;
    source.close();
  };
}
