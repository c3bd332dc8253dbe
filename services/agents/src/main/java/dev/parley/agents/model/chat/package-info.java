/** Models behind OpenAI's Chat Completions API, and behind the many servers that imitate it. */
@NullMarked
package dev.parley.agents.model.chat;

import org.jspecify.annotations.NullMarked;
