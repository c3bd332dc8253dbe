/** The provider for Anthropic's Messages API. */
@NullMarked
package dev.parley.agents.model.anthropic;

import org.jspecify.annotations.NullMarked;
