/**
 * Event webhooks: project events sent to URLs that the project configures, signed according to Standard Webhooks, with
 * retries for up to a day.
 */
@NullMarked
package dev.parley.channels.hooks;

import org.jspecify.annotations.NullMarked;
