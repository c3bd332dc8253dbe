// node test/not-json.js: an event whose data is not JSON fails once, and is not asked for again. Needs no server.
import assert from 'node:assert/strict';
import { Parley } from '../index.js';

let requests = 0;
const fetch = async () => {
  requests++;
  return new Response('id: 6\ndata: {"type":"turn.failed"}\n\nid: 7\ndata: not JSON\n\n');
};

const events = new Parley({ url: 'http://127.0.0.1', key: 'none', fetch }).watch();
assert.equal((await events.next()).value.id, '6');
await assert.rejects(events.next(), (e) => e instanceof SyntaxError && e.message.includes('event 7') && e.id === '7');
assert.equal(requests, 1);
console.log('all is well');
