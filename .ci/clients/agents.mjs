// OpenAI's agents: a run over the responses, and one over chat completions.
import assert from 'node:assert/strict';
import { Agent, OpenAIProvider, Runner } from '@openai/agents';

const [url, apiKey] = process.argv.slice(2);
for (const useResponses of [true, false]) {
    const modelProvider = new OpenAIProvider({ baseURL: `${url}/v1`, apiKey, useResponses });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const result = await runner.run(new Agent({ name: 'guest', model: 'default' }), '!say hello there');
    assert.equal(result.finalOutput, 'hello there');
}
