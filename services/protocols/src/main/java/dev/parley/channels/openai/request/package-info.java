/** What clients of OpenAI's protocol send: messages, tools, settings. */
@NullMarked
package dev.parley.channels.openai.request;

import org.jspecify.annotations.NullMarked;
