// A client of Parley's HTTP API for Node and browsers, without dependencies. index.d.ts says what each part means.

const ATTEMPTS = 6;
const LONGEST_PAUSE = 10_000;
const ENDS = ['done', 'error'];
const CAN_BE_SENT_AGAIN = [429, 502, 503, 504];

export class ParleyError extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `the server answered with ${status}`);
    this.name = 'ParleyError';
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.errors = problem.errors ?? [];
  }
}

export class Parley {
  #url;
  #key;
  #project;
  #fetch;

  constructor({ url, key, project = 'default', fetch = globalThis.fetch }) {
    this.#url = url.replace(/\/+$/, '');
    this.#key = key;
    this.#project = project;
    this.#fetch = (...args) => fetch(...args);
  }

  async request(method, path, { body, headers = {}, signal } = {}) {
    const response = await this.#again(method, path, { body, headers, signal });
    const text = await response.text();
    return text === '' ? null : JSON.parse(text);
  }

  submit(session, text, { key = crypto.randomUUID(), signal, ...more } = {}) {
    return this.#turn(session, text, '', key, signal, more);
  }

  async say(session, text, { key = crypto.randomUUID(), signal, ...more } = {}) {
    for (;;) {
      // The same key is the same turn, so to wait longer is to ask again.
      const turn = await this.#turn(session, text, '?wait=30s', key, signal, more);
      if (turn.completedAt || turn.calls) return turn;
    }
  }

  async *stream(session, text, options = {}) {
    const { id } = await this.submit(session, text, options);
    yield* this.follow(session, id, options);
  }

  async *follow(session, turn, { signal } = {}) {
    for await (const event of this.#events(`${this.#session(session)}/events?turn=${turn}`, undefined, signal)) {
      yield event;
      if (ENDS.includes(event.type)) return;
    }
  }

  async *watch({ events, lastEventId, signal } = {}) {
    const wanted = events ? `?events=${encodeURIComponent(events.join(','))}` : '';
    for await (const event of this.#events(`/v1/projects/${this.#part(this.#project)}/events${wanted}`, lastEventId, signal)) {
      yield ['open', 'missed'].includes(event.type) ? { id: event.id, type: event.type } : { id: event.id, type: event.data.type, timestamp: event.data.timestamp, data: event.data.data };
    }
  }

  async *messages(session, { signal } = {}) {
    yield* this.#pages(`${this.#session(session)}/messages`, signal);
  }

  async *sessions({ signal } = {}) {
    yield* this.#pages(`/v1/projects/${this.#part(this.#project)}/sessions`, signal);
  }

  /** The same result twice is one, so it may be sent again. */
  give(session, call, content, { failed = false, wait, signal } = {}) {
    return this.request('POST', `${this.#session(session)}/calls/${this.#part(call)}/result${wait ? `?wait=${wait}` : ''}`, { body: { content, failed }, headers: { 'Idempotency-Key': call }, signal });
  }

  cancel(session, { signal } = {}) {
    return this.request('DELETE', `${this.#session(session)}/run`, { signal });
  }

  #part = (text) => encodeURIComponent(text);

  #session(session) {
    return `/v1/projects/${this.#part(this.#project)}/sessions/${this.#part(session)}`;
  }

  #turn(session, text, query, key, signal, more) {
    return this.request('POST', `${this.#session(session)}/turns${query}`, { body: { text, ...more }, headers: { 'Idempotency-Key': key }, signal });
  }

  async *#pages(path, signal) {
    let cursor;
    do {
      const page = await this.request('GET', `${path}?limit=200${cursor ? `&cursor=${this.#part(cursor)}` : ''}`, { signal });
      yield* page.data;
      cursor = page.next;
    } while (cursor);
  }

  /** A change without a key of its own is not sent again: it may have been made. */
  async #again(method, path, { body, headers, signal }) {
    const safe = method === 'GET' || method === 'DELETE' || 'Idempotency-Key' in headers;
    for (let attempt = 1; ; attempt++) {
      let response;
      try {
        response = await this.#fetch(this.#url + path, {
          method,
          headers: { Authorization: `Bearer ${this.#key}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
          body: body === undefined ? undefined : JSON.stringify(body),
          signal,
        });
      } catch (e) {
        if (signal?.aborted || !safe || attempt === ATTEMPTS) throw e;
      }
      if (response?.ok) return response;
      if (response && !(safe && CAN_BE_SENT_AGAIN.includes(response.status) && attempt < ATTEMPTS)) {
        throw new ParleyError(response.status, await response.json().catch(() => ({})));
      }
      await response?.body?.cancel();
      await pause(Number(response?.headers.get('Retry-After')) * 1_000 || 250 * 2 ** attempt, signal);
    }
  }

  /** Events of a stream that is opened again where it was lost, as long as whoever reads wants more. */
  async *#events(path, lastEventId, signal) {
    let last = lastEventId;
    for (;;) {
      const response = await this.#again('GET', path, { headers: { Accept: 'text/event-stream', 'Accept-Encoding': 'identity', ...(last ? { 'Last-Event-ID': last } : {}) }, signal });
      try {
        for await (const event of parsed(response.body)) {
          last = event.id ?? last;
          yield event;
        }
      } catch (e) {
        if (signal?.aborted || e instanceof SyntaxError) throw e; // to open it again would give the same event
      }
      await pause(250, signal);
    }
  }
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(ms, LONGEST_PAUSE));
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}

function json({ id, data }) {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw Object.assign(new SyntaxError(`the data of event ${id ?? 'without id'} is not JSON`, { cause }), { id });
  }
}

/** Events out of the bytes of a stream: {id?, type, data}. */
export async function* parsed(bytes) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const fields = Object.fromEntries(rest.slice(0, end).split('\n').filter((line) => /^(id|event|data): /.test(line)).map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
      rest = rest.slice(end + 2);
      if (fields.data !== undefined) yield { id: fields.id, type: fields.event ?? 'message', data: json(fields) };
    }
  }
}
