/** What changed in tables that others know from the topic access: marked by triggers, sent by one publisher. */
@NullMarked
package dev.parley.control.outbox;

import org.jspecify.annotations.NullMarked;
