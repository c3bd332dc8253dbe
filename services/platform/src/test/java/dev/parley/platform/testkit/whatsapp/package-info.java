/** A WhatsApp for tests: the Cloud API and its webhooks. */
@NullMarked
package dev.parley.platform.testkit.whatsapp;

import org.jspecify.annotations.NullMarked;
