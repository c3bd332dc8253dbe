/** The agents service: it decides turns, calls models, and counts what they use. */
@NullMarked
package dev.parley.agents;

import org.jspecify.annotations.NullMarked;
