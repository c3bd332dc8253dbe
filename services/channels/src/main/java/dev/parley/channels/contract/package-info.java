/** What a channel is: how messages come in, how replies go out, and what an adapter has to be able to. */
@NullMarked
package dev.parley.channels.contract;

import org.jspecify.annotations.NullMarked;
