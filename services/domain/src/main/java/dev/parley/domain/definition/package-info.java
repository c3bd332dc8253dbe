/** What administrators write down: agents, and what they have (skills, tools, guardrails, endpoints, settings). */
@NullMarked
package dev.parley.domain.definition;

import org.jspecify.annotations.NullMarked;
