/** The bundled schemas for standard consumers: read-only, with the API of Confluent's schema registry. */
@NullMarked
package dev.parley.channels.registry;

import org.jspecify.annotations.NullMarked;
