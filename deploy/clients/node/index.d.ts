/** A turn of a session: what somebody said, and what became of it. */
export interface Turn {
  id: string;
  session: string;
  seq: number;
  state: 'QUEUED' | 'RUNNING_MODEL' | 'WAITING_TOOL' | 'WAITING_APPROVAL' | 'WAITING_CHILD' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  text: string;
  reply: string | null;
  error: { type: string; message: string } | null;
  /** provider/model of its last step */
  model: string | null;
  usage: { input: number; output: number; reasoning: number; cacheRead: number; cacheWrite: number; cost: number | null };
  createdAt: string;
  completedAt: string | null;
  /** Calls of tools of yours that wait for their results. */
  calls?: Array<{ id: string; turn: string; step: number; callId: string; tool: string; arguments: string; expiresAt: string }>;
}

/** Something that happens in a turn, as it is streamed. */
export interface TurnEvent {
  id?: string;
  type: 'started' | 'token' | 'reasoning' | 'tool_arguments' | 'tool_call' | 'approval' | 'caller_call' | 'tool_result' | 'message' | 'progress' | 'retry' | 'done' | 'error';
  data: { turn: string; session: string; step: number; attempt: number; text: string; tool?: string; callId?: string; state?: string };
}

/**
 * Something that happens in a project. It has ids and no content. A stream begins with `open`, also where it is opened again; with
 * `missed` where some of what followed `lastEventId` is not kept any more.
 */
export interface ProjectEvent {
  /** Keep it: `watch({ lastEventId })` goes on behind it. */
  id?: string;
  type: string;
  timestamp?: string;
  data?: Record<string, unknown>;
}

export interface Message {
  id: string;
  turn: string;
  role: 'user' | 'assistant' | 'system' | 'tool';
  parts: Array<{ id: string; kind: string; text?: string; [more: string]: unknown }>;
  createdAt: string;
  completedAt: string | null;
  [more: string]: unknown;
}

export interface Signalled {
  /** Ends the waiting; the turn goes on. */
  signal?: AbortSignal;
}

export interface Said extends Signalled {
  /** The Idempotency-Key: the same one is the same turn, whenever it is said again. Made up where it is left out. */
  key?: string;
  agent?: string;
  mode?: 'followup' | 'steer' | 'collect' | 'interrupt' | 'reject';
  settings?: Record<string, unknown>;
  /** Tools of yours: an event `caller_call`, or `calls` of what `say` gives, says when the model calls one, and `give` takes its result. */
  tools?: Array<{ name: string; description?: string; parameters?: Record<string, unknown> }>;
}

/** The API refused. `code` is stable, such as `unknown_session`. */
export class ParleyError extends Error {
  status: number;
  code: string;
  errors: Array<Record<string, unknown>>;
}

/**
 * One project of a server. Requests that may be repeated are: up to six times while the server is away or busy, with the same key, so
 * that nothing is said twice.
 */
export class Parley {
  constructor(options: { url: string; key: string; project?: string; fetch?: typeof fetch });
  /** Says something, and does not wait. */
  submit(session: string, text: string, options?: Said): Promise<Turn>;
  /** Says something, and waits for the turn to end or to wait for you (`calls`), however long that takes. */
  say(session: string, text: string, options?: Said): Promise<Turn>;
  /** Says something, and gives what happens up to `done` or `error`. */
  stream(session: string, text: string, options?: Said): AsyncGenerator<TurnEvent>;
  /** The events of a turn; a lost connection is made again. @throws SyntaxError at an event whose data is not JSON */
  follow(session: string, turn: string, options?: Signalled): AsyncGenerator<TurnEvent>;
  /** The events of the project, without end, each at least once. @throws SyntaxError at an event whose data is not JSON; its `id` as `lastEventId` goes on behind it */
  watch(options?: Signalled & { events?: string[]; lastEventId?: string }): AsyncGenerator<ProjectEvent>;
  /** All messages of a session, the oldest first. */
  messages(session: string, options?: Signalled): AsyncGenerator<Message>;
  /** All sessions that the key sees. */
  sessions(options?: Signalled): AsyncGenerator<Record<string, unknown> & { key: string }>;
  /** Gives the result of a call of a tool of yours: `call` is the `callId` of its event. The first result holds. With `wait`,
   * such as 30s, it gives the turn when that has ended, waits for you again or took longer. */
  give(session: string, call: string, content: string, options?: Signalled & { failed?: boolean; wait?: string }): Promise<Turn | null>;
  /** Stops what goes on in a session, and what waits. */
  cancel(session: string, options?: Signalled): Promise<unknown>;
  /** Any other request of the API. @throws ParleyError */
  request(method: string, path: string, options?: Signalled & { body?: unknown; headers?: Record<string, string> }): Promise<any>;
}
