/** Stored responses and conversations of OpenAI's protocol. */
@NullMarked
package dev.parley.channels.openai.store;

import org.jspecify.annotations.NullMarked;
