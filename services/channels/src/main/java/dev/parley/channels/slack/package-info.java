/** Slack: events over Socket Mode or HTTP, and everything that is peculiar to them. */
@NullMarked
package dev.parley.channels.slack;

import org.jspecify.annotations.NullMarked;
