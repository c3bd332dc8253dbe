/** Sending of replies: order, rates, growing answers, and the ledger of what was sent. */
@NullMarked
package dev.parley.channels.bots.delivery;

import org.jspecify.annotations.NullMarked;
