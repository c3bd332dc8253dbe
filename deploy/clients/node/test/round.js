// node test/round.js URL KEY: one round of what the client does, against a server with the scripted model.
import assert from 'node:assert/strict';
import { Parley, ParleyError } from '../index.js';

const [url, key] = process.argv.slice(2);
const parley = new Parley({ url, key });
const session = `client-${Date.now()}`;

const watched = [];
const end = new AbortController();
let opened;
const open = new Promise((resolve) => (opened = resolve));
const watching = (async () => {
  for await (const event of parley.watch({ events: ['turn.completed'], signal: end.signal })) {
    if (event.type === 'open') opened();
    if (event.data?.session === session) watched.push(event.data.turn);
  }
})().catch((e) => assert.ok(end.signal.aborted, e));
await open;

const turn = await parley.say(session, '!say hello', { key: `${session}-1` });
assert.equal(turn.state, 'COMPLETED');
assert.equal(turn.reply, 'hello');
assert.equal((await parley.say(session, '!say hello', { key: `${session}-1` })).id, turn.id, 'the same key is the same turn');

const long = ['!stream 30 words over 2s', { key: `${session}-2` }];
let text = '';
let last;
for await (const event of parley.stream(session, ...long)) {
  if (event.type === 'retry') text = '';
  if (event.type === 'token') text += event.data.text;
  last = event;
}
assert.equal(last.type, 'done');
assert.equal(text, (await parley.say(session, ...long)).reply, 'what was streamed is what was said');

const roles = [];
for await (const message of parley.messages(session)) {
  roles.push(message.role);
}
assert.deepEqual(roles.slice(0, 2), ['user', 'assistant']);

await assert.rejects(parley.request('GET', '/v1/sessions/no-such-session'), (e) => e instanceof ParleyError && e.status === 404);

for (let i = 0; i < 100 && watched.length < 2; i++) await new Promise((resolve) => setTimeout(resolve, 100));
end.abort();
await watching;
assert.equal(new Set(watched).size, 2, 'both turns were told');
console.log('all is well');
