/** Read API of the views: sessions, turns, messages, search, figures for operators. */
@Configuration
@Requires(property = "parley.role.sessions", value = "true")
@NullMarked
package dev.parley.sessions.api;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
