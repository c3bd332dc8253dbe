/** The provider for OpenAI's Responses API. */
@NullMarked
package dev.parley.agents.model.openai;

import org.jspecify.annotations.NullMarked;
