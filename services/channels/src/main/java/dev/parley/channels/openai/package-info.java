/** OpenAI's protocol: chat completions, responses and models, with Parley's sessions and agents behind. */
@NullMarked
package dev.parley.channels.openai;

import org.jspecify.annotations.NullMarked;
