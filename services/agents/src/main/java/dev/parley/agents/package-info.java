/** The agents service: decides turns, calls models and accounts for their usage. */
@NullMarked
package dev.parley.agents;

import org.jspecify.annotations.NullMarked;
