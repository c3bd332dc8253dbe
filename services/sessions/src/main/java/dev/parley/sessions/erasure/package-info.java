/**
 * Erasure of sessions, users and projects: removes their events and files once the views are clean, and issues
 * receipts.
 */
@Configuration
@Requires(property = "parley.role.sessions", value = "true")
@NullMarked
package dev.parley.sessions.erasure;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
