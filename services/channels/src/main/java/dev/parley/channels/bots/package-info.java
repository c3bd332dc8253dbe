/** Bots at work: which instance owns which, what they take in, and how replies go out, in order and at a legal pace. */
@NullMarked
package dev.parley.channels.bots;

import org.jspecify.annotations.NullMarked;
