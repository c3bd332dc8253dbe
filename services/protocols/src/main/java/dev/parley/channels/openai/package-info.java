/** OpenAI's protocol: chat completions, responses and models over Parley's sessions and agents. */
@NullMarked
package dev.parley.channels.openai;

import org.jspecify.annotations.NullMarked;
