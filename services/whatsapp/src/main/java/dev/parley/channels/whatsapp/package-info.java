/** WhatsApp bots: the Cloud API and its webhooks. */
@NullMarked
package dev.parley.channels.whatsapp;

import org.jspecify.annotations.NullMarked;
