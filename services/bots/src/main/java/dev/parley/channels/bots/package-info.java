/**
 * Running bots: which instance owns which bot, what they receive, and how replies are delivered in order and within
 * rate limits.
 */
@NullMarked
package dev.parley.channels.bots;

import org.jspecify.annotations.NullMarked;
