// The client of OpenAI: chat completions and responses, whole and as a stream.
import assert from 'node:assert/strict';
import OpenAI from 'openai';

const [url, apiKey] = process.argv.slice(2);
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey });
const messages = [{ role: 'user', content: '!say hello there' }];

const answer = await client.chat.completions.create({ model: 'default', messages });
assert.equal(answer.choices[0].message.content, 'hello there');
let text = '';
for await (const chunk of await client.chat.completions.create({ model: 'default', messages, stream: true })) {
    text += chunk.choices[0]?.delta?.content ?? '';
}
assert.equal(text, 'hello there');
const response = await client.responses.create({ model: 'default', input: '!say hello again' });
assert.equal(response.output_text, 'hello again');
const stream = client.responses.stream({ model: 'default', input: '!say hello once more' });
assert.equal((await stream.finalResponse()).output_text, 'hello once more');
