/** Erasure of memories, with receipts. */
@Configuration
@Requires(property = "parley.role.memory", value = "true")
@NullMarked
package dev.parley.memory.erasure;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
