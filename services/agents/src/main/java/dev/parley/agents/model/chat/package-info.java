/** The provider for OpenAI's Chat Completions API and compatible servers. */
@NullMarked
package dev.parley.agents.model.chat;

import org.jspecify.annotations.NullMarked;
