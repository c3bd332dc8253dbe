/** A model that is none: it answers by fixed rules, offline and always the same, and does what is written for it. */
@NullMarked
package dev.parley.agents.model.scripted;

import org.jspecify.annotations.NullMarked;
