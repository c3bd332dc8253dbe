/** The bundled schemas for stock consumers: read-only, in the API of Confluent's schema registry. */
@NullMarked
package dev.parley.channels.registry;

import org.jspecify.annotations.NullMarked;
