// The client of AG-UI: two runs of a thread. It verifies the order of the events by itself.
import assert from 'node:assert/strict';
import { HttpAgent } from '@ag-ui/client';

const [url, key] = process.argv.slice(2);
const agent = new HttpAgent({
    url: `${url}/v1/agui/default`,
    headers: { Authorization: `Bearer ${key}` },
    threadId: `agui:client-${crypto.randomUUID()}`,
});
for (const word of ['hello', 'goodbye']) {
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: `!call time {}\n!then\n!say ${word}` });
    const types = new Set();
    await agent.runAgent({}, { onEvent: ({ event }) => { types.add(event.type); } });
    assert.equal(agent.messages.at(-1).content, word);
    assert(types.has('TEXT_MESSAGE_CONTENT') && types.has('TOOL_CALL_RESULT') && types.has('RUN_FINISHED'), [...types].join());
}
