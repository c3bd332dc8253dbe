/** Definitions that administrators write: agents with their skills, tools, guardrails, endpoints and settings. */
@NullMarked
package dev.parley.domain.definition;

import org.jspecify.annotations.NullMarked;
